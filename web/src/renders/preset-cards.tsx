import { RadioGroup } from 'radix-ui';
import { type Aspect, frameSize, type Preset, presetSchema } from '#contract/render.ts';
import { platforms } from '#contract/render-rules.ts';
import { addressOf } from '../address.ts';
import { cx } from '../ui/elements.tsx';
import type { RenderChoice } from './render-choice.ts';
import { targetNames } from './render-label.ts';

/** Fractions of the frame, 0 to 1, that a platform's own buttons and texts cover, from each edge. */
interface SafeArea {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

/** Title-safe area for television (EBU R 95), which a player may cover with its controls. */
const title = { top: 0.05, right: 0.05, bottom: 0.05, left: 0.05 };

/** The platforms' advice for 1080×1920, rounded to the safe side. It changes from time to time. */
const safeAreas: Record<Preset, SafeArea> = {
  youtube: title,
  twitter: title,
  reels: { top: 0.14, right: 0.06, bottom: 0.2, left: 0.06 },
  tiktok: { top: 0.07, right: 0.13, bottom: 0.2, left: 0.06 },
};

const targets = ['custom', ...presetSchema.options] as const;
/** Longer side of the images, in CSS pixels. */
const imageSide = 72;

const targetDetails: Record<(typeof targets)[number], { readonly detail: string; readonly limit: string | null }> = {
  custom: { detail: 'your own settings', limit: null },
  youtube: { detail: '1920×1080 · 60 fps', limit: 'any length' },
  reels: { detail: '1080×1920 · 30 fps', limit: 'up to 90 s' },
  tiktok: { detail: '1080×1920 · 30 fps', limit: 'up to 3 min' },
  twitter: { detail: '1920×1080 · 30 fps', limit: 'up to 140 s' },
};

interface PresetCardsProps {
  value: RenderChoice['target'];
  aspect: Aspect;
  thumbnailUrl: string | null;
  onChange: (target: RenderChoice['target']) => void;
}

/** Chooses the purpose of the video. Each card shows the film in a frame with the platform's proportions. */
export function PresetCards({ value, aspect, thumbnailUrl, onChange }: PresetCardsProps) {
  return (
    <RadioGroup.Root
      value={value}
      aria-label="Made for"
      onValueChange={(next) => {
        const target = targets.find((name) => name === next);
        if (target) onChange(target);
      }}
      className="grid grid-cols-3 gap-2 sm:grid-cols-5"
    >
      {targets.map((name) => (
        <RadioGroup.Item
          key={name}
          value={name}
          aria-label={targetNames[name]}
          className={cx(
            'flex flex-col items-center gap-2 rounded-xl border px-1 pt-3 pb-2.5 text-center transition-colors',
            name === value ? 'border-accent bg-accent-soft ring-1 ring-accent' : 'border-line-strong hover:border-ink-3',
          )}
        >
          <span className="flex h-18 items-center justify-center">
            <Frame target={name} aspect={aspect} thumbnailUrl={thumbnailUrl} />
          </span>
          <span className="min-w-0">
            <span className="block font-medium text-[13px]">{targetNames[name]}</span>
            <span className="block text-balance text-[11px] text-ink-2 leading-4 tabular-nums">{targetDetails[name].detail}</span>
            <span className="block text-[11px] text-ink-2 leading-4">{targetDetails[name].limit}</span>
          </span>
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  );
}

interface ShapeNoteProps {
  target: RenderChoice['target'];
  aspect: Aspect;
  /** Whether the render would be refused, so that its reason is shown instead. */
  refused: boolean;
}

/** Says that a film gets another shape for its purpose. */
export function ShapeNote({ target, aspect, refused }: ShapeNoteProps) {
  const platform = target === 'custom' ? null : platforms[target];
  if (refused || platform === null || platform.aspect === aspect) return null;
  return (
    <p className="text-[13px] text-ink-2">
      {`The film is ${aspect}. For ${platform.name}, it is laid out anew in ${platform.aspect}.`}
    </p>
  );
}

function Frame({
  target,
  aspect,
  thumbnailUrl,
}: Pick<PresetCardsProps, 'aspect' | 'thumbnailUrl'> & { target: RenderChoice['target'] }) {
  const shape = target === 'custom' ? aspect : platforms[target].aspect;
  const { width, height } = frameSize(shape, '1080p');
  const scale = imageSide / Math.max(width, height);
  const safe = target === 'custom' ? null : safeAreas[target];
  const percent = (share: number) => `${share * 100}%`;
  return (
    <span
      aria-hidden="true"
      className="relative block shrink-0 overflow-hidden rounded-[3px] bg-black shadow-card"
      style={{ width: width * scale, height: height * scale }}
    >
      {thumbnailUrl && <img src={addressOf(thumbnailUrl)} alt="" className="absolute size-full object-contain" />}
      {safe && (
        <span
          title="The platform’s own buttons and captions stay outside the dashed line."
          className="absolute rounded-[2px] border border-white/80 border-dashed mix-blend-difference"
          style={{ top: percent(safe.top), right: percent(safe.right), bottom: percent(safe.bottom), left: percent(safe.left) }}
        />
      )}
    </span>
  );
}
