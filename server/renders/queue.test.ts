import { describe, expect, it } from 'vitest';
import { madeWay, RenderQueue } from './queue.ts';

/** A queue whose renders end when told to, and a record of what happened. */
function setUp(heavy = 1) {
  const log: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const onError = (id: string, error: unknown) => log.push(`${id} threw ${String(error)}`);
  const queue = new RenderQueue({ lanes: { heavy, preview: 1 }, onError });
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
            log.push(signal.reason === madeWay ? `${id} made way` : `${id} stopped: ${signal.reason}`);
            // A real render needs a moment for it.
            setImmediate(() => resolve(signal.reason !== madeWay));
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

describe('render queue at work', () => {
  it('A18: one heavy render at a time; the next begins when it ends', async () => {
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

  it('A18: more than one at a time when configured, but one a project', async () => {
    const { log, add } = setUp(2);
    add('a', 'p');
    add('b', 'p');
    add('c', 'q');
    expect(log).toEqual(['a began', 'c began']);
  });

  it('A18: a preview does not wait for the final of another project', () => {
    const { log, add } = setUp();
    add('film', 'p');
    add('preview', 'q', true);
    expect(log).toEqual(['film began', 'preview began']);
  });

  it('A18: a final makes way for the preview of its own project, then goes on before others', async () => {
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

  it('A18: a final that made way is cancelled like one that waits', async () => {
    const { queue, log, add, end, turns } = setUp();
    add('film', 'p');
    add('preview', 'p', true);
    // Both at the same moment: it has to make way, and it is cancelled.
    expect(await queue.stop('film', 'enough')).toBe(false);
    expect(queue.withdraw('film')).toBe(true);
    await turns();
    await end('preview');
    expect(log).toEqual(['film began', 'film made way', 'preview began']);
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
