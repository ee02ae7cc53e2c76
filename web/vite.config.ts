import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { aboutModules } from './licences/plugin.ts';
import { mcpApp } from './mcp-app-plugin.ts';

const server = `http://127.0.0.1:${process.env['KODA_PORT'] ?? '3000'}`;

const compressible = /\.(?:js|css|html|svg|json)$/;

/** The default quality, 11, makes the files 8 % smaller but takes most of the build’s time. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** Adds a compressed copy beside each file that benefits from it, for the server to send. */
function compressedCopies(): Plugin {
  return {
    name: 'compressed-copies',
    apply: 'build',
    async writeBundle({ dir = '.' }) {
      const files = await readdir(dir, { recursive: true });
      for (const name of files.filter((file) => compressible.test(file))) {
        const content = await readFile(join(dir, name));
        await writeFile(join(dir, `${name}.br`), await promisify(brotliCompress)(content, brotli));
        await writeFile(join(dir, `${name}.gz`), await promisify(gzip)(content));
      }
    },
  };
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), tailwindcss(), aboutModules(fileURLToPath(new URL('..', import.meta.url))), mcpApp(), compressedCopies()],
  // Stills are drawn by the film template's components, which would otherwise bring their own React.
  resolve: { dedupe: ['react', 'react-dom'] },
  // Relative to the page's <base> and to each script, so that the same build works below any path.
  base: './',
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // Disables inlining as data: URLs, so that the page's content security policy needs no exception for them.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    // The server responds only to its own page, which here is this development server.
    proxy: Object.fromEntries(
      ['/api', '/storage', '/proxy'].map((path) => [path, { target: server, changeOrigin: true, headers: { origin: server } }]),
    ),
  },
});
