import { readFileSync } from 'node:fs';
import { planFilm } from '../../server/kinds/film/author/plan-film.ts';
import { fold } from '../../server/kinds/film/author/read/reading.ts';
import { formatOf } from '../../server/kinds/film/formats/catalogue.ts';
import type { Request } from './facts.ts';
import { meets } from './facts.ts';

/**
 * Prints the built-in author's results for requests with facts: `node test/requests/show.ts requests.json… [--only a01,a02]
 * [--brief]`.
 */
const files = process.argv.slice(2).filter((argument) => argument.endsWith('.json'));
const only = process.argv[process.argv.indexOf('--only') + 1]?.split(',');
const isBrief = process.argv.includes('--brief');
const times: number[] = [];
let [met, all] = [0, 0];
for (const file of files)
  for (const { id, request, facts } of JSON.parse(readFileSync(file, 'utf8')) as Request[]) {
    if (process.argv.includes('--only') && !only?.includes(id)) continue;
    const start = performance.now();
    const { film, caveat } = planFilm({
      prompt: request,
      hints: { style: null, aspect: null, durationSeconds: null },
      answers: [],
      assets: [],
      seed: 1,
    });
    times.push(performance.now() - start);
    const failed = facts.filter((fact) => meets(film, fact) === false);
    const invalid = film.scenes.filter(({ format, props }) => formatOf(format)?.props.safeParse(props).success !== true);
    const foreign = foreignNumbers(film.scenes, request);
    all++;
    if (failed.length === 0) met++;
    const sum = film.scenes.reduce((total, { seconds }) => total + seconds, 0);
    if (isBrief && failed.length === 0 && invalid.length === 0 && foreign.length === 0) continue;
    console.log(
      `\n=== ${id} ${film.language} ${film.style} ${film.theme} ${film.aspect} ${sum.toFixed(1)} s ${JSON.stringify(film.colors)}`,
    );
    for (const { format, props, seconds } of film.scenes) console.log(`  ${seconds} ${format} ${brief(props)}`);
    if (caveat !== null) console.log(`  ${caveat}`);
    for (const fact of failed) console.log(`  MISSING ${JSON.stringify(fact)}`);
    for (const { format } of invalid) console.log(`  INVALID ${format}`);
    for (const number of foreign) console.log(`  FOREIGN ${number}`);
  }
times.sort((one, other) => one - other);
console.log(
  `\n${met} of ${all} have every fact that a machine can check; planning ${times[Math.floor(times.length / 2)]?.toFixed(1)} ms at the median, ${times.at(-1)?.toFixed(0)} ms at most`,
);

function brief(props: unknown): string {
  return JSON.stringify(props, (_, value) =>
    value === null || value === '' || (Array.isArray(value) && value.length === 0) ? undefined : value,
  ).replace(/"(\w+)":/gu, '$1:');
}

function foreignNumbers(scenes: readonly { props: unknown }[], request: string): string[] {
  const known = new Set(request.replace(/[.,'’\s](?=\d)/gu, '').match(/\d+/gu));
  const plain = new Set(request.match(/\d+/gu));
  const texts: string[] = [];
  JSON.stringify(
    scenes.map(({ props }) => props),
    (key, value) => {
      // The ids of nodes are not shown.
      if (['id', 'from', 'to'].includes(key) && /^n\d$/u.test(String(value))) return value;
      if (typeof value === 'string') texts.push(...(value.match(/\d+/gu) ?? []));
      return value;
    },
  );
  return texts.filter((number) => !known.has(number) && !plain.has(number) && !fold(request).includes(number));
}
