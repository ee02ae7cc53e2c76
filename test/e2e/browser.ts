import { findChromium } from '../../sandbox-image/sandboxd/browser/executables.ts';

const variable = 'KODA_TEST_CHROMIUM';

/**
 * Finds the tests' browser and puts its path into the environment, which each worker reads with the configuration. Loading
 * the configuration itself needs no browser, because `knip` loads it while the setup still installs one. Prefers the
 * sandbox's headless shell, because full Chromium takes twice the CPU time for WebGL. Throws RENDER_FAILED if there is no
 * Chromium.
 */
export function findBrowser(): void {
  process.env[variable] = findChromium({ configured: process.env[variable] ?? null, path: process.env['PATH'] ?? '' });
}

/** Returns the launch option with the path set by `findBrowser` or by the caller, or an empty object before the global setup. */
export function browserOption(): { executablePath?: string } {
  const executablePath = process.env[variable];
  return executablePath === undefined ? {} : { executablePath };
}
