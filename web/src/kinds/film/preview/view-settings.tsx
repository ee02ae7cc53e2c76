import { SlidersHorizontal } from 'lucide-react';
import { z } from 'zod';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { aspectSchema } from '#contract/render.ts';
import { browserStorage, parseStored } from '../../../browser-storage.ts';
import { cx, IconButton } from '../../../ui/elements.tsx';
import { Menu, MenuCheck, MenuChoice, MenuSeparator, MenuTitle } from '../../../ui/menu.tsx';

const frameModes = ['plain', 'phone', ...aspectSchema.options] as const;
export const backgrounds = ['film', 'checkerboard', 'black', 'white'] as const;

/** How films are displayed, for all projects in this browser. */
const viewSettingsSchema = z.object({
  safeAreas: z.boolean().catch(false),
  grid: z.boolean().catch(false),
  /** Plain, on a phone, or cropped to another aspect ratio. */
  frame: z.enum(frameModes).catch('plain'),
  /** The background; all values except `film` hide the film's own. */
  background: z.enum(backgrounds).catch('film'),
  compareMode: z.enum(['wipe', 'side']).catch('wipe'),
});
export type ViewSettings = z.infer<typeof viewSettingsSchema>;

const storageKey = 'koda:preview-view';

/** Parses stored settings. Unreadable fields get their defaults. */
export function readViewSettings(kept: string | null): ViewSettings {
  return parseStored(viewSettingsSchema, kept) ?? viewSettingsSchema.parse({});
}

export const viewSettings = createStore<ViewSettings>(() => readViewSettings(browserStorage.read(storageKey)));

export function changeView(change: Partial<ViewSettings>): void {
  viewSettings.setState(change);
  browserStorage.write(storageKey, JSON.stringify(viewSettings.getState()));
}

const frameNames: Record<ViewSettings['frame'], string> = {
  plain: 'Plain',
  phone: 'On a phone',
  '16:9': 'Cropped to 16:9',
  '9:16': 'Cropped to 9:16',
  '1:1': 'Cropped to 1:1',
  '4:5': 'Cropped to 4:5',
};
const backgroundNames: Record<ViewSettings['background'], string> = {
  film: 'Film background',
  checkerboard: 'Checkerboard',
  black: 'Black',
  white: 'White',
};

const frameOptions = frameModes.map((value) => ({ value, label: frameNames[value] }));
const backgroundOptions = backgrounds.map((value) => ({ value, label: backgroundNames[value] }));

export function ViewMenu() {
  const { safeAreas, grid, frame, background } = useStore(viewSettings);
  const special = safeAreas || grid || frame !== 'plain' || background !== 'film';
  return (
    <Menu
      trigger={
        <IconButton label="View" className={cx('relative', special && 'text-accent-text')}>
          <SlidersHorizontal className="size-4" />
          {special && <span className="absolute top-1 right-1 size-1.5 rounded-full bg-accent" />}
        </IconButton>
      }
    >
      <MenuTitle>Guides</MenuTitle>
      <MenuCheck label="Safe areas" keys="S" checked={safeAreas} onChange={(checked) => changeView({ safeAreas: checked })} />
      <MenuCheck label="Rule of thirds" keys="G" checked={grid} onChange={(checked) => changeView({ grid: checked })} />
      <MenuSeparator />
      <MenuTitle>Frame</MenuTitle>
      <MenuChoice label="Frame" value={frame} options={frameOptions} onChange={(next) => changeView({ frame: next })} />
      <MenuSeparator />
      <MenuTitle>Background</MenuTitle>
      <MenuChoice
        label="Background"
        value={background}
        options={backgroundOptions}
        onChange={(next) => changeView({ background: next })}
      />
    </Menu>
  );
}
