import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';

const exclude = ['**/node_modules/**', '**/dist/**', 'data/**'];

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
          isolate: false,
          // Ends tests that hang; generous, because a busy machine is slow.
          testTimeout: 120_000,
          hookTimeout: 30_000,
          maxWorkers: '100%',
          include: [
            'server/**/*.test.ts',
            'sandbox-image/**/*.test.ts',
            'web/**/*.test.{ts,tsx}',
            'scripts/**/*.test.ts',
            'test/*.test.ts',
            'test/{bench,chaos,formats,requests}/**/*.test.ts',
          ],
          exclude,
        },
      },
      {
        // Starts real containers, dev servers, Chromium and FFmpeg.
        test: {
          name: 'integration',
          globalSetup: 'sandbox-image/sandboxd/build-page-scripts.ts',
          include: ['test/integration/**/*.test.ts'],
          exclude,
          // More than a small machine's cores, because some tests wait for time limits.
          maxWorkers: 3,
          // Concurrent tests wait for time limits too.
          maxConcurrency: 16,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
