import { formatBytes, formatDurationMs, formatSeconds } from '#contract/display.ts';
import { type Preset, type Render, type RenderFormat, type RenderSettings, renderFiles } from '#contract/render.ts';
import { formatRules } from '#contract/render-rules.ts';

export const formatNames: Record<RenderFormat, string> = {
  mp4: 'MP4',
  webm: 'WebM',
  mov: 'ProRes',
  gif: 'GIF',
  'png-sequence': 'PNG frames',
  png: 'PNG',
  jpeg: 'JPEG',
};
export const targetNames: Record<Preset | 'custom', string> = {
  custom: 'Anywhere',
  youtube: 'YouTube',
  reels: 'Reels',
  tiktok: 'TikTok',
  twitter: 'X / Twitter',
};

/**
 * Formats `Final 1920×1080, 60 fps, mp4` or `Frame 90, 1920×1080, png`, including a range. Also distinguishes renders for
 * screen readers.
 */
export function renderLabel({ settings }: Pick<Render, 'settings'>): string {
  const { width, height, fps, format, range } = settings;
  if (renderFiles[format].still) return `${rangeLabel(range, true)}, ${width}×${height}, ${format}`;
  const part = range === null ? '' : `, ${rangeLabel(range, false)}`;
  return `${madeFor(settings)} ${width}×${height}, ${fps} fps, ${format}${part}`;
}

function madeFor({ preset, kind }: Pick<RenderSettings, 'preset' | 'kind'>): string {
  if (preset) return targetNames[preset];
  return kind === 'preview' ? 'Preview' : 'Final';
}

/** Formats `Whole film`, `scene 2`, `frames 10–19` or `Frame 90`. */
function rangeLabel(range: RenderSettings['range'], still: boolean): string {
  if (range === null) return 'Whole film';
  if ('scene' in range) return range.scene.replace(/^scene-(\d+)$/, 'scene $1');
  return still ? `Frame ${range.fromFrame}` : `frames ${range.fromFrame}–${range.toFrame - 1}`;
}

interface Fact {
  readonly name: string;
  readonly value: string;
}

const formatTime = (iso: string) =>
  new Date(iso).toLocaleString('en', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hour12: false });

/** Lists a render's settings and results, most important first. Measured values replace requested ones. */
export function factsOf({ settings, probe, renderTimeMs, createdAt, finishedAt, error }: Render): Fact[] {
  const { still } = renderFiles[settings.format];
  const codec = probe ? `${formatNames[settings.format]} (${probe.codec}, ${probe.pixelFormat})` : null;
  const facts: (Fact | null)[] = [
    error && fact('Error', error.message),
    fact('Format', codec ?? formatNames[settings.format]),
    fact('Frame', `${settings.width}×${settings.height}${still ? '' : `, ${settings.fps} fps`}`),
    fact('Range', rangeLabel(settings.range, still)),
    probe && !still ? fact('Length', formatSeconds(probe.durationSeconds)) : null,
    formatRules[settings.format].crf ? fact('Quality', `CRF ${settings.crf}`) : null,
    settings.fileSize === 'small' ? fact('File size', 'small') : null,
    settings.transparent ? fact('Background', 'transparent') : null,
    probe && !still ? fact('Frames', frameCount(probe)) : null,
    probe && !still ? fact('Audio', soundOf(probe)) : null,
    probe?.colour ? fact('Colour', probe.colour) : null,
    settings.parameters && fact('Parameters', parametersOf(settings.parameters)),
    probe && fact('File', formatBytes(probe.sizeBytes)),
    probe?.verification ? fact('Checked', verificationOf(probe.verification)) : null,
    probe?.captureFallback ? fact('Captured twice', probe.captureFallback) : null,
    fact('Requested', formatTime(createdAt)),
    finishedAt === null ? null : fact('Finished', formatTime(finishedAt)),
    renderTimeMs === null ? null : fact('Duration', formatDurationMs(renderTimeMs)),
  ];
  return facts.filter((one) => one !== null);
}

const fact = (name: string, value: string): Fact => ({ name, value });

function frameCount({ frames, capturedFrames }: NonNullable<Render['probe']>): string {
  // Some reused frames are drawn again as a check, so more frames may be drawn than are new.
  const known = capturedFrames === null ? 0 : Math.max(0, frames - capturedFrames);
  return known === 0 ? String(frames) : `${frames} (${frames - known} drawn, ${known} reused)`;
}

const channelNames: Record<number, string | undefined> = { 1: 'mono', 2: 'stereo' };

function soundOf({ audio }: NonNullable<Render['probe']>): string {
  if (audio === null) return 'none';
  const { codec, sampleRate, channels } = audio;
  return `${codec}, ${sampleRate / 1000} kHz, ${channelNames[channels] ?? `${channels} channels`}`;
}

function verificationOf(figures: NonNullable<NonNullable<Render['probe']>['verification']>): string {
  return `${figures.frames} frames against plain screenshots: ${figures.meanPsnrDb.toFixed(1)} dB on average, ${figures.lowestPsnrDb.toFixed(1)} dB at worst (PSNR)`;
}

function parametersOf(parameters: NonNullable<Render['settings']['parameters']>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');
}
