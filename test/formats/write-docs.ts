import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import type { Page } from 'puppeteer-core';
import type { ThemeName } from '#kinds/film/contract/film.ts';
import { formats } from '../../server/kinds/film/formats/catalogue.ts';
import type { Format } from '../../server/kinds/film/formats/define-format.ts';
import requests from '../../web/src/kinds/film/home/example-requests.json' with { type: 'json' };
import { check } from './check.ts';
import { combine } from './combinations.ts';
import { writeGalleryFiles } from './write-gallery.ts';

const themes: Readonly<Record<string, ThemeName>> = {
  ...({ title: 'paper', 'end-card': 'studio', 'lower-third': 'news', features: 'midnight', number: 'studio' } as const),
  ...({ 'bar-chart': 'studio', steps: 'forest', checklist: 'chalk', list: 'candy', chat: 'studio', quote: 'luxe' } as const),
  ...({ timeline: 'forest', comparison: 'studio', code: 'terminal', terminal: 'terminal', event: 'blush' } as const),
  ...({ mockup: 'studio', logo: 'luxe', notification: 'midnight', 'social-post': 'paper', countdown: 'neon' } as const),
  ...({
    'line-chart': 'midnight',
    'icon-story': 'candy',
    shapes: 'studio',
    pie: 'forest',
    price: 'bold',
    race: 'bold',
    headline: 'news',
    loader: 'terminal',
    'before-after': 'studio',
    flow: 'studio',
    route: 'paper',
    map: 'paper',
    ambient: 'midnight',
    table: 'studio',
  } as const),
};
const pixels = { width: 640, height: 360 };

/**
 * Writes `docs/formats.md` with an image, the guidance and an example request for every format, and the pictures and videos for
 * the studio's home page. If `ids` is not empty, writes only the pictures and videos of those formats.
 */
export async function writeDocs(
  page: Page,
  { docs, gallery, ids }: { docs: string; gallery: string; ids: readonly string[] },
): Promise<void> {
  await mkdir(join(docs, 'formats'), { recursive: true });
  const sections: string[] = [];
  for (const format of formats as readonly Format[]) {
    const theme = themes[format.id] ?? 'studio';
    const combination = combine({ format, content: 'example', theme, style: 'smooth', aspect: '16:9' });
    if (combination === null) throw new Error(`The example of ${format.id} does not pass its schema.`);
    const isChosen = ids.length === 0 || ids.includes(format.id);
    const { picture, reused } = await check(page, { ...combination, ...pixels }, true);
    if (reused === null) throw new Error(`The example of ${format.id} could not be shown.`);
    if (isChosen) {
      const { width, height, data } = PNG.sync.read(picture);
      await writeFile(join(docs, 'formats', `${format.id}.jpg`), jpeg.encode({ width, height, data }, 84).data);
      await writeGalleryFiles(page, combination, gallery);
    }
    const request = (requests as Readonly<Record<string, string>>)[format.id] ?? '';
    sections.push(
      `## ${format.title}\n\n![${format.title}](formats/${format.id}.jpg)\n\n${format.use} Not for: ${format.avoid}\n\n\`\`\`text\n${request.replaceAll('```', "'''")}\n\`\`\`\n\nFrames reused: ${Math.round(reused * 100)} %.\n`,
    );
  }
  const head = `# Formats\n\nA film consists of scenes, and most scenes use a format: a designed type of scene with typed fields. This page shows every format\nwith a request that leads to it. Each works in twelve themes, three styles and four aspects. “Frames reused” is the\nshare of frames in a film of the picture's scene that repeat the one before, which a render does not capture again.\n\`npm run formats -- --docs\` generates this page.\n`;
  await writeFile(join(docs, 'formats.md'), `${head}\n${sections.join('\n')}`);
}
