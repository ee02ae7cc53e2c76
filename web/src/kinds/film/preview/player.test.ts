import { beforeEach, describe, expect, it } from 'vitest';
import { sampleFilm } from '../../../../../test/fixtures/renders.ts';
import { plainSettings } from './film-time.ts';
import { Player } from './player.ts';
import type { FromPreview, ToPreview } from './preview-channel.ts';

let sent: ToPreview[];
let player: Player;
const make = (reducedMotion = false) =>
  new Player({ post: (message) => sent.push(message), planned: { durationSeconds: 4, fps: 30 }, reducedMotion, nowMs: 0 });
beforeEach(() => {
  sent = [];
  player = make();
});

const ready: FromPreview = { type: 'koda:ready', info: sampleFilm() };
const playback = { speed: 1, loop: true, range: null };
/** A report from a page that supports playback commands. */
const time = (seconds: number, playing = true): FromPreview => ({
  type: 'koda:time',
  seconds,
  durationSeconds: 6,
  playing,
  playback,
});
/** A report from an older project's page. */
const oldTime = (seconds: number, playing = true): FromPreview => ({ type: 'koda:time', seconds, durationSeconds: 6, playing });
const state = () => player.store.getState();
/** Ticks at 50 per second, both ends inclusive. */
const ticks = (fromMs: number, toMs: number) => {
  for (let nowMs = fromMs; nowMs <= toMs; nowMs += 20) player.tick(nowMs);
};

describe('page that supports playback commands', () => {
  beforeEach(() => {
    player.receive(ready, 10);
    player.receive(time(0.1), 20);
  });

  it('A15: plays by itself while its time advances between reports', () => {
    expect(sent).toEqual([]);
    expect(state()).toMatchObject({ playing: true, seconds: 0.1, health: 'responsive', info: { durationSeconds: 6 } });
    ticks(20, 120);
    expect(state().seconds).toBeCloseTo(0.2);
    player.receive(time(0.21), 125);
    expect(state().seconds).toBe(0.21);
  });

  it('A15: receives playback commands, and its reports are followed', () => {
    player.change({ speed: 0.5, loop: false }, 30);
    expect(sent).toEqual([{ type: 'koda:playback', ...plainSettings, speed: 0.5, loop: false }]);
    ticks(40, 140);
    expect(state().seconds).toBeCloseTo(0.15);
    player.receive(time(6 - 1 / 60, false), 200);
    expect(state().playing).toBe(false);
    player.play(210);
    expect(sent.at(-1)).toEqual({ type: 'koda:play', seconds: 0 });
  });

  it('A15: a report older than a command is not its response', () => {
    player.pause(30);
    player.receive(time(0.2, true), 31);
    expect(state().playing).toBe(false);
    player.receive(time(0.2, false), 40);
    player.receive(time(0.2, true), 50);
    expect(state().playing).toBe(true);
  });

  it('A15: receives the newest of many seeks while the playhead stays at the pointer', () => {
    player.pause(30);
    sent = [];
    for (const seconds of [1, 2, 3]) player.seek(seconds, 40);
    expect(sent).toEqual([{ type: 'koda:seek', seconds: 1 }]);
    player.receive(time(1, false), 60);
    expect(sent.at(-1)).toEqual({ type: 'koda:seek', seconds: 3 });
    expect(state().seconds).toBe(3);
    player.receive(time(3, false), 80);
    expect(state().seconds).toBe(3);
  });

  it('A15: steps by frames, within the film', () => {
    player.seek(1, 30);
    player.receive(time(1), 35);
    player.step(1, 40);
    expect(state()).toMatchObject({ playing: false, seconds: 61 / 60 });
    player.step(-10, 50);
    expect(state().seconds).toBe(51 / 60);
    player.step(1000, 60);
    expect(state().seconds).toBe(6 - 1 / 60);
    player.step(-1000, 70);
    expect(state().seconds).toBe(0);
  });

  it('A15: resumes time and settings after a reload', () => {
    player.change({ range: { startSeconds: 3, endSeconds: 6 } }, 30);
    player.pause(40);
    player.seek(4, 50);
    player.loading(60);
    expect(state()).toMatchObject({ health: 'loading', seconds: 4, info: { durationSeconds: 6 } });
    sent = [];
    player.receive(ready, 500);
    expect(sent).toEqual([
      { type: 'koda:playback', ...plainSettings, range: { startSeconds: 3, endSeconds: 6 } },
      { type: 'koda:pause', seconds: 4 },
    ]);
  });

  it("A15: pauses while it is hidden, and the player's clock plays the videos", () => {
    player.detach(true, 30);
    expect(sent).toEqual([{ type: 'koda:pause', seconds: 0.1 }]);
    player.receive(time(0.1, false), 40);
    ticks(40, 240);
    expect(state()).toMatchObject({ playing: true });
    expect(state().seconds).toBeCloseTo(0.3);
    expect(sent).toHaveLength(1);
    player.detach(false, 250);
    expect(sent.at(-1)).toMatchObject({ type: 'koda:play', seconds: state().seconds });
  });

  it('A15: shows a shortened film immediately', () => {
    player.receive({ type: 'koda:film', info: sampleFilm({ durationSeconds: 5 }) }, 30);
    expect(player.film.durationSeconds).toBe(5);
    player.receive({ ...time(1), durationSeconds: 4.5 } as FromPreview, 40);
    expect(player.film.durationSeconds).toBe(4.5);
  });
});

describe('page of an older project', () => {
  beforeEach(() => {
    player.receive(ready, 10);
    player.receive(oldTime(1), 20);
  });

  it('A15: plays by itself without special settings', () => {
    expect(sent).toEqual([]);
    expect(state()).toMatchObject({ playing: true, seconds: 1 });
  });

  it('A15: is seeked to each time at another speed', () => {
    player.change({ speed: 2 }, 30);
    expect(sent.at(-1)).toEqual({ type: 'koda:pause', seconds: 1 });
    ticks(40, 140);
    expect(state().seconds).toBeCloseTo(1.2);
    expect(sent.at(-1)?.type).toBe('koda:seek');
    // Sends one seek at a time until the page responds.
    expect(sent.filter(({ type }) => type === 'koda:seek')).toHaveLength(1);
    player.receive(oldTime(1.02, false), 150);
    expect(sent.filter(({ type }) => type === 'koda:seek')).toHaveLength(2);
    expect(state()).toMatchObject({ playing: true });
    player.change({ speed: 1 }, 160);
    expect(sent.at(-1)).toMatchObject({ type: 'koda:play' });
  });

  it('A15: loops a scene, or stops at its end', () => {
    player.change({ range: { startSeconds: 1, endSeconds: 1.1 } }, 30);
    ticks(40, 180);
    expect(state().seconds).toBeCloseTo(1.04);
    player.change({ loop: false }, 190);
    ticks(200, 400);
    expect(state()).toMatchObject({ playing: false });
    expect(state().seconds).toBeCloseTo(1.1 - 1 / 60);
  });
});

describe('health of a page', () => {
  it('A15: a page without messages is late', () => {
    player.check(19_000);
    expect(state().health).toBe('loading');
    player.check(20_000);
    expect(state().health).toBe('late');
    player.receive(ready, 25_000);
    expect(state().health).toBe('responsive');
  });

  it('A15: a page without messages is asked for one, and then considered unresponsive', () => {
    player.receive(ready, 1000);
    player.receive(time(0, false), 1000);
    player.check(2500);
    expect(sent).toEqual([]);
    player.check(3000);
    expect(sent).toEqual([{ type: 'koda:seek' }]);
    player.check(6900);
    expect(state().health).toBe('responsive');
    player.check(7000);
    expect(state()).toMatchObject({ health: 'unresponsive', healthSinceMs: 1000 });
    player.receive(time(0, false), 9000);
    expect(state().health).toBe('responsive');
  });

  it('A15: a page that responds stays responsive, however long nothing happens', () => {
    player.receive(ready, 0);
    for (let nowMs = 0; nowMs < 60_000; nowMs += 250) {
      const before = sent.length;
      player.check(nowMs);
      if (sent.length > before) player.receive(time(0, false), nowMs + 100);
    }
    expect(state().health).toBe('responsive');
  });
});

it('A15: with reduced motion, the film waits for the user to play it', () => {
  player = make(true);
  player.receive(ready, 10);
  expect(sent).toEqual([{ type: 'koda:pause', seconds: 0 }]);
  expect(state().playing).toBe(false);
});

it('A15: shows console lines in batches', () => {
  player.receive({ type: 'koda:error', message: 'x is not defined' }, 10);
  player.receive({ type: 'koda:console', level: 'warning', text: 'careful' }, 20);
  expect(state().lines).toEqual([]);
  player.flushLines();
  expect(state().lines.map(({ level, text }) => [level, text])).toEqual([
    ['error', 'x is not defined'],
    ['warning', 'careful'],
  ]);
});

describe('failing page', () => {
  const error: FromPreview = { type: 'koda:error', message: 'x is not defined' };

  it('A15: has failed if it reports an error without starting', () => {
    player.receive(error, 1000);
    player.check(3900);
    expect(state().health).toBe('loading');
    player.check(4000);
    expect(state().health).toBe('failed');
    player.receive(ready, 9000);
    expect(state().health).toBe('responsive');
    // The previous page's error does not affect the next one.
    player.loading(10_000);
    player.check(20_000);
    expect(state().health).toBe('loading');
  });

  it('A15: has not failed if it starts despite an error', () => {
    player.receive(error, 1000);
    player.receive(ready, 2000);
    player.check(5000);
    expect(state().health).toBe('responsive');
  });

  it('A15: is ignored while it floods the studio, until it reloads', () => {
    player.receive(ready, 1000);
    player.flooded(2000);
    player.receive(time(3), 2001);
    player.check(60_000);
    expect(state()).toMatchObject({ health: 'flooding', healthSinceMs: 2000 });
    expect(player.lastMessageMs).toBe(1000);
    player.loading(61_000);
    player.receive(ready, 62_000);
    expect(state().health).toBe('responsive');
  });
});

describe('page load', () => {
  it('A15: records since when a page may lack changes, also after its own reload', () => {
    player.loading(100);
    // The previous page continues briefly.
    player.receive(time(0.1), 120);
    // Console output during loading does not show which page it comes from.
    player.receive({ type: 'koda:console', level: 'info', text: 'Loading' }, 150);
    player.receive(ready, 200);
    expect(state().load).toEqual({ sinceMs: 100, readyMs: 200, byItself: false });
    player.receive(time(0.1), 300);
    player.receive({ type: 'koda:console', level: 'info', text: 'Loading' }, 350);
    player.receive(ready, 400);
    expect(state().load).toEqual({ sinceMs: 300, readyMs: 400, byItself: true });
    player.loading(500);
    expect(state().load).toBeNull();
  });
});

describe('page that reports faster than any display', () => {
  beforeEach(() => {
    player.receive(ready, 10);
    player.receive(time(0.1), 20);
  });

  it('A15: renders at most once in 8 ms, ending with the last report', () => {
    let drawn = 0;
    player.store.subscribe(() => {
      drawn += 1;
    });
    for (let report = 0; report < 1000; report += 1) player.receive(time(0.2 + report / 1000, false), 30 + report / 100);
    expect(drawn).toBeLessThan(5);
    player.check(250);
    expect(state()).toMatchObject({ seconds: 1.199, playing: false });
  });

  it('A15: ignores reports from before a command', () => {
    player.receive(time(0.2, false), 30);
    player.receive(time(0.3, false), 31);
    player.seek(5, 32);
    player.check(250);
    expect(state().seconds).toBe(5);
  });
});
