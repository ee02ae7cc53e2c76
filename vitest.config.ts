import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { heavyFiles, LongestFirst } from './test/heavy-files.ts';

const exclude = ['**/node_modules/**', '**/dist/**', 'data/**'];
const setupFiles = ['test/property-seed.ts', 'test/patience.ts'];

/** For tests that start real containers, dev servers, Chromium and FFmpeg. */
const integration = {
  setupFiles,
  globalSetup: ['sandbox-image/sandboxd/build.ts'],
  runner: 'test/runner.ts',
  // Concurrent tests wait for time limits.
  maxConcurrency: 16,
  // The runner ends tests without progress. These limits end what works forever.
  expect: { poll: { timeout: 100_000 } },
  testTimeout: 1_800_000,
  hookTimeout: 900_000,
};

export default defineConfig({
  test: {
    teardownTimeout: 30_000,
    sequence: { sequencer: LongestFirst },
    // One result file per run, next to the readable output; scripts/test.sh adds them up.
    reporters: ['default', ['json', { outputFile: process.env['KODA_TEST_REPORT'] ?? 'test-results/vitest.json' }]],
    projects: [
      {
        // Starts no process, engine or browser. Without isolation each worker loads a module once, which saves most of the
        // time. Tests therefore restore clocks and globals, and pass in any order.
        test: {
          name: 'unit',
          setupFiles,
          isolate: false,
          // Ends tests that hang; generous, because a busy machine is slow.
          testTimeout: 120_000,
          expect: { poll: { timeout: 100_000 } },
          hookTimeout: 120_000,
          maxWorkers: '100%',
          include: [
            'server/**/*.test.ts',
            'sandbox-image/**/*.test.ts',
            'web/**/*.test.{ts,tsx}',
            'scripts/**/*.test.ts',
            'test/{,fixtures/}*.test.ts',
            'test/{bench,chaos,formats,goldens,requests}/**/*.test.ts',
          ],
          exclude,
        },
      },
      {
        test: {
          ...integration,
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          exclude: [...exclude, ...heavyFiles],
          maxWorkers: 2,
        },
      },
      {
        // Runs beside the project above. Each of its files keeps two cores busy.
        test: {
          ...integration,
          name: 'integration-heavy',
          include: heavyFiles,
          exclude,
          maxWorkers: Math.max(1, Math.floor(availableParallelism() / 2)),
        },
      },
    ],
  },
});
