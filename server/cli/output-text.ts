import { formatExactSeconds } from '../contract/format.ts';
import type { ModelUsage } from '../contract/project.ts';
import type { Render, RenderProbe, RenderSettings } from '../contract/render.ts';

/**
 * A text without the characters that control a terminal (set its title, write to the clipboard, draw over other lines) or
 * reverse the direction of its text. What models, users and projects write may contain any of them.
 */
export function harmless(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]|[\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '\uFFFD');
}

/** A number with its noun: "1 project", "2 projects". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** What the model used and cost, in one line; null when none was used. */
export function usageWords({ inputTokens, cachedInputTokens, outputTokens, costUsd }: ModelUsage): string | null {
  if (inputTokens + outputTokens === 0) return null;
  const figure = (count: number) => count.toLocaleString('en');
  const cached = cachedInputTokens > 0 ? `, ${figure(cachedInputTokens)} of them cached` : '';
  const tokens = `Model: ${figure(inputTokens + outputTokens)} tokens (${figure(inputTokens)} in${cached}; ${figure(outputTokens)} out)`;
  // A cost of 0 means that the prices are unknown: no sum is better than a wrong one.
  if (costUsd === 0) return tokens;
  return `${tokens}, ${costUsd < 0.01 ? 'less than $0.01' : `$${costUsd.toFixed(2)}`}`;
}

/** What is about to be rendered, in one line. */
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
  const part =
    range === null
      ? formatExactSeconds(durationSeconds)
      : 'scene' in range
        ? range.scene
        : `frames ${range.fromFrame}-${range.toFrame - 1}`;
  return [
    `${width}×${height}`,
    ...(still ? [] : [`${fps} fps`, part]),
    `${format}${transparent ? ' without background' : ''}`,
    ...(preset === null ? [] : [`for ${preset}`]),
  ].join(', ');
}

/** What was measured of the finished file, a line a subject. */
export function describeResult({ probe, renderTimeMs }: Pick<Render, 'probe' | 'renderTimeMs'>): string[] {
  if (probe === null) return [];
  const took = renderTimeMs === null ? [] : [`rendered in ${(renderTimeMs / 1000).toFixed(1)} s`];
  const file = [`${(probe.sizeBytes / 1e6).toFixed(2)} MB`, ...took];
  const picture = probe.frames === 1 ? [`${probe.width}×${probe.height}`] : [`${probe.durationSeconds.toFixed(2)} s`];
  const sound = probe.audio === null ? [] : [`${probe.audio.codec} ${probe.audio.sampleRate / 1000} kHz`];
  const chapters = probe.chapters === 0 ? [] : [probe.chapters === 1 ? '1 chapter' : `${probe.chapters} chapters`];
  const facts = [...picture, describeFrames(probe), probe.codec, ...sound, ...chapters, ...file].join(', ');
  return probe.verification === null ? [facts] : [facts, describeVerification(probe.verification)];
}

function describeFrames({ frames, fps, capturedFrames }: RenderProbe): string {
  const count = frames === 1 ? '1 frame' : `${frames} frames at ${Number(fps.toFixed(2))} fps`;
  if (capturedFrames === null) return count;
  // A few known ones are captured again as a proof, so there can be more than are new.
  const known = Math.max(0, frames - capturedFrames);
  return known === 0 ? count : `${count} (${capturedFrames} captured, ${known} known from before)`;
}

function describeVerification({ frames, lowestPsnrDb, meanPsnrDb }: NonNullable<RenderProbe['verification']>): string {
  const db = (value: number) => `${value.toFixed(1)} dB`;
  return `Verified: ${frames} frames against plain screenshots, PSNR ${db(meanPsnrDb)} on average, ${db(lowestPsnrDb)} at worst`;
}
