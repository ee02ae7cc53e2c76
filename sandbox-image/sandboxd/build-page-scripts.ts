import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

const folder = join(import.meta.dirname, 'page');

/** Bundles the page scripts into `page/dist`. Replaces changed files atomically, because a running daemon may read them. */
export default async function buildPageScripts(): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: ['agent', 'capture', 'redundant-draws'].map((name) => join(folder, `${name}.ts`)),
    outdir: join(folder, 'dist'),
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'esnext',
    minifyWhitespace: true,
    logLevel: 'warning',
    write: false,
  });
  await mkdir(join(folder, 'dist'), { recursive: true });
  await Promise.all(outputFiles.map(({ path, contents }) => replace(path, Buffer.from(contents))));
}

async function replace(path: string, content: Buffer): Promise<void> {
  const before = await readFile(path).catch(() => null);
  if (before?.equals(content)) return;
  const tempPath = join(folder, 'dist', `.${basename(path)}.${process.pid}`);
  await writeFile(tempPath, content);
  await rename(tempPath, path);
}

if (import.meta.main) await buildPageScripts();
