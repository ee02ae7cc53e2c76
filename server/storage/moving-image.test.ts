import { describe, expect, it } from 'vitest';
import { isMoving } from './moving-image.ts';

/** One white pixel; `pictures` of them. */
function gif(pictures: number, color = true): Buffer {
  const screen = Buffer.from([1, 0, 1, 0, color ? 0x80 : 0, 0, 0]);
  const table = color ? Buffer.from([255, 255, 255, 0, 0, 0]) : Buffer.alloc(0);
  const comment = Buffer.from([0x21, 0xfe, 2, 0x2c, 0x2c, 0]);
  const picture = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]);
  const all = Array.from({ length: pictures }, () => picture);
  return Buffer.concat([Buffer.from('GIF89a'), screen, table, comment, ...all, Buffer.from([0x3b])]);
}

function chunk(kind: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(kind), data, Buffer.alloc(4)]);
}
function png(frames: number | null): Buffer {
  const control = Buffer.alloc(8);
  control.writeUInt32BE(frames ?? 0);
  const chunks = [chunk('IHDR', Buffer.alloc(13)), ...(frames === null ? [] : [chunk('acTL', control)])];
  return Buffer.concat([Buffer.alloc(8), ...chunks, chunk('IDAT', Buffer.from('acTL'))]);
}

const webp = (flags: number) =>
  Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0', 'latin1'), Buffer.from([flags]), Buffer.alloc(9)]);
const svg = (content: string) => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${content}</svg>`);

describe('images that move', () => {
  it('F4: are told from still ones, in every type that can move', () => {
    expect([isMoving(gif(1), 'gif'), isMoving(gif(2), 'gif'), isMoving(gif(2, false), 'gif')]).toEqual([false, true, true]);
    expect([isMoving(png(null), 'png'), isMoving(png(1), 'png'), isMoving(png(3), 'png')]).toEqual([false, false, true]);
    expect([isMoving(webp(0x10), 'webp'), isMoving(webp(0x12), 'webp')]).toEqual([false, true]);
    const moving = ['<animate attributeName="x"/>', '<set attributeName="x"/>', '<style>@keyframes a {}</style>'];
    expect(moving.map((content) => isMoving(svg(content), 'svg'))).toEqual([true, true, true]);
    expect(isMoving(svg('<text>animate the @key</text>'), 'svg')).toBe(false);
    expect(isMoving(gif(2), 'jpg')).toBe(false);
  });

  it('F4: count as still if they are damaged, whatever their bytes', () => {
    for (const bytes of [gif(2), png(3), webp(2)]) {
      for (let length = 0; length < bytes.length; length++) {
        for (const type of ['gif', 'png', 'webp', 'svg'] as const) isMoving(bytes.subarray(0, length), type);
      }
    }
    expect(isMoving(Buffer.alloc(0), 'gif')).toBe(false);
  });
});
