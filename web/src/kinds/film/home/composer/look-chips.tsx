import { ChevronDown, Clock, WandSparkles } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { aspectSchema } from '#contract/render.ts';
import { maxDurationSeconds, minSceneSeconds, type Style, styleSchema, themeNames } from '#kinds/film/contract/film.ts';
import type { Reading } from '#kinds/film/contract/reading.ts';
import { themes } from '#kinds/film/contract/themes.ts';
import { cx } from '../../../../ui/elements.tsx';
import { Menu, MenuChoice } from '../../../../ui/menu.tsx';
import { FrameIcon } from '../../frame-icon.tsx';
import { auto, chosenSeconds, type Draft, durationChoices } from '../idea.ts';
import { type SeenFilm, secondsText } from './film-time.ts';

const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
const styleNames: Record<Style, string> = { playful: 'Playful', smooth: 'Smooth', cinematic: 'Cinematic' };
const specialDurations: Partial<Record<(typeof durationChoices)[number], string>> = { [auto]: 'Auto', custom: 'Other…' };

const autoOption = { value: auto, label: 'Auto' } as const;
const aspectOptions = [autoOption, ...aspectSchema.options.map((aspect) => ({ value: aspect, label: aspect }))];
const durationOptions = durationChoices.map((value) => ({ value, label: specialDurations[value] ?? `${value} s` }));
const styleOptions = [autoOption, ...styleSchema.options.map((style) => ({ value: style, label: styleNames[style] }))];
const themeOptions = [
  autoOption,
  ...themeNames.map((name) => {
    const { top, accent, ink } = themes[name];
    return { value: name, label: capital(name), detail: <Dots colors={[top, accent, ink]} /> };
  }),
];

function Dots({ colors }: { colors: readonly string[] }) {
  return (
    <span aria-hidden="true" className="flex -space-x-1.5 py-0.5">
      {colors.map((color, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may be equal, and they never move
        <span key={at} className="size-3.75 rounded-full ring-1 ring-line-strong ring-inset" style={{ background: color }} />
      ))}
    </span>
  );
}

interface ChipProps {
  readonly icon: ReactNode;
  readonly label: string;
  readonly value: string;
  /** Who chose the value: the text or the user (a dotted line), or Koda (“auto”). */
  readonly isSet: boolean;
  readonly children: ReactNode;
}

function Chip({ icon, label, value, isSet, children }: ChipProps) {
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          className="inline-flex h-8.5 shrink-0 items-center gap-1.75 whitespace-nowrap rounded-lg bg-sunken px-2.5 font-medium text-[13px] hover:bg-bubble max-sm:h-11 max-sm:border max-sm:border-line-strong max-sm:bg-panel max-sm:px-3.5 max-sm:text-base"
        >
          <span className="text-ink-2 [&_svg]:size-4">{icon}</span>
          <span className="sr-only">{`${label}: `}</span>
          <span className={cx(isSet && 'chip-set')}>{value}</span>
          {!isSet && <small className="font-normal text-ink-3 text-xs max-sm:hidden"> auto</small>}
          <ChevronDown aria-hidden="true" className="size-3.5 text-ink-2 max-sm:hidden" />
        </button>
      }
    >
      {children}
    </Menu>
  );
}

interface LookChipsProps {
  readonly draft: Draft;
  readonly seen: SeenFilm | null;
  readonly chosen: Reading['chosen'];
  readonly onChange: (part: Partial<Draft>) => void;
}

/** Shows the film's looks, and who chose each: the text, the user or Koda. */
export function LookChips({ draft, seen, chosen, onChange }: LookChipsProps) {
  const palette = seen?.still.palette;
  const dots = palette ? [palette.backgroundTop, palette.accent, palette.ink] : ['#2f4ff0', '#ffd60a', '#17321f'];
  const aspect = seen?.film.aspect ?? (draft.aspect === auto ? '16:9' : draft.aspect);
  const isLengthSet = draft.duration !== auto || chosen.includes('length');
  return (
    <>
      <Chip
        icon={<FrameIcon aspect={aspect} />}
        label="Frame"
        value={aspect}
        isSet={draft.aspect !== auto || chosen.includes('aspect')}
      >
        <MenuChoice label="Frame" value={draft.aspect} options={aspectOptions} onChange={(next) => onChange({ aspect: next })} />
      </Chip>
      <Chip icon={<Clock />} label="Length" value={lengthText(draft, seen, isLengthSet)} isSet={isLengthSet}>
        <MenuChoice
          label="Length"
          value={draft.duration}
          options={durationOptions}
          onChange={(duration) => onChange({ duration })}
        />
      </Chip>
      {draft.duration === 'custom' && <CustomLength draft={draft} onChange={onChange} />}
      <Chip
        icon={<Dots colors={dots} />}
        label="Theme"
        value={themeText(draft, seen, chosen)}
        isSet={draft.theme !== null || chosen.includes('theme') || chosen.includes('colors')}
      >
        <MenuChoice
          label="Theme"
          value={draft.theme ?? auto}
          options={themeOptions}
          onChange={(theme) => onChange({ theme: theme === auto ? null : theme })}
        />
      </Chip>
      <Chip
        icon={<WandSparkles />}
        label="Style"
        value={styleText(draft, seen)}
        isSet={draft.style !== auto || chosen.includes('style')}
      >
        <MenuChoice label="Style" value={draft.style} options={styleOptions} onChange={(style) => onChange({ style })} />
      </Chip>
    </>
  );
}

function lengthText(draft: Draft, seen: SeenFilm | null, isSet: boolean): string {
  if (seen !== null) return isSet ? secondsText(seen.seconds) : `about ${Math.round(seen.seconds)} s`;
  const chosen = chosenSeconds(draft);
  return typeof chosen === 'number' ? secondsText(chosen) : 'Length';
}

function themeText(draft: Draft, seen: SeenFilm | null, chosen: Reading['chosen']): string {
  const theme = seen?.film.theme ?? draft.theme;
  if (theme === null) return 'Theme';
  const hasOwnColors = chosen.includes('colors') && !chosen.includes('theme') && draft.theme === null;
  return `${capital(theme)}${hasOwnColors ? ', your colours' : ''}`;
}

function styleText(draft: Draft, seen: SeenFilm | null): string {
  const style = seen?.film.style ?? draft.style;
  return style === auto ? 'Style' : styleNames[style];
}

function CustomLength({ draft, onChange }: Pick<LookChipsProps, 'draft' | 'onChange'>) {
  const hintId = useId();
  const unusable = draft.customDuration.trim() !== '' && chosenSeconds(draft) === undefined;
  return (
    <span>
      <input
        // biome-ignore lint/a11y/noAutofocus: it appears because it was asked for.
        autoFocus={draft.customDuration === ''}
        inputMode="decimal"
        maxLength={12}
        value={draft.customDuration}
        onChange={(event) => onChange({ customDuration: event.target.value })}
        aria-label="Length in seconds"
        aria-invalid={unusable}
        aria-describedby={hintId}
        placeholder="7.5 s"
        className={cx(
          'h-8.5 w-15 rounded-lg border bg-panel px-2.5 text-[13px] tabular-nums placeholder:text-ink-3',
          unusable ? 'border-bad' : 'border-line-strong',
        )}
      />
      <span id={hintId} className={unusable ? 'ml-2 text-bad text-xs' : 'sr-only'}>
        {`A length from ${minSceneSeconds} to ${maxDurationSeconds} seconds, e.g. 7.5 or 1:30.`}
      </span>
    </span>
  );
}
