import { ArrowLeft, Check } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { aspectSchema } from '#contract/render.ts';
import { type Film, type ThemeName, themeNames } from '#kinds/film/contract/film.ts';
import { darkThemes, type ThemeColors, themes } from '#kinds/film/contract/themes.ts';
import { cx, IconButton } from '../../../ui/elements.tsx';
import { Choice } from '../../../ui/fields.tsx';
import { FrameIcon } from '../frame-icon.tsx';
import { useSceneEditors } from './actions.ts';
import { ColorInput } from './field-inputs.tsx';
import { labelOf } from './field-schema.ts';

interface ThemeInfo {
  readonly use: string;
  /** The display face, or a similar one that most systems have. */
  readonly font: string;
}

const infos: Readonly<Record<ThemeName, ThemeInfo>> = {
  paper: { use: 'Essays, culture', font: 'Fraunces, Georgia, serif' },
  studio: { use: 'Products, reports', font: '"Inter Variable", sans-serif' },
  midnight: { use: 'Launches', font: '"Space Grotesk", "Inter Variable", sans-serif' },
  bold: { use: 'Offers, sport', font: 'Anton, Impact, "Arial Narrow", sans-serif' },
  blush: { use: 'Invitations, food', font: '"DM Serif Display", Georgia, serif' },
  forest: { use: 'Nature, health', font: '"Bricolage Grotesque", "Inter Variable", sans-serif' },
  neon: { use: 'Music, games', font: 'Sora, "Inter Variable", sans-serif' },
  chalk: { use: 'Teaching', font: '"Caveat Brush", "Comic Sans MS", cursive' },
  terminal: { use: 'Releases', font: '"JetBrains Mono Variable", monospace' },
  candy: { use: 'Children, parties', font: 'Fredoka, "Arial Rounded MT Bold", sans-serif' },
  luxe: { use: 'Galas, jewellery', font: '"Playfair Display", Georgia, serif' },
  news: { use: 'Announcements', font: 'Archivo, "Inter Variable", sans-serif' },
};

export const themeTitle = labelOf;
export const themeFont = (theme: ThemeName): string => infos[theme].font;

export function ThemeBands({ colors, className }: { colors: ThemeColors; className: string }) {
  return (
    <span aria-hidden="true" className={cx('flex shrink-0 overflow-hidden rounded-md border border-line', className)}>
      <span className="flex-2" style={{ background: `linear-gradient(${colors.top}, ${colors.bottom})` }} />
      <span className="flex-1" style={{ background: colors.accent }} />
      <span className="flex-1" style={{ background: colors.ink }} />
    </span>
  );
}

const groups = [
  { value: 'all', label: 'All 12' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

interface ThemePanelProps {
  film: Film;
  /** Theme to preview in the strip; `null` for the film's own. */
  onPreview: (theme: ThemeName | null) => void;
  onClose: () => void;
}

/** Edits the whole film's theme, aspect ratio and colours. Enter or a click applies a theme. */
export function ThemePanel({ film, onPreview, onClose }: ThemePanelProps) {
  const { setLook } = useSceneEditors();
  const [group, setGroup] = useState<(typeof groups)[number]['value']>('all');
  const [active, setActive] = useState<ThemeName>(film.theme);
  const grid = useRef<HTMLDivElement>(null);
  const shown = themeNames.filter((name) => group === 'all' || darkThemes.has(name) === (group === 'dark'));
  const tabStop = shown.includes(active) ? active : shown[0];
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -3, ArrowDown: 3 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const at = shown.indexOf(active) + by;
    const next = shown[Math.min(shown.length - 1, Math.max(0, at))];
    if (next !== undefined) grid.current?.querySelector<HTMLElement>(`[data-theme-name="${next}"]`)?.focus();
  };
  const close = () => {
    onPreview(null);
    onClose();
  };
  return (
    <section
      aria-label="Theme"
      className="flex min-h-0 flex-1 flex-col bg-panel"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        event.stopPropagation();
        close();
      }}
    >
      <div className="flex items-center gap-2 px-4 pt-3 pb-2">
        <IconButton icon={ArrowLeft} label="Back to the scene" shortcut="Esc" onClick={close} className="-ml-2" />
        <h2 className="font-semibold">Theme</h2>
        <span className="sr-only">for the whole film</span>
        <span className="ml-auto">
          <Choice label="Which themes" value={group} options={groups} onChange={setGroup} />
        </span>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-4 pb-4">
        <div
          ref={grid}
          role="radiogroup"
          aria-label="Theme"
          tabIndex={-1}
          onKeyDown={onKeyDown}
          onMouseLeave={() => onPreview(null)}
          className="grid grid-cols-2 gap-x-3 gap-y-3 pt-1 outline-none pane:grid-cols-3"
        >
          {shown.map((name) => (
            <Swatch
              key={name}
              name={name}
              title={film.title}
              chosen={film.theme === name}
              tabIndex={name === tabStop ? 0 : -1}
              onShow={() => onPreview(name)}
              onFocus={() => {
                setActive(name);
                onPreview(name);
              }}
              onBlur={() => onPreview(null)}
              onKeep={() => setLook('theme', name)}
            />
          ))}
        </div>
        <div className="mt-4 flex flex-col gap-3 border-line border-t pt-4">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <span aria-hidden="true" className="text-[13px]">
              Shape
            </span>
            <Choice
              label="Frame shape"
              value={film.aspect}
              options={aspectSchema.options.map((value) => ({ value, label: value, icon: <FrameIcon aspect={value} /> }))}
              onChange={(aspect) => setLook('aspect', aspect)}
            />
          </div>
          <h3 className="font-medium text-[13px]">Your colours</h3>
          {(['accent', 'helper', 'ground', 'ink'] as const).map((name) => (
            <BrandColor key={name} film={film} name={name} onChange={(colors, key) => setLook('colors', colors, key)} />
          ))}
          <p className="text-pretty text-ink-3 text-xs leading-4.5">
            These replace the theme's colours in every scene. An empty field uses the theme's colour.
          </p>
        </div>
      </div>
    </section>
  );
}

interface SwatchProps {
  name: ThemeName;
  title: string;
  chosen: boolean;
  tabIndex: number;
  onShow: () => void;
  onFocus: () => void;
  onBlur: () => void;
  onKeep: () => void;
}

function Swatch({ name, title, chosen, tabIndex, onShow, onFocus, onBlur, onKeep }: SwatchProps) {
  const { top, bottom, ink, accent, helper } = themes[name];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a radio button cannot hold a picture
    <button
      type="button"
      role="radio"
      aria-checked={chosen}
      aria-label={`${labelOf(name)}, ${infos[name].use}`}
      data-theme-name={name}
      tabIndex={tabIndex}
      onClick={onKeep}
      onMouseEnter={onShow}
      onFocus={onFocus}
      onBlur={onBlur}
      // biome-ignore lint/a11y/noAutofocus: the panel takes the place of the fields, and starts at the theme in use
      autoFocus={chosen}
      className="flex min-w-0 flex-col justify-start rounded-lg text-left"
    >
      <span
        className={cx(
          'flex aspect-video w-full flex-col justify-center overflow-hidden rounded-lg border px-2',
          chosen ? 'border-transparent ring-2 ring-accent' : 'border-line-strong',
        )}
        style={{ background: `linear-gradient(${top}, ${bottom})`, color: ink }}
      >
        <span className="line-clamp-2 font-semibold text-[11px] leading-[1.2]" style={{ fontFamily: infos[name].font }}>
          {title}
        </span>
        <span className="mt-1.5 flex h-1.5 gap-1">
          <span className="w-2/5 rounded-full" style={{ background: accent }} />
          <span className="w-1/5 rounded-full" style={{ background: helper }} />
        </span>
      </span>
      <span className="mt-1 flex flex-col text-[13px] leading-4.5">
        <span className="font-medium">{labelOf(name)}</span>
        <span className={cx('truncate text-xs', chosen ? 'flex items-center gap-1 text-ink' : 'text-ink-2')}>
          {chosen && <Check aria-hidden="true" className="size-3.5" />}
          {chosen ? 'In use' : infos[name].use}
        </span>
      </span>
    </button>
  );
}

const colorLabels = { accent: 'Accent', helper: 'Secondary', ground: 'Background', ink: 'Text' } as const;
type ColorName = keyof typeof colorLabels;

interface BrandColorProps {
  film: Film;
  name: ColorName;
  onChange: (colors: Film['colors'], group: string) => void;
}

function BrandColor({ film, name, onChange }: BrandColorProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const value = film.colors[name] ?? null;
  const { top, ink } = themes[film.theme];
  const other = name === 'ground' ? (film.colors.ink ?? ink) : (film.colors.ground ?? top);
  const contrast = value === null ? null : contrastOf(value, other);
  const isWeak = contrast !== null && contrast < 4.5;
  return (
    <ColorInput
      field={{ kind: 'color', name, label: colorLabels[name], optional: true }}
      palette={[]}
      note={
        isWeak
          ? `The contrast with the ${name === 'ground' ? 'text' : 'background'} is only ${contrast.toFixed(1)} : 1. Koda adjusts the text colour to keep it readable.`
          : null
      }
      bind={{
        key: '',
        value,
        draft,
        setDraft,
        commit: (next) => {
          const { [name]: _, ...rest } = film.colors;
          onChange(typeof next === 'string' ? { ...rest, [name]: next } : rest, `colour ${name}`);
        },
      }}
    />
  );
}

/** Returns the contrast of two colours, 1 to 21 (WCAG 2.2). */
export function contrastOf(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((first, second) => second - first);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
