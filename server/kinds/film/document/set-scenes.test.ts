import { describe, expect, it } from 'vitest';
import type { Plan } from '#contract/project.ts';
import { type Film, filmPath, scenePath } from '#kinds/film/contract/film.ts';
import { filmOf } from '#kinds/film/contract/outline.ts';
import { filmToolInputs, type SetScenesInput } from '#kinds/film/contract/tools.ts';
import { formats } from '../formats/catalogue.ts';
import { planOf, problemsOf } from './document.ts';
import { listPath, printFilm } from './print.ts';
import { setScenes, withPrinted } from './set-scenes.ts';

const quote = { text: 'Less, but better.', emphasis: null, author: 'Dieter Rams', role: null, portrait: null, stars: null };
const scenes = [
  { format: 'checklist', props: { title: 'Packed', items: [{ text: 'Tea', icon: 'lucide:coffee', done: true }] } },
  { code: true, seconds: 3, title: 'A dance', description: 'Two ribbons dance.' },
  { format: 'quote', props: quote },
];
const look = { title: 'Film', style: 'smooth', theme: 'studio', aspect: '16:9', fps: 60 };

const input = (changed: readonly unknown[] = scenes, more = {}): SetScenesInput =>
  filmToolInputs.set_scenes.parse({ ...look, ...more, scenes: changed });
const project = { projectId: 'prj_1', plan: null, assets: [], files: null };

function filmSet(from = input()): Film {
  const set = setScenes(from, project);
  const film = 'problems' in set ? null : filmOf(set.plan);
  if (film === null) throw new Error(JSON.stringify(set));
  return film;
}

const accepted = (film: Film): Plan => ({ ...planOf(film), id: 'plan_1', revision: 1, accepted: true });
const danced = { path: scenePath('scene-2'), content: 'export const Overlay = () => null;\n' };

describe('scenes that a language model sets', () => {
  it('A4: make a plan that keeps the rules, with lengths from the formats', () => {
    const set = setScenes(input(), project);
    if ('problems' in set) throw new Error(set.problems.join());
    expect(problemsOf(set.plan)).toEqual([]);
    expect(filmOf(set.plan)?.scenes.map(({ id }) => id)).toEqual(['scene-1', 'scene-2', 'scene-3']);
    expect(filmOf(set.plan)?.scenes[2]?.seconds).toBeGreaterThan(2);
    expect(set.files).toEqual([]);
  });

  it('A4: accept the example of every format', () => {
    for (const { id, example } of formats) {
      const set = setScenes(input([{ format: id, props: example }]), project);
      if ('problems' in set)
        expect(
          set.problems.filter((problem) => !problem.includes('upload')),
          id,
        ).toEqual([]);
    }
  });

  it('A4: come back with a reason for each field, all at once', () => {
    const set = setScenes(
      input([
        { format: 'quote', props: { ...quote, text: 'x'.repeat(500), stars: 'many' } },
        { format: 'gantt', props: {} },
        { id: 'scene-9', format: 'quote', props: { ...quote, mood: 'calm' } },
        { format: 'quote', props: { ...quote, portrait: '/assets/me.png' } },
      ]),
      project,
    );
    expect('problems' in set && set.problems).toEqual([
      expect.stringMatching(/^Scene 1, text: .*220/),
      expect.stringMatching(/^Scene 1, stars: must be a number/),
      expect.stringMatching(/^Scene 2, format: there is no "gantt"/),
      expect.stringMatching(/^Scene 3: there is no scene "scene-9"/),
      'Scene 3, mood: Quote has no such field.',
      'Scene 4, /assets/me.png: there is no such upload.',
    ]);
  });

  it('A4: leave unknown icons out, and say so', () => {
    const items = [{ text: 'Tea', icon: 'lucide:no-such-icon', done: true }];
    const set = setScenes(input([{ format: 'checklist', props: { title: null, items } }]), project);
    expect(set).toMatchObject({ notes: [expect.stringContaining('lucide:no-such-icon')] });
  });

  it('A4: come back if an actor has an icon that does not exist, with similar ones', () => {
    const actors = [{ icon: 'fluent:grumpy-golden-cat', count: 1, color: null }];
    const props = { caption: null, actors, place: 'none', beats: [{ actor: 0, act: 'walk', target: null }] };
    const set = setScenes(input([{ format: 'icon-story', props }]), project);
    expect(set).toMatchObject({
      problems: [expect.stringMatching(/^Scene 1: .*fluent:grumpy-golden-cat\. Similar icons: .*fluent:cat/)],
    });
    expect('problems' in set && set.problems[0]?.match(/(?:lucide|fluent):/gu)?.length).toBeLessThanOrEqual(6);
  });

  it('A9: change the files that differ, once the plan is accepted', () => {
    const film = filmSet();
    const files = [...printFilm(film), danced];
    const changed = input([...scenes.slice(0, 2), { format: 'quote', props: { ...quote, author: 'D. Rams' } }]);
    const set = setScenes(changed, { ...project, plan: accepted(film), files });
    if ('problems' in set) throw new Error(set.problems.join());
    expect(set.files.map(({ path }) => path).sort()).toEqual([filmPath, listPath, scenePath('scene-3')]);
    const fewer = setScenes(input(scenes.slice(0, 2)), { ...project, plan: accepted(film), files });
    expect(fewer).toMatchObject({ deleted: [scenePath('scene-3')] });
  });

  it('A9: keep a hand-edited scene as code, byte for byte', () => {
    const film = filmSet();
    const files = [...printFilm(film), danced].map((file) =>
      file.path === scenePath('scene-1') ? { ...file, content: `${file.content}// by hand\n` } : file,
    );
    const set = setScenes(input(scenes, { style: 'playful' }), { ...project, plan: accepted(film), files });
    if ('problems' in set) throw new Error(set.problems.join());
    expect(filmOf(set.plan)?.scenes[0]).toMatchObject({ id: 'scene-1', code: true });
    expect(set.files.map(({ path }) => path)).not.toContain(scenePath('scene-1'));
    expect(set.notes).toEqual([expect.stringContaining('edited by hand')]);
  });

  it('A9: replace the code of a scene that is a format now', () => {
    const film = filmSet();
    const files = [...printFilm(film), danced];
    const set = setScenes(input(scenes.map((scene) => ('code' in scene ? { format: 'quote', props: quote } : scene))), {
      ...project,
      plan: accepted(film),
      files,
    });
    if ('problems' in set) throw new Error(set.problems.join());
    expect(set.files.find(({ path }) => path === danced.path)?.content).toContain('QuoteFormat');
  });

  it('A9: leave a hand-written list of scenes unchanged', () => {
    const film = filmSet();
    const files = [...printFilm(film), danced].map((file) => (file.path === listPath ? { ...file, content: '// mine\n' } : file));
    const set = setScenes(input(scenes.slice(0, 2)), { ...project, plan: accepted(film), files });
    expect(set).toMatchObject({ problems: [expect.stringContaining(listPath)] });
  });
});

describe('the code of a film with formats', () => {
  it('A7: is the model’s for its own scenes, and Koda’s for all else', () => {
    const film = filmSet();
    const plan = accepted(film);
    const first = printFilm(film).filter(({ path }) => path === scenePath('scene-1'));
    const generated = {
      files: [danced, { path: listPath, content: 'no' }, { path: 'src/theme.ts', content: 'no' }],
      deleted: [],
      summary: 'x',
    };
    const task = { task: 'create_scene' as const, scenes: [2], components: [] };
    const { files } = withPrinted(generated, { task, plan, files: first });
    expect(files.map(({ path }) => path)).toEqual([danced.path, listPath]);
    expect(files[1]?.content).toContain("from './scenes/scene-2.tsx'");
    const change = { task: 'modify_existing' as const, files: [listPath], change: 'x' };
    expect(withPrinted(generated, { task: change, plan, files: first })).toBe(generated);
  });
});
