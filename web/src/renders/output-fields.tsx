import { useId } from 'react';
import { formatSeconds } from '#contract/display.ts';
import type { resolutionSchema } from '#contract/render.ts';
import type { RenderSubject } from '../kind-page.ts';
import { ChoiceRow, FieldRow, inputClass } from '../ui/fields.tsx';
import { type FilmFormat, inUnit, type Offer, qualities, type RangeChoice, type RenderChoice, rangeOf } from './render-choice.ts';
import { formatNames } from './render-label.ts';

const formatHints: Record<FilmFormat, string> = {
  mp4: 'H.264, plays everywhere',
  webm: 'VP9, for the web',
  mov: 'ProRes 4444, for editors; large',
  gif: 'no audio, few colours',
  'png-sequence': 'every frame, in a zip',
};
const qualityNames = { small: 'Smaller file', normal: 'High', best: 'Best' } as const;
const rangeKindNames = { film: 'Whole film', scene: 'A scene', range: 'From – to' } as const;
const unitNames = { seconds: 'Seconds', frames: 'Frames' } as const;
const rangeNames = {
  from: { seconds: 'From second', frames: 'First frame' },
  to: { seconds: 'to second', frames: 'Last frame' },
} as const;
const incompleteText = {
  from: 'Enter a start of 0 or more.',
  to: 'Enter an end after the start.',
} as const;

interface OutputFieldsProps {
  choice: RenderChoice;
  offer: Offer;
  resolutions: typeof resolutionSchema.options;
  onChange: (change: Partial<RenderChoice>) => void;
}

const backgrounds = ['opaque', 'transparent'] as const;

/** Edits size, frame rate, format and quality, if the target allows a choice. */
export function OutputFields({ choice, offer, resolutions, onChange }: OutputFieldsProps) {
  const { size, rates, fps, formats, format, crf } = offer;
  const isFree = choice.target === 'custom';
  return (
    <>
      {isFree && (
        <ChoiceRow
          label="Resolution"
          note={`${size.width}×${size.height}`}
          value={choice.resolution}
          options={resolutions.map((value) => ({ value, label: value === '4k' ? '4K' : value }))}
          onChange={(resolution) => onChange({ resolution })}
        />
      )}
      {rates && (
        <ChoiceRow
          label="Frames per second"
          value={String(fps)}
          options={rates.map((rate) => ({ value: String(rate), label: String(rate) }))}
          onChange={(value) => onChange({ fps: rates.find((rate) => String(rate) === value) ?? fps })}
        />
      )}
      {formats.length > 1 && (
        <ChoiceRow
          label="Format"
          note={formatHints[format]}
          value={format}
          options={formats.map((value) => ({ value, label: formatNames[value] }))}
          onChange={(value) => onChange({ format: value })}
        />
      )}
      {crf !== null && (
        <ChoiceRow
          label="Quality"
          note={`CRF ${crf}`}
          value={choice.quality}
          options={qualities.map((value) => ({ value, label: qualityNames[value] }))}
          onChange={(quality) => onChange({ quality })}
        />
      )}
      {offer.canBeTransparent && (
        <ChoiceRow
          label="Background"
          value={choice.transparent ? 'transparent' : 'opaque'}
          options={backgrounds.map((value) => ({
            value,
            label: value === 'transparent' ? 'Transparent' : 'As in the film',
          }))}
          onChange={(value) => onChange({ transparent: value === 'transparent' })}
        />
      )}
    </>
  );
}

interface RangePickerProps {
  part: RangeChoice;
  scenes: RenderSubject['scenes'];
  durationSeconds: number;
  /** The render's frame rate, to convert between seconds and frames. */
  fps: number;
  onChange: (part: RangeChoice) => void;
}

const kinds = ['film', 'scene', 'range'] as const;
const units = ['seconds', 'frames'] as const;

/** Chooses the range: the whole film, a scene, or a start and end. */
export function RangePicker({ part, scenes, durationSeconds, fps, onChange }: RangePickerProps) {
  const sceneField = useId();
  const offered = scenes.length > 1 ? kinds : kinds.filter((kind) => kind !== 'scene');
  const choose = (kind: (typeof kinds)[number]) => {
    if (kind === 'film') onChange({ kind });
    else if (kind === 'scene') onChange({ kind, scene: scenes[0]?.id ?? '' });
    else onChange({ kind, unit: 'seconds', from: '0', to: String(durationSeconds) });
  };
  return (
    <>
      <ChoiceRow
        label="Range"
        value={part.kind}
        options={offered.map((value) => ({ value, label: rangeKindNames[value] }))}
        onChange={choose}
      />
      {part.kind === 'scene' && (
        <FieldRow label="Scene" htmlFor={sceneField}>
          <select
            id={sceneField}
            value={part.scene}
            onChange={(event) => onChange({ kind: 'scene', scene: event.target.value })}
            className={`${inputClass} max-w-full flex-1`}
          >
            {scenes.map((scene, index) => (
              <option key={scene.id} value={scene.id}>
                {`${index + 1}. ${scene.title || scene.id} (${formatSeconds(scene.durationSeconds)})`}
              </option>
            ))}
          </select>
        </FieldRow>
      )}
      {part.kind === 'range' && <RangeFields part={part} fps={fps} onChange={onChange} />}
    </>
  );
}

function RangeFields({
  part,
  fps,
  onChange,
}: Pick<RangePickerProps, 'fps' | 'onChange'> & { part: Extract<RangeChoice, { kind: 'range' }> }) {
  const problem = useId();
  const range = rangeOf(part);
  const incomplete = 'incomplete' in range ? range.incomplete : null;
  const field = (end: 'from' | 'to') => (
    <input
      inputMode="decimal"
      autoComplete="off"
      value={part[end]}
      aria-label={rangeNames[end][part.unit]}
      aria-invalid={incomplete === end}
      aria-describedby={incomplete === end ? problem : undefined}
      onChange={(event) => onChange({ ...part, [end]: event.target.value })}
      className={`${inputClass} w-20`}
    />
  );
  return (
    <>
      <ChoiceRow
        label="Counted in"
        value={part.unit}
        options={units.map((value) => ({ value, label: unitNames[value] }))}
        onChange={(unit) => onChange(inUnit(part, unit, fps))}
      />
      <FieldRow label={rangeNames.from[part.unit]}>
        {field('from')}
        <span aria-hidden="true" className="text-[13px] text-ink-2">
          {rangeNames.to[part.unit]}
        </span>
        {field('to')}
      </FieldRow>
      {incomplete && (
        <p id={problem} role="alert" className="text-bad text-xs">
          {incompleteText[incomplete]}
        </p>
      )}
    </>
  );
}
