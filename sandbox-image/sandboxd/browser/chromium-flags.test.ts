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
  it('A19: frames are driven one by one in the headless shell only', () => {
    expect(chromiumArguments(base)).toContain('--enable-begin-frame-control');
    // In full Chromium --deterministic-mode would imply frame control, and no picture would ever come.
    const full = chromiumArguments({ ...base, frameControl: false });
    expect(full).not.toContain('--enable-begin-frame-control');
    expect(full).not.toContain('--deterministic-mode');
  });

  it('A19: each graphics backend is chosen by name, never left to the machine', () => {
    expect(chromiumArguments(base)).toContain('--use-angle=gles-egl');
    expect(chromiumArguments({ ...base, backend: 'swiftshader' })).toContain('--use-angle=swiftshader');
    expect(chromiumEnvironment(base, {})).toEqual({ ...bare, LIBGL_ALWAYS_SOFTWARE: '1', EGL_PLATFORM: 'surfaceless' });
    expect(chromiumEnvironment(swiftshader, {})).toEqual(bare);
  });

  it('gives Mesa as many threads as it is told to', () => {
    expect(chromiumEnvironment({ ...base, rasterThreads: 1 }, {})).toMatchObject({ LP_NUM_THREADS: '1' });
  });

  it('keeps the secrets of the daemon out of the browser', () => {
    const environment = chromiumEnvironment(swiftshader, { PATH: '/bin', KODA_TOKEN: 'secret', ANTHROPIC_API_KEY: 'key' });
    expect(environment).toEqual({ PATH: '/bin', LANG: 'C.UTF-8', TZ: 'UTC' });
  });

  it('uses files instead of a shared memory that is too small', () => {
    expect(chromiumArguments(base)).not.toContain('--disable-dev-shm-usage');
    expect(chromiumArguments({ ...base, smallSharedMemory: true })).toContain('--disable-dev-shm-usage');
  });
});
