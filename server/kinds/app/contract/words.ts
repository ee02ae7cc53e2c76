import type { AppDocument } from '../../../../sandbox-image/templates/app/model/document.ts';
import { singularOf } from '../../../../sandbox-image/templates/app/model/ids.ts';

/** A word of a text. `stem` is lower case and singular, and English if the word is a German one that is known. */
export interface Word {
  readonly text: string;
  readonly stem: string;
  readonly start: number;
  readonly end: number;
}

/** German words, each with the English stem that it is read as. */
const german: ReadonlyMap<string, string> = new Map(
  [
    'buch bücher book, werkzeug werkzeuge tool, mitglied mitglieder member, kunde kunden kundin kundinnen customer',
    'gast gäste guest, schüler schülerin schülerinnen pupil, kind kinder child, mieter mieterin mieterinnen tenant',
    'aufgabe aufgaben task, hausarbeit haushalt putzplan putzen chore, rechnung rechnungen invoice, zahlung zahlungen payment',
    'ausgabe ausgaben expense, lager bestand vorrat stock, artikel produkt produkte product, lieferant lieferanten supplier',
    'rezept rezepte recipe, reise urlaub trip, termin termine appointment, schicht schichten shift, dienstplan rota',
    'reparatur reparaturen repair, werkstatt workshop, fahrrad fahrräder bike, auto autos car, gerät geräte equipment',
    'übung übungen exercise, lauf läufe run, pflanze pflanzen plant, spende spenden donation, freiwillige volunteer',
    'leihen ausleihen verleihen geliehen ausgeliehen verliehen lend, ausleihe loan, nachbar nachbarn neighbour',
    'frist fällig überfällig deadline, bis until, datum tag date, uhrzeit time, preis preise price, kosten cost',
    'betrag amount, beitrag gebühr fee, bezahlt paid, miete rent, status status, erledigt fertig done, zurück returned',
    'telefon handy phone, adresse anschrift address, notiz notizen bemerkung note, foto fotos bild bilder photo',
    'menge anzahl quantity, strecke entfernung distance, dauer duration, bewertung sterne rating, kategorie category',
    'art type, ort place, wer who, woche wöchentlich week, monat monatlich month, geburtstag geburtstage birthday',
    'verein club, budget budget, geld money, gewohnheit gewohnheiten habit, training training, veranstaltung event',
  ].flatMap((line) =>
    line.split(', ').flatMap((words): [string, string][] => {
      const all = words.split(' ');
      return all.slice(0, -1).map((word) => [word, all.at(-1) ?? word]);
    }),
  ),
);

const inflected: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{
      lent: 'lend',
      lending: 'lend',
      lends: 'lend',
      loaned: 'lend',
      borrowed: 'borrow',
      borrowing: 'borrow',
      borrows: 'borrow',
    },
    ...{
      rented: 'hire',
      renting: 'hire',
      hired: 'hire',
      booked: 'reserve',
      reserved: 'reserve',
      repaired: 'repair',
      repairing: 'repair',
    },
    ...{
      ran: 'run',
      running: 'run',
      runner: 'run',
      swam: 'swim',
      spent: 'spend',
      spending: 'spend',
      bought: 'buy',
      buying: 'buy',
    },
    ...{
      sold: 'sell',
      selling: 'sell',
      owes: 'owe',
      owed: 'owe',
      watered: 'watering',
      cycled: 'cycling',
      cycle: 'cycling',
      fixing: 'fix',
      broken: 'repair',
      cooked: 'cook',
      cooking: 'cook',
    },
    ...{ travelling: 'travel', traveling: 'travel', neighbor: 'neighbour', neighbors: 'neighbour', kids: 'child', kid: 'child' },
    ...{
      bicycle: 'bike',
      bicycles: 'bike',
      kilometre: 'km',
      kilometres: 'km',
      kilometer: 'km',
      kilometers: 'km',
      weekly: 'week',
    },
    ...{ monthly: 'month', groceries: 'grocery', overdue: 'deadline', categories: 'category', film: 'movie', films: 'movie' },
  }),
);

export function stemOf(word: string): string {
  const lower = word.toLowerCase();
  return german.get(lower) ?? inflected.get(lower) ?? singularOf(lower);
}

export const isGerman = (word: string): boolean => german.has(word.toLowerCase());

export function wordsIn(text: string): Word[] {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: word, index }) => ({
    text: word,
    stem: stemOf(word),
    start: index,
    end: index + word.length,
  }));
}

export const stemsOf = (texts: readonly string[]): Set<string> =>
  new Set(texts.flatMap((text) => wordsIn(text).map(({ stem }) => stem)));

/** Words that name nothing by themselves, so that a field of that name does not count as said. */
export const commonWords = stemsOf([
  'a an and are as at be by can each every for from get has have he her his how i in is it its know list me my need no not of on or',
  'our out over show she so something that the their them then they this to up us want we what when where which who will with yes you',
  'name names note notes text date app make keep please thing things start end day time your was were does do did would like could',
  'should must if but about all any been being into more most than some only also just here there these those let lets see track',
  'tracks keeps needs wants shows knows helps help tracker manage manages managing overview table page plan log',
  'goes comes gets takes gives pays brings looks works uses says tells yours ours theirs always sometimes news perhaps towards',
  'ich wir brauche brauchen eine einen ein der die das den dem und für mit von unsere unser meine mein liste app',
]);

/** Words of a request that lead to a starting point, singular, by how much they tell. */
export interface LeadingWords {
  /** Each is enough by itself. */
  readonly telling: readonly string[];
  /** Two of these are enough. */
  readonly likely: readonly string[];
  /** These decide between starting points that others lead to. */
  readonly faint: readonly string[];
}

/** What a starting point is recognised by. */
export interface Recognisable {
  readonly id: string;
  readonly name: string;
  readonly words: LeadingWords;
  readonly document: AppDocument;
}

export interface Ranked<T> {
  readonly start: T;
  readonly score: number;
  /** Words of the text that led to it, as written. */
  readonly words: readonly string[];
}

/** Score that chooses a starting point: that of one telling word, or of several weaker ones. */
export const enough = 2.5;
/** Share of the best score from which another starting point is as likely. */
const close = 0.7;

/** Characters of a request that are read. */
const mostCharacters = 4000;

/** The words of a request that may name something. */
export function tellingWords(text: string): Word[] {
  return wordsIn(text.slice(0, mostCharacters)).filter(
    ({ stem, text: word }) => !commonWords.has(stem) && !commonWords.has(word),
  );
}

/** How much each word tells for a starting point. A word of its name tells more. */
function weightsOf({ name, words, document }: Recognisable): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  const add = (texts: readonly string[], weight: number) => {
    for (const stem of stemsOf(texts)) if (!commonWords.has(stem)) weights.set(stem, Math.max(weights.get(stem) ?? 0, weight));
  };
  add(
    document.lists.flatMap(({ fields }) => fields.map((field) => field.name)),
    0.4,
  );
  add(
    document.lists.flatMap((list) => [list.name, list.one]),
    1,
  );
  add(words.faint, 0.7);
  add(words.likely, 1.5);
  add(words.telling, 3);
  for (const stem of stemsOf([name])) {
    const weight = weights.get(stem);
    if (weight !== undefined) weights.set(stem, weight + 1);
  }
  return weights;
}

/**
 * Returns the starting points that words of a text lead to, best first. A word that leads to several counts less for each. Of equals, the
 * one that comes first.
 */
export function rankStarts<T extends Recognisable>(text: string, starts: readonly T[]): Ranked<T>[] {
  const said = tellingWords(text);
  const weighted = starts.map((start) => ({ start, weights: weightsOf(start) }));
  const shares = new Map<string, number>();
  for (const { weights } of weighted)
    for (const [stem, weight] of weights) if (weight >= 1) shares.set(stem, (shares.get(stem) ?? 0) + 1);
  return weighted
    .map(({ start, weights }) => {
      const found = said.filter(({ stem }) => weights.has(stem));
      const score = [...new Set(found.map(({ stem }) => stem))].reduce(
        (sum, stem) => sum + (weights.get(stem) ?? 0) / Math.sqrt(shares.get(stem) ?? 1),
        0,
      );
      return { start, score, words: [...new Set(found.map((word) => word.text))] };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
}

/** Returns the best starting point if its words suffice, and those that are as likely. */
export function likelyStarts<T extends Recognisable>(ranked: readonly Ranked<T>[]): Ranked<T>[] {
  const [best] = ranked;
  if (best === undefined || best.score < enough) return [];
  return ranked.filter(({ score }) => score >= best.score * close);
}
