import { readdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type ProjectSources, readSources } from '../files/sources.ts';
import { ProtocolError } from '../http.ts';
import { exists } from '../paths.ts';
import { LogTail, launch } from '../processes/launch.ts';
import { untilAborted } from '../time-limit.ts';

const logTailCharacters = 2000;
const buildPrefix = 'build-';

const maxAttempts = 3;

export interface PageBuild {
  readonly folder: string;
  readonly sources: ProjectSources;
}

/**
 * Builds the page for production, so that the dev server's state cannot affect a final render. Caches one build per state of
 * the sources and deletes older ones. Throws RENDER_FAILED if the build fails or files keep changing.
 */
export async function buildPage(workspace: string, signal: AbortSignal): Promise<PageBuild> {
  const folder = join(workspace, '.koda');
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const sources = await readSources(workspace);
    const target = join(folder, `${buildPrefix}${sources.total}`);
    if ((await exists(join(target, 'index.html'))) || (await makeBuild(workspace, target, { sources, signal }))) {
      for (const name of await readdir(folder)) {
        if (name.startsWith(buildPrefix) && join(folder, name) !== target)
          await rm(join(folder, name), { recursive: true, force: true });
      }
      return { folder: target, sources };
    }
  }
  throw new ProtocolError('RENDER_FAILED', 'The page could not be built, because project files kept changing. Render again.');
}

/** Returns `false` and discards the build if the sources changed in the meantime. */
async function makeBuild(
  workspace: string,
  target: string,
  { sources, signal }: { sources: ProjectSources; signal: AbortSignal },
): Promise<boolean> {
  const partial = `${target}.partial`;
  try {
    await runVite(workspace, partial, signal);
    if ((await readSources(workspace)).total !== sources.total) return false;
    await rm(target, { recursive: true, force: true });
    await rename(partial, target);
    return true;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

async function runVite(workspace: string, outDir: string, signal: AbortSignal): Promise<void> {
  // Vite's default config loader writes next to the packages, which may be read-only.
  const args = [
    viteEntry(workspace),
    'build',
    '--configLoader',
    'native',
    '--outDir',
    outDir,
    '--emptyOutDir',
    '--logLevel',
    'warn',
  ];
  const program = await launch(process.execPath, args, { workspace, cwd: workspace, env: { NODE_ENV: 'production' } });
  const log = new LogTail();
  const output = Promise.all([log.follow(program.stdout), log.follow(program.stderr)]);
  try {
    const [{ exitCode, signal: killedBy }] = await untilAborted(Promise.all([program.exited, output]), signal);
    if (exitCode === 0) return;
    const how = killedBy ? `was killed (${killedBy})` : `failed with exit code ${exitCode}`;
    const tail = log.text().slice(-logTailCharacters);
    throw new ProtocolError('RENDER_FAILED', `The page's production build ${how}. Its output ends with: ${tail}`, {
      log: tail,
    });
  } finally {
    await program.kill();
  }
}

function viteEntry(workspace: string): string {
  try {
    const manifest = createRequire(join(workspace, 'package.json')).resolve('vite/package.json');
    return join(dirname(manifest), 'bin', 'vite.js');
  } catch {
    throw new ProtocolError(
      'RENDER_FAILED',
      'The page cannot be built, because Vite is not installed in the project. Install the dependencies first.',
    );
  }
}
