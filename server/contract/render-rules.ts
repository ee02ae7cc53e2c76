import type { Aspect, Preset, RenderFormat } from './render.ts';

interface FormatRules {
  readonly name: string;
  /** Range of constant quality, and the value that matches the other formats visually. `null` if the format has none. */
  readonly crf: { readonly normal: number; readonly max: number } | null;
  readonly resolution: '720p' | '1080p';
  /** `null` for the film's own. */
  readonly fps: 25 | null;
}

const film = { crf: null, resolution: '1080p', fps: null } as const;

/**
 * Capabilities and defaults of each format. A GIF times its frames in hundredths of a second: 25 and 50 fps are exact, 30 becomes
 * 33⅓ and 60 becomes 50.
 */
export const formatRules: Record<RenderFormat, FormatRules> = {
  mp4: { ...film, name: 'MP4', crf: { normal: 18, max: 51 } },
  webm: { ...film, name: 'WebM', crf: { normal: 24, max: 63 } },
  mov: { ...film, name: 'MOV' },
  gif: { ...film, name: 'GIF', resolution: '720p', fps: 25 },
  'png-sequence': { ...film, name: 'PNG sequence' },
  png: { ...film, name: 'PNG' },
  jpeg: { ...film, name: 'JPEG' },
};

export interface Platform {
  readonly name: string;
  readonly aspect: Aspect;
  readonly fps: 30 | 60;
  readonly maxSeconds: number | null;
  readonly formats: readonly RenderFormat[];
  /** Whether its player shows a video's chapters. */
  readonly chapters: boolean;
}

export const platforms: Record<Preset, Platform> = {
  youtube: { name: 'YouTube', aspect: '16:9', fps: 60, maxSeconds: null, formats: ['mp4', 'webm', 'mov'], chapters: true },
  reels: { name: 'Instagram Reels', aspect: '9:16', fps: 30, maxSeconds: 90, formats: ['mp4'], chapters: false },
  tiktok: { name: 'TikTok', aspect: '9:16', fps: 30, maxSeconds: 180, formats: ['mp4', 'webm'], chapters: false },
  twitter: { name: 'Twitter', aspect: '16:9', fps: 30, maxSeconds: 140, formats: ['mp4'], chapters: false },
};
