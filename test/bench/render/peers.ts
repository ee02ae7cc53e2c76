import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';

/** Other renderers are installed in the benchmark's own folder, which Koda never imports. */

const run = promisify(execFile);
const manifest = join(import.meta.dirname, 'peers', 'package.json');

export function peersFolder(work: string): string {
  return join(work, 'peers');
}

const manifestSchema = z.object({ dependencies: z.record(z.string(), z.string()) });

export async function peerVersion(name: 'remotion' | 'hyperframes'): Promise<string> {
  return manifestSchema.parse(JSON.parse(await readFile(manifest, 'utf8'))).dependencies[name] ?? 'unknown';
}

/** Installs the pinned versions unless they exist. Throws npm's error message. */
export async function installPeers(work: string): Promise<void> {
  const folder = peersFolder(work);
  const wanted = await readFile(manifest, 'utf8');
  const stamp = join(folder, 'installed.json');
  if ((await readOrNull(stamp)) === wanted) return;
  await mkdir(folder, { recursive: true });
  await copyFile(manifest, join(folder, 'package.json'));
  // Install scripts would download browsers; the benchmark uses its own.
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
  await writeFile(stamp, wanted);
}

/** Imports a peer's main module. The caller declares the functions that it uses. */
export async function importPeer<Module>(work: string, name: string): Promise<Module> {
  const path = createRequire(join(peersFolder(work), 'package.json')).resolve(name);
  return (await import(pathToFileURL(path).href)) as Module;
}

/**
 * Writes an executable script into the peers' folder, to pass flags and settings to programs whose API does not accept them.
 */
export async function writeWrapper(work: string, name: string, script: string): Promise<string> {
  const path = join(peersFolder(work), name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

async function readOrNull(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return null;
  }
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
