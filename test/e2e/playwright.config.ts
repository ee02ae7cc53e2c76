import { defineConfig } from '@playwright/test';
import { backendFlags, backendVariables } from '../../sandbox-image/sandboxd/browser/chromium-flags.ts';
import { installedBackend } from '../../sandbox-image/sandboxd/browser/executables.ts';
import { browserOption } from './browser.ts';

const graphics = installedBackend();

/**
 * Tests the page in a real browser against the whole stack. `KODA_URL` names a running studio; otherwise, some are started.
 */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results/e2e',
  globalSetup: './global-setup.ts',
  reporter: [['list'], ['json', { outputFile: process.env['PLAYWRIGHT_JSON_OUTPUT_NAME'] ?? '../../test-results/e2e.json' }]],
  // One studio per worker, because workers sharing one would affect each other's projects.
  workers: process.env['KODA_URL'] ? 1 : 2,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  // Expectations wait for the page, so a test without progress fails at one of them. The first limit ends what works forever.
  timeout: 900_000,
  expect: { timeout: 120_000 },
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    // A playing film takes up most of a small machine. Specs about motion and playback override this.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // Traces take a fifth of the CPU time. Failures have a screenshot; `--trace on` records traces.
    trace: 'off',
    launchOptions: {
      ...browserOption(),
      args: [
        '--no-sandbox',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        ...backendFlags[graphics],
      ],
      env: { ...process.env, ...backendVariables[graphics] },
    },
  },
});
