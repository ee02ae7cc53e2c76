import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Film, filmPath, filmText, planOfFilm, readFilm, sceneIdOf, scenePath } from '../../contract/film.ts';
import { newId } from '../../contract/ids.ts';
import type { Plan } from '../../contract/project.ts';
import { noHints, parseBrief } from './brief/parse-brief.ts';
import { generateFiles } from './director.ts';
import { affectedFiles, emitAll } from './emit/emit.ts';
import { applyFeedback } from './feedback/apply-feedback.ts';
import { documentOf } from './film-document.ts';
import { colorName } from './plan/names.ts';
import { planFilm } from './plan/plan-film.ts';

interface Sources {
  readonly plan: Plan | null;
  readonly files: Files;
  /** Numbers of the planned scenes that are still to be written. */
  readonly unwritten?: readonly number[];
}
const documentFor = ({ plan, files, unwritten = [] }: Sources): Film | null =>
  documentOf(
    {
      projectId: 'prj_0123456789abcdef0123',
      prompt: 'a prompt',
      plan,
      todos: unwritten.map((number) => ({
        id: newId('todo'),
        key: `scene:${number}`,
        title: 'x',
        status: 'pending',
        attempts: 0,
      })),
    },
    new Map(files.map(({ path, content }) => [path, content])),
  );
type Files = readonly { readonly path: string; readonly content: string }[];

const made = planFilm(parseBrief('a red ball bounces, then the text "Hello World", then a blue cube spins', noHints), {
  seed: 7,
});
const planOf = (film: Film, revision = 1): Plan => ({ ...planOfFilm(film, null), id: planId, revision, accepted: true });
const planId = newId('plan');
const codeOf = (id: string, words: string) => `import { z } from 'zod';
const sceneId = '${id}';
export const title = 'By hand';
const parameters = declareParameters({
  headline: z.string().max(60).default('${words}').describe('The words, in the middle'),
  tint: color('#ff8800').describe('Its colour'),
  pieces: z.int().min(1).max(9).default(3),
}, { scene: sceneId });
export function World() { return <SceneWorld id={sceneId}>{null}</SceneWorld>; }
`;
const replaced = (files: Files, path: string, content: string): Files => [
  ...files.filter((file) => file.path !== path),
  { path, content },
];
const fileIn = (files: Files, path: string): string => files.find((file) => file.path === path)?.content ?? '';
/** What a project has after an author's answer was placed. */
const placed = (files: Files, { written, deleted }: ReturnType<typeof affectedFiles>): Files =>
  written.reduce<Files>(
    (now, { path, content }) => replaced(now, path, content),
    files.filter(({ path }) => !deleted.includes(path)),
  );
const textsOf = (files: Files) => Object.fromEntries(files.map(({ path, content }) => [path, content]));
const known = (film: Film | null): Film => {
  if (film === null) throw new Error('there is no film');
  return film;
};
const sourcesOf = (film: Film | null) => known(film).scenes.map(({ source }) => source);

describe('the document of a film', () => {
  it('X1: of the director is true as it was written, with the parameters of its code', () => {
    const files = emitAll(made);
    const film = known(documentFor({ plan: planOf(made), files }));
    expect(film).toEqual(readFilm(fileIn(files, filmPath)).film);
    expect(film.parameters).toContainEqual({
      name: 'ball1Color',
      scene: 'scene-1',
      default: made.scenes[0]?.subjects[0]?.color,
      description: 'Colour of ball-1',
    });
  });

  it('X1: a film of version 1 is read, and a scene whose file is no longer the director’s is marked as code', () => {
    const { parameters: _, ...old } = made;
    const scenes = old.scenes.map(({ source: __, ...scene }) => scene);
    const files = replaced(emitAll(made), filmPath, JSON.stringify({ ...old, version: 1, scenes }));
    expect(sourcesOf(documentFor({ plan: planOf(made), files }))).toEqual(made.scenes.map(() => 'document'));
    const edited = replaced(files, scenePath('scene-2'), codeOf('scene-2', 'Hi'));
    expect(sourcesOf(documentFor({ plan: planOf(made), files: edited }))[1]).toBe('code');
  });

  it('X1: a project of version 1, as it was written then, is the director’s and takes feedback', () => {
    const kept = JSON.parse(readFileSync('test/fixtures/film-version-1.json', 'utf8')) as { plan: Plan; files: Files };
    const plan: Plan = { ...kept.plan, id: planId, revision: 3, accepted: true };
    expect(fileIn(kept.files, filmPath)).toContain('"version": 1');
    const film = known(documentFor({ plan, files: kept.files }));
    expect(film.version).toBe(2);
    expect(planOfFilm(film, plan.caveat)).toEqual(kept.plan);
    expect(sourcesOf(film)).toEqual(['document', 'document']);
    const { film: after } = applyFeedback(film, 'make the ball green');
    const change = affectedFiles(film, after);
    expect(change.written.map(({ path }) => path)).toEqual([filmPath, scenePath('scene-1')]);
    expect(change.deleted).toEqual([]);
    expect(sourcesOf(documentFor({ plan, files: placed(kept.files, change) }))).toEqual(['document', 'document']);
  });

  it('a scene that a hand changed keeps its words and its time; what is in it only its file knows', () => {
    const path = scenePath('scene-2');
    const files = emitAll(made);
    const film = known(documentFor({ plan: planOf(made), files: replaced(files, path, `${fileIn(files, path)}// mine\n`) }));
    const { title, startSeconds, durationSeconds } = made.scenes[1] ?? {};
    expect(sourcesOf(film)).toEqual(made.scenes.map(({ id }) => (id === 'scene-2' ? 'code' : 'document')));
    expect(film.scenes[1]).toMatchObject({ title, startSeconds, durationSeconds, subjects: [], texts: [] });
  });

  it('a scene that a hand adds, removes, moves or renames is so in the document', () => {
    const files = emitAll(made);
    const list = fileIn(files, 'src/film.ts');
    const entry = (number: number) =>
      new RegExp(`    \\{\\n      id: 'scene-${number}',[^]*?Overlay: scene${number}\\.Overlay,\\n    \\},\\n`);
    const idsWith = (text: string) =>
      known(documentFor({ plan: planOf(made), files: replaced(files, 'src/film.ts', text) })).scenes.map(
        ({ id, number, title }) => [id, number, title],
      );
    const [one, two, three] = made.scenes.map(({ id, title }) => [id, title]);
    const [first = '', second = ''] = [entry(1).exec(list)?.[0], entry(2).exec(list)?.[0]];
    expect(idsWith(list.replace(first, ''))).toEqual([two, three].map((scene, i) => [scene?.[0], i + 1, scene?.[1]]));
    expect(idsWith(list.replace(first, '').replace(second, second + first))).toEqual(
      [two, one, three].map((scene, i) => [scene?.[0], i + 1, scene?.[1]]),
    );
    expect(idsWith(list.replace("id: 'scene-2'", "id: 'turn'"))[1]).toEqual(['turn', 2, two?.[1]]);
    const added = second.replace("id: 'scene-2'", "id: 'coda'").replace('scene2.title', "'Coda'");
    expect(idsWith(list.replace(second, second + added))[2]).toEqual(['coda', 3, 'Coda']);
  });

  it('a film without a document gets one from its plan and its code', () => {
    const files = [
      { path: 'src/theme.ts', content: fileIn(emitAll(made), 'src/theme.ts') },
      { path: 'src/film.ts', content: fileIn(emitAll(made), 'src/film.ts') },
      ...made.scenes.map(({ id }, index) => ({
        path: scenePath(id),
        content: codeOf(id, `Words ${index}`).replace('headline', `headline${index}`),
      })),
    ];
    const film = known(documentFor({ plan: planOf(made), files }));
    expect(film).toMatchObject({
      title: made.title,
      palette: made.palette,
      style: made.style,
      durationSeconds: made.durationSeconds,
    });
    expect(sourcesOf(film)).toEqual(made.scenes.map(() => 'code'));
    expect(planOfFilm(film, null)).toEqual(planOfFilm(made, null));
    expect(film.parameters.slice(0, 3)).toEqual([
      { name: 'headline0', scene: 'scene-1', default: 'Words 0', description: 'The words, in the middle' },
      { name: 'tint', scene: 'scene-1', default: '#ff8800', description: 'Its colour' },
      { name: 'pieces', scene: 'scene-1', default: 3, description: '' },
    ]);
  });

  it('X4: a film that has neither plan nor document is what its code says', () => {
    const files = emitAll(made).filter(({ path }) => path !== filmPath);
    const film = known(documentFor({ plan: null, files }));
    const { title, style, aspect, fps, durationSeconds, palette } = made;
    expect(film).toMatchObject({ title, style, aspect, fps, durationSeconds, palette });
    expect(film.scenes.map((scene) => scene.durationSeconds)).toEqual(
      made.scenes.map((scene) => expect.closeTo(scene.durationSeconds, 0)),
    );
    expect(film.parameters).toEqual(readFilm(fileIn(emitAll(made), filmPath)).film?.parameters);
    expect(documentFor({ plan: null, files: files.filter(({ path }) => path !== 'src/film.ts') })).toBeNull();
  });

  it('follows the plan once that has changed, and the code where its times are others', () => {
    const files = emitAll(made);
    const followed = known(documentFor({ plan: planOf(made), files }));
    const kept = replaced(files, filmPath, filmText(followed));
    const plan = planOf(made, 2);
    const renamed = { ...plan, scenes: plan.scenes.map((scene) => ({ ...scene, title: `New ${scene.number}` })) };
    expect(known(documentFor({ plan: renamed, files: kept })).scenes.map(({ title }) => title)).toEqual(
      renamed.scenes.map(({ title }) => title),
    );
    const longer = fileIn(files, 'src/film.ts').replace(
      /durationSeconds: [\d.]+,\n {6}background/,
      'durationSeconds: 9,\n      background',
    );
    const film = known(documentFor({ plan: planOf(made), files: replaced(kept, 'src/film.ts', longer) }));
    expect(film.scenes[0]?.durationSeconds).toBe(9);
  });

  it('scenes that are still to be written are as the plan has them', () => {
    const files = replaced(emitAll(made), scenePath('scene-1'), 'export const template = true;\n');
    const unwritten = made.scenes.map(({ number }) => number);
    expect(sourcesOf(documentFor({ unwritten, plan: planOf(made), files }))).toEqual(made.scenes.map(() => 'document'));
  });

  it.each(['{', '{"version":2}', JSON.stringify({ version: 2, scenes: 'x' }), 'null', '['.repeat(10_000)])(
    'X1: hostile text %# is no document; the plan makes another',
    (text) => {
      const film = known(documentFor({ plan: planOf(made), files: replaced(emitAll(made), filmPath, text) }));
      expect(planOfFilm(film, null)).toEqual(planOfFilm(made, null));
      expect(documentFor({ plan: null, files: [{ path: filmPath, content: text }] })).toBeNull();
    },
  );

  it('hostile code is read in little time', () => {
    const nasty = [
      `declareParameters({${'a:'.repeat(40_000)}`,
      `id: '${'a'.repeat(90_000)}`,
      'declareParameters('.repeat(5_000),
      'a: { '.repeat(15_000),
      `film = ${' '.repeat(90_000)}`,
      'film '.repeat(18_000),
      "id: 'a' ".repeat(12_000),
      '/**'.repeat(30_000),
    ];
    const started = performance.now();
    for (const content of nasty) {
      const files = ['src/film.ts', 'src/theme.ts', scenePath('scene-1')].map((path) => ({
        path,
        content: `declareParameters({${content}`,
      }));
      documentFor({ plan: planOf(made), files });
    }
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});

describe('A22: a change by the director', () => {
  const messageId = newId('msg');
  const factsOf = (files: Files): Parameters<typeof generateFiles>[1] => ({
    prompt: made.prompt,
    hints: { style: null, aspect: null, durationSeconds: null },
    messages: [],
    settled: [],
    assets: [],
    projectId: newId('prj'),
    phase: 'executing',
    plan: planOf(made),
    todos: [{ id: newId('todo'), key: `change:${messageId}`, title: 'x', status: 'active', attempts: 1 }],
    files,
  });
  const byHand = replaced(emitAll(made), scenePath('scene-2'), codeOf('scene-2', 'By hand'));

  it.each([
    'make the ball green and the background navy',
    'remove scene 1',
    'add a scene with a star at the start',
    'faster',
    'make it 20 seconds',
    'add another ball, 9:16',
  ])('“%s” that was cut off anywhere is made whole by the next attempt', (change) => {
    for (const start of [emitAll(made), byHand]) {
      const task = { task: 'modify_existing' as const, files: [], change };
      const answer = generateFiles(task, factsOf(start));
      const whole = placed(start, { written: answer.files, deleted: answer.deleted });
      expect(answer.files.length).toBeGreaterThan(1);
      for (let cut = 0; cut <= answer.files.length; cut += 1) {
        const half = placed(start, { written: answer.files.slice(0, cut), deleted: [] });
        const again = generateFiles(task, factsOf(half));
        expect(again.summary).toBe(answer.summary);
        expect(textsOf(placed(half, { written: again.files, deleted: again.deleted }))).toEqual(textsOf(whole));
      }
    }
  });

  it('a scene that an older version of the director wrote stays its own when another scene changes', () => {
    const old = replaced(emitAll(made), scenePath('scene-2'), `${fileIn(emitAll(made), scenePath('scene-2'))}// older\n`);
    const film = known(readFilm(fileIn(old, filmPath)).film);
    const hash = createHash('sha256')
      .update(fileIn(old, scenePath('scene-2')))
      .digest('hex');
    const scenes = film.scenes.map((scene) => (scene.id === 'scene-2' ? { ...scene, codeHash: hash } : scene));
    const start = replaced(old, filmPath, filmText({ ...film, scenes }));
    const { files, deleted } = generateFiles(
      { task: 'modify_existing', files: [], change: 'make the ball green' },
      factsOf(start),
    );
    expect(files.map(({ path }) => path)).not.toContain(scenePath('scene-2'));
    expect(sourcesOf(documentFor({ plan: planOf(made), files: placed(start, { written: files, deleted }) }))).not.toContain(
      'code',
    );
  });

  it('a list of scenes that says more than a document can is not written over', () => {
    const list = fileIn(byHand, 'src/film.ts').replace(/startSeconds: [\d.]+/, 'startSeconds: start()');
    const start = replaced(byHand, 'src/film.ts', list);
    const answer = generateFiles({ task: 'modify_existing', files: [], change: 'make it 20 seconds' }, factsOf(start));
    expect(answer).toMatchObject({ files: [], deleted: [], summary: expect.stringContaining('src/film.ts') });
    const other = generateFiles({ task: 'modify_existing', files: [], change: 'make the ball green' }, factsOf(start));
    expect(other.files.map(({ path }) => path)).toEqual([filmPath, scenePath('scene-1'), filmPath]);
  });
});

describe('the director takes up a film that is partly in code', () => {
  const original = emitAll(made);
  const path = scenePath('scene-2');
  const files = replaced(original, path, codeOf('scene-2', 'By a model'));
  const film = known(documentFor({ plan: planOf(made), files }));
  const inCode = film.scenes.filter(({ source }) => source === 'code').map(({ id }) => id);

  it('A9: colours of its own scenes change, the file in code stays, and the user is told of it', () => {
    expect(inCode).toEqual(['scene-2']);
    const { film: after, explanation } = applyFeedback(film, 'make the ball green and the background navy');
    const change = affectedFiles(film, after);
    expect(change.written.map((file) => file.path)).toContain(scenePath('scene-1'));
    expect([...change.written.map((file) => file.path), ...change.deleted]).not.toContain(path);
    expect(explanation).toContain('written in code (scene 2)');
    expect(after.scenes[1]).toEqual({ ...film.scenes[1], background: after.scenes[1]?.background });
  });

  it('A9: what only the scene in code could have is refused, and nothing changes', () => {
    const { film: after, explanation, understood } = applyFeedback(film, "add the text 'Sale' in scene 2");
    expect(understood).toBe(false);
    expect(after).toEqual(film);
    expect(explanation).toContain('written in code (scene 2)');
  });

  it('A9: scenes go and come around it under other names, and the document says where it is', () => {
    const removed = applyFeedback(film, 'remove scene 1').film;
    expect(removed.scenes[0]).toMatchObject({ id: 'scene-2', number: 1, source: 'code', startSeconds: 0 });
    expect(new Set(removed.scenes.map(({ id }) => id)).size).toBe(removed.scenes.length);
    const change = affectedFiles(film, removed);
    const now = placed(files, change);
    expect(fileIn(now, path)).toBe(fileIn(files, path));
    expect(fileIn(now, 'src/film.ts')).toContain(`import * as scene1 from './scenes/scene-2.tsx';`);
    for (const { id } of removed.scenes) expect(fileIn(now, scenePath(id))).not.toBe('');
    const after = known(documentFor({ plan: planOf(film), files: now }));
    expect(after.scenes.map(({ id, source }) => [id, source])).toEqual(removed.scenes.map(({ id, source }) => [id, source]));
    expect(planOfFilm(removed, null).scenes.map(sceneIdOf)).toEqual(removed.scenes.map(({ id }) => id));
    const grown = applyFeedback(removed, 'add a scene with a yellow star at the end').film;
    expect(grown.scenes.at(-1)).toMatchObject({ source: 'document' });
    expect(new Set(grown.scenes.map(({ id }) => id)).size).toBe(grown.scenes.length);
    expect(filmText(grown)).toContain('"id": "scene-2"');
  });

  it('A9: a wish about a scene of its own says nothing of code', () => {
    expect(applyFeedback(film, 'make the ball in scene 1 bigger').explanation).not.toContain('written in code');
    expect(applyFeedback(film, 'make it 20 seconds').explanation).not.toContain('written in code');
  });
});

describe('the words of a plan', () => {
  const colors = ['red', 'blue', 'green', 'gold', 'navy', 'white'] as const;
  const things = ['ball', 'cube', 'star', 'heart', 'balloon'] as const;

  it('A4: name no colour of a thing that the film does not have, after any change of colours', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...colors),
        fc.constantFrom(...things),
        fc.array(fc.tuple(fc.constantFrom(...colors), fc.constantFrom('it', 'the background', 'everything')), { maxLength: 3 }),
        (color, thing, changes) => {
          let film = planFilm(parseBrief(`a ${color} ${thing} spins`, noHints), { seed: 7 });
          for (const [next, what] of changes) film = applyFeedback(film, `make ${what} ${next}`).film;
          for (const { description, subjects } of film.scenes) {
            const named = subjects.map((subject) => colorName(subject.color));
            const words = [...description.matchAll(new RegExp(`(\\w+) ${thing}`, 'g'))].map(([, word]) => word);
            for (const word of words.filter((one) => colors.some((known) => known === one))) expect(named).toContain(word);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it('A4: that the user wrote keep up with a colour that was changed', () => {
    const film = planFilm(parseBrief('a red ball bounces', noHints), { seed: 7 });
    const worded = (description: string) =>
      applyFeedback({ ...film, scenes: film.scenes.map((scene) => ({ ...scene, description })) }, 'make the ball orange').film;
    const words = (description: string) => worded(description).scenes[0]?.description;
    expect(words('A red ball, my grandmother’s, bounces')).toBe('An orange ball, my grandmother’s, bounces');
    expect(words('Red! It bounces')).toBe('Orange! It bounces');
    expect(words('A red ball on a red floor')).toBe('A red ball on a red floor');
    expect(words('It bounces, redder and redder')).toBe('It bounces, redder and redder');
  });
});
