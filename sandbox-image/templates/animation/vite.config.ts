import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const root = import.meta.dirname;
const cacheDir = path.join(root, '.koda/vite');

/**
 * The cache of optimised packages is made once in the template and copied with it. Vite's key for it
 * contains the project's path, so after a move it would build everything again; this renews the key,
 * once, when nothing but the path differs (`moved.json` names the path the cache was made at).
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
        // Without a cache Vite optimises by itself: slower, otherwise the same.
        server.config.logger.info(`no prepared cache: ${String(error)}`);
      }
    },
  };
}

export default defineConfig({
  root,
  base: './',
  cacheDir,
  plugins: [react(), keepCacheAfterMove()],
  server: {
    host: '127.0.0.1',
    port: Number(process.env['PORT'] ?? 5173),
    strictPort: true,
    // The page comes through a proxy under another name; the hot-reload socket follows the page's own address.
    allowedHosts: true,
    fs: { allow: [root, realpathSync(path.join(root, 'node_modules'))] },
    watch: { ignored: ['**/.koda/**', '**/dist/**'] },
  },
  optimizeDeps: {
    entries: ['src/main.tsx'],
    include: [
      '@react-three/fiber',
      '@theatre/core',
      'react',
      'react-dom',
      'react-dom/client',
      'react/jsx-dev-runtime',
      'react/jsx-runtime',
      'three',
      'three/examples/jsm/geometries/RoundedBoxGeometry.js',
      'three/examples/jsm/loaders/SVGLoader.js',
      'three/examples/jsm/utils/BufferGeometryUtils.js',
      'zod',
    ],
  },
  build: { target: 'es2023', chunkSizeWarningLimit: 2000, assetsInlineLimit: 0 },
});
