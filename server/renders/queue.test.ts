import { describe, expect, it } from 'vitest';
import { preempted, RenderQueue } from './queue.ts';

/** Returns a queue whose renders end on request, and a log of its events. */
function setUp(heavy = 1) {
  const log: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const onError = (id: string, error: unknown) => log.push(`${id} threw ${String(error)}`);
  const queue = new RenderQueue({ slots: { heavy, preview: 1 }, sandboxOf: () => 'running', onError });
  const add = (id: string, projectId: string, preview = false) =>
    queue.add({
      id,
      projectId,
      preview,
      run: (signal) =>
        new Promise((resolve, reject) => {
          log.push(`${id} began`);
          ends.set(id, (error) => (error ? reject(error) : resolve(true)));
          signal.addEventListener('abort', () => {
            log.push(signal.reason === preempted ? `${id} made way` : `${id} stopped: ${signal.reason}`);
            setImmediate(() => resolve(signal.reason !== preempted));
          });
        }),
    });
  const turns = async () => {
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
  };
  const end = async (id: string, error?: Error) => {
    ends.get(id)?.(error);
    await turns();
  };
  return { queue, log, add, end, turns };
}

describe('RenderQueue', () => {
  it('A18: runs one render at a time and starts the next when it ends', async () => {
    const { log, add, end } = setUp();
    add('a', 'p');
    add('b', 'p');
    add('c', 'q');
    expect(log).toEqual(['a began']);
    await end('a');
    expect(log).toEqual(['a began', 'c began']);
    await end('c');
    expect(log.at(-1)).toBe('b began');
  });

  it('A18: runs several renders if configured, but one per project', async () => {
    const { log, add } = setUp(2);
    add('a', 'p');
    add('b', 'p');
    add('c', 'q');
    expect(log).toEqual(['a began', 'c began']);
  });

  it("A18: a preview does not wait for another project's final", () => {
    const { log, add } = setUp();
    add('film', 'p');
    add('preview', 'q', true);
    expect(log).toEqual(['film began', 'preview began']);
  });

  it("A18: a preview preempts its project's final, which resumes before others", async () => {
    const { log, add, end, turns } = setUp();
    add('film', 'p');
    add('other', 'q');
    add('preview', 'p', true);
    await turns();
    expect(log).toEqual(['film began', 'film made way', 'preview began', 'other began']);
    await end('preview');
    await end('other');
    expect(log.slice(4)).toEqual(['film began']);
    await end('film');
    expect(log).toHaveLength(5);
  });

  it('A18: a preempted final can be cancelled like a waiting one', async () => {
    const { queue, log, add, end, turns } = setUp();
    add('film', 'p');
    add('preview', 'p', true);
    // The render is preempted and cancelled at the same time.
    expect(await queue.stop('film', 'enough')).toBe(false);
    expect(queue.withdraw('film')).toBe(true);
    await turns();
    await end('preview');
    expect(log).toEqual(['film began', 'film made way', 'preview began']);
  });

  it('A18: withdraws a waiting render; stops and awaits a running one', async () => {
    const { queue, log, add } = setUp();
    add('a', 'p');
    add('b', 'q');
    expect(queue.withdraw('b')).toBe(true);
    expect(queue.withdraw('a')).toBe(false);
    expect(await queue.stop('a', 'enough')).toBe(true);
    expect(await queue.stop('a', 'enough')).toBe(false);
    expect(log).toEqual(['a began', 'a stopped: enough']);
  });

  it('A18: reports a render that throws, and starts the next one', async () => {
    const { log, add, end } = setUp();
    add('a', 'p');
    add('b', 'q');
    await end('a', new Error('bug'));
    expect(log).toEqual(['a began', 'a threw Error: bug', 'b began']);
  });

  it('A18: closing stops running renders, starts none and rejects new ones', async () => {
    const { queue, log, add, turns } = setUp();
    add('a', 'p');
    add('b', 'q');
    add('c', 'p', true);
    await queue.close('shutdown');
    await turns();
    expect(log).toEqual(['a began', 'a made way']);
    expect(() => add('d', 'r')).toThrow(expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }));
  });
});
