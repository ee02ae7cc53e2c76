import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { main as compile } from 'assemblyscript/asc';
import { build, type OutputFile } from 'esbuild';

const page = join(import.meta.dirname, 'page');

/** Defines the variables that bundled CommonJS packages expect and ES modules lack. */
const commonJs = [
  "import { createRequire as __createRequire } from 'node:module';",
  'const require = __createRequire(import.meta.url);',
  'const __filename = import.meta.filename;',
  'const __dirname = import.meta.dirname;',
].join(' ');

/**
 * Bundles the daemon into `daemon.mjs`, because a single file starts twice as fast, and the page scripts into `page/dist`. Replaces
 * changed files atomically, because a running daemon may read them.
 */
export default async function buildAll(): Promise<void> {
  await mkdir(join(page, 'dist'), { recursive: true });
  await Promise.all([bundleDaemon(), bundlePageScripts()]);
}

/** node-pty stays a package, because it has a native binary. */
async function bundleDaemon(): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'main.ts')],
    outfile: join(import.meta.dirname, 'daemon.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    external: ['@lydell/node-pty'],
    banner: { js: commonJs },
    logLevel: 'warning',
    write: false,
  });
  await replaceAll(outputFiles);
}

async function bundlePageScripts(): Promise<void> {
  await replace(join(page, 'dist/i420.wasm'), Buffer.from(await compileAssembly('i420')));
  const { outputFiles } = await build({
    entryPoints: ['agent', 'capture', 'frame-writer', 'redundant-draws'].map((name) => join(page, `${name}.ts`)),
    outdir: join(page, 'dist'),
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'esnext',
    loader: { '.wasm': 'binary' },
    minifyWhitespace: true,
    logLevel: 'warning',
    write: false,
  });
  await replaceAll(outputFiles);
}

/** Compiles AssemblyScript in `page/wasm` to WebAssembly that gets its memory from outside. */
async function compileAssembly(name: string): Promise<Uint8Array> {
  let compiled: Uint8Array | null = null;
  const options = ['--runtime', 'stub', '--optimizeLevel', '3', '--noAssert', '--importMemory', '--enable', 'simd'];
  const { error, stderr } = await compile([join(page, 'wasm', `${name}.ts`), '--outFile', `${name}.wasm`, ...options], {
    writeFile: (_path, content) => {
      if (typeof content !== 'string') compiled = content;
    },
  });
  if (error || compiled === null) throw new Error(`${name}.ts does not compile: ${stderr.toString()}`, { cause: error });
  return compiled;
}

async function replaceAll(files: readonly OutputFile[]): Promise<void> {
  await Promise.all(files.map(({ path, contents }) => replace(path, Buffer.from(contents))));
}

async function replace(path: string, content: Buffer): Promise<void> {
  const before = await readFile(path).catch(() => null);
  if (before?.equals(content)) return;
  const tempPath = join(dirname(path), `.${basename(path)}.${process.pid}`);
  await writeFile(tempPath, content);
  await rename(tempPath, path);
}

if (import.meta.main) await buildAll();
