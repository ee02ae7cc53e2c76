import { ownListId, type Suggestion, suggestionOf, suggestionsFor } from '#kinds/app/contract/request.ts';
import type { Recognisable } from '#kinds/app/contract/words.ts';
import type { AppDocument, Choice, Field, List, ThemeId } from '../../../../../../sandbox-image/templates/app/model/document.ts';
import { fittingViews } from '../../../../../../sandbox-image/templates/app/model/views.ts';
import { type AppPlan, currencyOf, emptyDocument, planOf, withBestViews } from './plan.ts';

const hues = ['blue', 'green', 'amber', 'violet'] as const;
const choices = (...names: string[]): Choice[] =>
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

const usualCurrency = () => currencyOf(emptyDocument('', 'studio', []));

/** Three finished apps for a request that names nothing: people, dates, money. */
export function commonPlans(words: string): AppPlan[] {
  const currency = usualCurrency();
  const documents = [
    documentOf('Members', membersList(currency), 'studio'),
    documentOf('Events', eventsList, 'forest'),
    documentOf('Money', entriesList(currency), 'paper'),
  ];
  return documents.map((document) => planOf(document, { words, start: null }));
}

/** The apps that words lead to, best first. */
export const suggestedApps = (words: string, starts: readonly Recognisable[]): Suggestion[] =>
  suggestionsFor(words, starts, { currency: usualCurrency() });

const planOfSuggestion = ({ id, document, origins }: Suggestion, words: string): AppPlan =>
  planOf(document, { words, start: id === ownListId ? null : id, taken: origins });

export interface FirstPlans {
  /** One plan, or three finished ones for words that name nothing. */
  readonly plans: readonly AppPlan[];
  /** What the words could mean, too. */
  readonly others: readonly AppPlan[];
}

/** The plans for a request in words: that of what was chosen, or of what the words lead to, or else three finished ones. */
export function plansOfWords(words: string, starts: readonly Recognisable[], chosen: string | null): FirstPlans {
  const suggested = suggestedApps(words, starts);
  const start = starts.find(({ id }) => id === chosen);
  const own = suggested.find(({ id }) => id === chosen);
  if (start !== undefined || own !== undefined) {
    const taken = start === undefined ? own : suggestionOf(words, start, { currency: usualCurrency() });
    return { plans: taken === undefined ? [] : [planOfSuggestion(taken, words)], others: [] };
  }
  const [best, ...others] = suggested.map((one) => planOfSuggestion(one, words));
  return best === undefined ? { plans: commonPlans(words), others: [] } : { plans: [best], others };
}
