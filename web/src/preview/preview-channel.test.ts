import { describe, expect, it } from 'vitest';
import { sampleFilm } from '../../../test/fixtures/renders.ts';
import { isFromPreview, previewOrigin, readFromPreview } from './preview-channel.ts';

const frame = { name: 'the frame' } as unknown as MessageEventSource;
const expected = { origin: 'http://abc.localhost:3000', source: frame };
const event = (change: Partial<{ origin: string; source: MessageEventSource | null }> = {}) => ({
  origin: expected.origin,
  source: frame,
  ...change,
});
const time = { type: 'koda:time', seconds: 1.5, durationSeconds: 8, playing: true };

describe('messages of the preview', () => {
  it('A15: are read when they come from the very frame', () => {
    expect(isFromPreview(event(), expected)).toBe(true);
    expect(readFromPreview(time)).toEqual(time);
    const ready = { type: 'koda:ready', info: sampleFilm() };
    expect(readFromPreview(ready)).toEqual(ready);
  });

  it('A15: are ignored from another origin, another window, or before the frame is there', () => {
    expect(isFromPreview(event({ origin: 'http://evil.example' }), expected)).toBe(false);
    expect(isFromPreview(event({ origin: 'null' }), expected)).toBe(false);
    expect(isFromPreview(event({ source: {} as MessageEventSource }), expected)).toBe(false);
    expect(isFromPreview(event({ source: null }), { ...expected, source: null })).toBe(false);
  });

  it('A15: are ignored when they are not of the protocol', () => {
    for (const data of [null, 'koda:time', { type: 'koda:time' }, { ...time, durationSeconds: 0 }, { type: 'vite:hmr' }]) {
      expect(readFromPreview(data)).toBeNull();
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
    expect(readFromPreview({ type: 'koda:ready', info })).toBeNull();
    expect(readFromPreview({ type: 'koda:film', info })).toBeNull();
  });

  it('A15: is not read when it sends lists of millions, which are not even walked', () => {
    let walked = 0;
    const scene = {
      get id() {
        walked += 1;
        return 'x';
      },
    };
    const scenes = new Array(1_000_000).fill(scene);
    expect(readFromPreview({ type: 'koda:ready', info: { ...sampleFilm(), scenes } })).toBeNull();
    expect(readFromPreview({ type: 'koda:film', info: { ...sampleFilm(), parameters: new Array(2 ** 30) } })).toBeNull();
    expect(readFromPreview({ ...time, more: new Uint8Array(10) })).toBeNull();
    expect(walked).toBe(0);
  });

  it('A15: is not read either when its messages have no end of their length', () => {
    expect(readFromPreview({ ...time, durationSeconds: 1e12 })).toBeNull();
  });
});

it('A15: only addresses of the web are shown', () => {
  expect(previewOrigin('http://abc.localhost:3000/x?y')).toBe('http://abc.localhost:3000');
  for (const url of ['javascript:alert(1)', 'data:text/html,x', '/relative', '']) expect(previewOrigin(url)).toBeNull();
});
