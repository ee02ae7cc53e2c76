import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { endWithThisProcess } from '../fixtures/child-processes.ts';

/** Starts a process whose watchdog ticks every 50 ms and allows its thread to be held for 1.5 s of CPU time. */
async function watched(mode: 'hang' | 'block' | 'pause' | 'idle') {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../fixtures/watched.ts'), mode], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithThisProcess(child);
  const stderr = text(child.stderr);
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  return { child, stderr, ended };
}

describe('watchdog', () => {
  it('M15: kills a process whose main thread hangs, and says so in one line', async () => {
    const { child, stderr, ended } = await watched('hang');
    await ended;
    expect(child.signalCode).toBe('SIGKILL');
    expect(await stderr).toMatch(/^Koda has not responded for \d+(\.\d+)? s and ends itself\..*\n$/);
  });

  it('M15: kills a process whose main thread waits for too long without using the CPU', async () => {
    const { child, stderr, ended } = await watched('block');
    await ended;
    expect(child.signalCode).toBe('SIGKILL');
    expect(await stderr).toMatch(/^Koda has not responded for 1 s and ends itself\..*\n$/);
  });

  it('M15: does not kill a process whose main thread gets no CPU time, as on a busy machine or with a slow disk', async () => {
    const { child, stderr, ended } = await watched('pause');
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    await ended;
    expect(child.signalCode).toBe('SIGTERM');
    expect(await stderr).toBe('');
  });

  it('M15: does not kill a process that is stopped and continued, or that works', async () => {
    const { child, stderr, ended } = await watched('idle');
    for (let round = 0; round < 3; round += 1) {
      child.kill('SIGSTOP');
      await delay(3_000);
      child.kill('SIGCONT');
      await delay(300);
    }
    await delay(2_000);
    expect(child.exitCode ?? child.signalCode).toBeNull();
    child.kill('SIGTERM');
    await ended;
    expect(await stderr).toBe('');
  });
});
