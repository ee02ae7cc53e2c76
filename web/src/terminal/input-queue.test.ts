import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '../api/client.ts';
import { type InputLoss, InputQueue, type LastInput } from './input-queue.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const refusal = (code: ApiError['code'], status: number) => new ApiError(code, code, { status, recovery: null });

/** Simulates a shell with these responses, one per request. Afterwards, it accepts everything. */
function setUp(answers: readonly (ApiError | 'taken, but not answered')[] = []) {
  const shell = { text: '', last: 0, requests: 0 };
  const take = (input: string, number: number) => {
    if (number <= shell.last) return;
    shell.text += input;
    shell.last = number;
  };
  const lastInputs: LastInput[] = [];
  const lost: InputLoss[] = [];
  const left = [...answers];
  const queue = new InputQueue({
    async send(input, number) {
      shell.requests += 1;
      await Promise.resolve();
      const answer = left.shift();
      if (answer instanceof ApiError) throw answer;
      take(input, number);
      if (answer) throw refusal('NETWORK', 0);
    },
    sendLast: (last) => lastInputs.push(last),
    onLost: (loss) => lost.push(loss),
  });
  /** Simulates how the server handles input that a closing page sent. */
  const receiveLast = () => {
    for (const { input, number, unanswered } of lastInputs) {
      if (unanswered !== undefined) take(unanswered, number - 1);
      take(input, number);
    }
  };
  return { shell, lost, queue, lastInputs, receiveLast };
}

it('sends keys that are typed quickly in order, in few requests', async () => {
  const { shell, queue, lost } = setUp();
  const text = Array.from({ length: 500 }, (_, index) => `${index},`);
  for (const [index, key] of text.entries()) {
    queue.type(key);
    if (index % 50 === 0) await vi.advanceTimersByTimeAsync(1);
  }
  await vi.runAllTimersAsync();
  expect(shell.text).toBe(text.join(''));
  expect(shell.requests).toBeLessThan(30);
  expect(lost).toEqual([]);
});

it('resends unconfirmed input, which is typed once', async () => {
  const { shell, queue } = setUp(['taken, but not answered', refusal('NETWORK', 0), refusal('SERVICE_UNAVAILABLE', 503)]);
  queue.type('ls');
  queue.type(' -l\r');
  await vi.runAllTimersAsync();
  expect(shell.text).toBe('ls -l\r');
});

it('an ended shell receives nothing, even input typed in the meantime', async () => {
  const { shell, queue, lost } = setUp([refusal('NOT_FOUND', 404)]);
  queue.type('rm -r ');
  queue.type('src\r');
  await vi.runAllTimersAsync();
  expect(shell).toMatchObject({ text: '', requests: 1 });
  expect(lost).toEqual(['ended']);
});

it('waits a limited time for a program that does not read', async () => {
  const some = setUp(Array.from({ length: 5 }, () => refusal('LIMIT_EXCEEDED', 422)));
  some.queue.type('x');
  await vi.runAllTimersAsync();
  expect(some.shell.text).toBe('x');
  const never = setUp(Array.from({ length: 1000 }, () => refusal('LIMIT_EXCEEDED', 422)));
  never.queue.type('x');
  await vi.runAllTimersAsync();
  expect([never.shell.text, never.lost]).toEqual(['', ['unread']]);
});

it('sends a long text in pieces without splitting characters, and rejects an overlong one', async () => {
  const { shell, queue, lost } = setUp();
  const long = `a${'😀'.repeat(50_000)}`;
  queue.type(long);
  await vi.runAllTimersAsync();
  expect(shell.text).toBe(long);
  expect(shell.requests).toBe(4);
  queue.type('y'.repeat(300_000));
  expect(lost).toEqual(['full']);
});

it('a closed queue sends nothing', async () => {
  const { shell, queue } = setUp(Array.from({ length: 100 }, () => refusal('NETWORK', 0)));
  queue.type('one');
  await vi.advanceTimersByTimeAsync(100);
  queue.close();
  queue.type('two');
  const before = shell.requests;
  await vi.runAllTimersAsync();
  expect(shell).toMatchObject({ text: '', requests: before });
});

it('sends all unconfirmed input of a closing page once, in one request', async () => {
  const { queue, lastInputs, receiveLast, shell } = setUp([refusal('NETWORK', 0)]);
  queue.flush();
  queue.type('l');
  queue.flush();
  expect(lastInputs).toEqual([{ number: 1, input: 'l' }]);
  queue.type('s -l');
  queue.type('\r');
  queue.flush();
  queue.flush();
  expect(lastInputs.slice(1)).toEqual([{ number: 2, input: 's -l\r', unanswered: 'l' }]);
  receiveLast();
  expect(shell.text).toBe('ls -l\r');
});

it.each<[string, (ApiError | 'taken, but not answered')[]]>([
  ['was lost', [refusal('NETWORK', 0)]],
  ['arrived, and the answer was lost', ['taken, but not answered']],
  ['arrives', []],
])('a page that stays after all types nothing twice, and loses nothing: what was on its way %s', async (_, answers) => {
  for (const arrival of ['sooner', 'later']) {
    const { queue, receiveLast, shell, lost } = setUp([...answers]);
    queue.type('a');
    queue.type('bc');
    queue.flush();
    queue.type('d');
    queue.flush();
    if (arrival === 'sooner') receiveLast();
    await vi.runAllTimersAsync();
    receiveLast();
    expect([arrival, shell.text, lost]).toEqual([arrival, 'abcd', []]);
    queue.flush();
    queue.type('e');
    await vi.runAllTimersAsync();
    receiveLast();
    expect(shell.text).toBe('abcde');
  }
});

it('flushes neither an overlong paste nor a closed queue', () => {
  const { queue, lastInputs } = setUp();
  queue.type('x');
  queue.type('y'.repeat(40_000));
  queue.flush();
  queue.close();
  queue.flush();
  expect(lastInputs).toEqual([]);
});
