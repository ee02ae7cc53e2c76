import { FileDown, Pencil } from 'lucide-react';
import { useId } from 'react';
import { aspectSchema, maxDurationSeconds, minSceneSeconds, type Style, styleSchema } from '#contract/film.ts';
import { cx } from '../ui/elements.tsx';
import { Choice } from '../ui/fields.tsx';
import { FrameIcon } from '../ui/graphics.tsx';
import { auto, chosenSeconds, type Draft, durationChoices } from './idea.ts';

/** Covers the page while files are dragged over it, because they can be dropped anywhere. */
export function DropSheet() {
  return (
    <div className="pointer-events-none fixed inset-0 z-50 animate-fade bg-ground/85 p-4 backdrop-blur-[2px]">
      <div className="flex h-full flex-col items-center justify-center rounded-2xl border-2 border-accent border-dashed text-center">
        <FileDown className="mb-3 size-8 stroke-[1.5] text-accent" />
        <p className="font-semibold text-lg">Drop images, audio or fonts anywhere</p>
        <p className="mt-1 text-[13px] text-ink-2">Koda uploads them with your description and can use them in the film.</p>
      </div>
    </div>
  );
}

export const examples = [
  { label: 'Bouncing ball', prompt: 'A red ball bounces three times and settles, playful, with the title “Hello”' },
  {
    label: 'Product launch',
    prompt: 'Cinematic launch teaser: the title “Aurora” rises out of darkness with drifting particles, 8 seconds',
  },
  {
    label: 'Counting up',
    prompt: 'A number counts from 0 to 12,500 with three bars growing, smooth, minimal, title “Users this year”',
  },
  {
    label: 'Story for Instagram',
    prompt: 'Vertical for Instagram: confetti bursts, then the text “We are live!” pops in, playful',
  },
  { label: 'Calm loop', prompt: 'Slow blue waves under a pale moon, smooth, square, 6 seconds' },
] as const;

interface ExampleListProps {
  disabled: boolean;
  onStart: (prompt: string) => void;
  onEdit: (prompt: string) => void;
}

export function ExampleList({ disabled, onStart, onEdit }: ExampleListProps) {
  return (
    <section aria-label="Or start with an example">
      <p className="text-center text-ink-3 text-xs">
        Or start with an example
        <span className="hidden sm:inline">
          . Click one to start it. The pencil, or Shift and a click, puts it into the box to edit first.
        </span>
      </p>
      <ul className="mt-2.5 flex flex-wrap justify-center gap-2">
        {examples.map(({ label, prompt }) => (
          <li
            key={label}
            className="flex h-8 rounded-full border border-line-strong text-ink-2 transition-colors hover:border-ink-3 hover:bg-panel"
          >
            <button
              type="button"
              title={prompt}
              disabled={disabled}
              onClick={(event) => (event.shiftKey ? onEdit(prompt) : onStart(prompt))}
              className="rounded-l-full pr-2 pl-3.5 text-[13px] enabled:hover:text-ink disabled:opacity-50"
            >
              {label}
            </button>
            <button
              type="button"
              aria-label={`Edit “${label}” first`}
              title={`Edit “${label}” first`}
              disabled={disabled}
              onClick={() => onEdit(prompt)}
              className="flex w-7.5 items-center justify-center rounded-r-full border-line border-l text-ink-3 enabled:hover:text-ink disabled:opacity-50"
            >
              <Pencil className="size-3.5" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const aspectOptions = [
  { value: auto, label: 'Auto' } as const,
  ...aspectSchema.options.map((aspect) => ({ value: aspect, label: aspect, icon: <FrameIcon aspect={aspect} /> })),
];
const specialDurations: Partial<Record<(typeof durationChoices)[number], string>> = { [auto]: 'Auto', custom: 'Other…' };
const durationOptions = durationChoices.map((value) => ({ value, label: specialDurations[value] ?? `${value} s` }));
const styleNames: Record<Style, string> = { playful: 'Playful', smooth: 'Smooth', cinematic: 'Cinematic' };

const styleOptions = [
  { value: auto, label: 'Auto' } as const,
  ...styleSchema.options.map((style) => ({ value: style, label: styleNames[style] })),
];

/** Offers film settings. “Auto” leaves the choice to the plan. */
export function IdeaOptions({ draft, onChange }: { draft: Draft; onChange: (part: Partial<Draft>) => void }) {
  const hintId = useId();
  const unusable = draft.customDuration.trim() !== '' && chosenSeconds(draft) === undefined;
  return (
    <div className="flex flex-wrap items-start justify-center gap-x-4 gap-y-2.5">
      <Choice label="Frame" showLabel value={draft.aspect} options={aspectOptions} onChange={(aspect) => onChange({ aspect })} />
      <div className="flex flex-wrap items-center justify-center gap-2">
        <Choice
          label="Length"
          showLabel
          value={draft.duration}
          options={durationOptions}
          onChange={(duration) => onChange({ duration })}
        />
        {draft.duration === 'custom' && (
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
              'h-8 w-15 rounded-lg border bg-panel px-2.5 text-[13px] tabular-nums placeholder:text-ink-3',
              unusable ? 'border-bad' : 'border-line-strong',
            )}
          />
        )}
        {draft.duration === 'custom' && (
          <p
            id={hintId} // As wide as its field, so that it moves nothing.
            className={unusable ? '-ms-2 w-0 min-w-full text-center text-bad text-xs' : 'sr-only'}
          >
            {`A length from ${minSceneSeconds} to ${maxDurationSeconds} seconds, e.g. 7.5 or 1:30.`}
          </p>
        )}
      </div>
      <Choice label="Style" showLabel value={draft.style} options={styleOptions} onChange={(style) => onChange({ style })} />
    </div>
  );
}
