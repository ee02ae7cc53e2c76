import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { planFilm } from '../../server/kinds/film/author/plan-film.ts';
import { openFilmSheets } from './film-sheets.ts';

/**
 * Draws one contact sheet per request in a file: twelve frames of the film planned by the built-in author. node
 * test/requests/sheets.ts REQUESTS.json OUT_DIR [ID …]
 */
const [source = '', outDir = '', ...ids] = process.argv.slice(2);
const requests = z.array(z.object({ id: z.string(), request: z.string() })).parse(JSON.parse(await readFile(source, 'utf8')));

await using sheets = await openFilmSheets();
await mkdir(outDir, { recursive: true });
for (const { id, request } of requests) {
  if (ids.length > 0 && !ids.includes(id)) continue;
  const { film, caveat } = planFilm({
    prompt: request,
    hints: { style: null, aspect: null, durationSeconds: null },
    answers: [],
    assets: [],
    seed: Number.parseInt(id.replace(/\D/g, ''), 10) || 1,
  });
  const seconds = film.scenes.reduce((sum, scene) => sum + scene.seconds, 0);
  await sheets.draw(film, join(outDir, `${id}.jpg`));
  await writeFile(
    join(outDir, `${id}.json`),
    `${JSON.stringify({ id, seconds: Math.round(seconds * 10) / 10, aspect: film.aspect, caveat, formats: film.scenes.map(({ format }) => format) }, null, 2)}\n`,
  );
}
