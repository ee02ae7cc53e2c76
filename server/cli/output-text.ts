import { formatExactSeconds } from '#contract/display.ts';
import type { ModelUsage } from '#contract/project.ts';
import type { Render, RenderProbe, RenderSettings } from '#contract/render.ts';

/** Replaces characters that control a terminal or reverse the text direction, because models and users may produce them. */
export function sanitizeText(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]|[\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '\uFFFD');
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

export function formatUsage({ inputTokens, cachedInputTokens, outputTokens, costUsd }: ModelUsage): string | null {
  if (inputTokens + outputTokens === 0) return null;
  const figure = (count: number) => count.toLocaleString('en');
  const cached = cachedInputTokens > 0 ? `, ${figure(cachedInputTokens)} of them cached` : '';
  const tokens = `Model: ${figure(inputTokens + outputTokens)} tokens (${figure(inputTokens)} in${cached}; ${figure(outputTokens)} out)`;
  // A cost of 0 means that the prices are unknown, so none is shown.
  if (costUsd === 0) return tokens;
  return `${tokens}, ${costUsd < 0.01 ? 'less than $0.01' : `$${costUsd.toFixed(2)}`}`;
}

export function describeRender({
  width,
  height,
  fps,
  format,
  durationSeconds,
  range,
  transparent,
  preset,
}: RenderSettings): string {
  const still = format === 'png' || format === 'jpeg';
  return [
    `${width}×${height}`,
    ...(still ? [] : [`${fps} fps`, describeRange(range, durationSeconds)]),
    `${format}${transparent ? ', transparent' : ''}`,
    ...(preset === null ? [] : [`for ${preset}`]),
  ].join(', ');
}

function describeRange(range: RenderSettings['range'], durationSeconds: number): string {
  if (range === null) return formatExactSeconds(durationSeconds);
  return 'scene' in range ? range.scene : `frames ${range.fromFrame}-${range.toFrame - 1}`;
}

export function describeResult({ probe, renderTimeMs }: Pick<Render, 'probe' | 'renderTimeMs'>): string[] {
  if (probe === null) return [];
  const took = renderTimeMs === null ? [] : [`rendered in ${(renderTimeMs / 1000).toFixed(1)} s`];
  const file = [`${(probe.sizeBytes / 1e6).toFixed(2)} MB`, ...took];
  const extent = probe.frames === 1 ? [`${probe.width}×${probe.height}`] : [`${probe.durationSeconds.toFixed(2)} s`];
  const sound = probe.audio === null ? [] : [`${probe.audio.codec} ${probe.audio.sampleRate / 1000} kHz`];
  const chapters = probe.chapters === 0 ? [] : [probe.chapters === 1 ? '1 chapter' : `${probe.chapters} chapters`];
  const facts = [...extent, describeFrames(probe), probe.codec, ...sound, ...chapters, ...file].join(', ');
  return [
    facts,
    ...(probe.verification === null ? [] : [describeVerification(probe.verification)]),
    ...(probe.captureFallback === null ? [] : [`Captured twice, so it took longer: ${probe.captureFallback}`]),
  ];
}

function describeFrames({ frames, fps, capturedFrames }: RenderProbe): string {
  const count = frames === 1 ? '1 frame' : `${frames} frames at ${Number(fps.toFixed(2))} fps`;
  if (capturedFrames === null) return count;
  // Some reused frames are captured again for verification, so there can be more captures than new frames.
  const reused = Math.max(0, frames - capturedFrames);
  return reused === 0 ? count : `${count} (${capturedFrames} captured, ${reused} reused)`;
}

function describeVerification({ frames, lowestPsnrDb, meanPsnrDb }: NonNullable<RenderProbe['verification']>): string {
  const db = (value: number) => `${value.toFixed(1)} dB`;
  return `Verified: ${frames} frames against plain screenshots, PSNR ${db(meanPsnrDb)} on average, ${db(lowestPsnrDb)} at worst`;
}
