import type { Locator } from '@playwright/test';
import { PNG } from 'pngjs';
import { wavFile } from '../fixtures/wav.ts';

/** A file on the user's computer. */
export interface GivenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

export type Colour = readonly [red: number, green: number, blue: number];

/** Creates an image of one colour, 320×200. */
export function picture(name: string, [red, green, blue]: Colour): GivenFile {
  const png = new PNG({ width: 320, height: 200 });
  for (let at = 0; at < png.data.length; at += 4) png.data.set([red, green, blue, 255], at);
  return { name, mimeType: 'image/png', buffer: PNG.sync.write(png) };
}

/** Returns the fraction of an image's pixels with this colour, 0 to 1, within the tolerance of scaling. */
export function shareOf(png: Buffer, colour: Colour): number {
  const { data } = PNG.sync.read(png);
  let found = 0;
  for (let at = 0; at < data.length; at += 4) {
    if (colour.every((channel, index) => Math.abs(channel - (data[at + index] ?? 0)) <= 24)) found += 1;
  }
  return found / (data.length / 4);
}

const sampleRate = 8000;

/** Creates a 440 Hz tone, mono, 16 bits. `padBytes`, an even number, adds silence to enlarge the file. */
export function tone(name: string, { seconds, padBytes = 0 }: { seconds: number; padBytes?: number }): GivenFile {
  const samples = new Int16Array(seconds * sampleRate + padBytes / Int16Array.BYTES_PER_ELEMENT);
  for (let at = 0; at < seconds * sampleRate; at += 1)
    samples[at] = Math.round(16_000 * Math.sin((2 * Math.PI * 440 * at) / sampleRate));
  return { name, mimeType: 'audio/wav', buffer: wavFile(samples, sampleRate) };
}

/** The code is a string, because the page has other types than the test. */
const makeTransfer = `({ name, mimeType, base64 }) => {
  const transfer = new DataTransfer();
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  transfer.items.add(new File([bytes], name, { type: mimeType }));
  return transfer;
}`;

/** Drops a file on an element, as with a mouse. `over` checks the page while the file is held above it. */
export async function dropOn(
  target: Locator,
  { name, mimeType, buffer }: GivenFile,
  over: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const file = JSON.stringify({ name, mimeType, base64: buffer.toString('base64') });
  const dataTransfer = await target.page().evaluateHandle(`(${makeTransfer})(${file})`);
  for (const type of ['dragenter', 'dragover']) await target.dispatchEvent(type, { dataTransfer });
  await over();
  await target.dispatchEvent('drop', { dataTransfer });
}
