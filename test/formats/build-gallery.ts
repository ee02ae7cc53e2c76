import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build } from 'vite';

const template = join(import.meta.dirname, '../../sandbox-image/templates/film');

/** Builds the page that can show any format with any fields. Returns its folder. */
export async function buildGallery(outDir: string): Promise<string> {
  await build({
    root: join(import.meta.dirname, 'page'),
    base: './',
    configFile: false,
    logLevel: 'warn',
    plugins: [react()],
    resolve: {
      // Uses the template's React, because a second copy would break hooks.
      alias: ['react', 'react-dom'].map((name) => ({
        find: new RegExp(`^${name}(?=/|$)`),
        replacement: join(template, 'node_modules', name),
      })),
    },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      minify: false,
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 6000,
      rolldownOptions: { input: join(import.meta.dirname, 'page/gallery.html') },
    },
  });
  return outDir;
}
