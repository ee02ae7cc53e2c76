import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { cx } from '../../../ui/elements.tsx';
import { cropBox, isUpright } from './layout.ts';
import { viewSettings } from './view-settings.tsx';

/** Visible on any image. */
const line = 'absolute border-white/85 [filter:drop-shadow(0_0_1px_rgb(0_0_0/0.8))]';

/** Draws the view settings' guides over the film. They ignore pointer events. */
export function Guides({ aspect }: { aspect: number }) {
  const { safeAreas, grid, frame } = useStore(viewSettings);
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-0 overflow-hidden text-[10px] text-white">
      {frame !== 'plain' && frame !== 'phone' && <CropGuide box={cropBox(aspect, frame)} />}
      {grid && <Thirds />}
      {safeAreas && <SafeAreas upright={isUpright(aspect)} />}
    </div>
  );
}

function CropGuide({ box }: { box: ReturnType<typeof cropBox> }) {
  if (box === null) return null;
  const percent = (share: number) => `${100 * share}%`;
  return (
    <span
      data-guide="crop"
      className="absolute border border-white/85 shadow-[0_0_0_200vmax_rgb(0_0_0/0.6)]"
      style={{ left: percent(box.left), top: percent(box.top), width: percent(box.width), height: percent(box.height) }}
    />
  );
}

function Thirds() {
  return (
    <span data-guide="thirds" className="absolute inset-0">
      {['33.333%', '66.667%'].map((at) => (
        <span key={at}>
          <span className={cx(line, 'inset-y-0 border-l')} style={{ left: at }} />
          <span className={cx(line, 'inset-x-0 border-t')} style={{ top: at }} />
        </span>
      ))}
    </span>
  );
}

/** Fractions of the frame (SMPTE ST 2046-1), equal on opposite sides. */
const areas = [
  { label: 'Action 93 %', inset: '3.5%', className: '' },
  { label: 'Title 90 %', inset: '5%', className: 'border-dashed' },
];

function SafeAreas({ upright }: { upright: boolean }) {
  if (upright) return <AppZones />;
  return (
    <span data-guide="safe" className="absolute inset-0">
      {areas.map(({ label, inset, className }, index) => (
        <span key={label} className={cx(line, 'border', className)} style={{ inset }}>
          <Label className={index === 0 ? 'bottom-0.5 left-1' : 'right-1 bottom-0.5'}>{label}</Label>
        </span>
      ))}
    </span>
  );
}

function Label({ className, children }: { className: string; children: ReactNode }) {
  return <span className={cx('absolute whitespace-nowrap rounded-sm bg-black/60 px-1 leading-4', className)}>{children}</span>;
}

/**
 * Areas covered by app UI in vertical videos, as fractions of the frame: for each side, the strictest value from Meta's,
 * TikTok's and YouTube's advertising guides.
 */
const zones = [
  { label: 'Covered by apps', style: { inset: '0 0 86% 0' }, shade: 'bg-black/45', labelClass: 'bottom-1 left-1' },
  { label: 'Buttons', style: { inset: '45% 0 20% 88%' }, shade: 'bg-black/45', labelClass: 'top-1 right-1' },
  { label: 'Buttons of Reels ads', style: { inset: '65% 12% 20% 0' }, shade: 'bg-black/25', labelClass: 'top-1 left-1' },
  {
    label: 'Captions of TikTok, Reels and Shorts',
    style: { inset: '80% 0 0 0' },
    shade: 'bg-black/45',
    labelClass: 'top-1 left-1',
  },
];

function AppZones() {
  return (
    <span data-guide="safe" className="absolute inset-0">
      {zones.map(({ label, style, shade, labelClass }) => (
        <span key={label} className={cx('absolute border border-white/40 border-dashed', shade)} style={style}>
          <Label className={labelClass}>{label}</Label>
        </span>
      ))}
      {areas.map(({ label, inset, className }) => (
        <span key={label} className={cx(line, 'border', className)} style={{ inset }} />
      ))}
    </span>
  );
}
