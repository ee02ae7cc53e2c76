import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build, type Plugin, type Rollup } from 'vite';

const entry = fileURLToPath(new URL('src/kinds/film/mcp-app/main.tsx', import.meta.url));

/** Adds `mcp-app.html`, the view for chat clients: one file with its script and styles, because it may load no others. */
export function mcpApp(): Plugin {
  return {
    name: 'koda-mcp-app',
    apply: 'build',
    async generateBundle() {
      const output = await build({
        configFile: false,
        root: fileURLToPath(new URL('.', import.meta.url)),
        plugins: [react(), tailwindcss()],
        publicDir: false,
        logLevel: 'warn',
        build: { write: false, modulePreload: false, chunkSizeWarningLimit: 1000, rollupOptions: { input: entry } },
      });
      const files = (Array.isArray(output) ? output : [output]).flatMap((one) => ('output' in one ? one.output : []));
      this.emitFile({ type: 'asset', fileName: 'mcp-app.html', source: pageOf(files) });
    },
  };
}

function pageOf(files: readonly (Rollup.OutputChunk | Rollup.OutputAsset)[]): string {
  const scripts = files.flatMap((file) => (file.type === 'chunk' ? [file.code] : []));
  const styles = files.flatMap((file) => (file.type === 'asset' && file.fileName.endsWith('.css') ? [String(file.source)] : []));
  const [script] = scripts;
  if (script === undefined || files.length !== scripts.length + styles.length || scripts.length !== 1)
    throw new Error(`The view must be one script with styles. Found: ${files.map(({ fileName }) => fileName).join(', ')}`);
  // Neither may end its element.
  const inScript = script.replaceAll('</script', String.raw`<\/script`).replaceAll('<!--', String.raw`<\!--`);
  const inStyle = styles.join('\n').replaceAll('</style', String.raw`<\/style`);
  const head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Koda</title>';
  return `<!doctype html><html lang="en"><head>${head}<style>${inStyle}</style></head><body><div id="root"></div><script type="module">${inScript}</script></body></html>`;
}
