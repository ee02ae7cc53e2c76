import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyFilmEdits, type FilmEdit } from '#kinds/film/contract/edit.ts';
import type { Film } from '#kinds/film/contract/film.ts';
import {
  acceptServer,
  applyLocal,
  endGroup,
  type FilmState,
  isSaved,
  keepLocal,
  openFilm,
  rebase,
  redoStep,
  sendingDone,
  sendingFailed,
  startSending,
  undoStep,
} from './film-state.ts';

const film: Film = {
  ...{ version: 3, title: 'Power', style: 'smooth', theme: 'studio', aspect: '16:9', fps: 60, seed: 1, language: 'en' },
  ...{ colors: {}, music: null },
  scenes: ['one', 'two', 'three'].map((id) => ({ id, seconds: 3, format: 'title', props: { text: id, subtitle: null } })),
};
const place = { sceneId: 'one', field: 'text' };
const alone = { place, group: null };

const text = (scene: string, was: string | null, value: string | null): FilmEdit => ({
  ...{ type: 'field', scene, path: ['text'], was, value },
});
const textOf = (state: FilmState, scene: string) => {
  const found = state.film.scenes.find(({ id }) => id === scene);
  return found === undefined || 'code' in found ? undefined : found.props['text'];
};
const typed = (state: FilmState, word: string) =>
  [...word].reduce((now, _, index) => {
    const was = index === 0 ? 'one' : word.slice(0, index);
    return applyLocal(now, [text('one', was, word.slice(0, index + 1))], { place, group: 'one text' });
  }, state);
const stored = (next: Film, revision = 2) => ({ revision, film: next });

describe('edits of the user', () => {
  it('X7: typing in one field is one edit and one step', () => {
    const state = typed(openFilm({ revision: 1, film }), 'hello');
    expect(state.waiting).toEqual([text('one', 'one', 'hello')]);
    expect(state.undo).toHaveLength(1);
    const undone = undoStep(state);
    expect(textOf(undone.state, 'one')).toBe('one');
    expect(undone.place).toEqual(place);
    expect(isSaved(undone.state)).toBe(true);
    expect(textOf(redoStep(undone.state).state, 'one')).toBe('hello');
  });

  it('X7: a field that was left starts a new step', () => {
    const first = endGroup(typed(openFilm({ revision: 1, film }), 'hi'));
    const second = applyLocal(first, [text('one', 'hi', 'high')], { place, group: 'one text' });
    expect(second.undo).toHaveLength(2);
    expect(textOf(undoStep(second).state, 'one')).toBe('hi');
  });

  it('X7: keeps 200 steps', () => {
    let state = openFilm({ revision: 1, film });
    for (let count = 0; count < 250; count += 1)
      state = applyLocal(state, [{ type: 'seconds', scene: 'one', was: 3 + count, value: 4 + count }], alone);
    expect(state.undo).toHaveLength(200);
  });

  it('X7: undo gives back what any edits have changed', () => {
    const edits = fc.array(
      fc.tuple(fc.constantFrom('one', 'two', 'three'), fc.constantFrom('text', 'move', 'seconds', 'look', 'remove'), fc.nat(9)),
      {
        maxLength: 30,
      },
    );
    fc.assert(
      fc.property(edits, (list) => {
        const states = [openFilm({ revision: 1, film })];
        for (const [scene, type, value] of list) {
          const state = states.at(-1) ?? openFilm({ revision: 1, film });
          const edit = editOf(state, { scene, type, value });
          if (edit !== null) states.push(applyLocal(state, [edit], alone));
        }
        let state = states.at(-1) ?? openFilm({ revision: 1, film });
        for (const before of states.slice(0, -1).toReversed()) {
          state = undoStep(state).state;
          expect(state.film).toEqual(before.film);
        }
        expect(applyFilmEdits(film, state.waiting)).toEqual(film);
      }),
    );
  });
});

function editOf(state: FilmState, { scene, type, value }: { scene: string; type: string; value: number }): FilmEdit | null {
  const found = state.film.scenes.find(({ id }) => id === scene);
  if (found === undefined) return null;
  const others = state.film.scenes.filter(({ id }) => id !== scene);
  switch (type) {
    case 'text':
      return text(scene, String(textOf(state, scene)), `text ${value}`);
    case 'move':
      return { type: 'move', scene, after: others[value]?.id ?? null };
    case 'seconds':
      return { type: 'seconds', scene, was: found.seconds, value: value + 1 };
    case 'look':
      return { type: 'look', field: 'title', was: state.film.title, value: `Film ${value}` };
    default:
      return others.length === 0 ? null : { type: 'remove', scene };
  }
}

describe('edits on their way', () => {
  it('X7: edits that are made during a request wait for the next one', () => {
    const sending = startSending(typed(openFilm({ revision: 1, film }), 'hello'));
    if (sending === null) throw new Error('expected an edit to send');
    expect(startSending(sending)).toBeNull();
    const more = applyLocal(sending, [text('one', 'hello', 'hello you')], alone);
    const done = sendingDone(more, stored(applyFilmEdits(film, sending.sending)));
    expect(textOf(done, 'one')).toBe('hello you');
    expect(done.waiting).toEqual([text('one', 'hello', 'hello you')]);
  });

  it('X7: a failed request loses nothing', () => {
    const sending = startSending(typed(openFilm({ revision: 1, film }), 'hello'));
    if (sending === null) throw new Error('expected an edit to send');
    const failed = sendingFailed(applyLocal(sending, [text('one', 'hello', 'hello you')], alone));
    expect(failed.waiting).toEqual([text('one', 'one', 'hello you')]);
    expect(textOf(failed, 'one')).toBe('hello you');
  });

  it('X7: an edit whose answer was lost is not made twice', () => {
    const state = typed(openFilm({ revision: 1, film }), 'hello');
    const rebased = rebase(state, stored(applyFilmEdits(film, state.waiting)));
    expect(isSaved(rebased)).toBe(true);
    expect(textOf(rebased, 'one')).toBe('hello');
  });
});

describe('edits by someone else', () => {
  it('X7: keeps the edits of both where they differ', () => {
    const state = typed(openFilm({ revision: 1, film }), 'mine');
    const theirs = applyFilmEdits(film, [text('two', 'two', 'theirs'), { type: 'move', scene: 'three', after: null }]);
    const rebased = rebase(state, stored(theirs));
    expect(rebased.conflict).toBeNull();
    expect([textOf(rebased, 'one'), textOf(rebased, 'two')]).toEqual(['mine', 'theirs']);
    expect(rebased.film.scenes[0]?.id).toBe('three');
  });

  it('X7: asks about a value that both have changed, and sends nothing until then', () => {
    const theirs = stored(applyFilmEdits(film, [text('one', 'one', 'theirs')]));
    const rebased = rebase(typed(openFilm({ revision: 1, film }), 'mine'), theirs);
    expect(textOf(rebased, 'one')).toBe('mine');
    expect(startSending(rebased)).toBeNull();
    expect(startSending(keepLocal(rebased))?.sending).toEqual([text('one', 'theirs', 'mine')]);
    expect(textOf(acceptServer(rebased), 'one')).toBe('theirs');
    expect(isSaved(acceptServer(rebased))).toBe(true);
  });

  it('X7: takes what is typed during a conflict into the choice', () => {
    const theirs = stored(applyFilmEdits(film, [text('one', 'one', 'theirs')]));
    const rebased = applyLocal(
      rebase(typed(openFilm({ revision: 1, film }), 'mine'), theirs),
      [text('one', 'mine', 'mine too')],
      alone,
    );
    expect(startSending(keepLocal(rebased))?.sending).toEqual([text('one', 'theirs', 'mine too')]);
    expect(textOf(acceptServer(rebased), 'one')).toBe('theirs');
  });

  it('X7: leaves out an undo step whose value has changed since', () => {
    const state = typed(openFilm({ revision: 1, film }), 'mine');
    const sent = rebase({ ...state, waiting: [] }, stored(applyFilmEdits(film, [text('one', 'one', 'theirs')])));
    const undone = undoStep(sent);
    expect(undone.refused).toBe(true);
    expect(textOf(undone.state, 'one')).toBe('theirs');
  });

  it('X7: drops edits to a removed scene', () => {
    const state = typed(openFilm({ revision: 1, film }), 'mine');
    const rebased = rebase(state, stored(applyFilmEdits(film, [{ type: 'remove', scene: 'one' }])));
    expect(isSaved(rebased)).toBe(true);
    expect(rebased.film.scenes).toHaveLength(2);
  });
});
