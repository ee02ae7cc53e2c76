import { useId } from 'react';
import { aspectSchema, maxDurationSeconds, minSceneSeconds, styleSchema } from '../../../server/contract/film.ts';
import { texts } from '../texts.ts';
import { Choice } from '../ui/choice.tsx';
import { cx } from '../ui/class-names.ts';
import { FrameIcon } from '../ui/frame-icon.tsx';
import { auto, chosenSeconds, type Draft, durationChoices } from './idea.ts';

const aspectOptions = [
  { value: auto, label: texts.home.auto } as const,
  ...aspectSchema.options.map((aspect) => ({ value: aspect, label: aspect, icon: <FrameIcon aspect={aspect} /> })),
];
const durationOptions = durationChoices.map((value) => ({
  value,
  label: value === auto ? texts.home.auto : value === 'custom' ? texts.home.custom : texts.home.seconds(value),
}));
const styleOptions = [
  { value: auto, label: texts.home.auto } as const,
  ...styleSchema.options.map((style) => ({ value: style, label: texts.plan.styles[style] })),
];

/** What may be said beside the sentence; all of it may be left to the plan. */
export function IdeaOptions({ draft, onChange }: { draft: Draft; onChange: (part: Partial<Draft>) => void }) {
  const hintId = useId();
  const unusable = draft.customDuration.trim() !== '' && chosenSeconds(draft) === undefined;
  const { home } = texts;
  return (
    <div className="flex flex-wrap items-start justify-center gap-x-4 gap-y-2.5">
      <Choice
        label={home.aspect}
        showLabel
        value={draft.aspect}
        options={aspectOptions}
        onChange={(aspect) => onChange({ aspect })}
      />
      <div className="flex flex-wrap items-center justify-center gap-2">
        <Choice
          label={home.duration}
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
            aria-label={home.customLabel}
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
            id={hintId} // As wide as what it is about, and no wider: it must not push anything aside.
            className={unusable ? '-ms-2 w-0 min-w-full text-center text-bad text-xs' : 'sr-only'}
          >
            {home.customHint(minSceneSeconds, maxDurationSeconds)}
          </p>
        )}
      </div>
      <Choice label={home.style} showLabel value={draft.style} options={styleOptions} onChange={(style) => onChange({ style })} />
    </div>
  );
}
