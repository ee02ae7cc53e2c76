import { accessSync, constants, readdirSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { ProtocolError } from '../http.ts';
import { findOnPath, isExecutable } from '../paths.ts';
import type { GraphicsBackend } from './chromium-flags.ts';

const chromiumNames = ['chromium-headless-shell', 'chrome-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

interface FindOptions {
  /** Path from the environment, such as KODA_CHROMIUM; `null` to search PATH. */
  readonly configured: string | null;
  readonly path: string;
}

function findTool(tool: string, variable: string, names: readonly string[], options: FindOptions): string {
  if (options.configured !== null) {
    if (isExecutable(options.configured)) return options.configured;
    throw new ProtocolError(
      'RENDER_FAILED',
      `${variable} is set to ${options.configured}, which is not executable. Correct or remove it.`,
    );
  }
  const found = findOnPath(names, options.path);
  if (found !== null) return found;
  throw new ProtocolError('RENDER_FAILED', `${tool} was not found. Install ${names[0]}, or set ${variable} to its path.`);
}

/** Finds Chromium, preferably the headless shell. Throws RENDER_FAILED with installation advice. */
export function findChromium(options: FindOptions): string {
  return findTool('Chromium', 'KODA_CHROMIUM', chromiumNames, options);
}

export function findFfmpeg(options: FindOptions): string {
  return findTool('FFmpeg', 'KODA_FFMPEG', ['ffmpeg'], options);
}

export function findFfprobe(options: FindOptions): string {
  return findTool('FFprobe', 'KODA_FFPROBE', ['ffprobe'], options);
}

/** Returns llvmpipe if Mesa's software driver is installed in a usual library folder. */
export function installedBackend(libraryFolders: readonly string[] = defaultLibraryFolders()): GraphicsBackend {
  const has = (name: string) => libraryFolders.some((folder) => isReadable(join(folder, name)));
  const driver =
    has('dri/swrast_dri.so') || libraryFolders.some((folder) => listing(folder).some((name) => name.startsWith('libgallium')));
  return has('libEGL_mesa.so.0') && driver ? 'llvmpipe' : 'swiftshader';
}

function defaultLibraryFolders(): string[] {
  const triplet = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu';
  return [`/usr/lib/${triplet}`, '/usr/lib64', '/usr/lib'];
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function listing(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A 4K image with its tiles takes about 100 MB of shared memory; a plain container has 64 MB. */
const enoughSharedMemoryBytes = 256 * 1024 * 1024;

export function hasSmallSharedMemory(): boolean {
  try {
    const { bsize, blocks } = statfsSync('/dev/shm');
    return bsize * blocks < enoughSharedMemoryBytes;
  } catch {
    return true;
  }
}
