import { expect, it } from 'vitest';
import { h264Codec } from './progressive-video.tsx';

const letters = (text: string) => [...text].map((letter) => letter.charCodeAt(0));
const head = Uint8Array.from([
  0,
  0,
  0,
  24,
  ...letters('ftypisom'),
  9,
  9,
  0,
  0,
  0,
  52,
  ...letters('avcC'),
  1,
  0x42,
  0xc0,
  0x1e,
  255,
]);

it('A18: reads the codec from the video itself', () => {
  expect(h264Codec(head)).toBe('avc1.42c01e');
});

it('A18: returns no codec until the head of the file is complete', () => {
  for (let length = 0; length < head.length - 1; length += 1) expect(h264Codec(head.subarray(0, length))).toBeNull();
  expect(h264Codec(new Uint8Array(500))).toBeNull();
});
