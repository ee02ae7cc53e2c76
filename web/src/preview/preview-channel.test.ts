import { describe, expect, it } from 'vitest';
import { sampleFilm } from '../../../test/fixtures/renders.ts';
import { MessageBudget, previewOrigin, readFromPreview } from './preview-channel.ts';

const frame = { name: 'the frame' } as unknown as MessageEventSource;
const expected = { origin: 'http://abc.localhost:3000', source: frame };
const event = (data: unknown, change: Partial<{ origin: string; source: MessageEventSource | null }> = {}) => ({
  data,
  origin: expected.origin,
  source: frame,
  ...change,
});
const time = { type: 'koda:time', seconds: 1.5, durationSeconds: 8, playing: true };

describe('messages of the preview', () => {
  it('A15: are read when they come from the very frame', () => {
    expect(readFromPreview(event(time), expected)).toEqual(time);
    const ready = { type: 'koda:ready', info: sampleFilm() };
    expect(readFromPreview(event(ready), expected)).toEqual(ready);
  });

  it('A15: are ignored from another origin, another window, or before the frame is there', () => {
    expect(readFromPreview(event(time, { origin: 'http://evil.example' }), expected)).toBeNull();
    expect(readFromPreview(event(time, { origin: 'null' }), expected)).toBeNull();
    expect(readFromPreview(event(time, { source: {} as MessageEventSource }), expected)).toBeNull();
    expect(readFromPreview(event(time, { source: null }), { ...expected, source: null })).toBeNull();
  });

  it('A15: are ignored when they are not of the protocol', () => {
    for (const data of [null, 'koda:time', { type: 'koda:time' }, { ...time, durationSeconds: 0 }, { type: 'vite:hmr' }]) {
      expect(readFromPreview(event(data), expected)).toBeNull();
    }
  });
});

describe('a page that wants to hold up the studio', () => {
  it.each([
    { durationSeconds: 1e9 },
    { durationSeconds: 1e308 },
    { fps: 0 },
    { fps: -1 },
    { fps: 1e-9 },
    { width: 0 },
    { height: -5 },
    { width: 2 ** 40 },
  ])('A15: is not read when it tells of what no film can be: %o', (change) => {
    const info = { ...sampleFilm(), ...change };
    expect(readFromPreview(event({ type: 'koda:ready', info }), expected)).toBeNull();
    expect(readFromPreview(event({ type: 'koda:film', info }), expected)).toBeNull();
  });

  it('A15: is not read either when its messages have no end of their length', () => {
    expect(readFromPreview(event({ ...time, durationSeconds: 1e12 }), expected)).toBeNull();
  });

  it('A15: is read a while, and again in the next second', () => {
    const budget = new MessageBudget();
    const read = (data: unknown, count: number, nowMs: number) =>
      Array.from({ length: count }, () => budget.allows(data, nowMs)).filter(Boolean).length;
    expect(read({ type: 'koda:film' }, 500, 0)).toBe(20);
    expect(read(time, 2000, 10)).toBe(500);
    expect(read({ type: 'koda:ready' }, 1, 999)).toBe(0);
    expect(read({ type: 'koda:ready' }, 1, 1000)).toBe(1);
    expect(read(time, 120, 1500)).toBe(120);
  });
});

it('A15: only addresses of the web are shown', () => {
  expect(previewOrigin('http://abc.localhost:3000/x?y')).toBe('http://abc.localhost:3000');
  for (const url of ['javascript:alert(1)', 'data:text/html,x', '/relative', '']) expect(previewOrigin(url)).toBeNull();
});
