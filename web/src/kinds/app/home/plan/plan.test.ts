import { describe, expect, it } from 'vitest';
import { documentSchema, type List } from '../../../../../../sandbox-image/templates/app/model/document.ts';
import { documentProblems } from '../../../../../../sandbox-image/templates/app/model/problems.ts';
import { commonPlans, documentOf, plansOfWords } from './first-plans.ts';
import {
  type AppPlan,
  addField,
  addList,
  fieldOfType,
  hasView,
  moveField,
  planOf,
  removeField,
  removeList,
  renameApp,
  renameField,
  renameList,
  replaceField,
  toggleView,
  usedWords,
  withChoices,
} from './plan.ts';
import { answered, questionsFor } from './questions.ts';

const members: List = {
  id: 'members',
  name: 'Members',
  one: 'member',
  fields: [
    { id: 'name', name: 'Name', type: 'text', needed: true },
    { id: 'joined', name: 'Joined', type: 'date' },
    { id: 'boat', name: 'Boat', type: 'choice', choices: [{ id: 'eight', name: 'Eight', hue: 'blue' }] },
    { id: 'fee', name: 'Fee', type: 'money', currency: 'GBP' },
  ],
};
const planned = (): AppPlan => planOf(documentOf('Club', members, 'studio'), { words: 'Members and their fee', start: null });

function expectBuildable({ document }: AppPlan): void {
  expect(documentProblems(document)).toEqual([]);
  expect(documentSchema.safeParse(document).success).toBe(true);
}

const fieldsOf = (plan: AppPlan, at = 0) => plan.document.lists[at]?.fields.map(({ id }) => id);

describe('a plan', () => {
  it('marks what the words name, and the rest as guessed', () => {
    const plan = planned();
    expect(plan.origins['members']).toEqual({ from: 'words', words: ['Members'] });
    expect(plan.origins['members/fee']).toEqual({ from: 'words', words: ['fee'] });
    expect(plan.origins['members/boat']).toEqual({ from: 'guess' });
    expect(usedWords(plan)).toEqual(new Set(['Members', 'fee']));
    expectBuildable(plan);
  });

  it('stays buildable through every edit', () => {
    let plan = planned();
    for (const step of [
      (now: AppPlan) => renameApp(now, 'Rowing club'),
      (now: AppPlan) => renameList(now, 'members', 'Rowers'),
      (now: AppPlan) => renameField(now, 'members', 'fee', 'Fee a year'),
      (now: AppPlan) => addField(now, 'members', 'name'),
      (now: AppPlan) => moveField(now, 'members', 'fee', -1),
      (now: AppPlan) => addList(now),
      (now: AppPlan) => removeField(now, 'members', 'joined'),
      (now: AppPlan) => removeList(now, 'list'),
      (now: AppPlan) => removeField(now, 'members', 'boat'),
    ]) {
      plan = step(plan).plan;
      expectBuildable(plan);
    }
    expect(plan.document.name).toBe('Rowing club');
    expect(plan.document.pages.map(({ name }) => name)).toContain('Rowers');
    expect(fieldsOf(plan)).toEqual(['name', 'field', 'fee']);
  });

  it('calls one record after the list, and the app too if both had one name', () => {
    const plan = planOf(documentOf('Members', members, 'studio'), { words: '', start: null, guessedNames: ['members'] });
    expect(plan.origins['members']).toEqual({ from: 'guess' });
    const { document, origins } = renameList(plan, 'members', 'Bike parts').plan;
    expect(document).toMatchObject({ name: 'Bike parts', lists: [{ one: 'bike part' }] });
    expect(origins['members']).toEqual({ from: 'own' });
  });

  it('keeps names that are empty, and the last list, field and view', () => {
    const plan = planned();
    expect(renameApp(plan, '  ').plan).toBe(plan);
    expect(removeList(plan, 'members')).toMatchObject({ plan, notes: [expect.stringContaining('needs a list')] });
    const single = { ...plan, document: documentOf('One', { ...members, fields: members.fields.slice(0, 1) }, 'studio') };
    expect(removeField(single, 'members', 'name').notes).toHaveLength(1);
    const types = single.document.pages.flatMap(({ views }) => views.map(({ view }) => view));
    let last: AppPlan = single;
    for (const type of types.slice(1)) last = toggleView(last, type, 'members').plan;
    expect(toggleView(last, types[0] ?? 'table', 'members')).toMatchObject({
      plan: last,
      notes: [expect.stringContaining('needs a view')],
    });
  });

  it('names the view that no longer fits when the field that it needs is removed', () => {
    const plan = toggleView(planned(), 'calendar', 'members').plan;
    const shown = hasView(plan.document, 'calendar', 'members') ? plan : toggleView(plan, 'calendar', 'members').plan;
    const { plan: without, notes } = removeField(shown, 'members', 'joined');
    expect(notes).toEqual(['Calendar of Members was removed. A calendar needs a date.']);
    expect(hasView(without.document, 'calendar', 'members')).toBe(false);
  });

  it('removes relations to a list with it', () => {
    const { plan, list } = addList(planned());
    const field = fieldOfType({ id: 'boat', name: 'Boat', type: 'text' }, 'relation', 'members', plan.document);
    expect(field).toMatchObject({ type: 'relation', list });
    const related = field === null ? plan : replaceField(plan, 'members', field).plan;
    const { plan: alone, notes } = removeList(related, list);
    expect(notes[0]).toBe('Boat of Members led to it and was removed.');
    expectBuildable(alone);
  });

  it('keeps the ids of choices that stay', () => {
    const field = members.fields[2];
    if (field === undefined) throw new Error('The list has a choice.');
    expect(withChoices(field, ['Eight', ' Eight ', '', 'Double'])).toMatchObject({
      choices: [{ id: 'eight' }, { id: 'double', name: 'Double' }],
    });
  });
});

describe('first plans', () => {
  it('are three for words that name nothing, and each can be built', () => {
    const { plans } = plansOfWords('something for my club', [], null);
    expect(plans.map(({ document }) => document.name)).toEqual(['Members', 'Events', 'Money']);
    for (const plan of plans) expectBuildable(plan);
  });

  it('are the chosen starting point, whatever the words say', () => {
    const [first, second] = commonPlans('').map(({ document }) => ({
      id: document.name.toLowerCase(),
      name: document.name,
      words: { telling: [document.name], likely: [], faint: [] },
      document,
    }));
    if (first === undefined || second === undefined) throw new Error('There are three plans.');
    expect(plansOfWords('members', [first, second], 'events')).toMatchObject({ plans: [{ start: 'events' }] });
    expect(plansOfWords('members', [first, second], null)).toMatchObject({ plans: [{ start: 'members' }] });
  });

  it('are a list of what the words name, with its fields marked, if no starting point fits', () => {
    const { plans } = plansOfWords('chores of the children with a deadline', [], null);
    expect(plans).toHaveLength(1);
    const [plan = planned()] = plans;
    expectBuildable(plan);
    expect(plan.origins).toMatchObject({
      chores: { from: 'words', words: ['chores'] },
      'chores/child': { from: 'words', words: ['children'] },
      'chores/due': { from: 'words', words: ['deadline'] },
      'chores/done': { from: 'guess' },
    });
    expect(plansOfWords('chores', [], 'own-list').plans).toMatchObject([{ start: null, document: { name: 'Chores' } }]);
  });
});

describe('questions', () => {
  it('are at most three, and an answer can be changed and taken back', () => {
    const bare = { ...members, fields: members.fields.slice(0, 1) };
    let plan = planOf(documentOf('Club', bare, 'studio'), { words: '', start: null });
    const questions = questionsFor(plan);
    expect(questions.map(({ id }) => id)).toEqual(['money', 'date', 'form']);
    const [, date, form] = questions;
    if (date === undefined || form === undefined) throw new Error('There are three questions.');
    plan = answered(plan, date, 'due').plan;
    expect(fieldsOf(plan)).toEqual(['name', 'due']);
    plan = answered(plan, date, 'date').plan;
    expect(fieldsOf(plan)).toEqual(['name', 'date']);
    plan = answered(plan, form, 'visitors').plan;
    expectBuildable(plan);
    expect(plan.document.pages.some((page) => page.public)).toBe(true);
    plan = answered(answered(plan, date, 'date').plan, form, 'we').plan;
    expect(fieldsOf(plan)).toEqual(['name']);
    expect(hasView(plan.document, 'form', 'members')).toBe(false);
    expectBuildable(plan);
  });
});
