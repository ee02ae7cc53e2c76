import { SlidersHorizontal } from 'lucide-react';
import { useStore } from 'zustand';
import { texts } from '../texts.ts';
import { IconButton } from '../ui/button.tsx';
import { cx } from '../ui/class-names.ts';
import { Menu, MenuCheck, MenuChoice, MenuSeparator, MenuTitle } from '../ui/menu.tsx';
import { backgrounds, changeView, frameModes, viewSettings } from './view-settings.ts';

const frameOptions = frameModes.map((value) => ({ value, label: texts.preview.frames[value] }));
const backgroundOptions = backgrounds.map((value) => ({ value, label: texts.preview.backgrounds[value] }));

/** Guides, frame and background: how the film is looked at. */
export function ViewMenu() {
  const { safeAreas, grid, frame, background } = useStore(viewSettings);
  const special = safeAreas || grid || frame !== 'plain' || background !== 'film';
  return (
    <Menu
      trigger={
        <IconButton label={texts.preview.view} className={cx('relative', special && 'text-accent-text')}>
          <SlidersHorizontal className="size-4" />
          {special && <span className="absolute top-1 right-1 size-1.5 rounded-full bg-accent" />}
        </IconButton>
      }
    >
      <MenuTitle>{texts.preview.guides}</MenuTitle>
      <MenuCheck
        label={texts.preview.safeAreas}
        keys="S"
        checked={safeAreas}
        onChange={(checked) => changeView({ safeAreas: checked })}
      />
      <MenuCheck label={texts.preview.grid} keys="G" checked={grid} onChange={(checked) => changeView({ grid: checked })} />
      <MenuSeparator />
      <MenuTitle>{texts.preview.frame}</MenuTitle>
      <MenuChoice
        label={texts.preview.frame}
        value={frame}
        options={frameOptions}
        onChange={(next) => changeView({ frame: next })}
      />
      <MenuSeparator />
      <MenuTitle>{texts.preview.background}</MenuTitle>
      <MenuChoice
        label={texts.preview.background}
        value={background}
        options={backgroundOptions}
        onChange={(next) => changeView({ background: next })}
      />
    </Menu>
  );
}
