import { renderFiles } from '../../../server/contract/render.ts';
import type { RenderJob } from '../../../server/contract/sandboxd.ts';
import { ProtocolError } from '../http.ts';
import { formatTraits } from './formats.ts';
import type { Probe } from './probe.ts';

export interface Expected {
  readonly frames: number;
  readonly fps: number;
  readonly chapters: number;
  readonly sound: boolean;
}

/** Range, primaries, transfer, matrix. ProRes has no place for the range; that it is limited is understood. */
const rightColours: Partial<Record<RenderJob['format'], RegExp>> = {
  mp4: /^tv bt709 bt709 bt709$/,
  webm: /^tv bt709 bt709 bt709$/,
  mov: /^(tv|unknown) bt709 bt709 bt709$/,
};

/** Throws ENCODE_FAILED when a measured file is not what it was to become. */
export function assertAsExpected(
  job: Pick<RenderJob, 'format' | 'width' | 'height' | 'transparent'>,
  probe: Probe,
  expected: Expected,
): void {
  const { kind } = formatTraits[job.format];
  const { still } = renderFiles[job.format];
  const check = (right: boolean, found: string, wanted: string) => {
    if (right) return;
    throw new ProtocolError('ENCODE_FAILED', 500, `The finished file has ${found} instead of ${wanted}. Render again.`, {
      probe,
    });
  };
  const { frames, width, height, durationSeconds, colour, audio, chapters, pixelFormat } = probe;
  check(
    frames === expected.frames && width === job.width && height === job.height,
    `${frames} frames of ${width}×${height}`,
    `${expected.frames} of ${job.width}×${job.height}`,
  );
  // Nothing may be off by more than a frame: a container rounds times, and a codec fills up its last block of sound.
  const seconds = expected.frames / expected.fps;
  const near = (value: number) => Math.abs(value - seconds) <= 1 / expected.fps;
  check(still || near(durationSeconds), `${durationSeconds} s`, `${seconds} s`);
  const rightColour = rightColours[job.format];
  check(rightColour?.test(colour ?? '') ?? true, `the colour tags "${colour}"`, 'those of BT.709');
  check(!job.transparent || kind === 'gif' || /a/.test(pixelFormat), `pixels without alpha (${pixelFormat})`, 'transparent ones');
  check(
    expected.sound ? audio !== null && near(audio.durationSeconds) : audio === null,
    audio === null ? 'no sound' : `${audio.durationSeconds} s of sound`,
    expected.sound ? `${seconds} s of it` : 'none',
  );
  check(chapters === expected.chapters, `${chapters} chapters`, String(expected.chapters));
}
