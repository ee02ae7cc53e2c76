import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import { differencesOf } from '../../server/tools/checks/film-facts.ts';
import { Drawing } from './drawing.ts';
import { plannedFilm, readSentences, type Sentence } from './sentences.ts';

/**
 * Draws the director's film of each sentence and keeps twelve of its frames as one picture, for judges who see nothing
 * else: `node test/corpus/sheets.ts SENTENCES.json FOLDER [--only a-001,a-002]`. `FOLDER/films.json` says what the plan says,
 * and what of it the film does not show.
 */
const { positionals, values } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' } } });
const [file, folder] = positionals;
if (file === undefined || folder === undefined) {
  console.error('Name the file of sentences and the folder for the pictures.');
  process.exit(2);
}
const only = values.only?.split(',');
const sentences = (await readSentences(file)).filter(({ id }) => only === undefined || only.includes(id));
const frames = 12;

await mkdir(folder, { recursive: true });
const films: unknown[] = [];
{
  await using drawing = await Drawing.open();
  for (const sentence of sentences) {
    films.push(await draw(drawing, sentence));
    await writeFile(join(folder, 'films.json'), `${JSON.stringify(films, null, 1)}\n`);
  }
}

async function draw(drawing: Drawing, { id, sentence }: Sentence): Promise<unknown> {
  const { film, caveat } = plannedFilm(sentence, id);
  await drawing.write(film);
  const report = await drawing.look(film, frames, { contactSheet: true });
  if (report.contactSheet !== null)
    await writeFile(join(folder ?? '', `${id}.png`), pngOf(Buffer.from(report.contactSheet, 'base64')));
  const errors = report.console.filter(({ level }) => level === 'error').map(({ text }) => text);
  const differences = differencesOf(film, report);
  const blank = report.frames.filter(({ contrast }) => contrast < 0.02).length;
  console.log(id, `${film.durationSeconds} s`, ...errors.slice(0, 1), ...differences, blank > 0 ? `${blank} blank` : '');
  const scenes = film.scenes.map(({ title, description }) => ({ title, description }));
  return { id, sentence, seconds: film.durationSeconds, caveat, scenes, errors, differences, blank };
}

function pngOf(picture: Buffer): Buffer {
  const { width, height, data } = jpeg.decode(picture);
  const png = new PNG({ width, height });
  png.data = Buffer.from(data);
  return PNG.sync.write(png);
}
