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

/** How often a build is made again because files changed under it. */
const maxAttempts = 3;

export interface PageBuild {
  readonly folder: string;
  /** What it was made from, exactly. */
  readonly sources: ProjectSources;
}

/**
 * A production build of the project's page, so that the dev server's state and its reload client have no
 * part in a final. Made once for each state of the sources; older builds are removed. Throws RENDER_FAILED
 * with the end of the build's output, or when the files change faster than they can be built.
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
  throw new ProtocolError('RENDER_FAILED', 'The files of the project changed while its page was built. Render again.');
}

/** False, and no build, when the sources changed meanwhile: a build must not bear the name of others. */
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
  // As for the dev server: packages may be read-only, and Vite's other loader writes beside them.
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
    const words = log.text().slice(-logTailCharacters);
    throw new ProtocolError('RENDER_FAILED', `The production build of the page ${how}. It said: ${words}`, { log: words });
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
      'Vite is not installed in the project, so no production build can be made. Install the dependencies first.',
    );
  }
}
