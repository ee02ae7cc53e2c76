import { useId } from 'react';
import { formatSeconds } from '../../../server/contract/format.ts';
import type { StageInfo } from '../../../server/contract/sandboxd.ts';
import { texts } from '../texts.ts';
import { Choice } from '../ui/choice.tsx';
import { FieldRow, inputClass } from '../ui/field.tsx';
import { inUnit, type PartChoice, rangeOf } from './render-choice.ts';

interface PartFieldsProps {
  part: PartChoice;
  scenes: StageInfo['scenes'];
  durationSeconds: number;
  /** Of the render: frames are counted by it. */
  fps: number;
  onChange: (part: PartChoice) => void;
}

const kinds = ['film', 'scene', 'range'] as const;
const units = ['seconds', 'frames'] as const;

/** Which part of the film: all, a scene, or from – to. */
export function PartFields({ part, scenes, durationSeconds, fps, onChange }: PartFieldsProps) {
  const sceneField = useId();
  const offered = scenes.length > 1 ? kinds : kinds.filter((kind) => kind !== 'scene');
  const choose = (kind: (typeof kinds)[number]) => {
    if (kind === 'film') onChange({ kind });
    else if (kind === 'scene') onChange({ kind, scene: scenes[0]?.id ?? '' });
    else onChange({ kind, unit: 'seconds', from: '0', to: String(durationSeconds) });
  };
  return (
    <>
      <FieldRow label={texts.renders.part}>
        <Choice
          label={texts.renders.part}
          value={part.kind}
          options={offered.map((value) => ({ value, label: texts.renders.parts[value] }))}
          onChange={choose}
        />
      </FieldRow>
      {part.kind === 'scene' && (
        <FieldRow label={texts.renders.scene} htmlFor={sceneField}>
          <select
            id={sceneField}
            value={part.scene}
            onChange={(event) => onChange({ kind: 'scene', scene: event.target.value })}
            className={`${inputClass} max-w-full flex-1`}
          >
            {scenes.map((scene, index) => (
              <option key={scene.id} value={scene.id}>
                {texts.renders.sceneOption(index + 1, scene.title || scene.id, formatSeconds(scene.durationSeconds))}
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
}: Pick<PartFieldsProps, 'fps' | 'onChange'> & { part: Extract<PartChoice, { kind: 'range' }> }) {
  const problem = useId();
  const range = rangeOf(part);
  const incomplete = 'incomplete' in range ? range.incomplete : null;
  const field = (end: 'from' | 'to') => (
    <input
      inputMode="decimal"
      autoComplete="off"
      value={part[end]}
      aria-label={texts.renders[end][part.unit]}
      aria-invalid={incomplete === end}
      aria-describedby={incomplete === end ? problem : undefined}
      onChange={(event) => onChange({ ...part, [end]: event.target.value })}
      className={`${inputClass} w-20`}
    />
  );
  return (
    <>
      <FieldRow label={texts.renders.unit}>
        <Choice
          label={texts.renders.unit}
          value={part.unit}
          options={units.map((value) => ({ value, label: texts.renders.units[value] }))}
          onChange={(unit) => onChange(inUnit(part, unit, fps))}
        />
      </FieldRow>
      <FieldRow label={texts.renders.from[part.unit]}>
        {field('from')}
        <span aria-hidden="true" className="text-[13px] text-ink-2">
          {texts.renders.to[part.unit]}
        </span>
        {field('to')}
      </FieldRow>
      {incomplete && (
        <p id={problem} role="alert" className="text-bad text-xs">
          {texts.renders.incomplete[incomplete]}
        </p>
      )}
    </>
  );
}
