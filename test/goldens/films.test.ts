import { it } from 'vitest';
import type { Approval, Asset } from '#contract/project.ts';
import type { Film, FilmScene } from '#kinds/film/contract/film.ts';
import { filmOf, isCode, lengthOf } from '#kinds/film/contract/outline.ts';
import { builtInAuthor } from '../../server/kinds/film/author/author.ts';
import { printFilm } from '../../server/kinds/film/document/print.ts';
import type { AuthorContext } from '../../server/projects/assignment.ts';
import type { AuthorRun } from '../../server/projects/author.ts';
import examples from '../../web/src/kinds/film/home/example-requests.json' with { type: 'json' };
import sentences from '../corpus/sentences.json' with { type: 'json' };
import { noFacts } from '../fixtures/facts.ts';
import judged from '../requests/judged.json' with { type: 'json' };
import worked from '../requests/worked.json' with { type: 'json' };
import { digest, expectGolden } from './golden.ts';

/** Returns `count` items at equal distances. */
const spread = <T>(items: readonly T[], count: number): T[] =>
  items.filter((_, index) => Math.floor(((index + 1) * count) / items.length) > Math.floor((index * count) / items.length));

const exampleRequests = Object.entries(examples).map(([id, prompt]) => ({ id, prompt }));
/** Examples of formats that came later. */
const laterRequests = exampleRequests.slice(36);

/** Requests take their settings in turns, so a new example comes last and leaves those of the others as they are. */
const requests = [
  ...exampleRequests.slice(0, 36),
  ...spread(worked, 54).map(({ id, request }) => ({ id, prompt: request })),
  ...spread(judged, 60).map(({ id, request }) => ({ id, prompt: request })),
  ...spread(sentences, 50).map(({ id, sentence }) => ({ id, prompt: sentence })),
  ...laterRequests,
];

const at = '2026-01-02T03:04:05.678Z';
const question: Approval = {
  ...{ id: 'apr_0123456789abcdef0123', type: 'question', content: 'How should it move?', options: [], planId: null, at },
};
const upload = (name: string, kind: Asset['kind'], mime: string): Asset => ({
  ...{ id: 'ast_0123456789abcdef0123', name, path: `public/assets/${name}`, mime, kind, sizeBytes: 1000, moves: false, at },
  ...(kind === 'image' ? { width: 640, height: 480 } : { width: null, height: null }),
});

/** What a user states besides the request. The requests take turns. */
const settings: readonly (readonly [name: string, facts: Partial<AuthorContext>])[] = [
  ['plain', {}],
  ['tall', { hints: { style: 'playful', aspect: '9:16', durationSeconds: null } }],
  ['square', { hints: { style: 'smooth', aspect: '1:1', durationSeconds: null } }],
  ['12 s', { hints: { style: null, aspect: null, durationSeconds: 12 } }],
  ['answer', { settled: [{ approval: question, response: { outcome: 'option', optionId: 'cinematic' } }] }],
  ['uploads', { assets: [upload('logo.png', 'image', 'image/png'), upload('music.mp3', 'audio', 'audio/mpeg')] }],
];
/** The built-in author calls nothing. */
const noRun = undefined as unknown as AuthorRun;

async function plannedFilm({ id, prompt }: (typeof requests)[number], index: number) {
  const [setting, facts] = settings[index % settings.length] ?? ['plain', {}];
  const context = { ...noFacts, projectId: 'prj_0123456789abcdef0123', prompt, ...facts };
  const proposal = await builtInAuthor.plan(context, noRun);
  const film = proposal === null ? null : filmOf(proposal.plan);
  if (film === null) throw new Error(`The author has no film for ${id}.`);
  return { title: `${id} (${setting})`, film, proposal, asked: await builtInAuthor.ask(context, noRun) };
}
const planned = await Promise.all(requests.map(plannedFilm));

const sceneIn = (scene: FilmScene) => `${isCode(scene) ? 'code' : scene.format} ${scene.seconds} s ${digest(scene)}`;
const lookOf = ({ style, theme, aspect, language }: Film) => [style, theme, aspect, language].join(' ');

it('A33: the built-in author plans the same films as before', async () => {
  const lines = planned.map(({ title, film, proposal, asked }) => {
    const { scenes, ...others } = film;
    const parts = [`${lengthOf(film)} s`, `${lookOf(film)} ${digest(others)}`, ...scenes.map(sceneIn)];
    const said = `${asked === null ? 'asks nothing' : 'asks'}, proposes ${digest(proposal)}`;
    return `${title}: ${[...parts, said].join(' | ')}`;
  });
  await expectGolden('plans.txt', lines);
});

it('A33: films are printed to the same files as before', async () => {
  const first = spread(planned.slice(0, -laterRequests.length), 40);
  const lines = [...first, ...planned.slice(-laterRequests.length)].flatMap(({ title, film }) =>
    printFilm(film).map(({ path, content }) => `${title}: ${path} ${content.split('\n').length} lines ${digest(content)}`),
  );
  await expectGolden('printed-films.txt', lines);
});
