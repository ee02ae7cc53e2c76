// Fills Vite's cache of optimised packages (.koda/vite), so that a new project's dev server starts without building them.
import { globSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { optimizeDeps, resolveConfig } from 'vite';

const root = path.resolve(import.meta.dirname, '..');
const configFile = path.join(root, 'vite.config.ts');
const config = await resolveConfig({ root, configFile, configLoader: 'native', logLevel: 'warn' }, 'serve');
const { optimized } = await optimizeDeps(config, true);
// Vite inlines source maps into the packages that it serves, which triples what every page loads.
for (const map of globSync(path.join(config.cacheDir, 'deps/*.map'))) rmSync(map);
writeFileSync(path.join(config.cacheDir, 'moved.json'), JSON.stringify({ root }));
console.log(`${Object.keys(optimized).length} packages are ready in ${path.relative(root, config.cacheDir)}`);
