import { readFileSync, realpathSync, type Stats, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { appServer } from './server/vite-plugin.ts';

const root = import.meta.dirname;
const cacheDir = path.join(root, '.koda/vite');

/**
 * Keeps Vite's cache of optimised packages valid after the template is copied. Vite's cache key contains the project's path,
 * so a copy would rebuild everything. This updates the key once if only the path differs from that in `moved.json`.
 */
function keepCacheAfterMove(): Plugin {
  return {
    name: 'koda:keep-cache-after-move',
    apply: 'serve',
    configureServer(server) {
      const stampFile = path.join(cacheDir, 'moved.json');
      const metadataFile = path.join(cacheDir, 'deps/_metadata.json');
      const expected = server.environments.client.depsOptimizer?.metadata;
      if (!expected) return;
      try {
        const stamp = JSON.parse(readFileSync(stampFile, 'utf8')) as { root: string };
        if (stamp.root === root) return;
        const cached = JSON.parse(readFileSync(metadataFile, 'utf8')) as Record<string, unknown>;
        if (cached['lockfileHash'] !== expected.lockfileHash) return;
        const renewed = { ...cached, hash: expected.hash, configHash: expected.configHash };
        writeFileSync(metadataFile, JSON.stringify(renewed, null, 2));
        writeFileSync(stampFile, JSON.stringify({ root }));
      } catch (error) {
        // Without the cache, Vite optimises the packages itself, which only takes longer.
        server.config.logger.info(`no prepared cache: ${String(error)}`);
      }
    },
  };
}

/**
 * Reports changes that Vite's watcher drops: chokidar ignores a file for 50 ms after each of its changes, so without this the
 * page would keep the first of two quick edits.
 */
function reportQuickChanges(): Plugin {
  return {
    name: 'koda:report-quick-changes',
    apply: 'serve',
    configureServer({ watcher }) {
      watcher.on('change', (file, reported?: Stats) => {
        setTimeout(() => {
          const current = statSync(file, { throwIfNoEntry: false });
          // Some file systems round times, so a rewritten file may keep its time.
          const isNewer = current?.mtimeMs !== reported?.mtimeMs || current?.size !== reported?.size;
          if (current && isNewer) watcher.emit('change', file, current);
        }, 60);
      });
    },
  };
}

/**
 * Reloads a requested module whose file has changed. Vite's watcher reports writes late on a busy machine, so without this a page
 * that loads right after an edit could run the previous code.
 */
function serveCurrentFiles(): Plugin {
  const loaded = new Map<string, string>();
  const stampOf = (file: string): string | null => {
    const stats = statSync(file, { throwIfNoEntry: false, bigint: true });
    return stats ? `${stats.ino} ${stats.size} ${stats.mtimeNs}` : null;
  };
  return {
    name: 'koda:serve-current-files',
    apply: 'serve',
    enforce: 'pre',
    load(id) {
      const [file = ''] = id.split('?');
      if (!file.startsWith(`${root}/`)) return;
      // Vite reads the file after this, so a write in between only causes another load.
      const stamp = stampOf(file);
      if (stamp !== null) loaded.set(file, stamp);
    },
    configureServer({ middlewares, environments }) {
      middlewares.use((request, _response, next) => {
        const [address = ''] = (request.url ?? '').split('?');
        const file = path.join(root, decodeURI(address));
        const before = loaded.get(file);
        if (before !== undefined && before !== stampOf(file)) environments.client.moduleGraph.onFileChange(file);
        next();
      });
    },
  };
}

/**
 * Keeps modules in the order of their edits. React's plug-in has each module import itself, which Vite resolves to the newest
 * version: a module that is edited again while it loads would run after its successor, and the page would keep the older one.
 */
function importOwnVersion(): Plugin {
  const selfImport = /^import \* as __vite_react_currentExports from .*$/m;
  const use = /const currentExports = __vite_react_currentExports;\s*queueMicrotask\(\(\) => \{/;
  return {
    name: 'koda:import-own-version',
    apply: 'serve',
    enforce: 'post',
    transform(code) {
      if (!selfImport.test(code)) return null;
      const own = 'RefreshRuntime.__hmr_import(import.meta.url).then((currentExports) => {';
      return { code: code.replace(selfImport, '').replace(use, own), map: null };
    },
  };
}

export default defineConfig({
  root,
  cacheDir,
  plugins: [
    appServer(root),
    react(),
    tailwindcss(),
    keepCacheAfterMove(),
    reportQuickChanges(),
    serveCurrentFiles(),
    importOwnVersion(),
  ],
  server: {
    host: '127.0.0.1',
    port: Number(process.env['PORT'] ?? 5173),
    strictPort: true,
    // A proxy serves the page under another host name, which the hot-reload socket uses too.
    allowedHosts: true,
    fs: { allow: [root, realpathSync(path.join(root, 'node_modules'))] },
    // The records change all the time, and no page is made of them.
    watch: { ignored: ['**/.koda/**', '**/dist/**', `${root}/data/**`] },
  },
  optimizeDeps: {
    // Smaller packages load faster. Names stay, so that stack traces are readable.
    rolldownOptions: { output: { minify: { mangle: false, compress: false, codegen: { removeWhitespace: true } } } },
    entries: ['src/main.tsx'],
    // Vite reloads a running page when it finds another package, which ends the user's edits.
    include: [
      '@dnd-kit/core',
      '@dnd-kit/sortable',
      '@tanstack/react-table',
      '@tanstack/react-virtual',
      'cmdk',
      'date-fns',
      'lucide-react',
      'papaparse',
      'radix-ui',
      'react',
      'react-dom',
      'react-dom/client',
      'react-hook-form',
      'react/jsx-dev-runtime',
      'react/jsx-runtime',
      'recharts',
      'zod',
      'zustand',
    ],
  },
  build: { target: 'es2023', chunkSizeWarningLimit: 2000, assetsInlineLimit: 0 },
});
