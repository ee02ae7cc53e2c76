import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sampleFilm } from '../../../../../test/fixtures/renders.ts';
import { isFromPreview, MessageBudget, previewOrigin } from '../../../preview/page-messages.ts';
import {
  EditChannel,
  editChannel,
  findText,
  onPageStart,
  onTextClick,
  readFromPreview,
  sendSceneProps,
  type ToPreview,
} from './preview-channel.ts';

/** Counts how this many messages within one second are handled. */
function fates(budget: MessageBudget, count: number, fromMs: number, isLine = false): Record<string, number> {
  const seen: Record<string, number> = { read: 0, drop: 0, flood: 0 };
  for (let message = 0; message < count; message += 1) {
    const fate = budget.take(fromMs + (999 * message) / count, isLine);
    seen[fate] = (seen[fate] ?? 0) + 1;
  }
  return seen;
}

it('A15: reads all messages of a legitimate page', () => {
  const budget = new MessageBudget();
  for (let second = 0; second < 5; second += 1) {
    expect(fates(budget, 250, second * 1000)).toMatchObject({ read: 250, drop: 0 });
    expect(fates(budget, 2000, second * 1000, true)).toMatchObject({ read: 2000, drop: 0 });
  }
});

it('A15: limits the cost of endless messages, and detects the flood', () => {
  const budget = new MessageBudget();
  expect(fates(budget, 10_000, 0, true)).toEqual({ read: 2000, drop: 8000, flood: 0 });
  expect(fates(budget, 100_000, 1000, true)).toEqual({ read: 2000, drop: 97_999, flood: 1 });
  expect(fates(budget, 10, 2000)).toMatchObject({ read: 10 });
});

it('A15: detects a flood of what is no line within a second', () => {
  expect(fates(new MessageBudget(), 900, 0)).toMatchObject({ flood: 0 });
  expect(fates(new MessageBudget(), 1100, 0)).toMatchObject({ read: 300, flood: 1 });
});

it('A15: detects a flood of several seconds on a slow machine', () => {
  const budget = new MessageBudget();
  expect(fates(budget, 400, 0)).toMatchObject({ flood: 0 });
  expect(fates(budget, 400, 1000)).toMatchObject({ flood: 0 });
  // Two quiet seconds end a flood, and a single one does not.
  for (const second of [2, 3]) expect(fates(budget, 100, second * 1000)).toMatchObject({ flood: 0 });
  for (const second of [4, 5]) expect(fates(budget, 400, second * 1000)).toMatchObject({ flood: 0 });
  expect(fates(budget, 100, 6000)).toMatchObject({ flood: 0 });
  expect(fates(budget, 400, 7000)).toMatchObject({ flood: 1 });
});

it('A15: reads repeated film reports twenty times a second', () => {
  const budget = new MessageBudget();
  const films = (nowMs: number) => {
    budget.take(nowMs, false);
    return budget.takeCostly();
  };
  expect(Array.from({ length: 500 }, () => films(10)).filter(Boolean)).toHaveLength(20);
  expect(films(1000)).toBe(true);
});

it('A15: drops messages that take long to read, and still detects a flood', () => {
  const budget = new MessageBudget();
  const read = (fromMs: number) => {
    let count = 0;
    let flooded = false;
    for (let message = 0; message < 2000; message += 1) {
      const fate = budget.take(fromMs + message / 4, true);
      if (fate === 'read') budget.spent(5);
      count += fate === 'read' ? 1 : 0;
      flooded ||= fate === 'flood';
    }
    return { count, flooded };
  };
  expect(read(0)).toEqual({ count: 200, flooded: false });
  expect(read(1000)).toEqual({ count: 200, flooded: false });
  expect(read(2000).flooded).toBe(true);
});

const frame = { name: 'the frame' } as unknown as MessageEventSource;
const expected = { origin: 'http://abc.localhost:3000', source: frame };
const event = (change: Partial<{ origin: string; source: MessageEventSource | null }> = {}) => ({
  origin: expected.origin,
  source: frame,
  ...change,
});
const time = { type: 'koda:time', seconds: 1.5, durationSeconds: 8, playing: true };

describe('preview messages', () => {
  it("A15: are read from the preview's frame", () => {
    expect(isFromPreview(event(), expected)).toBe(true);
    expect(readFromPreview(time)).toEqual(time);
    const ready = { type: 'koda:ready', info: sampleFilm() };
    expect(readFromPreview(ready)).toEqual(ready);
  });

  it('A15: are ignored from another origin or window, or before the frame exists', () => {
    expect(isFromPreview(event({ origin: 'http://evil.example' }), expected)).toBe(false);
    expect(isFromPreview(event({ origin: 'null' }), expected)).toBe(false);
    expect(isFromPreview(event({ source: {} as MessageEventSource }), expected)).toBe(false);
    expect(isFromPreview(event({ source: null }), { ...expected, source: null })).toBe(false);
  });

  it('A15: are ignored if they are not part of the protocol', () => {
    for (const data of [null, 'koda:time', { type: 'koda:time' }, { ...time, durationSeconds: 0 }, { type: 'vite:hmr' }]) {
      expect(readFromPreview(data)).toBeNull();
    }
  });
});

describe('page that tries to block the studio', () => {
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

  it('A15: huge lists are rejected without being traversed', () => {
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

  it('A15: overlong messages are rejected', () => {
    expect(readFromPreview({ ...time, durationSeconds: 1e12 })).toBeNull();
  });
});

it('A15: shows HTTP addresses only', () => {
  expect(previewOrigin('http://abc.localhost:3000/x?y')).toBe('http://abc.localhost:3000');
  for (const url of ['javascript:alert(1)', 'data:text/html,x', '/relative', '']) expect(previewOrigin(url)).toBeNull();
});

it('the editor reaches the page that the studio shows', async () => {
  const posted: ToPreview[] = [];
  const disconnect = editChannel.connect((message) => {
    posted.push(message);
    if (message.type === 'koda:text-at') editChannel.receive({ type: 'koda:text', requestId: message.requestId, text: 'Tea' });
    if (message.type === 'koda:find-text') editChannel.receive({ type: 'koda:texts', requestId: message.requestId, boxes: [] });
  });
  const click = vi.fn();
  const start = vi.fn();
  const stops = [disconnect, onTextClick(click), onPageStart(start)];
  editChannel.receive({ type: 'koda:ready', info: sampleFilm() });
  sendSceneProps('scene-1', null);
  await findText('Tea');
  await editChannel.clicked({ x: 0, y: 0 });
  for (const stop of stops) stop();
  expect(posted.map(({ type }) => type)).toEqual(['koda:scene-props', 'koda:find-text', 'koda:text-at']);
  expect([click, start].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
});

describe('the editor and the page', () => {
  let channel: EditChannel;
  let posted: ToPreview[];
  beforeEach(() => {
    vi.useFakeTimers();
    posted = [];
    channel = new EditChannel();
    channel.connect((message) => posted.push(message));
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Responds to the last request, as the page does. */
  const respond = (response: Record<string, unknown>) => {
    const message = posted.at(-1);
    const requestId = message && 'requestId' in message ? message.requestId : Number.NaN;
    const read = readFromPreview({ ...response, requestId });
    if (read === null) throw new Error('The response is malformed.');
    channel.receive(read);
  };

  it('sends the props of a scene, and none after the page is closed', () => {
    const gone = new EditChannel();
    gone.connect((message) => posted.push(message))();
    gone.sendSceneProps('scene-1', {});
    expect(posted).toEqual([]);
    channel.sendSceneProps('scene-2', { title: 'Tea' });
    expect(posted).toEqual([{ type: 'koda:scene-props', sceneId: 'scene-2', props: { title: 'Tea' } }]);
  });

  it('finds text, each request with its own response', async () => {
    const box = { x: 0.1, y: 0.2, width: 0.3, height: 0.1 };
    const first = channel.findText('Tea');
    const second = channel.findText('Milk');
    respond({ type: 'koda:texts', boxes: [box] });
    await vi.runAllTimersAsync();
    await expect(second).resolves.toEqual([box]);
    await expect(first).resolves.toEqual([]);
  });

  it('a page of an older project has no texts', async () => {
    const boxes = channel.findText('Tea');
    await vi.runAllTimersAsync();
    await expect(boxes).resolves.toEqual([]);
  });

  it('a click on text is handled by the listener; other clicks are not', async () => {
    const point = { x: 0.5, y: 0.25 };
    await expect(channel.clicked(point)).resolves.toBe(false);
    expect(posted).toEqual([]);
    const clicks: unknown[] = [];
    const stop = channel.onTextClick((click) => clicks.push(click));
    const onText = channel.clicked(point);
    respond({ type: 'koda:text', text: 'Tea' });
    await expect(onText).resolves.toBe(true);
    const besides = channel.clicked(point);
    respond({ type: 'koda:text', text: null });
    await expect(besides).resolves.toBe(false);
    stop();
    await expect(channel.clicked(point)).resolves.toBe(false);
    expect(clicks).toEqual([{ text: 'Tea', point }]);
  });

  it('reports each start of the page', () => {
    const start = vi.fn();
    const stop = channel.onPageStart(start);
    channel.receive({ type: 'koda:ready', info: sampleFilm() });
    stop();
    channel.receive({ type: 'koda:ready', info: sampleFilm() });
    expect(start).toHaveBeenCalledOnce();
  });

  it.each([
    { type: 'koda:texts', requestId: 1, boxes: new Array(101).fill({ x: 0, y: 0, width: 1, height: 1 }) },
    { type: 'koda:texts', requestId: 1, boxes: [{ x: 1e9, y: 0, width: 1, height: 1 }] },
    { type: 'koda:text', requestId: 1, text: 'x'.repeat(301) },
  ])('A15: ignores a response that no honest page sends: $type', (message) => {
    expect(readFromPreview(message)).toBeNull();
  });
});
