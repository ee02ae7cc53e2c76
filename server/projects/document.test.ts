import { Readable } from 'node:stream';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KodaError } from '#contract/errors.ts';
import type { EventBody } from '#contract/events.ts';
import { newId } from '#contract/ids.ts';
import type { Phase, Plan, Todo } from '#contract/project.ts';
import { applyFilmEdits, type FilmEdit } from '#kinds/film/contract/edit.ts';
import { type Film, type FormatScene, filmPath, scenePath } from '#kinds/film/contract/film.ts';
import { filmIn } from '../../test/fixtures/plans.ts';
import { noRenderer } from '../../test/fixtures/renderer.ts';
import { shopFilm } from '../../test/fixtures/shop-film.ts';
import { rethrow, tempStores, testPerson } from '../../test/fixtures/storage.ts';
import { localPerson } from '../access/access.ts';
import { changeFilm } from '../kinds/film/author/change-film.ts';
import { planOf, readFilm } from '../kinds/film/document/document.ts';
import { printFilm } from '../kinds/film/document/print.ts';
import { filmKind } from '../kinds/film/kind.ts';
import { KeyedLock } from '../lib/keyed-lock.ts';
import { type Sandbox, SandboxdError } from '../sandbox/sandbox.ts';
import type { ProjectStore } from '../storage/projects.ts';
import { planRevision } from './approvals.ts';
import { Autosave } from './autosave.ts';
import { createProjectService, type ProjectService } from './commands.ts';
import type { ProjectDeps } from './deps.ts';
import { DocumentEdits } from './document.ts';
import { PassedChecks } from './passed-checks.ts';
import { openWorkspace } from './workspace.ts';

const hints = { style: null, aspect: null, durationSeconds: null };
const film = shopFilm(['Bread', 'Tea', 'Milk']);
const signal = new AbortController().signal;

let stores: ReturnType<typeof tempStores>;
let projects: ProjectService;
let id: string;
let disk: DiskOfSandbox | null;
/** Content of the last checkpoint. */
let checkpoint: ReadonlyMap<string, string>;
let saved: string[];

/** A sandbox's files. `writes` are the atomic changes made to it. */
class DiskOfSandbox {
  readonly files: Map<string, string>;
  readonly writes: string[][] = [];
  isDead = false;

  constructor(files: ReadonlyMap<string, string>) {
    this.files = new Map(files);
  }

  readonly sandbox = {
    id: newId('sbx'),
    readFile: async (path: string) => {
      this.#assertAlive();
      const content = this.files.get(path);
      if (content === undefined) throw new SandboxdError('FILE_NOT_FOUND', `There is no file "${path}".`, {});
      return Readable.from([Buffer.from(content)]);
    },
    applyFiles: async ({ changes }: { changes: { path: string; content: string | null }[] }) => {
      this.#assertAlive();
      for (const { path, content } of changes) {
        if (content === null) this.files.delete(path);
        else this.files.set(path, content);
      }
      this.writes.push(changes.map(({ path }) => path));
      const written = changes.flatMap(({ path, content }) => (content === null ? [] : [{ path, sizeBytes: content.length }]));
      return { applied: true, written, deleted: changes.flatMap(({ path, content }) => (content === null ? [path] : [])) };
    },
  } as unknown as Sandbox;

  #assertAlive(): void {
    if (this.isDead) throw new KodaError('SANDBOX_DEAD', 'The sandbox has stopped.');
  }
}

const filesOf = (one: Film) =>
  new Map([
    ['src/formats/format-scene.tsx', ''],
    ...printFilm(one).map(({ path, content }): [string, string] => [path, content]),
  ]);

function deps(): ProjectDeps {
  const unused = () => Promise.reject(new Error('not part of this test'));
  return {
    store: stores.projects,
    runs: stores.runs,
    disk: stores.disk,
    assets: { add: unused, list: async () => [], read: unused, remove: unused, removeAll: unused },
    creator: { branch: unused, import: unused },
    checkpoints: {
      save: async (_id, trigger, { title }) => {
        saved.push(`${trigger} ${title ?? ''}`.trim());
        if (disk !== null) checkpoint = new Map(disk.files);
        return null;
      },
      restore: async () => null,
      restoreTo: unused,
      find: unused,
      removeAll: unused,
    },
    sandboxes: {
      async acquire(_id, { prepare, signal: stop }) {
        if (disk !== null && !disk.isDead) return { sandbox: disk.sandbox, fresh: false };
        const next = new DiskOfSandbox(checkpoint);
        await prepare(next.sandbox, { signal: stop });
        disk = next;
        return { sandbox: next.sandbox, fresh: true };
      },
      find: async () => (disk === null || disk.isDead ? null : disk.sandbox),
      current: () => (disk === null || disk.isDead ? null : disk.sandbox),
      isWaiting: () => false,
      waitedMs: () => 0,
      idleMs: () => 0,
      list: async () => (disk === null ? [] : [id]),
      destroy: async () => undefined,
      removeCache: async () => undefined,
    },
    renders: noRenderer,
    author: () => {
      throw new Error('not part of this test');
    },
    kinds: new Map([[filmKind.id, filmKind]]),
    toolsOf: () => {
      throw new Error('not part of this test');
    },
    agentPermissions: new Set(),
    previewUrl: () => 'http://preview.localhost:3000/',
    onEvent: (listener) => stores.bus.observe(listener, rethrow),
    log: pino({ level: 'silent' }),
  };
}

async function newFilm(phase: Phase = 'complete', todos: Todo[] = []): Promise<string> {
  const projectId = newId('prj');
  const plan = { ...planOf(film), id: newId('plan'), revision: 1, accepted: phase !== 'plan' };
  const approval = { ...{ id: newId('apr'), type: 'plan' as const, content: 'The plan', options: [] }, planId: plan.id };
  await stores.projects.create({
    by: testPerson,
    ...{ id: projectId, name: 'Film', kind: 'animation', prompt: 'Welcome', hints },
    events: [
      { type: 'plan.proposed', plan },
      { type: 'project.phase', phase, previous: 'idle', error: null },
      { type: 'todo.updated', todos },
      ...(phase === 'plan'
        ? [{ type: 'approval.requested' as const, approval: { ...approval, at: new Date().toISOString() } }]
        : []),
    ],
  });
  return projectId;
}

beforeEach(async () => {
  stores = tempStores();
  saved = [];
  checkpoint = filesOf(film);
  disk = new DiskOfSandbox(checkpoint);
  projects = createProjectService(deps());
  id = await newFilm();
});
afterEach(async () => {
  vi.useRealTimers();
  await projects.shutdown();
  stores[Symbol.dispose]();
});

const field = (scene: string, path: (string | number)[], was: unknown, value: unknown): FilmEdit => ({
  ...{ type: 'field', scene, path, was, value },
});
const [opening, items] = film.scenes as [FormatScene, FormatScene];
const text = String(opening.props['text']);
const rename = (value: string, was = text) =>
  projects.as(localPerson).editDocument(id, [field(opening.id, ['text'], was, value)]);
const stored = async () => (await stores.projects.state(id)).plan;
const killSandbox = () => {
  if (disk !== null) disk.isDead = true;
};
const writeFile = (path: string, content: string) => disk?.files.set(path, content);
const fileNow = (path: string) => disk?.files.get(path) ?? '';
const present = () => readFilm(fileNow(filmPath));
const followed = () => vi.waitFor(async () => expect(present()).toEqual((await stored())?.document));
const open = () => openWorkspace(deps(), id, { signal, priority: 'person' });

describe('edits of a film’s document', () => {
  it('X7: are stored, and files and checkpoint follow; quick ones are written once', async () => {
    await Promise.all([rename('One'), rename('Two', 'One'), rename('Three', 'Two')]);
    expect(await stored()).toMatchObject({ revision: 4, accepted: true, sections: [{ title: 'Three' }, {}, {}] });
    await followed();
    expect(disk?.writes).toEqual([[filmPath, 'src/film.ts', scenePath(opening.id)]]);
    expect(fileNow(scenePath(opening.id))).toContain("'Three'");
    await projects.shutdown();
    expect(saved).toEqual(['edit Scene 1: text']);
  });

  it('X7: are allowed while a plan waits, which stays to be accepted', async () => {
    id = await newFilm('plan');
    await rename('Hello');
    expect(await stored()).toMatchObject({ revision: 2, accepted: false });
    expect((await stores.projects.state(id)).approval).not.toBeNull();
    await stores.projects.record(
      id,
      [
        {
          type: 'approval.settled',
          approvalId: (await stores.projects.state(id)).approval?.id ?? '',
          response: { outcome: 'accepted' },
        },
      ],
      { by: testPerson },
    );
    expect(await stored()).toMatchObject({ accepted: true, document: { scenes: [{ props: { text: 'Hello' } }, {}, {}] } });
  });

  it('A5: add, reword and reorder scenes of a proposed plan, without a checkpoint', async () => {
    id = await newFilm('plan');
    const edit = (...edits: FilmEdit[]) => projects.as(localPerson).editDocument(id, edits);
    const described = (scene: string, title: string, description: string): FilmEdit => ({
      ...{ type: 'add', after: opening.id },
      scene: { id: scene, seconds: 2, title, description, code: true, notes: 'Enters.' },
    });
    await edit(described('quoted', 'Bring a towel', '“Bring a towel”'));
    expect(filmIn(await stored()).scenes[1]).toMatchObject({ id: 'quoted', format: 'title', props: { text: 'Bring a towel' } });
    const late = described('late', 'Late', 'Bring a hat');
    await Promise.all([edit(late), edit({ type: 'move', scene: items.id, after: null }), rename('Hello')]);
    expect(await stored()).toMatchObject({ revision: 5, accepted: false, edited: true });
    expect(
      filmIn(await stored())
        .scenes.map((scene) => scene.id)
        .slice(0, 3),
    ).toEqual([items.id, opening.id, 'late']);
    await followed();
    await projects.shutdown();
    expect(saved.filter((name) => name.startsWith('edit'))).toEqual([]);
  });

  it('A5: keep a plan of code scenes editable until it is accepted', async () => {
    id = await newFilm('plan');
    const code = (scene: string) => ({
      id: scene,
      seconds: 3,
      title: scene,
      description: `About ${scene}.`,
      code: true as const,
    });
    const all: Film = { ...film, scenes: [{ ...code('drop'), overlapSeconds: 1 }, code('splash'), code('calm')] };
    const plan = await stored();
    if (plan === null) throw new Error('It was proposed.');
    await stores.projects.record(id, [{ type: 'plan.proposed', plan: { ...plan, ...planOf(all), revision: 2 } }], {
      by: testPerson,
    });
    const words: FilmEdit = {
      ...{ type: 'words', scene: 'drop', field: 'description', was: 'About drop.', value: 'A drop falls.' },
    };
    const edits: FilmEdit[] = [
      words,
      { type: 'seconds', scene: 'calm', was: 3, value: 4.5 },
      { type: 'move', scene: 'drop', after: 'calm' },
      { type: 'remove', scene: 'splash' },
    ];
    const edited = await projects.as(localPerson).editDocument(id, edits);
    expect(edited.sections).toMatchObject([
      { id: 'calm', startSeconds: 0, durationSeconds: 4.5 },
      // It overlapped the next scene, and has none now.
      { id: 'drop', description: 'A drop falls.', startSeconds: 4.5, durationSeconds: 3 },
    ]);

    await projects.as(localPerson).decidePlan(id, { action: 'changes', feedback: 'longer' });
    expect((await stores.projects.state(id)).settled.at(-1)?.response).toMatchObject({
      plan: { scenes: [{ title: 'calm' }, { description: 'A drop falls.' }] },
    });
    id = await newFilm();
    const refused = { code: 'VALIDATION_ERROR', message: expect.stringContaining('Describe the change in a message') };
    const added: FilmEdit = { type: 'add', after: null, scene: code('new') };
    await expect(projects.as(localPerson).editDocument(id, [added])).rejects.toMatchObject(refused);
  });

  it('X7: drop icons that do not exist, as the author does', async () => {
    const path = ['items', 0, 'icon'];
    const edited = await projects.as(localPerson).editDocument(id, [field(items.id, path, null, 'lucide:no-such-thing')]);
    expect(filmIn(edited).scenes[1]).toMatchObject({ props: { items: [{ icon: null }, {}, {}] } });
  });

  it('X7: move the todos of unfinished scenes with their scenes after an error', async () => {
    const todo = (key: string, status: Todo['status']): Todo => ({ id: newId('todo'), key, title: key, status, attempts: 1 });
    const todos = [
      ...[todo('setup', 'done'), todo('scene:1', 'done'), todo('scene:2', 'failed'), todo('scene:3', 'pending')],
      todo('preview', 'pending'),
    ];
    id = await newFilm('error', todos);
    await projects.as(localPerson).editDocument(id, [
      { type: 'move', scene: opening.id, after: items.id },
      { type: 'remove', scene: film.scenes[2]?.id ?? '' },
    ]);
    const now = (await stores.projects.state(id)).todos;
    expect(now.map(({ key, status }) => `${key} ${status}`)).toEqual([
      'setup done',
      'scene:1 failed',
      'scene:2 done',
      'preview pending',
    ]);
    expect(now[1]?.id).toBe(todos[2]?.id);
  });

  it('A22: are in the files of the next sandbox if none is running, or if it exits before they are written', async () => {
    disk = null;
    await rename('One');
    await open();
    expect(present()).toEqual((await stored())?.document);

    await rename('Two', 'One');
    killSandbox();
    checkpoint = filesOf(film);
    await open();
    expect(present()).toEqual((await stored())?.document);
    expect(fileNow(scenePath(opening.id))).toContain("'Two'");
  });

  it('A22: are in the files of a sandbox that outlived a server which was killed before it wrote them', async () => {
    await rename('One');
    const outliving: DiskOfSandbox | null = disk;
    // The next server has only what is stored.
    await projects.shutdown();
    expect(present()).toEqual(film);
    projects = createProjectService(deps());
    const { sandbox } = await open();
    expect(present()).toEqual((await stored())?.document);
    expect(sandbox).toBe(outliving?.sandbox);
  });

  it('A22: are in the files before the agent works on a change, and never written over its work', async () => {
    disk = null;
    await rename('One');
    await stores.projects.record(id, [{ type: 'project.phase', phase: 'executing', previous: 'complete', error: null }], {
      by: testPerson,
    });
    await open();
    expect(present()).toEqual((await stored())?.document);
    const ahead = applyFilmEdits(film, [field(opening.id, ['text'], text, 'By the agent')]);
    for (const [path, content] of filesOf(ahead)) writeFile(path, content);
    await open();
    expect(present()).toEqual(ahead);
  });

  it('X1: a scene that was edited by hand becomes code and keeps its file; another format replaces it', async () => {
    const path = scenePath(opening.id);
    const byHand = `${fileNow(path)}// mine\n`;
    writeFile(path, byHand);
    await expect(rename('One')).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(filmIn(await stored()).scenes[0]).toMatchObject({ code: true });
    await followed();
    expect(fileNow(path)).toBe(byHand);
    const props = { name: 'Ada', role: null };
    await projects
      .as(localPerson)
      .editDocument(id, [{ type: 'format', scene: opening.id, was: null, format: 'lower-third', props }]);
    await followed();
    expect(fileNow(path)).toContain("name: 'Ada'");
  });

  it('X1: keeps a hand-written file that could not be checked in time', async () => {
    const path = scenePath(opening.id);
    const byHand = `${checkpoint.get(path)}// mine\n`;
    checkpoint = new Map([...checkpoint, [path, byHand]]);
    disk = null;
    await rename('One');
    await open();
    expect(fileNow(path)).toBe(byHand);
    expect(filmIn(await stored()).scenes[0]).toMatchObject({ props: { text: 'One' } });
  });
});

/** A step of an author that edits the document it has read, after a delay in which others may edit it. */
type Step =
  | { readonly kind: 'look'; readonly author: number }
  | { readonly kind: 'form'; readonly author: number; readonly field: number; readonly value: string }
  | { readonly kind: 'document'; readonly author: number; readonly value: string }
  | { readonly kind: 'feedback'; readonly value: string };

const words = fc.stringMatching(/^[a-z]{3,8}$/);
const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('look' as const), author: fc.nat(1) }),
  fc.record({ kind: fc.constant('form' as const), author: fc.nat(1), field: fc.nat(3), value: words }),
  fc.record({ kind: fc.constant('document' as const), author: fc.nat(1), value: words }),
  fc.record({ kind: fc.constant('feedback' as const), value: words }),
);

describe('several authors at once', () => {
  const places: readonly (readonly (string | number)[])[] = [
    ['items', 0, 'text'],
    ['items', 1, 'text'],
    ['items', 2, 'text'],
    ['title'],
  ];
  const fieldIn = (one: Film, path: readonly (string | number)[]): unknown =>
    path.reduce<unknown>((value, key) => Reflect.get(value as object, key), (one.scenes[1] as FormatScene).props);

  /** Applies the same edits to an in-memory project, because hundreds of durable writes take too long. */
  async function inMemory() {
    let state = await stores.projects.state(id);
    const propose = (plan: Plan) => {
      state = { ...state, plan };
    };
    const store: ProjectStore = Object.assign(Object.create(stores.projects) as ProjectStore, {
      state: async () => state,
      record: async (_id: string, bodies: readonly EventBody[]) => {
        for (const body of bodies) if (body.type === 'plan.proposed') propose(body.plan);
        return [];
      },
    });
    disk = null;
    const core = { ...deps(), store, lock: new KeyedLock(), passedChecks: new PassedChecks(), actions: new Map() };
    return { edits: new DocumentEdits(core, new Autosave(core)), state: () => state, propose };
  }

  it('X7: lose no acknowledged edit, and a refused one leaves no trace', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 14 }), async (course) => {
        const { edits: documents, state: storedState, propose } = await inMemory();
        const seen = [film, film] as [Film, Film];
        // Expected content of the film at the end, by place.
        const expected = new Map<number, unknown>(places.map((path, index) => [index, fieldIn(film, path)]));
        // The built-in author changes the document as a run does.
        const giveFeedback = (before: Plan, current: Film, value: string) => {
          const { film: changed } = changeFilm(current, `first item: ${value}`, { assets: [] });
          propose(planRevision(deps(), { ...storedState(), plan: before }, planOf(changed), { as: 'update' }));
          expected.set(0, fieldIn(changed, places[0] ?? []));
        };
        const edit = async (before: Plan, author: 0 | 1, indexes: readonly number[], value: string) => {
          const view = seen[author];
          const edits = indexes.map((index) => {
            const path = places[index] ?? [];
            return field(items.id, [...path], fieldIn(view, path), `${value} ${index}`);
          });
          try {
            const answer = await documents.edit(id, edits, testPerson);
            seen[author] = filmIn(answer);
            for (const index of indexes) expected.set(index, `${value} ${index}`);
            expect(answer.revision).toBe(before.revision + 1);
          } catch (error) {
            if (!(error instanceof KodaError) || error.code !== 'CONFLICT') throw error;
            expect(storedState().plan).toEqual(before);
            expect(indexes.some((index) => fieldIn(view, places[index] ?? []) !== expected.get(index))).toBe(true);
          }
        };
        const take = async (step: Step) => {
          const before = storedState().plan;
          if (before === null) throw new Error('The film has a plan.');
          const current = filmIn(before);
          if (step.kind === 'look') seen[step.author as 0 | 1] = current;
          else if (step.kind === 'feedback') giveFeedback(before, current, step.value);
          else {
            const indexes = step.kind === 'form' ? [step.field] : places.map((_, index) => index);
            await edit(before, step.author as 0 | 1, indexes, step.value);
          }
        };
        for (const step of course) await take(step);
        const end = filmIn(storedState().plan);
        expect(places.map((path) => fieldIn(end, path))).toEqual([...expected.values()]);
      }),
      { numRuns: 100 },
    );
  });
});
