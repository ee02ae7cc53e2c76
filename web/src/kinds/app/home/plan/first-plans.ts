import type { AppDocument, Field, List, ThemeId } from '../../../../../../sandbox-image/templates/app/model/document.ts';
import { fittingViews } from '../../../../../../sandbox-image/templates/app/model/views.ts';
import { type AppPlan, currencyOf, emptyDocument, planOf, withBestViews } from './plan.ts';
import { matchingStarts, type Recognisable, wordsIn } from './words.ts';

const hues = ['blue', 'green', 'amber', 'violet'] as const;
const choices = (...names: string[]) =>
  names.map((name, at) => ({ id: name.toLowerCase(), name, hue: hues[at % hues.length] ?? 'grey' }));

function membersList(currency: string): List {
  const fields: Field[] = [
    { id: 'name', name: 'Name', type: 'text', needed: true },
    { id: 'email', name: 'E-mail', type: 'email' },
    { id: 'phone', name: 'Phone', type: 'phone' },
    { id: 'joined', name: 'Joined', type: 'date' },
    { id: 'fee', name: 'Fee', type: 'money', currency },
    { id: 'paid', name: 'Paid', type: 'yesno' },
  ];
  return { id: 'members', name: 'Members', one: 'member', fields };
}

const eventsList: List = {
  id: 'events',
  name: 'Events',
  one: 'event',
  fields: [
    { id: 'title', name: 'Title', type: 'text', needed: true },
    { id: 'date', name: 'Date', type: 'date', needed: true },
    { id: 'time', name: 'Time', type: 'time' },
    { id: 'place', name: 'Place', type: 'text' },
    { id: 'state', name: 'State', type: 'choice', choices: choices('Planned', 'Agreed', 'Done') },
    { id: 'note', name: 'Note', type: 'longtext' },
  ],
};

function entriesList(currency: string): List {
  const fields: Field[] = [
    { id: 'what', name: 'What', type: 'text', needed: true },
    { id: 'date', name: 'Date', type: 'date', needed: true },
    { id: 'amount', name: 'Amount', type: 'money', currency },
    { id: 'kind', name: 'Kind', type: 'choice', choices: choices('Income', 'Expense') },
    { id: 'settled', name: 'Settled', type: 'yesno' },
  ];
  return { id: 'entries', name: 'Entries', one: 'entry', fields };
}

/** An app of one list with the views that show most of it. */
export function documentOf(name: string, list: List, theme: ThemeId): AppDocument {
  const empty = emptyDocument(name, theme, [list]);
  return withBestViews(empty, list, fittingViews(list, empty));
}

/** Three finished apps for a request that names nothing: people, dates, money. */
export function commonPlans(words: string): AppPlan[] {
  const currency = currencyOf(emptyDocument('', 'studio', []));
  const documents = [
    documentOf('Members', membersList(currency), 'studio'),
    documentOf('Events', eventsList, 'forest'),
    documentOf('Money', entriesList(currency), 'paper'),
  ];
  return documents.map((document) => planOf(document, { words, start: null }));
}

/** The plan for a request in words: that of the chosen starting point, or of the one that the words lead to, or else three plans. */
export function plansOfWords(words: string, starts: readonly Recognisable[], chosen: string | null): AppPlan[] {
  const start = starts.find(({ id }) => id === chosen) ?? matchingStarts(words, starts)[0];
  if (start === undefined) return commonPlans(words);
  return [planOf(start.document, { words, start: start.id })];
}

/** Names that lists of the starting points have and that the words contain, for a table whose rows have no name. */
export function listNameIn(words: string, starts: readonly Recognisable[]): string | null {
  const names = new Map(starts.flatMap(({ document }) => document.lists.map(({ name }) => [name.toLowerCase(), name])));
  for (const { text } of wordsIn(words)) {
    const name = names.get(text.toLowerCase());
    if (name !== undefined) return name;
  }
  return null;
}
