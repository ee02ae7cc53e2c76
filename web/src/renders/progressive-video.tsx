import { type RefObject, useEffect } from 'react';
import type { Render } from '#contract/render.ts';
import { routes, routeUrl } from '#contract/routes.ts';
import { addressOf } from '../address.ts';
import { cx } from '../ui/elements.tsx';
import { renderLabel } from './render-label.ts';

const marker = [0x61, 0x76, 0x63, 0x43];

/**
 * Returns the codec string that a browser needs before it accepts an H.264 stream in an MP4 (`avc1.42c01e`: profile,
 * constraints and level, RFC 6381). Reads it from the `avcC` box at the start of the file (ISO 14496-15). Returns `null`
 * until that has arrived.
 */
export function h264Codec(head: Uint8Array): string | null {
  const at = head.findIndex((_, index) => marker.every((byte, offset) => head[index + offset] === byte));
  if (at === -1 || head.length < at + 8) return null;
  const [profile, constraints, level] = head.subarray(at + 5, at + 8);
  return `avc1.${[profile, constraints, level].map((byte) => (byte ?? 0).toString(16).padStart(2, '0')).join('')}`;
}

/** Real heads are shorter than a thousand bytes. */
const maxHeadBytes = 64 * 1024;

/**
 * Plays a video in `video` while it is being rendered, from its first frame. Resolves when all of it has arrived. Rejects if
 * the stream breaks or the browser rejects it, or with the signal's reason. Appends bytes as they arrive. With a `src`, which
 * is the fallback, Chromium would wait for 32 kB (a quarter of a small preview) and buffer two seconds before it starts.
 */
async function playProgressively(video: HTMLVideoElement, url: string, signal: AbortSignal): Promise<void> {
  if (!('MediaSource' in window)) {
    video.src = url;
    return;
  }
  const response = await fetch(url, { signal });
  if (!response.ok || response.body === null) throw new Error(`There is no video at ${url} (status ${response.status}).`);
  const reader = response.body.getReader();
  const { head, codec } = await readHead(reader);
  const source = await openSource(video, signal);
  const buffer = source.addSourceBuffer(`video/mp4; codecs="${codec}"`);
  await append(buffer, head, signal);
  for (let turn = await reader.read(); !turn.done; turn = await reader.read()) await append(buffer, turn.value, signal);
  source.endOfStream();
}

async function readHead(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
): Promise<{ head: Uint8Array<ArrayBuffer>; codec: string }> {
  let head = new Uint8Array();
  for (let turn = await reader.read(); !turn.done; turn = await reader.read()) {
    const joined = new Uint8Array(head.length + turn.value.length);
    joined.set(head);
    joined.set(turn.value, head.length);
    head = joined;
    const codec = h264Codec(head);
    if (codec !== null) return { head, codec };
    if (head.length > maxHeadBytes) break;
  }
  throw new Error('The video does not declare its codec.');
}

async function openSource(video: HTMLVideoElement, signal: AbortSignal): Promise<MediaSource> {
  const source = new MediaSource();
  const address = URL.createObjectURL(source);
  video.src = address;
  try {
    await nextOf(source, ['sourceopen'], signal);
    return source;
  } finally {
    URL.revokeObjectURL(address);
  }
}

async function append(buffer: SourceBuffer, bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<void> {
  buffer.appendBuffer(bytes);
  const { type } = await nextOf(buffer, ['updateend', 'error'], signal);
  if (type === 'error') throw new Error('The browser cannot read the video.');
}

/** Waits for the first of these events. Rejects with the signal's reason. */
async function nextOf(target: EventTarget, names: readonly string[], signal: AbortSignal): Promise<Event> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<Event>();
  const over = new AbortController();
  for (const name of names) target.addEventListener(name, resolve, { signal: over.signal });
  signal.addEventListener('abort', () => reject(signal.reason), { signal: over.signal });
  try {
    return await promise;
  } finally {
    over.abort();
  }
}

interface ProgressiveVideoProps {
  render: Render;
  ref: RefObject<HTMLVideoElement | null>;
  hidden: boolean;
  /** Whether it waits for the user to play it, because of reduced motion. */
  reducedMotion: boolean;
  onFirstFrame: () => void;
  onBroken: () => void;
}

/** Plays a preview while it is being rendered. */
export function ProgressiveVideo({ render, ref, hidden, reducedMotion, onFirstFrame, onBroken }: ProgressiveVideoProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: one film for each render, whatever its progress.
  useEffect(() => {
    const video = ref.current;
    if (!video) return;
    const stop = new AbortController();
    playProgressively(video, addressOf(routeUrl(routes.liveRender, { id: render.id })), stop.signal).catch(() => {
      if (!stop.signal.aborted) onBroken();
    });
    return () => {
      stop.abort();
      // Frees the decoder immediately; the element may live longer.
      video.removeAttribute('src');
      video.load();
    };
  }, [render.id]);
  return (
    <video
      ref={ref}
      data-live={render.id}
      aria-label={`${renderLabel(render)}, still rendering`}
      muted
      playsInline
      autoPlay={!reducedMotion}
      controls={reducedMotion}
      onLoadedData={onFirstFrame}
      onError={onBroken}
      className={cx('absolute inset-0 size-full object-cover', hidden && 'invisible')}
    />
  );
}
