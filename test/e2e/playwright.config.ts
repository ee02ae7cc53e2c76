import { defineConfig } from '@playwright/test';
import { backendFlags, backendVariables } from '../../sandbox-image/sandboxd/browser/chromium-flags.ts';
import { installedBackend } from '../../sandbox-image/sandboxd/browser/executables.ts';
import { browserOption } from './browser.ts';

const graphics = installedBackend();

/** The page in a real browser over the whole real stack. `KODA_URL` = a studio that runs already; else some are started. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results/e2e',
  globalSetup: './global-setup.ts',
  reporter: [['list'], ['json', { outputFile: process.env['PLAYWRIGHT_JSON_OUTPUT_NAME'] ?? '../../test-results/e2e.json' }]],
  // A studio for each: two on one studio would see each other's projects.
  workers: process.env['KODA_URL'] ? 1 : 2,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  timeout: 120_000,
  // A machine that has much to do is no reason to fail; what hangs, hangs for ever.
  expect: { timeout: 30_000 },
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    // A film that plays in each page takes most of a small machine. Specs about motion and playing set it aside.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // Without a film of the page, which the browser would draw and pack all the time: what failed has its picture.
    trace: { mode: 'retain-on-failure', screenshots: false },
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
