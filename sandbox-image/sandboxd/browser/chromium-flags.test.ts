import { describe, expect, it } from 'vitest';
import { chromiumArguments, chromiumEnvironment } from './chromium-flags.ts';

const base = {
  backend: 'llvmpipe',
  frameControl: true,
  userDataDir: '/tmp/x',
  rasterThreads: null,
  smallSharedMemory: false,
} as const;
const swiftshader = { ...base, backend: 'swiftshader' } as const;
const bare = { LANG: 'C.UTF-8', TZ: 'UTC' };

describe('Chromium flags', () => {
  it('A19: enables frame control only in the headless shell', () => {
    expect(chromiumArguments(base)).toContain('--enable-begin-frame-control');
    // In full Chromium, --deterministic-mode would imply frame control, and no frame would ever arrive.
    const full = chromiumArguments({ ...base, frameControl: false });
    expect(full).not.toContain('--enable-begin-frame-control');
    expect(full).not.toContain('--deterministic-mode');
  });

  it('A19: selects each graphics backend explicitly', () => {
    expect(chromiumArguments(base)).toContain('--use-angle=gles-egl');
    expect(chromiumArguments({ ...base, backend: 'swiftshader' })).toContain('--use-angle=swiftshader');
    expect(chromiumEnvironment(base, {})).toEqual({ ...bare, LIBGL_ALWAYS_SOFTWARE: '1', EGL_PLATFORM: 'surfaceless' });
    expect(chromiumEnvironment(swiftshader, {})).toEqual(bare);
  });

  it('passes the number of threads to Mesa', () => {
    expect(chromiumEnvironment({ ...base, rasterThreads: 1 }, {})).toMatchObject({ LP_NUM_THREADS: '1' });
  });

  it('hides the secrets of the daemon from the browser', () => {
    const environment = chromiumEnvironment(swiftshader, { PATH: '/bin', KODA_TOKEN: 'secret', ANTHROPIC_API_KEY: 'key' });
    expect(environment).toEqual({ PATH: '/bin', LANG: 'C.UTF-8', TZ: 'UTC' });
  });

  it('replaces shared memory by files if it is too small', () => {
    expect(chromiumArguments(base)).not.toContain('--disable-dev-shm-usage');
    expect(chromiumArguments({ ...base, smallSharedMemory: true })).toContain('--disable-dev-shm-usage');
  });
});
