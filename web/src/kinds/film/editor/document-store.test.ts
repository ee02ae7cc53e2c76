import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { errorTraits, KodaError } from '#contract/errors.ts';
import { applyFilmEdits, type FilmEdit, filmEditsRequestSchema } from '#kinds/film/contract/edit.ts';
import type { Film } from '#kinds/film/contract/film.ts';
import { filmApi } from '../film-document.ts';
import { DocumentStore, unsavedReason } from './document-store.ts';

const opening: Film = {
  ...{ version: 3, title: 'Power', style: 'smooth', theme: 'studio', aspect: '16:9', fps: 60, seed: 1, language: 'en' },
  ...{ colors: {}, music: null },
  scenes: ['one', 'two', 'three'].map((id) => ({ id, seconds: 3, format: 'title', props: { text: id, subtitle: null } })),
};
const text = (scene: string, was: string, value: string): FilmEdit => ({ type: 'field', scene, path: ['text'], was, value });
const textOf = (film: Film | undefined, id: string) => {
  const scene = film?.scenes.find((each) => each.id === id);
  return scene === undefined || 'code' in scene ? undefined : scene.props['text'];
};

/** Responds like the server's document routes. */
class FakeServer {
  film = opening;
  revision = 1;
  running = false;
  requests = 0;
  /** Failure of the next requests: no response, before or after the edits are stored; or an error status. */
  fault: 'offline' | 'response lost' | 503 | null = null;
  /** Delays responses until it resolves. */
  gate: Promise<void> = Promise.resolve();

  change(...edits: FilmEdit[]): void {
    this.film = applyFilmEdits(this.film, edits);
    this.revision += 1;
  }

  readonly fetch = async (path: string, init: RequestInit): Promise<Response> => {
    this.requests += 1;
    if (this.fault === 'offline') throw new TypeError('Failed to fetch');
    if (this.fault === 503) return failure(new KodaError('SERVICE_UNAVAILABLE', 'Busy.'));
    expect(path).toMatch(/^\/api\/projects\/prj_1\/document(\/edits)?$/);
    try {
      const response =
        init.method === 'POST' ? this.#edit(String(init.body)) : this.#document({ unused: null, naturalSeconds: {} });
      await this.gate;
      if (this.fault === 'response lost') throw new TypeError('Failed to fetch');
      return response;
    } catch (error) {
      if (error instanceof KodaError) return failure(error);
      throw error;
    }
  };

  #edit(body: string): Response {
    const { edits } = filmEditsRequestSchema.parse(JSON.parse(body));
    if (this.running) throw new KodaError('INVALID_TRANSITION', 'Koda is still writing this film.', { recovery: 'wait' });
    const next = applyFilmEdits(this.film, edits);
    if (next.scenes.some((scene) => String(textOf(next, scene.id)).length > 60))
      throw new KodaError('VALIDATION_ERROR', 'Scene 1, text: at most 60 characters.', { recovery: 'correct_request' });
    this.film = next;
    this.revision += 1;
    return this.#document({});
  }

  #document(more: object): Response {
    return Response.json({ revision: this.revision, film: this.film, ...more });
  }
}

const failure = (error: KodaError) => Response.json(error.toEnvelope(), { status: errorTraits(error.code).status });

let server: FakeServer;
const notify = vi.fn<(words: string) => void>();

/** A page with its own storage, which survives a reload. */
class FakePage {
  readonly kept = new Map<string, string>();
  editor = this.#open();

  #open(): DocumentStore {
    const { kept } = this;
    return new DocumentStore({
      send: (edits) => filmApi.edit('prj_1', edits),
      read: () => filmApi.document('prj_1'),
      storage: {
        read: (name) => kept.get(name) ?? null,
        write: (name, value) => (value === null ? kept.delete(name) : kept.set(name, value)),
      },
      storageName: 'edits',
      notify,
    });
  }

  /** Delivers the project's newest event. */
  follow(planId = 'plan_1', { accepted } = { accepted: true }): void {
    this.editor.follow({ id: planId, revision: server.revision, accepted, film: server.film }, server.running);
  }

  reload(): void {
    this.editor = this.#open();
    this.follow();
  }

  get state() {
    return this.editor.store.getState();
  }

  get shown(): Film | undefined {
    return this.state.film?.film;
  }
}

const openPage = () => {
  const page = new FakePage();
  page.follow();
  return page;
};
const quiet = () => vi.advanceTimersByTimeAsync(1_000);

beforeEach(() => {
  vi.useFakeTimers();
  notify.mockReset();
  server = new FakeServer();
  vi.stubGlobal('fetch', server.fetch);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a plan that waits for approval', () => {
  const propose = () => {
    const page = new FakePage();
    page.follow('plan_1', { accepted: false });
    return page;
  };
  const wave = { id: 'wave', seconds: 3, title: 'A wave', description: 'A wave rolls in.', code: true as const };

  it('A5: brings a removed code scene back, and takes its words one field at a time', async () => {
    const page = propose();
    page.editor.edit([{ type: 'add', after: null, scene: wave }], { sceneId: 'wave', field: null });
    for (const text of ['A', 'A wave', 'A wave breaks.']) page.editor.setWords('wave', 'description', text);
    page.editor.edit([{ type: 'remove', scene: 'wave' }], { sceneId: 'wave', field: null });
    page.editor.undo();
    expect(page.shown?.scenes[0]).toEqual({ ...wave, description: 'A wave breaks.' });
    page.editor.undo();
    expect(page.shown?.scenes[0]).toEqual(wave);
    expect(await page.editor.settle()).toBe(true);
    expect(server.film.scenes[0]).toEqual(wave);
  });

  it('A5: is accepted only with all edits: those of a running request and the ones after it', async () => {
    const page = propose();
    const { promise, resolve } = Promise.withResolvers<void>();
    server.gate = promise;
    page.editor.setField('one', ['text'], 'first');
    await quiet();
    page.editor.setField('two', ['text'], 'second');
    const settled = page.editor.settle();
    resolve();
    expect(await settled).toBe(true);
    expect([textOf(server.film, 'one'), textOf(server.film, 'two')]).toEqual(['first', 'second']);
  });

  it('A5: names what keeps it from being accepted', async () => {
    const page = propose();
    page.editor.setDraft('two text', '');
    expect(unsavedReason(page.state)).toBe('Correct the marked field of scene 2 first.');
    page.editor.setDraft('two text', null);
    expect(unsavedReason(page.state)).toBeNull();
    page.editor.setField('one', ['text'], 'mine');
    server.change(text('one', 'one', 'theirs'));
    expect(await page.editor.settle()).toBe(false);
    expect(unsavedReason(page.state)).toBe('Choose whose text to keep first.');
  });

  it('A5: refuses lengths that no plan can have, with the reason', () => {
    const page = propose();
    const added = Array.from({ length: 5 }, (_, index) => ({ ...wave, id: `wave-${index}` }));
    const edits = added.map((scene): FilmEdit => ({ type: 'add', after: null, scene: { ...scene, seconds: 2 } }));
    expect(page.editor.edit(edits, { sceneId: null, field: null })).toContain('8 scenes are too many for 19 s');
    expect(page.shown?.scenes).toHaveLength(3);
  });
});

describe('saving', () => {
  it('X7: sends what is typed once, 0.8 s after the last key', async () => {
    const { editor, state } = openPage();
    for (const word of ['h', 'he', 'hey']) {
      editor.setField('one', ['text'], word);
      await vi.advanceTimersByTimeAsync(500);
    }
    expect([server.requests, state.save.kind]).toEqual([0, 'saved']);
    await quiet();
    expect([server.requests, textOf(server.film, 'one')]).toEqual([1, 'hey']);
  });

  it('X7: edits made during a request follow in the next one', async () => {
    const page = openPage();
    const { promise, resolve } = Promise.withResolvers<void>();
    server.gate = promise;
    page.editor.setField('one', ['text'], 'first');
    await quiet();
    page.editor.setField('one', ['text'], 'second');
    await quiet();
    expect(server.requests).toBe(1);
    page.follow();
    expect(textOf(page.shown, 'one')).toBe('second');
    resolve();
    await quiet();
    expect([server.requests, textOf(server.film, 'one')]).toEqual([2, 'second']);
    expect(page.state.save.kind).toBe('saved');
  });

  it('X7: a value that the server refuses stays, says why, and is sent again when it is corrected', async () => {
    const page = openPage();
    page.editor.setField('one', ['text'], 'x'.repeat(61));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(page.state.save).toEqual({ kind: 'refused', message: 'Scene 1, text: at most 60 characters.' });
    expect(server.requests).toBe(1);
    page.editor.setField('one', ['text'], 'short');
    await quiet();
    expect(textOf(server.film, 'one')).toBe('short');
    expect(page.state.save.kind).toBe('saved');
  });

  it('X7: leaving the project sends the last edits', async () => {
    const page = openPage();
    page.editor.setField('one', ['text'], 'last words');
    page.editor.close();
    await quiet();
    expect(textOf(server.film, 'one')).toBe('last words');
  });
});

describe('a broken connection', () => {
  it.each(['offline', 503] as const)('X7: %s: repeats the request until it succeeds, and loses nothing', async (fault) => {
    const page = openPage();
    server.fault = fault;
    page.editor.setField('one', ['text'], 'mine');
    await quiet();
    expect(page.state.save.kind).toBe('failed');
    page.editor.setField('two', ['text'], 'mine too');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(page.state.save.kind).toBe('failed');
    expect(server.requests).toBeLessThan(8);
    server.fault = null;
    await vi.advanceTimersByTimeAsync(30_000);
    expect([textOf(server.film, 'one'), textOf(server.film, 'two')]).toEqual(['mine', 'mine too']);
    expect(page.state.save.kind).toBe('saved');
  });

  it('X7: a lost response is no conflict with oneself, even if the user has typed on', async () => {
    const page = openPage();
    server.fault = 'response lost';
    page.editor.setField('one', ['text'], 'first');
    await quiet();
    expect(textOf(server.film, 'one')).toBe('first');
    page.editor.setField('one', ['text'], 'second');
    server.fault = null;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(page.state.film?.conflict).toBeNull();
    expect(textOf(server.film, 'one')).toBe('second');
    expect(page.state.save.kind).toBe('saved');
  });

  it('X7: a scene whose response was lost is added once', async () => {
    const page = openPage();
    server.fault = 'response lost';
    const scene = { id: 'four', seconds: 3, format: 'title', props: { text: 'four', subtitle: null } };
    page.editor.edit([{ type: 'add', after: 'three', scene }], { sceneId: 'four', field: null });
    await quiet();
    server.fault = null;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(server.film.scenes.map(({ id }) => id)).toEqual(['one', 'two', 'three', 'four']);
    expect(page.state.save.kind).toBe('saved');
    expect(notify).not.toHaveBeenCalled();
  });

  it('X7: a reload sends the edits that were not sent', async () => {
    const page = openPage();
    server.fault = 'offline';
    page.editor.setField('one', ['text'], 'mine');
    await quiet();
    page.editor.setField('two', ['text'], 'mine too');
    page.editor.close();
    server.fault = null;
    page.reload();
    expect([textOf(page.shown, 'one'), textOf(page.shown, 'two')]).toEqual(['mine', 'mine too']);
    await quiet();
    expect([textOf(server.film, 'one'), textOf(server.film, 'two')]).toEqual(['mine', 'mine too']);
    expect(page.kept.size).toBe(0);
  });

  it('X7: a reload asks about a value that someone else has changed since', async () => {
    const page = openPage();
    page.editor.setField('one', ['text'], 'mine');
    server.change(text('one', 'one', 'theirs'));
    page.reload();
    await quiet();
    expect(page.state.save.kind).toBe('conflict');
    expect([textOf(page.shown, 'one'), textOf(server.film, 'one')]).toEqual(['mine', 'theirs']);
  });
});

describe('while Koda writes', () => {
  it('X7: edits wait, are shown, and are saved when Koda has finished', async () => {
    const page = openPage();
    server.running = true;
    page.follow();
    page.editor.setField('one', ['text'], 'mine');
    await quiet();
    expect(page.state.save.kind).toBe('waits for Koda');
    server.change(text('two', 'two', 'by Koda'));
    page.follow();
    expect([textOf(page.shown, 'one'), textOf(page.shown, 'two')]).toEqual(['mine', 'by Koda']);
    await vi.advanceTimersByTimeAsync(60_000);
    server.running = false;
    page.follow();
    await quiet();
    expect(textOf(server.film, 'one')).toBe('mine');
    expect(page.state.save.kind).toBe('saved');
  });

  it('X7: edits do not wait forever if Koda finishes before the response arrives', async () => {
    const page = openPage();
    const { promise, resolve } = Promise.withResolvers<void>();
    server.running = true;
    page.follow();
    vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
      const response = await server.fetch(path, init);
      await promise;
      return response;
    });
    page.editor.setField('one', ['text'], 'mine');
    await quiet();
    server.running = false;
    page.follow();
    resolve();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(textOf(server.film, 'one')).toBe('mine');
    expect(page.state.save.kind).toBe('saved');
  });

  it('X7: a new plan replaces the film, even if its revision is lower', async () => {
    server.revision = 7;
    const page = openPage();
    const { promise, resolve } = Promise.withResolvers<void>();
    server.gate = promise;
    page.editor.setField('one', ['text'], 'mine');
    await quiet();
    server.film = { ...opening, title: 'Another plan' };
    server.revision = 1;
    page.follow('plan_2');
    resolve();
    await quiet();
    expect(page.shown?.title).toBe('Another plan');
  });
});

describe('two pages with one document', () => {
  it('X7: keep the edits of both where they differ', async () => {
    const [here, there] = [openPage(), openPage()];
    here.editor.setField('one', ['text'], 'from here');
    there.editor.setField('two', ['text'], 'from there');
    there.editor.edit([{ type: 'move', scene: 'three', after: null }], { sceneId: 'three', field: null });
    await quiet();
    for (const page of [here, there]) page.follow();
    await quiet();
    for (const { shown } of [here, there]) {
      expect(shown).toEqual(server.film);
      expect([textOf(shown, 'one'), textOf(shown, 'two'), shown?.scenes[0]?.id]).toEqual(['from here', 'from there', 'three']);
    }
  });

  it('X7: the second one to change a value is asked, and the other one sees the choice', async () => {
    const [here, there] = [openPage(), openPage()];
    here.editor.setField('one', ['text'], 'from here');
    await quiet();
    there.editor.setField('one', ['text'], 'from there');
    await quiet();
    expect(there.state.save.kind).toBe('conflict');
    expect(there.state.changedBy).toBe('Another page or program');
    expect([textOf(there.shown, 'one'), textOf(server.film, 'one')]).toEqual(['from there', 'from here']);
    const requests = server.requests;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.requests).toBe(requests);
    there.editor.keepLocal();
    await quiet();
    here.follow();
    expect(textOf(here.shown, 'one')).toBe('from there');
    expect([here.state.save.kind, there.state.save.kind]).toEqual(['saved', 'saved']);
  });

  it('X7: scenes that both add at the same time are both kept', async () => {
    const [here, there] = [openPage(), openPage()];
    const added = (id: string) => ({ id, seconds: 3, format: 'title', props: { text: id, subtitle: null } });
    here.editor.edit([{ type: 'add', after: 'two', scene: added('here') }], { sceneId: 'here', field: null });
    there.editor.edit([{ type: 'remove', scene: 'two' }], { sceneId: 'two', field: null });
    await there.editor.flush();
    await quiet();
    await quiet();
    expect(server.film.scenes.map(({ id }) => id)).toEqual(['one', 'three', 'here']);
    expect(here.state.save.kind).toBe('saved');
    expect(notify).not.toHaveBeenCalled();
  });

  it('X7: reports an edit to a scene that another page has removed', async () => {
    const [here, there] = [openPage(), openPage()];
    there.editor.edit([{ type: 'remove', scene: 'two' }], { sceneId: 'two', field: null });
    await there.editor.flush();
    here.editor.setField('two', ['text'], 'lost');
    here.editor.setField('one', ['text'], 'kept');
    await quiet();
    await quiet();
    expect(notify).toHaveBeenCalledExactlyOnceWith(
      'Your edits to scene 2 were not saved, because the film has changed there in the meantime.',
    );
    expect(here.shown?.scenes.map(({ id }) => id)).toEqual(['one', 'three']);
    expect(textOf(server.film, 'one')).toBe('kept');
    expect(here.state.save.kind).toBe('saved');
  });
});
