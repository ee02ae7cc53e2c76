import { describe, expect, it, vi } from 'vitest';
import type { Asset } from '#contract/project.ts';
import { ApiError } from '../api/client.ts';
import type { UploadOptions } from '../api/files.ts';
import { acceptedFiles, createUploadQueue, kindOfFile, uploadProblem } from './upload.ts';

it.each([
  ['logo.PNG', '', 'image'],
  ['photo.jpeg', '', 'image'],
  ['image', 'image/png', 'image'],
  ['song.m4a', 'video/mp4', 'audio'],
  ['voice.opus', '', 'audio'],
  ['Brand.woff2', '', 'font'],
  ['film.mp4', 'video/mp4', null],
  ['notes.txt', 'text/plain', null],
])('A25: %s of type “%s” is %s', (name, type, kind) => {
  expect(kindOfFile({ name, type })).toBe(kind);
  expect(uploadProblem({ name, type, size: 1 })).toBe(kind === null ? 'This is not an image, an audio file or a font.' : null);
});

it('A25: refuses an empty or too large file before sending it', () => {
  const sound = { name: 'a.wav', type: 'audio/wav' };
  expect(uploadProblem({ ...sound, size: 100 * 1024 * 1024 })).toBeNull();
  expect(uploadProblem({ ...sound, size: 100 * 1024 * 1024 + 1 })).toContain('100 MB');
  expect(uploadProblem({ ...sound, size: 0 })).toContain('empty');
});

it('A25: a file picker offers every extension that the server accepts', () => {
  for (const ending of ['.png', '.jpeg', '.svg', '.opus', '.woff2']) expect(acceptedFiles.split(',')).toContain(ending);
});

const asset = (name: string): Asset => ({
  id: 'ast_0123456789abcdefghjk',
  name,
  path: `public/assets/${name}`,
  mime: 'image/png',
  kind: 'image',
  sizeBytes: 1,
  width: 1,
  height: 1,
  moves: false,
  at: '2026-01-02T03:04:05.000Z',
});

/** Creates a queue in which the test controls when each upload finishes. */
function controlled() {
  const sent: { name: string; options: UploadOptions; arrive: () => void; fail: (error: unknown) => void }[] = [];
  const queue = createUploadQueue((file, options) => {
    const { promise, resolve, reject } = Promise.withResolvers<Asset>();
    options.signal.addEventListener('abort', () => reject(options.signal.reason));
    sent.push({ name: file.name, options, arrive: () => resolve(asset(file.name)), fail: reject });
    return promise;
  });
  const states = () => queue.store.getState().items.map(({ file, state }) => `${file.name} ${state.kind}`);
  return { queue, sent, states };
}

const file = (name: string) => new File(['x'], name);
const idOf = ({ queue }: ReturnType<typeof controlled>, name: string) =>
  queue.store.getState().items.find((item) => item.file.name === name)?.id ?? 0;

describe('uploads in progress', () => {
  it('A25: run two at a time, in order, and report their progress', async () => {
    const fixture = controlled();
    const { queue, sent, states } = fixture;
    const arrived: string[] = [];
    queue.listen(({ name }, origin) => arrived.push(`${name} ${origin}`));
    queue.add([file('a.png'), file('b.png')], 'message');
    queue.add([file('c.png')], 'assets');
    expect(states()).toEqual(['a.png sending', 'b.png sending', 'c.png waiting']);
    sent[0]?.options.onProgress?.(0.4);
    expect(queue.store.getState().items[0]?.state).toEqual({ kind: 'sending', share: 0.4 });
    sent[0]?.options.onProgress?.(1);
    expect(states()[0]).toBe('a.png checking');
    sent[0]?.arrive();
    await vi.waitFor(() => expect(states()).toEqual(['b.png sending', 'c.png sending']));
    sent[2]?.arrive();
    await vi.waitFor(() => expect(arrived).toEqual(['a.png message', 'c.png assets']));
  });

  it('A25: a stopped upload is removed, frees its slot, and ignores late progress', async () => {
    const fixture = controlled();
    const { queue, sent, states } = fixture;
    queue.add([file('a.png'), file('b.png'), file('c.png')], 'assets');
    queue.remove(idOf(fixture, 'a.png'));
    expect(sent[0]?.options.signal.aborted).toBe(true);
    sent[0]?.options.onProgress?.(1);
    await vi.waitFor(() => expect(states()).toEqual(['b.png sending', 'c.png sending']));
  });

  it("A25 G9: a failure is reported per file, in the server's words; only what may help is offered", async () => {
    const fixture = controlled();
    const { queue, sent } = fixture;
    queue.add([file('a.png'), file('b.png')], 'assets');
    sent[0]?.fail(new ApiError('UNSUPPORTED_TYPE', 'The file is not an image.', { status: 415, recovery: 'convert_file' }));
    sent[1]?.fail(new ApiError('NETWORK', 'No answer.', { status: 0, recovery: 'retry' }));
    await vi.waitFor(() =>
      expect(queue.store.getState().items.map(({ state }) => state)).toEqual([
        { kind: 'failed', reason: 'The file is not an image.', mayRetry: false },
        { kind: 'failed', reason: 'No answer.', mayRetry: true },
      ]),
    );
    queue.retry(idOf(fixture, 'b.png'));
    expect(sent.map(({ name }) => name)).toEqual(['a.png', 'b.png', 'b.png']);
    queue.remove(idOf(fixture, 'a.png'));
    expect(queue.store.getState().items).toHaveLength(1);
  });

  it('A25: files that the server would reject are refused before sending', () => {
    const { queue, sent, states } = controlled();
    queue.add(
      [new File([new Uint8Array(5 * 1024 * 1024 + 1)], 'a.svg'), new File([], 'nothing.png'), file('film.mov')],
      'assets',
    );
    expect(states()).toEqual(['a.svg failed', 'nothing.png failed', 'film.mov failed']);
    expect(sent).toEqual([]);
  });
});
