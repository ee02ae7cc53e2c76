import { describe, expect, it } from 'vitest';
import { type AppDocument, documentSchema } from './document.ts';
import { documentProblems, readDocument } from './problems.ts';

function document(): Record<string, unknown> & AppDocument {
  return documentSchema.parse({
    version: 1,
    name: 'Tools',
    theme: 'forest',
    mode: 'system',
    lists: [
      {
        id: 'tools',
        name: 'Tools',
        one: 'tool',
        fields: [
          { id: 'name', name: 'Name', type: 'text' },
          { id: 'kind', name: 'Kind', type: 'choice', choices: [{ id: 'garden', name: 'Garden', hue: 'green' }] },
          { id: 'fee', name: 'Fee', type: 'money', currency: 'GBP' },
          { id: 'due', name: 'Due', type: 'date', overdue: { unless: 'kind', in: ['garden'] } },
          { id: 'twice', name: 'Twice', type: 'computed', formula: 'fee * 2', result: 'money', currency: 'GBP' },
          { id: 'owner', name: 'Owner', type: 'relation', list: 'people' },
        ],
      },
      { id: 'people', name: 'People', one: 'person', fields: [{ id: 'name', name: 'Name', type: 'text' }] },
    ],
    pages: [
      {
        id: 'home',
        name: 'Home',
        views: [
          { view: 'table', id: 'all', list: 'tools', fields: ['name'], totals: { fee: 'sum', twice: 'sum' } },
          { view: 'board', id: 'board', list: 'tools', columns: 'kind', card: { title: 'name' }, closed: ['garden'] },
          { view: 'calendar', id: 'when', list: 'tools', title: 'name', start: 'due' },
          { view: 'detail', id: 'who', list: 'people', title: 'name', related: ['tools.owner'] },
          { view: 'form', id: 'ask', list: 'tools', ask: [{ field: 'name' }] },
          {
            view: 'dashboard',
            id: 'sums',
            list: 'tools',
            figures: [{ label: 'Fees', measure: 'sum', of: 'twice' }],
            charts: [{ title: 'Kinds', kind: 'bars', x: 'kind', measure: 'count' }],
          },
        ],
      },
    ],
  });
}
/** The document with one text replaced in its JSON. */
function changed(from: string, to: string): AppDocument {
  const json = JSON.stringify(document());
  if (!json.includes(from)) throw new Error(`not in the document: ${from}`);
  return JSON.parse(json.replace(from, to)) as AppDocument;
}

describe('documentProblems', () => {
  it('finds none in a good document', () => expect(documentProblems(document())).toEqual([]));

  it.each([
    ['"id":"people"', '"id":"tools"', 'Two lists have the id “tools”. Give one of them another id.'],
    ['"fields":["name"]', '"fields":["nme"]', 'The view “all” of the page “Home”: the shown fields names the field “nme”'],
    [
      '"id":"when","list":"tools"',
      '"id":"when","list":"tolls"',
      'shows the list “tolls”, which does not exist. Use one of tools, people.',
    ],
    ['"start":"due"', '"start":"fee"', 'the start cannot be “Fee”, which is of the type money. Choose a field of the type date.'],
    ['"columns":"kind"', '"columns":"name"', 'the columns cannot be “Name”'],
    ['"closed":["garden"]', '"closed":["house"]', 'a column is called “house”, which is no choice of “Kind”. Use garden.'],
    ['"list":"people"', '"list":"nobody"', 'leads to the list “nobody”, which does not exist'],
    ['fee * 2', 'fee * cost', 'the formula does not work. Tools has no field “cost”. Correct it at position 7.'],
    ['fee * 2', 'twice * 2', 'loop'],
    ['fee * 2', 'name', 'the formula gives text, and the result is set to money. Set the result to text.'],
    ['"result":"money","currency":"GBP"', '"result":"money","currency":"EUR"', 'the formula gives GBP. Set the currency to GBP.'],
    ['"unless":"kind"', '"unless":"fee"', '“overdue” needs a yes/no or choice field'],
    ['"in":["garden"]', '"in":["gone"]', '“overdue” names the choice “gone”'],
    ['"tools.owner"', '"tools.fee"', '“tools.fee” is no relation'],
    ['"ask":[{"field":"name"}]', '"ask":[{"field":"twice"}]', 'the form asks for “Twice”, which is computed'],
    ['"of":"twice"', '"of":"due"', 'the figure “Fees” cannot be “Due”'],
    ['"x":"kind"', '"x":"fee"', 'the axis of the chart “Kinds” cannot be “Fee”'],
    ['"id":"board","list"', '"id":"all","list"', 'has two views with the id “all”'],
    ['"id":"kind"', '"id":"name"', '“Tools” has two fields with the id “name”'],
    [
      '"id":"name","name":"Name","type":"text"',
      '"id":"name","name":"Name","type":"image"',
      'The first field of “Tools” is the title',
    ],
    ['"columns":"kind"', '"columns":"constructor"', 'names the field “constructor”'],
  ])('reports %s → %s', (from, to, sentence) => {
    expect(documentProblems(changed(from, to)).join('\n')).toContain(sentence);
  });

  it('reports an app without pages and a filter with an unknown choice', () => {
    expect(documentProblems({ ...document(), pages: [] })).toEqual(['The app has no page. Add one.']);
    const filtered = document();
    const view = filtered.pages[0]?.views[0];
    if (view?.view === 'table') view.filter = [{ field: 'kind', is: 'is', value: 'gone' }];
    expect(documentProblems(filtered)).toEqual([expect.stringContaining('the filter names the choice “gone”')]);
  });
});

describe('readDocument', () => {
  it('reads what it can and says why not', () => {
    expect(readDocument(JSON.parse(JSON.stringify(document())))).toEqual({ document: document() });
    expect(readDocument({ ...document(), version: 2 })).toEqual({
      problem: 'This app was made by a later version of Koda. Update Koda to open it.',
    });
    for (const value of [null, 'text', 3, []])
      expect(readDocument(value)).toHaveProperty('problem', expect.stringContaining('damaged'));
    expect(readDocument({ ...document(), theme: 'neon' })).toHaveProperty('problem', expect.stringContaining('“theme”'));
    expect(readDocument(changed('"id":"kind"', '"id":"constructor"'))).toHaveProperty(
      'problem',
      expect.stringContaining('reserved word'),
    );
  });
});
