import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { main as compile } from 'assemblyscript/asc';
import { build } from 'esbuild';

const folder = join(import.meta.dirname, 'page');

/** Bundles the page scripts into `page/dist`. Replaces changed files atomically, because a running daemon may read them. */
export default async function buildPageScripts(): Promise<void> {
  await mkdir(join(folder, 'dist'), { recursive: true });
  await replace(join(folder, 'dist/i420.wasm'), Buffer.from(await compileAssembly('i420')));
  const { outputFiles } = await build({
    entryPoints: ['agent', 'capture', 'frame-writer', 'redundant-draws'].map((name) => join(folder, `${name}.ts`)),
    outdir: join(folder, 'dist'),
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'esnext',
    loader: { '.wasm': 'binary' },
    minifyWhitespace: true,
    logLevel: 'warning',
    write: false,
  });
  await Promise.all(outputFiles.map(({ path, contents }) => replace(path, Buffer.from(contents))));
}

/** Compiles AssemblyScript in `page/wasm` to WebAssembly that gets its memory from outside. */
async function compileAssembly(name: string): Promise<Uint8Array> {
  let compiled: Uint8Array | null = null;
  const options = ['--runtime', 'stub', '--optimizeLevel', '3', '--noAssert', '--importMemory', '--enable', 'simd'];
  const { error, stderr } = await compile([join(folder, 'wasm', `${name}.ts`), '--outFile', `${name}.wasm`, ...options], {
    writeFile: (_path, content) => {
      if (typeof content !== 'string') compiled = content;
    },
  });
  if (error || compiled === null) throw new Error(`${name}.ts does not compile: ${stderr.toString()}`, { cause: error });
  return compiled;
}

async function replace(path: string, content: Buffer): Promise<void> {
  const before = await readFile(path).catch(() => null);
  if (before?.equals(content)) return;
  const tempPath = join(folder, 'dist', `.${basename(path)}.${process.pid}`);
  await writeFile(tempPath, content);
  await rename(tempPath, path);
}

if (import.meta.main) await buildPageScripts();
