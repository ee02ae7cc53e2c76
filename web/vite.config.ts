import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { aboutModules } from './licences/plugin.ts';

const server = `http://127.0.0.1:${process.env['KODA_PORT'] ?? '3000'}`;

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), tailwindcss(), aboutModules(fileURLToPath(new URL('..', import.meta.url)))],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // Nothing as a data: address: the page's content security policy then needs no exception for it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    // The server answers its own page alone: here, that page is this development server.
    proxy: Object.fromEntries(
      ['/api', '/storage', '/proxy'].map((path) => [path, { target: server, changeOrigin: true, headers: { origin: server } }]),
    ),
  },
});
