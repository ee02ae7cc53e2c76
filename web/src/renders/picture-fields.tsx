import type { resolutionSchema } from '../../../server/contract/render.ts';
import { texts } from '../texts.ts';
import { Choice } from '../ui/choice.tsx';
import { FieldRow } from '../ui/field.tsx';
import { type Offer, qualities, type RenderChoice } from './render-choice.ts';

interface PictureFieldsProps {
  choice: RenderChoice;
  offer: Offer;
  resolutions: typeof resolutionSchema.options;
  onChange: (change: Partial<RenderChoice>) => void;
}

const backgrounds = ['opaque', 'transparent'] as const;

/** Size, rate, format and quality, as far as the target leaves them open. */
export function PictureFields({ choice, offer, resolutions, onChange }: PictureFieldsProps) {
  const { size, rates, fps, formats, format, crf } = offer;
  const isFree = choice.target === 'custom';
  return (
    <>
      {isFree && (
        <FieldRow label={texts.renders.resolution} note={`${size.width}×${size.height}`}>
          <Choice
            label={texts.renders.resolution}
            value={choice.resolution}
            options={resolutions.map((value) => ({ value, label: texts.renders.resolutions[value] }))}
            onChange={(resolution) => onChange({ resolution })}
          />
        </FieldRow>
      )}
      {rates && (
        <FieldRow label={texts.renders.fps}>
          <Choice
            label={texts.renders.fps}
            value={String(fps)}
            options={rates.map((rate) => ({ value: String(rate), label: String(rate) }))}
            onChange={(value) => onChange({ fps: rates.find((rate) => String(rate) === value) ?? fps })}
          />
        </FieldRow>
      )}
      {formats.length > 1 && (
        <FieldRow label={texts.renders.format} note={texts.renders.formatHints[format]}>
          <Choice
            label={texts.renders.format}
            value={format}
            options={formats.map((value) => ({ value, label: texts.renders.formats[value] }))}
            onChange={(value) => onChange({ format: value })}
          />
        </FieldRow>
      )}
      {crf !== null && (
        <FieldRow label={texts.renders.quality} note={texts.renders.crf(crf)}>
          <Choice
            label={texts.renders.quality}
            value={choice.quality}
            options={qualities.map((value) => ({ value, label: texts.renders.qualities[value] }))}
            onChange={(quality) => onChange({ quality })}
          />
        </FieldRow>
      )}
      {offer.canBeTransparent && (
        <FieldRow label={texts.renders.background}>
          <Choice
            label={texts.renders.background}
            value={choice.transparent ? 'transparent' : 'opaque'}
            options={backgrounds.map((value) => ({
              value,
              label: value === 'transparent' ? texts.renders.withoutBackground : texts.renders.opaque,
            }))}
            onChange={(value) => onChange({ transparent: value === 'transparent' })}
          />
        </FieldRow>
      )}
    </>
  );
}
