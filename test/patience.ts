import { vi } from 'vitest';

/** Like that of `expect.poll` in `vitest.config.ts`, less than the time limit of a unit test. */
const timeoutMs = 100_000;
const patient = Symbol.for('koda.patient');

// By default, `vi.waitFor` gives up after a second, in which a busy machine may do nothing at all. Workers without isolation
// run this once per test file.
if (!(patient in vi.waitFor)) {
  const { waitFor } = vi;
  const patiently: typeof vi.waitFor = (callback, options) =>
    waitFor(callback, typeof options === 'number' ? options : { timeout: timeoutMs, ...options });
  vi.waitFor = Object.assign(patiently, { [patient]: true });
}
