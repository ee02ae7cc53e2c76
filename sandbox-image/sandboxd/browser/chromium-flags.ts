/**
 * What rasters WebGL. llvmpipe (Mesa) was measured about 2.7 times faster than SwiftShader; their pictures
 * differ (about 49 dB), so one render never mixes them.
 */
export type GraphicsBackend = 'llvmpipe' | 'swiftshader';

export interface ChromiumFlagOptions {
  readonly backend: GraphicsBackend;
  /** True for the headless shell, the only build whose frames can be driven one by one. */
  readonly frameControl: boolean;
  readonly userDataDir: string;
  /** Threads of Mesa's rasteriser; null = one a core. Never changes the picture. */
  readonly rasterThreads: number | null;
  /** /dev/shm is too small for big pictures (a plain container has 64 MB): use files in the temporary folder. */
  readonly smallSharedMemory: boolean;
}

const common = [
  '--headless',
  '--remote-debugging-pipe',
  // The container is the boundary: it has no capabilities and no network, so Chromium cannot build its own sandbox.
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
  // The same pixels on every machine, whatever its monitor, locale and load.
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
  '--disable-new-content-rendering-timeout',
  // A layer is drawn as one tile. Every tile plays all drawing commands that touch it anew, blurs among them:
  // with tiles of 256 pixels a page of forty shadowed cards took twice as long.
  '--default-tile-width=4096',
  '--default-tile-height=4096',
  // A tile is drawn anew as a whole, not over what it showed before: else the edges of what changed depend on the
  // frame that this browser happened to draw last, and with it the picture on the number of browsers.
  '--disable-partial-raster',
  // A page reaches loopback and nothing else; the network guard narrows that to one origin.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost',
  '--disable-features=Translate,MediaRouter,OptimizationHints,BackForwardCache,PaintHolding',
];

/** Command line of a backend. */
export const backendFlags: Record<GraphicsBackend, readonly string[]> = {
  // The page itself is composited in software: raster of DOM on llvmpipe was measured four times slower.
  llvmpipe: ['--use-gl=angle', '--use-angle=gles-egl', '--ignore-gpu-blocklist', '--disable-gpu-compositing'],
  swiftshader: [
    '--use-gl=angle',
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
    '--ignore-gpu-blocklist',
    '--disable-gpu-compositing',
  ],
};

/** What the libraries of a backend read of their environment. */
export const backendVariables: Record<GraphicsBackend, Record<string, string>> = {
  llvmpipe: { LIBGL_ALWAYS_SOFTWARE: '1', EGL_PLATFORM: 'surfaceless' },
  swiftshader: {},
};

/** Only where every frame is sent: a browser with a clock of its own may wait for ever for a frame that is not requested. */
const frameControlFlags = ['--enable-begin-frame-control', '--run-all-compositor-stages-before-draw', '--deterministic-mode'];

/** The complete command line of a Chromium, without its executable. */
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

/** Variables of the daemon that Chromium may see. Everything else, the daemon's token first of all, stays out. */
const passedOn = [
  'PATH',
  'HOME',
  'TMPDIR',
  'FONTCONFIG_FILE',
  'FONTCONFIG_PATH',
  'XDG_CACHE_HOME',
  'LD_LIBRARY_PATH',
  // By it the daemon finds what is left of the sandbox's processes when it ends.
  'KODA_SANDBOX_MARK',
];

export function chromiumEnvironment(
  { backend, rasterThreads }: Pick<ChromiumFlagOptions, 'backend' | 'rasterThreads'>,
  environment: Record<string, string | undefined>,
): Record<string, string> {
  const result: Record<string, string> = { LANG: 'C.UTF-8', TZ: 'UTC' };
  for (const name of passedOn) {
    const value = environment[name];
    if (value !== undefined) result[name] = value;
  }
  Object.assign(result, backendVariables[backend]);
  if (backend === 'llvmpipe' && rasterThreads !== null) result['LP_NUM_THREADS'] = String(rasterThreads);
  return result;
}
