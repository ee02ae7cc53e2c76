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
        // Fast: no processes, no engine, no browser. Modules are loaded once for all files of a worker, which is most of
        // the work; what a test changes of the world (clocks, globals) it puts back, and a shuffled order is as good.
        test: {
          name: 'unit',
          isolate: false,
          // What hangs, hangs for ever: a machine that has much to do is no reason to fail.
          testTimeout: 30_000,
          hookTimeout: 30_000,
          maxWorkers: '100%',
          include: [
            'server/**/*.test.ts',
            'sandbox-image/**/*.test.ts',
            'web/**/*.test.{ts,tsx}',
            'scripts/**/*.test.ts',
            'test/*.test.ts',
            'test/{bench,chaos,corpus,requests}/**/*.test.ts',
          ],
          exclude,
        },
      },
      {
        // Whatever starts something real: containers, dev servers, Chromium, FFmpeg.
        test: {
          name: 'integration',
          globalSetup: 'sandbox-image/sandboxd/build-page-scripts.ts',
          include: ['test/integration/**/*.test.ts'],
          exclude,
          // One more than a small machine has cores: some tests wait out time limits, and would leave a core idle.
          maxWorkers: 3,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
