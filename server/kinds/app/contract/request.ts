import type { AppDocument, Field, List, ViewType } from '../../../../sandbox-image/templates/app/model/document.ts';
import { idFrom, pluralOf, singularOf } from '../../../../sandbox-image/templates/app/model/ids.ts';
import { type Enumeration, enumerationIn } from './enumeration.ts';
import { shownIn, withView } from './pages.ts';
import { type Concept, concepts, fieldOf, implied, people, things } from './vocabulary.ts';
import {
  commonWords,
  enough,
  isGerman,
  likelyStarts,
  type Ranked,
  type Recognisable,
  rankStarts,
  stemsOf,
  tellingWords,
  type Word,
  wordsIn,
} from './words.ts';

/** Id that stands for a single list of what the words name, among the starting points. */
export const ownListId = 'own-list';

/** What a list holds, by the word that says so. */
export interface Thing {
  /** “Books”. */
  readonly name: string;
  readonly word: Word;
  /** Whether it is a thing of which the vocabulary knows fields. Otherwise it is only a plural. */
  readonly isKnown: boolean;
  /** Whether it is mentioned as a place, a person or a purpose rather than as what is listed. */
  readonly isUnlikely: boolean;
}

/** An app that a request leads to. `origins`: the words that each list (`list`) and field (`list/field`) was taken from. */
export interface Suggestion {
  /** Id of the starting point, or `ownListId`. */
  readonly id: string;
  readonly name: string;
  /** Words that led to it, as written. */
  readonly words: readonly string[];
  readonly document: AppDocument;
  readonly origins: Readonly<Record<string, readonly string[]>>;
}

interface Named {
  readonly concept: Concept;
  readonly word: Word;
}

/** Characters of a request that are read. */
const mostCharacters = 4000;
const mostSuggestions = 4;
/** Score from which a starting point is offered beside another. */
const offered = 1.4;

/**
 * Returns the apps that words lead to, best first: starting points with the fields that the words name and they lack, and a single list of
 * the thing that is named. Empty if the words name nothing. `currency` (ISO 4217) is that of new amounts.
 */
export function suggestionsFor(
  text: string,
  starts: readonly Recognisable[],
  { currency }: { readonly currency: string },
): Suggestion[] {
  const ranked = rankStarts(text, starts);
  const likely = likelyStarts(ranked);
  const thing = thingIn(text);
  const named = namedConcepts(text, null);
  const subject = thing ?? (named.length >= 2 && likely.length === 0 ? unnamed(named) : null);
  const listed = enumerationIn(text, currency);
  if (listed !== null) {
    const asListed = listOf(listed);
    const known = [...likely, ...ranked.filter((one) => !likely.includes(one) && one.score >= offered)];
    const others = known.map((one) => fromStart(one, text, currency)).slice(0, mostSuggestions - 1);
    // Three may be what a starting point lacks. Whoever lists more knows what they want.
    return likely.length > 0 && listed.fields.length <= 3 ? [...others, asListed] : [asListed, ...others];
  }
  const own = subject === null ? [] : [ownList(subject, text, currency)];
  const isBetterAlone = thing?.isKnown === true && !isExpected(text, thing, likely[0]);
  const fitting = likely.map((one) => fromStart(one, text, currency));
  const others = ranked
    .filter((one) => !likely.includes(one) && one.score >= offered)
    .map((one) => fromStart(one, text, currency));
  // Prefer a weak starting point to a thing that the request mentions only in passing.
  const weak = thing?.isUnlikely === false || subject !== thing ? [...own, ...others] : [...others, ...own];
  if (fitting.length === 0) return weak.slice(0, mostSuggestions);
  if (isBetterAlone) return [...own, ...fitting, ...others].slice(0, mostSuggestions);
  const alternatives = thing?.isKnown === true ? own : [];
  return [...fitting, ...alternatives, ...(fitting.length > 1 ? others : [])].slice(0, mostSuggestions);
}

/** Whether the starting point is about the thing, or other words speak for it so clearly that the thing does not matter. */
function isExpected(text: string, { word }: Thing, best: Ranked<Recognisable> | undefined): boolean {
  if (best === undefined) return false;
  // “Bookings of our flat” are bookings.
  const isOf = around(text, word).before.some((one) => /^(?:of|with)$/i.test(one));
  const isLater = best.words.some((one) => text.indexOf(one) < word.start);
  return best.words.includes(word.text) || best.score >= 2 * enough || (isOf && isLater);
}

/** Stands in for a thing that is not named, if at least two of its fields are. */
const unnamed = ([first]: readonly Named[]): Thing | null =>
  first === undefined ? null : { name: 'Entries', word: { ...first.word, stem: 'entry' }, isKnown: false, isUnlikely: false };

/** Returns an app that starts from the words of a chosen starting point, with the fields that they name and that it lacks. */
export function suggestionOf(text: string, start: Recognisable, { currency }: { readonly currency: string }): Suggestion {
  return fromStart({ start, score: 0, words: [] }, text, currency);
}

const isVerbAfter = /^(?:who|it|he|she|that|which|what|everyone|everybody|each|one|nobody)$/i;
const pronoun = /^(?:we|i|you|they|to|who|can|will|may|must|should|let)$/i;
const article = /^(?:a|an|the|our|my|your|their|his|her)$/i;
const reserved = new Set([
  ...concepts.flatMap(({ words }) => words),
  ...Object.keys(implied),
  'week',
  'month',
  'year',
  'club',
  'family',
]);

/** Words of a request around a place, nearest first. */
interface Around {
  readonly before: readonly string[];
  readonly after: string;
}

function around(text: string, { start, end }: Word): Around {
  const before = text.slice(Math.max(0, start - 60), start).match(/[\p{L}\p{N}]+/gu) ?? [];
  return { before: before.toReversed(), after: text.slice(end, end + 40).match(/[\p{L}\p{N}]+/u)?.[0] ?? '' };
}

interface Candidate {
  readonly word: Word;
  /** How unlikely it is that the list is about it: 0 if nothing speaks against it, 1 if the vocabulary does not know it. */
  readonly doubt: number;
}

const unlikely = 2;

/** Returns how unlikely it is that a word is what the list is about, or `null` if it is not. */
function doubtOf(text: string, word: Word, { moves }: { readonly moves: boolean }): number | null {
  const { before, after } = around(text, word);
  const [previous = ''] = before;
  // Finds the preposition of “in houses”, “in the house” and “in the old house”.
  const preposition = before[before.slice(0, 2).findIndex((one) => article.test(one)) + 1] ?? '';
  // It says where the things are.
  if (/^(?:in|at|on|inside|near|around|im|am)$/i.test(preposition)) return null;
  const isPlural = word.text.toLowerCase() !== word.stem;
  if (!things.has(word.stem)) {
    const isNoun = /^\p{L}{4,}$/u.test(word.text) && singularOf(word.text) !== word.text.toLowerCase();
    return isNoun && !isVerbAfter.test(previous) && !reserved.has(word.stem) ? 1 : null;
  }
  // “We run a club” is about no run.
  if (!isPlural && pronoun.test(previous) && article.test(after)) return null;
  if (!isPlural && pronoun.test(previous)) return unlikely;
  if (/^for$/i.test(preposition)) return unlikely;
  if (!people.includes(word.stem)) return 0;
  // “Which pupils have which keys” is about keys, and “money from the children” about money.
  const isAside =
    before.slice(0, 2).some((one) => /^(?:by|to|from|with)$/i.test(one)) || /^(?:their|its|which|what)$/i.test(previous);
  return moves || isAside ? unlikely : 0;
}

/** Returns the thing that a request is about: the likeliest one that it names, and of those the first. `null` if it names none. */
export function thingIn(text: string): Thing | null {
  const said = tellingWords(text);
  const moves = said.some(({ stem }) => ['lend', 'borrow', 'hire', 'reserve'].includes(stem));
  const candidates = said.flatMap((word): Candidate[] => {
    const doubt = doubtOf(text, word, { moves });
    return doubt === null ? [] : [{ word, doubt }];
  });
  const [best] = candidates.toSorted((one, other) => one.doubt - other.doubt);
  if (best === undefined) return null;
  // “Job applications” are applications.
  const next = candidates.find(({ word }) => word.start === best.word.end + 1 && word.text.toLowerCase() !== word.stem);
  const head = next?.word ?? best.word;
  const modifier = next === undefined ? '' : `${best.word.text} `;
  const name = capitalised(modifier + nameOf(head).toLowerCase()).slice(0, 60);
  return { name, word: head, isKnown: best.doubt === 0 && things.has(head.stem), isUnlikely: best.doubt >= unlikely };
}

function nameOf({ text, stem }: Word): string {
  const many = isGerman(text) ? text : pluralOf(singularOf(text) === text.toLowerCase() ? stem : text.toLowerCase());
  return capitalised(many);
}

/** Fields that the words name, each with the first word that names it. */
function namedConcepts(text: string, about: Word | null): Named[] {
  const words = wordsIn(text.slice(0, mostCharacters)).filter(({ stem }) => stem !== about?.stem);
  const named: Named[] = [];
  for (const concept of concepts) {
    const found = words.filter(({ stem }) => concept.words.includes(stem));
    const own = found.filter(({ stem }) => concept.own?.includes(stem) === true);
    const chosen = (own.length > 0 ? own : found.slice(0, 1)).filter(
      (word, at, all) => all.findIndex(({ stem }) => stem === word.stem) === at,
    );
    named.push(...chosen.slice(0, 2).map((word) => ({ concept, word })));
  }
  return named;
}

/** Whether a list has a field that says what the concept does. */
function hasConcept({ fields }: Pick<List, 'fields'>, { type, like, id }: Concept): boolean {
  return fields.some((field) => {
    const sameType = field.type === type || (field.type === 'computed' && field.result === type);
    const isPerson = id === 'person' && field.type === 'relation';
    const isChoice = type === 'text' && (field.type === 'choice' || field.type === 'choices' || field.type === 'relation');
    return (sameType || isPerson || isChoice) && (like === undefined || like.test(field.id) || like.test(field.name));
  });
}

function isPresent({ lists }: AppDocument, { concept, word }: Named): boolean {
  const names = lists.flatMap(({ name, one, fields }) => [name, one, ...fields.map((field) => field.name)]);
  if (stemsOf(names).has(word.stem)) return true;
  return lists.some((list) => hasConcept(list, concept));
}

function withField(list: List, field: Field): List {
  const id = idFrom(field.id, new Set(list.fields.map((one) => one.id)), 'field');
  const isTaken = list.fields.length >= 60 || list.fields.some(({ name }) => name.toLowerCase() === field.name.toLowerCase());
  return isTaken ? list : { ...list, fields: [...list.fields, { ...field, id }] };
}

/** The list that a field is added to: what happens on a day, or is lent, has people and due dates, and the first list has the rest. */
function targetOf({ lists }: AppDocument, { id, type }: Concept): List | undefined {
  const isEvent = type === 'date' || id === 'person' || id === 'returned' || id === 'paid';
  const withDates = lists.filter(({ fields }) => fields.some((field) => field.type === 'date'));
  const lent = withDates.find(({ fields }) => fields.some((field) => field.type === 'relation' && field.many !== true));
  return (isEvent ? (lent ?? withDates[0]) : undefined) ?? lists[0];
}

function fromStart({ start, words }: Ranked<Recognisable>, text: string, currency: string): Suggestion {
  let { document } = start;
  const used = document.lists.flatMap(({ fields }) =>
    fields.flatMap((field) => (field.type === 'money' ? [field.currency] : [])),
  );
  const origins: Record<string, readonly string[]> = {};
  const add = (concept: Concept, word: Word | null) => {
    const target = targetOf(document, concept);
    if (target === undefined) return;
    const added = withField(target, fieldOf(concept, word?.stem ?? null, used[0] ?? currency));
    const field = added.fields.at(-1);
    if (added === target || field === undefined) return;
    const list = withOverdue(added);
    const lists = document.lists.map((one) => (one === target ? list : one));
    document = shownIn({ ...document, lists }, { list: list.id, field: field.id });
    if (word !== null) origins[`${list.id}/${field.id}`] = [word.text];
  };
  for (const named of namedConcepts(text, null)) if (!isPresent(document, named)) add(named.concept, named.word);
  const follows = tellingWords(text).flatMap(({ stem }) => implied[stem] ?? []);
  for (const concept of concepts)
    if (follows.includes(concept.id) && !document.lists.some((list) => hasConcept(list, concept))) add(concept, null);
  return { id: start.id, name: start.name, words, document, origins };
}

/** An app of one list of the thing, with what the words name, what they imply, and what one usually wants to know of it. */
function ownList(thing: Thing, text: string, currency: string): Suggestion {
  const { word, name } = thing;
  const isPerson = people.includes(word.stem);
  const named = namedConcepts(text, word).filter(
    ({ concept, word: said }) => !(isPerson && concept.id === 'person' && !concept.own?.includes(said.stem)),
  );
  const said = tellingWords(text);
  const usually = [...said.flatMap(({ stem }) => implied[stem] ?? []), ...(things.get(word.stem) ?? [])];
  const guessed = usually.length + named.length === 0 ? ['note', 'done'] : [...usually, 'note'];
  let list: List = {
    id: idFrom(name, new Set(), 'list'),
    name: name.slice(0, 60),
    one: (isGerman(word.text) ? word.text : singularOf(name)).slice(0, 60),
    fields: [{ id: 'name', name: titleOf(word.stem), type: 'text', needed: true }],
  };
  const origins: Record<string, readonly string[]> = word.stem === 'entry' ? {} : { [list.id]: [word.text] };
  for (const concept of concepts) {
    const words = named.filter((one) => one.concept === concept);
    for (const { word: from } of words) {
      const added = withField(list, fieldOf(concept, from.stem, currency));
      if (added !== list) origins[`${list.id}/${added.fields.at(-1)?.id ?? ''}`] = [from.text];
      list = added;
    }
    if (words.length === 0 && guessed.includes(concept.id) && !hasConcept(list, concept))
      list = withField(list, fieldOf(concept, null, currency));
  }
  list = withOverdue(list);
  const document = appOfList(list, { isWeekly: said.some(({ stem }) => stem === 'week') });
  return { id: ownListId, name, words: [word.text], document, origins };
}

const titles = /^(?:title|name|what|item|article|product|first name|bezeichnung|titel)$/i;

/** An app of one list with the fields that a request lists, in their order. */
function listOf({ subject, fields }: Enumeration): Suggestion {
  const thing = thingIn(subject);
  const name = thing?.name ?? 'Entries';
  const [first] = fields;
  const hasTitle = first !== undefined && first.field.type === 'text' && (titles.test(first.field.name) || thing === null);
  const title: Field = { id: 'name', name: titleOf(thing?.word.stem ?? 'entry'), type: 'text', needed: true };
  let list: List = {
    ...{ id: idFrom(name, new Set(), 'list'), name, one: singularOf(name).slice(0, 60) },
    fields: hasTitle ? [] : [title],
  };
  const origins: Record<string, readonly string[]> = thing === null ? {} : { [list.id]: [thing.word.text] };
  for (const { field, words } of fields) {
    const added = withField(list, list.fields.length === 0 ? { ...field, needed: true } : field);
    if (added !== list) origins[`${list.id}/${added.fields.at(-1)?.id ?? ''}`] = [words];
    list = added;
  }
  list = withOverdue(list);
  const words = [...(thing === null ? [] : [thing.word.text]), ...fields.map((one) => one.words)];
  return { id: ownListId, name, words, document: appOfList(list, { isWeekly: false }), origins };
}

const titled = new Set(['book', 'novel', 'movie', 'song', 'album', 'event', 'comic']);
const done = new Set(['chore', 'task', 'errand', 'todo', 'payment', 'expense', 'order', 'problem', 'defect', 'damage']);

function titleOf(stem: string): string {
  if (titled.has(stem)) return 'Title';
  return done.has(stem) ? 'What' : 'Name';
}

const closingIds = ['returned', 'back', 'paid', 'done'];

/** A due date is overdue until something says that it is settled. */
function withOverdue(list: List): List {
  const closing = closingIds.find((id) => list.fields.some((field) => field.id === id && field.type === 'yesno'));
  if (closing === undefined) return list;
  const fields = list.fields.map((field) =>
    field.id === 'due' && field.type === 'date' && field.overdue === undefined
      ? { ...field, overdue: { unless: closing } }
      : field,
  );
  return { ...list, fields };
}

/** The pages of a list: a table, and the views that its fields make useful. */
function appOfList(list: List, { isWeekly }: { readonly isWeekly: boolean }): AppDocument {
  const has = (...types: Field['type'][]) => list.fields.some(({ type }) => types.includes(type));
  const types: ViewType[] = ['table'];
  if (has('choice')) types.push('board');
  if (has('date')) types.push('calendar');
  if (has('date') && has('number', 'money')) types.push('dashboard');
  const empty: AppDocument = {
    ...{ version: 1, name: list.name, theme: 'studio', mode: 'system', icon: 'list' },
    ...{ lists: [list], pages: [] },
  };
  const document = types.reduce((next, type) => withView(next, type, list), empty);
  return isWeekly ? byWeek(document) : document;
}

/** Shows charts by week instead of by month. */
function byWeek(document: AppDocument): AppDocument {
  const pages = document.pages.map((page) => ({
    ...page,
    views: page.views.map((view) =>
      view.view === 'dashboard'
        ? {
            ...view,
            charts: view.charts.map((chart) =>
              chart.by === 'month' ? { ...chart, by: 'week' as const, title: chart.title.replace(/month$/, 'week') } : chart,
            ),
          }
        : view,
    ),
  }));
  return { ...document, pages };
}

// Names of pasted tables

/** The name of a table's list. `from`: what says so; a guess is shown as one. */
export interface TableName {
  readonly name: string;
  readonly from: 'words' | 'heading' | 'guess';
}

const plainNames =
  /^(?:names?|titles?|items?|dates?|day|no|nr|#|id|number|column \d+|notes?|who|what|when|first name|last name|vorname|nachname|bezeichnung|datum)\.?$/i;
const plainFiles = /^(?:untitled|unnamed|book|sheet|table|data|export|download|list|mappe|tabelle|new|file|copy|csv)? ?\d*$/i;

/**
 * Names the list of a table after what the request names, a heading above the table, its file, or its first column, whichever is known
 * first. `file`: the name without its ending.
 */
export function tableNameOf(
  words: string,
  {
    heading,
    file,
    columns,
  }: { readonly heading: string | null; readonly file: string | null; readonly columns: readonly string[] },
): TableName {
  const thing = thingIn(words);
  if (thing !== null) return { name: thing.name, from: 'words' };
  if (heading !== null && heading !== '') return { name: heading, from: 'heading' };
  const ofFile = file === null ? '' : nameOfFile(file);
  if (ofFile !== '') return { name: ofFile, from: 'guess' };
  const [first = ''] = columns;
  const isNoun = /^\p{L}[\p{L} -]{2,30}$/u.test(first) && !plainNames.test(first.trim()) && !commonWords.has(first.toLowerCase());
  return { name: isNoun ? capitalised(isGerman(first) ? first : pluralOf(first)) : 'Entries', from: 'guess' };
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** “bike-shop_stock 2024 (1)” becomes “Bike shop stock”. A name that programs give to all files becomes an empty text. */
function nameOfFile(file: string): string {
  const plain = file
    .replaceAll(/[\s_-]+/g, ' ')
    .replaceAll(/\(\d+\)|\b(?:19|20)\d\d(?: ?\d\d){0,2}\b|\b(?:final|copy|export|v\d+)\b/gi, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return plainFiles.test(plain) ? '' : capitalised(plain).slice(0, 60);
}
