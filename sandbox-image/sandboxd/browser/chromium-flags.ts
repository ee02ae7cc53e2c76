/**
 * WebGL rasteriser. llvmpipe (Mesa) measured about 2.7 times faster than SwiftShader. Their images differ (about 49 dB), so a
 * render never mixes them.
 */
export type GraphicsBackend = 'llvmpipe' | 'swiftshader';

export interface ChromiumFlagOptions {
  readonly backend: GraphicsBackend;
  /** Whether this is the headless shell, the only build with frame control. */
  readonly frameControl: boolean;
  readonly userDataDir: string;
  /** Number of threads for Mesa's rasteriser; `null` for one per core. Does not affect the image. */
  readonly rasterThreads: number | null;
  /** Uses temp files instead of /dev/shm, which is too small for large images in a plain container (64 MB). */
  readonly smallSharedMemory: boolean;
}

const common = [
  '--headless',
  '--remote-debugging-pipe',
  // The container is the security boundary. Chromium's own sandbox cannot start without capabilities.
  '--no-sandbox',
  '--no-first-run',
  '--no-default-browser-check',
  '--no-pings',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-extensions',
  '--disable-breakpad',
  '--disable-crash-reporter',
  '--mute-audio',
  '--hide-scrollbars',
  // Produces identical pixels on every machine, whatever its monitor, locale and load.
  '--force-color-profile=srgb',
  '--force-device-scale-factor=1',
  '--font-render-hinting=none',
  '--disable-lcd-text',
  '--lang=en-US',
  '--disable-background-timer-throttling',
  '--disable-renderer-backgrounding',
  '--disable-backgrounding-occluded-windows',
  '--disable-threaded-animation',
  '--disable-threaded-scrolling',
  '--disable-checker-imaging',
  '--disable-image-animation-resync',
  // For `stillPicturesRule` (the setting `imageAnimationPolicy` would stop SMIL in the document too) and `direct-frames.ts`.
  '--enable-blink-features=CSSImageAnimation,CanvasDrawElement',
  '--disable-new-content-rendering-timeout',
  // One tile per layer, because each tile replays all drawing commands that touch it. With 256 px tiles, a page with forty
  // shadowed cards took twice as long.
  '--default-tile-width=4096',
  '--default-tile-height=4096',
  // With partial raster, edges would depend on the browser's previous frame, and so on the number of browsers.
  '--disable-partial-raster',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost',
  '--disable-features=Translate,MediaRouter,OptimizationHints,BackForwardCache,PaintHolding',
];

export const backendFlags: Record<GraphicsBackend, readonly string[]> = {
  // Composites the page in software, because DOM raster on llvmpipe measured four times slower.
  llvmpipe: ['--use-gl=angle', '--use-angle=gles-egl', '--ignore-gpu-blocklist', '--disable-gpu-compositing'],
  swiftshader: [
    '--use-gl=angle',
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
    '--ignore-gpu-blocklist',
    '--disable-gpu-compositing',
  ],
};

export const backendVariables: Record<GraphicsBackend, Record<string, string>> = {
  llvmpipe: { LIBGL_ALWAYS_SOFTWARE: '1', EGL_PLATFORM: 'surfaceless' },
  swiftshader: {},
};

/** Only with frame control. Another browser may wait forever for a frame that is never requested. */
const frameControlFlags = ['--enable-begin-frame-control', '--run-all-compositor-stages-before-draw', '--deterministic-mode'];

/** Returns Chromium's complete command line without the executable. */
export function chromiumArguments(options: ChromiumFlagOptions): string[] {
  return [
    ...common,
    ...backendFlags[options.backend],
    ...(options.frameControl ? frameControlFlags : []),
    ...(options.smallSharedMemory ? ['--disable-dev-shm-usage'] : []),
    `--user-data-dir=${options.userDataDir}`,
    'about:blank',
  ];
}

/** Environment variables that Chromium inherits from the daemon. The daemon's token is not among them. */
const inheritedVariables = [
  'PATH',
  'HOME',
  'TMPDIR',
  'FONTCONFIG_FILE',
  'FONTCONFIG_PATH',
  'XDG_CACHE_HOME',
  'LD_LIBRARY_PATH',
  // Lets the daemon find the sandbox's remaining processes on shutdown.
  'KODA_SANDBOX_MARK',
];

export function chromiumEnvironment(
  { backend, rasterThreads }: Pick<ChromiumFlagOptions, 'backend' | 'rasterThreads'>,
  environment: Record<string, string | undefined>,
): Record<string, string> {
  const result: Record<string, string> = { LANG: 'C.UTF-8', TZ: 'UTC' };
  for (const name of inheritedVariables) {
    const value = environment[name];
    if (value !== undefined) result[name] = value;
  }
  Object.assign(result, backendVariables[backend]);
  if (backend === 'llvmpipe' && rasterThreads !== null) result['LP_NUM_THREADS'] = String(rasterThreads);
  return result;
}
