import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentSchema } from '../../../../sandbox-image/templates/app/model/document.ts';
import { documentProblems } from '../../../../sandbox-image/templates/app/model/problems.ts';
import { startingPoints } from '../starting-points.ts';
import { ownListId, suggestionOf, suggestionsFor, tableNameOf, thingIn } from './request.ts';

const suggested = (text: string) => suggestionsFor(text, startingPoints, { currency: 'GBP' });
const best = (text: string) => {
  const [first] = suggested(text);
  if (first === undefined) throw new Error('The words name nothing.');
  return first;
};
const fieldsOf = (text: string) => best(text).document.lists[0]?.fields.map(({ name, type }) => `${name}: ${type}`);
const viewsOf = (text: string) => best(text).document.pages.flatMap(({ views }) => views.map(({ view }) => view));

describe('words', () => {
  it.each(startingPoints.map(({ id, name }) => [name, id]))('“%s” lead to the starting point of this name', (name, id) => {
    expect(best(`I need a ${name.toLowerCase()}`).id).toBe(id);
  });

  it.each([
    ['something so we know who has our tools and when they come back', 'tool-library'],
    ['Appointments for my hair salon', 'bookings'],
    ['where does our money go every month', 'household-budget'],
    ['a board for the jobs in my bike workshop', 'repairs'],
  ])('“%s” lead to %s', (words, id) => expect(best(words).id).toBe(id));

  it('that are common, or name nothing, lead nowhere', () => {
    for (const words of ['', 'qwertz', 'I need an app to keep track of something', 'name, date, my list'])
      expect(suggested(words)).toEqual([]);
  });

  it('that speak for several apps offer them, each with the words', () => {
    const offers = suggested('lend books');
    expect(offers.map(({ id }) => id)).toEqual(expect.arrayContaining(['home-library', 'tool-library', ownListId]));
    expect(offers.every(({ words }) => words.length > 0)).toBe(true);
  });

  it('that list fields lead to a list with these, in this order', () => {
    const plants = 'Plants in our greenhouse: name, sown when, number of pots, price per pot, watered yes or no, seller';
    expect(fieldsOf(plants)).toEqual([
      ...['Name: text', 'Sown: date', 'Pots: number', 'Price per pot: money', 'Watered: yesno', 'Seller: text'],
    ]);
    expect(fieldsOf('volunteers with shirt size (S, M, L), phone, allergies and whether they have signed the form')).toEqual([
      ...['Name: text', 'Shirt size: choice', 'Phone: phone', 'Allergies: text', 'Signed the form: yesno'],
    ]);
    expect(best('volunteers with shirt size (S, M, L), phone, allergies and a photo').document.lists[0]?.name).toBe('Volunteers');
  });

  it('that list too little, or no fields, are read as others', () => {
    for (const words of ['tools with handles', 'a list: one', 'recipes with eggs and milk'])
      expect(suggested(words).every(({ document }) => documentProblems(document).length === 0)).toBe(true);
    expect(best('recipes with eggs and milk').id).toBe('recipes');
  });

  it('name a list, its fields and its views', () => {
    expect(best('members of my choir, with phone and fee')).toMatchObject({
      id: ownListId,
      document: { lists: [{ name: 'Members', one: 'member' }] },
    });
    expect(fieldsOf('members of my choir, with phone and fee')).toEqual([
      ...['Name: text', 'Fee: money', 'Phone: phone', 'E-mail: email', 'Note: longtext'],
    ]);
    expect(fieldsOf('chores of the children with a deadline')).toEqual([
      'What: text',
      'Child: text',
      'Due: date',
      'Done: yesno',
      'Note: longtext',
    ]);
    expect(viewsOf('my runs, km per week')).toEqual(['table', 'calendar', 'dashboard']);
    expect(JSON.stringify(best('my runs, km per week').document)).toContain('"by":"week"');
    expect(viewsOf('ideas with a status')).toEqual(['table', 'board']);
  });

  it('name fields without a thing', () => {
    expect(best('who owes how much')).toMatchObject({ id: ownListId, name: 'Entries', origins: { 'entries/person': ['who'] } });
  });

  it('mark what was taken from them, and leave what was guessed', () => {
    const { origins } = best('chores of the children with a deadline');
    expect(origins).toEqual({ chores: ['chores'], 'chores/child': ['children'], 'chores/due': ['deadline'] });
  });

  it('add fields that a starting point lacks', () => {
    const library = startingPoints.find(({ id }) => id === 'tool-library');
    if (library === undefined) throw new Error('There is no tool library.');
    const { document, origins } = suggestionOf('tools with a rating, due date and e-mail', library, { currency: 'GBP' });
    expect(Object.keys(origins)).toEqual(['tools/rating', 'tools/email']);
    expect(documentProblems(document)).toEqual([]);
  });

  it('add what a verb implies, as a guess', () => {
    const { id, document, origins } = best('books lent to pupils');
    const loans = document.lists.find((list) => list.id === 'loans');
    expect(id).toBe('home-library');
    expect(loans?.fields.at(-1)).toMatchObject({ name: 'Due', type: 'date', overdue: { unless: 'back' } });
    expect(origins).toEqual({});
  });

  it('are read in German, too', () => {
    expect(best('Werkzeuge ausleihen an Nachbarn').id).toBe('tool-library');
    expect(best('Mitglieder vom Verein mit Beitrag').document.lists[0]).toMatchObject({ name: 'Mitglieder' });
    expect(fieldsOf('Mitglieder vom Verein mit Beitrag')).toContain('Fee: money');
  });

  it('never make an app with problems, whatever they are', () => {
    const word = fc.constantFrom(
      'books',
      'lent',
      'pupils',
      'who',
      'due',
      'price',
      'week',
      'constructor',
      'status',
      'cars',
      'runs',
      'zebras',
      '!',
      'tools',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (words) => {
        for (const { document } of suggested(words.join(' '))) {
          expect(documentProblems(document)).toEqual([]);
          expect(documentSchema.parse(document)).toEqual(document);
        }
      }),
    );
  });
});

describe('the name of a table', () => {
  const none = { heading: null, file: null, columns: ['Name', 'Fee'] };

  it('comes from the words, the heading, the file or the first column', () => {
    expect(tableNameOf('members of my choir', { ...none, heading: 'Stock' })).toEqual({ name: 'Members', from: 'words' });
    expect(tableNameOf('', { ...none, heading: 'Stock', file: 'other' })).toEqual({ name: 'Stock', from: 'heading' });
    expect(tableNameOf('', { ...none, file: 'bike-shop_stock 2024 (1)' })).toEqual({ name: 'Bike shop stock', from: 'guess' });
    expect(tableNameOf('', { ...none, file: 'export', columns: ['Tool', 'Fee'] })).toEqual({ name: 'Tools', from: 'guess' });
    expect(tableNameOf('', none)).toEqual({ name: 'Entries', from: 'guess' });
  });

  it('is what is lent rather than who borrows it', () => {
    expect(thingIn('which pupils borrowed which books')?.name).toBe('Books');
    expect(thingIn('who owes what')).toBeNull();
    expect(thingIn('we run a club with a hive')?.name).toBe('Hives');
    expect(thingIn('job applications')?.name).toBe('Job applications');
    expect(thingIn('what hangs in the house')).toBeNull();
    expect(thingIn('our beehives')?.name).toBe('Beehives');
  });
});
