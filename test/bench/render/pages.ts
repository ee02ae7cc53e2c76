import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PageSettings } from './film.ts';

/** The HTML around a scene, one page per way of driving it. The scene itself is in `scene.js` beside it. */

const assetUrl = "(name) => new URL('./assets/' + name, import.meta.url).href";

function document(film: PageSettings, head: string, body: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Benchmark</title>
    <link rel="icon" href="data:," />
    <style>
      html, body { margin: 0; background: #000; overflow: hidden; }
      #root { position: relative; width: ${film.width}px; height: ${film.height}px; overflow: hidden; }
    </style>
${head}
  </head>
  <body>
${body}
  </body>
</html>
`;
}

/** Returns a page with the product's stage contract and its template's virtual clock. */
export function stagePage(film: PageSettings, clockScript: string): string {
  const { durationSeconds, width, height, fps } = film;
  return document(
    film,
    `    <script>${clockScript}</script>`,
    `    <div id="root"></div>
    <script type="module">
      import { draw, mount } from './scene.js';
      window.__exportInfo = ${JSON.stringify({ durationSeconds, width, height, fps })};
      await mount(document.getElementById('root'), ${assetUrl});
      window.__exportSeekTo = (seconds) => {
        window.__virtualTime?.set(seconds * 1000);
        draw(seconds);
      };
      window.__exportSeekTo(0);
      window.__exportReady = true;
    </script>`,
  );
}

/** Returns a page that uses the browser's own clock, as written for screenshots. */
export function plainPage(film: PageSettings, module = './scene.js'): string {
  return document(
    film,
    '',
    `    <div id="root"></div>
    <script type="module">
      import { draw, mount } from '${module}';
      await mount(document.getElementById('root'), ${assetUrl});
      window.drawMoment = draw;
    </script>`,
  );
}

/**
 * Returns a HyperFrames composition: it declares its duration, receives times as `hf-seek`, and `buildReady` delays the
 * render until the scene is ready.
 */
export function compositionPage(film: PageSettings): string {
  const { durationSeconds, width, height, fps } = film;
  const attributes = `data-composition-id="root" data-start="0" data-duration="${durationSeconds}" data-width="${width}" data-height="${height}" data-fps="${fps}" data-no-timeline`;
  return document(
    film,
    '',
    `    <div id="root" ${attributes}></div>
    <script type="module">
      import { draw, mount } from './scene.js';
      window.__hf = window.__hf || {};
      window.__hf.buildReady = window.__hf.buildReady || {};
      window.__hf.buildReady.scene = mount(document.getElementById('root'), (name) => new URL('./assets/' + name, document.baseURI).href).then(() => {
        draw(window.__hfThreeTime || 0);
        window.addEventListener('hf-seek', (event) => draw(event.detail.time));
      });
    </script>`,
  );
}

/** Returns the inline script of the product's page template, with clocks that only a seek advances. */
export async function templateClock(root: string): Promise<string> {
  const html = await readFile(join(root, 'sandbox-image/templates/film/index.html'), 'utf8');
  const script = /<script>([\s\S]*?)<\/script>/.exec(html)?.[1];
  if (!script?.includes('__virtualTime')) throw new Error('The template has no inline script with a virtual clock any more.');
  return script;
}
