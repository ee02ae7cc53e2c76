import type { Preset } from '../../../server/contract/render.ts';

/** Shares of the frame, 0…1, that lie under a platform's own buttons and texts, from each edge. */
export interface SafeArea {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

/** The title-safe area of television (EBU R 95), where a player may lay its controls. */
const title = { top: 0.05, right: 0.05, bottom: 0.05, left: 0.05 };

/** What the platforms advise for 1080×1920, rounded to the safe side; they change it from time to time. */
export const safeAreas: Record<Preset, SafeArea> = {
  youtube: title,
  twitter: title,
  reels: { top: 0.14, right: 0.06, bottom: 0.2, left: 0.06 },
  tiktok: { top: 0.07, right: 0.13, bottom: 0.2, left: 0.06 },
};
