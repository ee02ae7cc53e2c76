import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execRequestSchema } from '#contract/sandbox/answers.ts';
import type { Sandbox } from '../../server/sandbox/sandbox.ts';
import { until } from '../fixtures/progress.ts';
import {
  command,
  isRunning,
  providerKinds,
  raw,
  run,
  shell,
  signal,
  type TestProvider,
  type TestSandbox,
  testProvider,
} from '../fixtures/sandbox.ts';

/** Grace period between SIGTERM and SIGKILL. */
const graceMs = 5_000;
/** Longer than a command takes to start on a busy machine. */
const limitMs = 5_000;

describe.each(providerKinds)('commands and processes: %s', (kind) => {
  let place: TestProvider;
  let test: TestSandbox;
  let sandbox: Sandbox;

  beforeAll(async () => {
    place = testProvider(kind);
    test = await place.create();
    ({ sandbox } = test);
    await shell(sandbox, 'mkdir -p src');
  });
  afterAll(async () => {
    await place?.[Symbol.asyncDispose]();
  });

  const isAlive = (word: string) => isRunning(sandbox, word);
  const untilAlive = (word: string) => until(`${word} runs`, () => isAlive(word));
  /** The process ends long before it would by itself. */
  const untilGone = (word: string) => until(`${word} has ended`, async () => !(await isAlive(word)));

  it('T4: streams output, then returns exit code and duration', async () => {
    const { stdout, stderr, exit } = await run(sandbox, 'echo out; echo err >&2; sleep 0.3; echo "$WORD"; pwd; exit 7', {
      env: { WORD: 'given' },
      cwd: 'src',
    });
    expect(stdout).toMatch(/^out\ngiven\n\/.*\/src\n$/);
    expect(stderr).toBe('err\n');
    expect(exit).toMatchObject({ exitCode: 7, signal: null, timedOut: false });
    expect(exit.durationMs).toBeGreaterThanOrEqual(300);
    expect((await run(sandbox, 'kill -SEGV $$')).exit).toMatchObject({ exitCode: null, signal: 'SIGSEGV' });
    expect((await run(sandbox, 'no-such-program-at-all')).exit.exitCode).toBe(127);
    expect((await run(sandbox, 'cat')).exit.exitCode).toBe(0);
  });

  it('T2: streams output before the command ends', async () => {
    const seen: string[] = [];
    // The command ends only after its first line has arrived.
    for await (const event of sandbox.exec(command('echo first; until [ -e heard ]; do sleep 0.05; done; echo second'), {
      signal,
    })) {
      if (event.type !== 'stdout') continue;
      seen.push(event.text);
      if (seen.length === 1) await sandbox.writeFile('heard', Buffer.from(''), { signal });
    }
    expect(seen).toEqual(['first\n', 'second\n']);
  });

  it('hides its token from the processes that it runs', async () => {
    const { stdout } = await run(sandbox, 'env; cat /proc/self/environ | tr "\\0" "\\n"');
    expect(stdout).not.toContain(test.token);
    expect(stdout).not.toContain('KODA_TOKEN');
  });

  it('T4: runs a command of 10,000 characters and refuses a longer one', async () => {
    const long = `echo ${'x'.repeat(9_985)} | wc -c`;
    const exact = long.padEnd(10_000, ' ');
    expect(exact.length).toBe(10_000);
    expect((await run(sandbox, exact)).stdout.trim()).toBe('9986');
    const answer = await raw(test, 'POST', '/exec', { body: JSON.stringify(command(`${exact}x`)) });
    expect(answer).toMatchObject({ status: 400, body: expect.stringContaining('VALIDATION_ERROR') });
    expect(execRequestSchema.safeParse(command(`${exact}x`)).success).toBe(false);
    await expect(run(sandbox, 'echo a\0b')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(run(sandbox, 'true', { env: { 'A=B': 'x' } })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(run(sandbox, 'true', { cwd: 'nowhere' })).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
    await expect(run(sandbox, 'true', { timeoutMs: 0 })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('T4: returns 5 MB of output completely, without splitting multi-byte characters', async () => {
    const { stdout, exit } = await run(sandbox, 'seq -w 1 655360');
    expect(exit.exitCode).toBe(0);
    expect(stdout.length).toBe(655_360 * 7);
    expect(stdout.slice(-14)).toBe('655359\n655360\n');
    const unicode = await run(sandbox, 'for i in $(seq 1 30000); do printf "ünï🎬名"; done');
    expect(unicode.stdout).toBe('ünï🎬名'.repeat(30_000));
  });

  it('a slow reader slows the command down instead of filling memory', async () => {
    await shell(sandbox, 'rm -f done');
    const stream = sandbox
      .exec(command('head -c 60000000 /dev/zero | tr "\\0" "x"; touch done'), { signal })
      [Symbol.asyncIterator]();
    await stream.next();
    await delay(1_500);
    expect(await shell(sandbox, 'test -e done && echo done || echo running')).toBe('running');
    let characters = 0;
    for (let step = await stream.next(); !step.done; step = await stream.next()) {
      if (step.value.type === 'stdout') characters += step.value.text.length;
    }
    expect(characters).toBe(60_000_000);
    expect(await shell(sandbox, 'test -e done && echo done')).toBe('done');
  });

  // In parallel, because most of the time is the grace period for processes that ignore TERM.
  describe.concurrent('by force', () => {
    it('T2: ends a command at its time limit', async () => {
      const { exit, stdout } = await run(sandbox, 'echo begun; sleep 31.4159', { timeoutMs: limitMs });
      expect(stdout).toBe('begun\n');
      expect(exit).toMatchObject({ exitCode: null, signal: 'SIGTERM', timedOut: true });
      expect(exit.durationMs).toBeLessThan(25_000);
      await untilGone('31.4159');
    });

    it('T2: kills a process that ignores TERM, and its children, after 5 s', async () => {
      const stubborn = `bash -c 'trap "" TERM; bash -c "trap \\"\\" TERM; while :; do sleep 0.27182; done" & while :; do sleep 0.27182; done'`;
      const { exit } = await run(sandbox, stubborn, { timeoutMs: limitMs });
      expect(exit.timedOut).toBe(true);
      expect(exit.durationMs).toBeGreaterThanOrEqual(limitMs + graceMs - 100);
      await untilGone('0.27182');
    });

    it('T2: kills a double-forked daemon that ignores TERM, even after its leader has ended', async () => {
      const daemon = `(setsid bash -c 'trap "" TERM; while :; do sleep 0.16180; done' >/dev/null 2>&1 &)`;
      const { exit } = await run(sandbox, `${daemon}; echo daemon started`);
      expect(exit.exitCode).toBe(0);
      await untilGone('0.16180');
    });

    it('leaves no process behind when the sandbox is destroyed', async () => {
      const other = await place.create();
      await other.sandbox.startProcess(
        command(`(setsid bash -c 'trap "" TERM; while :; do sleep 0.14142; done' &) ; sleep 91.010`, { timeoutMs: 0 }),
        { signal },
      );
      for (const word of ['0.14142', '91.010']) await until(`${word} runs`, () => isRunning(other.sandbox, word));
      await place.provider.destroy(other.sandbox.id, { signal });
      // The first sandbox runs the check: plain processes share the machine, but containers could not see them.
      if (kind === 'process') {
        expect(await isAlive('0.14142')).toBe(false);
        expect(await isAlive('91.010')).toBe(false);
      }
      await expect(other.sandbox.health({ signal })).rejects.toMatchObject({ code: 'SANDBOX_DEAD' });
    });
  });

  it('T2: kills background processes when the command ends, even those in a session of their own', async () => {
    const { stdout, exit } = await run(
      sandbox,
      'sleep 41.001 & (setsid sleep 42.002 &) ; (sleep 43.003 </dev/null >/dev/null 2>&1 &) ; echo over',
    );
    expect(stdout).toBe('over\n');
    expect(exit.exitCode).toBe(0);
    expect(exit.durationMs).toBeLessThan(25_000);
    for (const word of ['41.001', '42.002', '43.003']) await untilGone(word);
  });

  it('A10: an abort kills the command', async () => {
    const abort = new AbortController();
    const running = expect(run(sandbox, 'echo begun; sleep 51.005; echo never', { signal: abort.signal })).rejects.toMatchObject({
      code: 'CANCELLED',
    });
    await untilAlive('51.005');
    abort.abort();
    await running;
    await untilGone('51.005');
  });

  it('A10: closing the stream kills the command', async () => {
    for await (const event of sandbox.exec(command('echo begun; sleep 61.006'), { signal })) {
      if (event.type === 'stdout') break;
    }
    await untilGone('61.006');
  });

  it('runs many commands in parallel', async () => {
    const outputs = await Promise.all(Array.from({ length: 20 }, (_, index) => shell(sandbox, `sleep 0.1; echo ${index}`)));
    expect(outputs).toEqual(outputs.map((_, index) => String(index)));
  });

  it('T4: keeps the output of a background process in a log that is read by offset', async () => {
    const { pid } = await sandbox.startProcess(
      command('for i in 1 2 3; do echo line $i; sleep 0.1; done; sleep 3; echo oops >&2; exit 4', { timeoutMs: 0 }),
      { signal },
    );
    await expect.poll(async () => (await sandbox.processStatus(pid, { signal })).running).toBe(false);
    const status = await sandbox.processStatus(pid, { signal });
    const log = 'line 1\nline 2\nline 3\noops\n';
    expect(status).toEqual({ pid, running: false, exitCode: 4, signal: null, logBytes: log.length });
    expect((await sandbox.processLog(pid, { signal, offset: 0 })).toString()).toBe(log);
    expect((await sandbox.processLog(pid, { signal, offset: 14 })).toString()).toBe('line 3\noops\n');
    expect((await sandbox.processLog(pid, { signal, offset: 999 })).length).toBe(0);
  });

  it('T4: a background process outlives its request, and ends with all its children', async () => {
    const { pid } = await sandbox.startProcess(command('sleep 71.007 & (setsid sleep 72.008 &); wait', { timeoutMs: 0 }), {
      signal,
    });
    for (const word of ['71.007', '72.008']) await untilAlive(word);
    expect((await sandbox.processStatus(pid, { signal })).running).toBe(true);
    const killed = await sandbox.killProcess(pid, { signal });
    expect(killed).toMatchObject({ running: false, signal: 'SIGTERM' });
    expect(await isAlive('71.007')).toBe(false);
    expect(await isAlive('72.008')).toBe(false);
    expect(await sandbox.killProcess(pid, { signal })).toMatchObject({ running: false });
  });

  it('T2: a background process also ends at its time limit', async () => {
    const { pid } = await sandbox.startProcess(command('sleep 81.009', { timeoutMs: 300 }), { signal });
    await expect.poll(async () => (await sandbox.processStatus(pid, { signal })).running).toBe(false);
    expect(await isAlive('81.009')).toBe(false);
  });

  it('reports an unknown process', async () => {
    await expect(sandbox.processStatus(999_999, { signal })).rejects.toMatchObject({ code: 'PROCESS_NOT_FOUND' });
    await expect(sandbox.killProcess(1, { signal })).rejects.toMatchObject({ code: 'PROCESS_NOT_FOUND' });
  });
});
