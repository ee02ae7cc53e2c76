import { expect, it } from 'vitest';
import type { Plan } from '#contract/project.ts';
import { draftOf } from '../../../test/fixtures/plans.ts';
import type { StoredTexts } from '../browser-storage.ts';
import { hasIssues } from './issues.ts';
import { begin, commit, createPlanEditor, editedDraft, isEdited, redo, shownPlan, undo } from './plan-editor.ts';
import { setDuration, setPlan } from './plan-edits.ts';

const abc = commit(commit(begin('a'), 'b'), 'c');

it('A5: undoes and redoes steps in order', () => {
  expect(undo(abc).present).toBe('b');
  expect(undo(undo(abc)).present).toBe('a');
  expect(undo(undo(undo(abc))).present).toBe('a');
  expect(redo(undo(abc))).toEqual(abc);
  expect(redo(abc)).toBe(abc);
});

it('A5: drops redo steps after a new step', () => {
  const other = commit(undo(abc), 'd');
  expect([other.past, other.present, other.future]).toEqual([['a', 'b'], 'd', []]);
});

it('A5: adds no step without a change, and one step for a held key', () => {
  expect(commit(abc, 'c')).toBe(abc);
  const held = commit(commit(abc, 'd', { join: true }), 'e', { join: true });
  expect([held.present, undo(held).present]).toEqual(['e', 'b']);
});

it('A5: undoes up to 200 steps', () => {
  const long = Array.from({ length: 300 }, (_, index) => index).reduce((history, step) => commit(history, step), begin(-1));
  expect(long.past).toHaveLength(200);
});

const plan: Plan = {
  id: 'plan_0123456789abcdefghjk',
  revision: 1,
  accepted: false,
  ...draftOf({
    title: 'Ball',
    style: 'playful',
    aspect: '16:9',
    durationSeconds: 4,
    fps: 60,
    scenes: [
      { number: 1, title: 'Drop', startSeconds: 0, durationSeconds: 2, description: 'It drops.', animationNotes: 'Squash' },
      { number: 2, title: 'Roll', startSeconds: 2, durationSeconds: 2, description: 'It rolls.', animationNotes: 'Ease' },
    ],
    caveat: null,
  }),
};
/** Returns the plan with another title, as the server sends it. */
const titled = (title: string, revision: number): Plan => ({ ...plan, title, document: { ...plan.document, title }, revision });
const next: Plan = { ...titled('Ball, faster', 2), id: 'plan_1123456789abcdefghjk' };

function browser(): StoredTexts & { readonly texts: Map<string, string> } {
  const texts = new Map<string, string>();
  return {
    texts,
    read: (name) => texts.get(name) ?? null,
    write: (name, text) => {
      if (text === null) texts.delete(name);
      else texts.set(name, text);
    },
  };
}
function open(storage: StoredTexts, first: Plan | null = plan) {
  const editor = createPlanEditor('prj_1', storage);
  editor.follow(first);
  return { editor, state: () => editor.store.getState(), title: () => shownPlan(editor.store.getState())?.title };
}
type Editor = ReturnType<typeof createPlanEditor>;
const rename = (editor: Editor, title: string) => editor.edit((old) => setPlan(old, { title }));

it('A5: sends a plan to the server only if it was edited', () => {
  const { editor, state } = open(browser());
  expect(editedDraft(state())).toBeNull();
  rename(editor, 'Mine');
  expect(editedDraft(state())).toMatchObject({ title: 'Mine', scenes: [{ title: 'Drop' }, { title: 'Roll' }] });
  rename(editor, 'Ball');
  expect(isEdited(state())).toBe(false);
});

it('A5: undoes, redoes and discards edits; a discard can be undone', () => {
  const { editor, title } = open(browser());
  rename(editor, 'Mine');
  editor.undo();
  expect(title()).toBe('Ball');
  editor.redo();
  expect(title()).toBe('Mine');
  editor.discard();
  expect(title()).toBe('Ball');
  editor.undo();
  expect(title()).toBe('Mine');
});

it('A5: shows a drag immediately; dropping it adds one step, cancelling none', () => {
  const { editor, state } = open(browser());
  const longer = (seconds: number) => {
    const { history } = state();
    if (history) editor.drag(setDuration(history.present, 0, seconds, { holdTotal: false }));
  };
  longer(3);
  longer(3.5);
  expect([shownPlan(state())?.durationSeconds, isEdited(state())]).toEqual([5.5, false]);
  editor.drag(null);
  expect(shownPlan(state())?.durationSeconds).toBe(4);
  longer(3);
  editor.drop();
  expect(state().history?.past).toHaveLength(1);
  expect(shownPlan(state())?.durationSeconds).toBe(5);
});

it('A5: keeps edits across a reload, including empty texts', () => {
  const storage = browser();
  rename(open(storage).editor, '');
  const { editor, title } = open(storage);
  expect(title()).toBe('');
  editor.undo();
  expect(title()).toBe('Ball');
  expect(storage.texts.size).toBe(0);
});

it('A5: stashes edits when a new plan is proposed, and applies them as one step', () => {
  const storage = browser();
  const { editor, state, title } = open(storage);
  rename(editor, 'Mine');
  editor.follow(next);
  expect([title(), isEdited(state()), state().aside?.revision]).toEqual(['Ball, faster', false, 1]);
  // The same after a reload.
  const later = open(storage, next);
  expect([later.title(), later.state().aside?.draft.title]).toEqual(['Ball, faster', 'Mine']);
  later.editor.applyStash();
  expect([later.title(), later.state().aside]).toEqual(['Mine', null]);
  later.editor.undo();
  expect(later.title()).toBe('Ball, faster');
});

it('A5: a reloaded page stashes edits of a plan that was replaced before', () => {
  const storage = browser();
  rename(open(storage).editor, 'Mine');
  const { state, title } = open(storage, next);
  expect([title(), state().aside?.draft.title]).toEqual(['Ball, faster', 'Mine']);
});

it('A5: the next plan replaces edits that were sent with a request for changes', () => {
  const { editor, state, title } = open(browser());
  rename(editor, 'Mine');
  expect(hasIssues(state())).toBe(false);
  editor.follow(titled('Mine', 2));
  expect([title(), isEdited(state()), state().aside]).toEqual(['Mine', false, null]);
  editor.follow({ ...titled('Mine, faster', 3), id: next.id });
  expect([title(), isEdited(state()), state().aside]).toEqual(['Mine, faster', false, null]);
});

it('A5: stashes only unsent edits if the page sees the next plan alone', () => {
  const sent = open(browser());
  rename(sent.editor, 'Mine');
  sent.editor.send(editedDraft(sent.state()));
  sent.editor.follow({ ...titled('Mine, faster', 3), id: next.id });
  expect([sent.title(), sent.state().aside, sent.state().sent]).toEqual(['Mine, faster', null, null]);

  const continued = open(browser());
  rename(continued.editor, 'Mine');
  continued.editor.send(editedDraft(continued.state()));
  rename(continued.editor, 'Mine, and more');
  continued.editor.follow({ ...titled('Mine, faster', 3), id: next.id });
  expect(continued.state().aside?.draft.title).toBe('Mine, and more');

  const refused = open(browser());
  rename(refused.editor, 'Mine');
  refused.editor.send(editedDraft(refused.state()));
  refused.editor.send(null);
  refused.editor.follow(next);
  expect(refused.state().aside?.draft.title).toBe('Mine');
});

it('A5: detects invalid edits, and none in an unedited plan', () => {
  const { editor, state } = open(browser());
  expect(hasIssues(state())).toBe(false);
  rename(editor, '');
  expect(hasIssues(state())).toBe(true);
});

it('A5: stashes edits unless the accepted plan includes them', () => {
  const accepting = open(browser());
  rename(accepting.editor, 'Mine');
  const mine = titled('Mine', 2);
  accepting.editor.follow(mine);
  accepting.editor.follow({ ...mine, accepted: true });
  expect([accepting.state().aside, accepting.title()]).toEqual([null, 'Mine']);

  const late = open(browser());
  rename(late.editor, 'Mine');
  late.editor.follow({ ...plan, accepted: true });
  expect([late.state().aside?.draft.title, late.title(), isEdited(late.state())]).toEqual(['Mine', 'Ball', false]);
});

it('A5: ignores unreadable stored edits', () => {
  for (const text of [
    '',
    'x',
    '{"planId":1}',
    JSON.stringify({ planId: plan.id, revision: 1, draft: { scenes: [] }, aside: null }),
  ]) {
    const storage = browser();
    storage.write('koda:plan-edits:prj_1', text);
    expect(open(storage).title()).toBe('Ball');
  }
});
