import { describe, expect, it } from 'vitest';
import { RenderQueue } from './queue.ts';

/** A queue whose renders end when told to, and a record of what happened. */
function setUp(concurrency = 1) {
  const log: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const queue = new RenderQueue({ concurrency, onError: (id, error) => log.push(`${id} threw ${String(error)}`) });
  const add = (id: string, projectId: string, preview = false) =>
    queue.add({
      id,
      projectId,
      preview,
      run: (signal) =>
        new Promise((resolve, reject) => {
          log.push(`${id} began`);
          ends.set(id, (error) => (error ? reject(error) : resolve()));
          signal.addEventListener('abort', () => {
            log.push(`${id} stopped: ${signal.reason}`);
            resolve();
          });
        }),
    });
  const end = async (id: string, error?: Error) => {
    ends.get(id)?.(error);
    await new Promise(setImmediate);
  };
  return { queue, log, add, end };
}

describe('render queue at work', () => {
  it('A18: one heavy render at a time; the next begins when it ends, previews first', async () => {
    const { log, add, end } = setUp();
    add('a', 'p');
    add('b', 'p');
    add('c', 'q', true);
    expect(log).toEqual(['a began']);
    await end('a');
    expect(log).toEqual(['a began', 'c began']);
    await end('c');
    expect(log.at(-1)).toBe('b began');
  });

  it('A18: more than one at a time when configured, but one a project', async () => {
    const { log, add } = setUp(2);
    add('a', 'p');
    add('b', 'p');
    add('c', 'q');
    expect(log).toEqual(['a began', 'c began']);
  });

  it('A18: a waiting render is withdrawn, a running one is stopped and awaited', async () => {
    const { queue, log, add } = setUp();
    add('a', 'p');
    add('b', 'q');
    expect(queue.withdraw('b')).toBe(true);
    expect(queue.withdraw('a')).toBe(false);
    expect(await queue.stop('a', 'enough')).toBe(true);
    expect(await queue.stop('a', 'enough')).toBe(false);
    expect(log).toEqual(['a began', 'a stopped: enough']);
  });

  it('A18: a render that throws is told of, and does not hold up the next', async () => {
    const { log, add, end } = setUp();
    add('a', 'p');
    add('b', 'q');
    await end('a', new Error('bug'));
    expect(log).toEqual(['a began', 'a threw Error: bug', 'b began']);
  });

  it('A18: closing stops what runs, begins nothing, and takes nothing new', async () => {
    const { queue, log, add } = setUp();
    add('a', 'p');
    add('b', 'q');
    await queue.close('shutdown');
    expect(log).toEqual(['a began', 'a stopped: shutdown']);
    expect(() => add('c', 'r')).toThrow(expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }));
  });
});
