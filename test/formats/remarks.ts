import { readFileSync } from 'node:fs';
import { type Aspect, aspectSchema } from '#contract/render.ts';
import { type Film, filmSchema, type ThemeName } from '#kinds/film/contract/film.ts';
import { themes } from '#kinds/film/contract/themes.ts';
import { planFilm } from '../../server/kinds/film/author/plan-film.ts';
import { checkFilm } from '../../server/kinds/film/check/check-film.ts';
import { textsOf } from '../../server/kinds/film/check/expected-texts.ts';
import { printFilm } from '../../server/kinds/film/document/print.ts';
import { formats } from '../../server/kinds/film/formats/catalogue.ts';
import type { Format } from '../../server/kinds/film/formats/define-format.ts';
import { signal, testProvider } from '../fixtures/sandbox.ts';
import type { Request } from '../requests/facts.ts';

/** Films whose frames are checked: the examples of all formats, three in a film, and films of requests. */
const filmCount = 40;
const scenesPerExample = 3;
const frames = 12;
const themeNames = Object.keys(themes) as ThemeName[];
const aspects = aspectSchema.options;

/** Gives each film another theme, and each theme another aspect ratio. */
const lookOf = (index: number): { theme: ThemeName; aspect: Aspect } => ({
  theme: themeNames[index % themeNames.length] ?? 'studio',
  aspect: aspects[(index + Math.floor(index / themeNames.length)) % aspects.length] ?? '16:9',
});

function exampleFilms(): { name: string; film: Film }[] {
  const all = formats as readonly Format[];
  return Array.from({ length: Math.ceil(all.length / scenesPerExample) }, (_, index) => {
    const shown = all.slice(index * scenesPerExample, (index + 1) * scenesPerExample);
    const scenes = shown.map(({ id, example, seconds }, at) => ({
      id: `scene-${at + 1}`,
      seconds: Math.max(2, Math.round(seconds(example) * 10) / 10),
      format: id,
      props: example,
    }));
    const look = { style: 'smooth', fps: 30, seed: 7, ...lookOf(index) };
    return {
      name: shown.map(({ id }) => id).join(', '),
      film: filmSchema.parse({ version: 3, title: 'Examples', ...look, scenes }),
    };
  });
}

function requestedFilms(from: number, count: number): { name: string; film: Film }[] {
  const requests = JSON.parse(readFileSync(new URL('../requests/worked.json', import.meta.url), 'utf8')) as Request[];
  return Array.from({ length: count }, (_, index) => {
    const { id, request } = requests[Math.floor((index * requests.length) / count)] as Request;
    const { theme, aspect } = lookOf(from + index);
    const hints = { style: null, aspect, durationSeconds: null };
    const { film } = planFilm({ prompt: request, hints, answers: [], assets: [], seed: 1 });
    return { name: id, film: { ...film, theme, aspect } };
  });
}

/** Checks films of formats, and prints what is found. Returns the number of films with findings. */
export async function checkRemarks(match: string): Promise<number> {
  const examples = exampleFilms();
  const films = [...examples, ...requestedFilms(examples.length, filmCount - examples.length)].filter(({ name }) =>
    name.includes(match),
  );
  await using provider = testProvider('process');
  const { sandbox } = await provider.create();
  await sandbox.init({ template: 'film' }, { signal });
  let found = 0;
  for (const { name, film } of films) {
    for (const { path, content } of printFilm(film)) await sandbox.writeFile(path, Buffer.from(content), { signal });
    const durationSeconds = film.scenes.reduce((sum, { seconds }) => sum + seconds, 0);
    const atSeconds = Array.from({ length: frames }, (_, index) => ((index + 0.5) / frames) * durationSeconds);
    const scope = {
      atSeconds,
      wholeFilm: true,
      texts: textsOf(film),
      formatScenes: film.scenes.map(({ id }) => id),
      mayBeBlank: false,
    };
    const { problems, warnings, differences } = await checkFilm(
      sandbox,
      { film: { aspect: film.aspect, durationSeconds }, scope, unfinished: false, typesFirst: false, contactSheet: false },
      { signal },
    );
    const lines = [...problems, ...warnings, ...differences];
    if (lines.length > 0) found += 1;
    console.log(`${name} ${film.theme} ${film.aspect}${lines.map((line) => `\n  ${line}`).join('')}`);
  }
  console.log(`${films.length - found} of ${films.length} films have no remark`);
  return found;
}
