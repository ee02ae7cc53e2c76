import { expect, test, vi } from 'vitest';

test('the Playwright configuration loads on a machine without a browser', async () => {
  vi.stubEnv('PATH', '');
  vi.stubEnv('KODA_TEST_CHROMIUM', undefined);
  try {
    const { default: config } = await import('./e2e/playwright.config.ts');
    expect(config.use?.launchOptions?.executablePath).toBeUndefined();
  } finally {
    vi.unstubAllEnvs();
  }
});
