import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planFilm } from '../plan-film.ts';
import { splitText } from './fill.ts';
import { readRequest } from './read.ts';
import type { Item } from './reading.ts';
import { blocksOf } from './reading.ts';
import { clausesOf, sentencesOf } from './sentences.ts';
import { findAmounts, findWhens, notationOf } from './values.ts';

const scenesOf = (prompt: string) =>
  planFilm({ prompt, hints: { style: null, aspect: null, durationSeconds: null }, answers: [], assets: [], seed: 1 }).film.scenes;
const shown = (prompt: string) => JSON.stringify(scenesOf(prompt).map(({ props }) => props));
const itemsOf = (prompt: string): Item[] => blocksOf(readRequest(prompt), 'list').flatMap(({ items }) => [...items]);
const readValue = (text: string, language: string) => findAmounts(text, language)[0]?.value;

const cents = fc.integer({ min: 0, max: 99 }).map((part) => String(part).padStart(2, '0'));
const price = fc.tuple(fc.integer({ min: 1, max: 99 }), cents).map(([whole, part]) => `${whole},${part}`);

describe('numbers with commas and points', () => {
  it('A33: keeps decimal commas whole in the rows of a menu, whatever separates the columns', () => {
    const dishes = ['Kartoffelpuffer, Apfelkompott', 'Tarte, salade verte', 'Croquetas, alioli', 'Pierogi, śmietana'];
    fc.assert(
      fc.property(
        fc.array(price, { minLength: 4, maxLength: 4 }),
        fc.constantFrom(' ', '  ', ' .... ', ': ', ' – '),
        fc.constantFrom('', ' €', ' zł'),
        (prices, gap, unit) => {
          const items = itemsOf(dishes.map((dish, index) => `${dish}${gap}${prices[index]}${unit}`).join('\n'));
          expect(items.map(({ label }) => label)).toEqual(dishes);
          expect(items.map(({ value }) => value)).toEqual(prices.map((each) => `${each}${unit}`));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('A33: keeps decimal commas whole between the commas of separated values', () => {
    fc.assert(
      fc.property(fc.array(price, { minLength: 3, maxLength: 3 }), (prices) => {
        const text = ['Tarif,Preis', ...prices.map((each, index) => `Zone ${'ABC'[index]},${each}`)].join('\n');
        const [table] = blocksOf(readRequest(text), 'table');
        expect(table?.rows.map((row) => row[1])).toEqual(prices);
      }),
      { numRuns: 40 },
    );
  });

  it.each(['Bern,12,15,19\nChur,8,9,11', 'city,2021,2022\nBern,12,15\nChur,8,9', 'Day 1,12\nDay 2,15\nDay 3,19'])(
    'A33: splits the whole numbers of “%s” at every comma',
    (text) => {
      const [table] = blocksOf(readRequest(text), 'table');
      const cells = text.split('\n').map((line) => line.split(','));
      expect([...(table?.header === null ? [] : [table?.header]), ...(table?.rows ?? [])]).toEqual(cells);
    },
  );

  it.each([
    ['1.480 €', 'de', 1480],
    ['2 750,50 €', 'fr', 2750.5],
    ['18 900 zł', 'pl', 18_900],
    ['3’640 CHF', 'de', 3640],
    ['3.640', 'es', 3640],
    ['7,250', 'en', 7250],
    ['7,25', 'en', 7.25],
    ['€1.480', 'en', 1480],
    ['$7,250', 'de', 7250],
    ['0.125', 'de', 0.125],
    ['1,629 €/l', 'de', 1.629],
  ])('A33: reads “%s” in a film in %s as %d', (text, language, value) => {
    expect(readValue(text, language)).toBe(value);
  });

  it.each([
    [['2,40', '1,250'], 'en', 'de'],
    [['2.40', '1.250'], 'de', 'en'],
    [['4.100', '870'], 'en', 'de'],
    [['4,100', '870'], 'de', 'en'],
    [['4.100', '2.300'], 'de', 'de'],
    [['1.204.300', '4.100'], 'en', 'de'],
    [['2,40', '2.40'], 'fr', 'fr'],
  ])('A33: reads the column %j of a film in %s like %s', (column, language, notation) => {
    expect(notationOf(column, language)).toBe(notation);
  });

  it('A33: reads all numbers of a chart in one notation', () => {
    expect(shown('Bar chart of seats\n\nhall;seats\nRed;1.400\nBlue;850\nAttic;2.050')).toMatch(/1400.*850.*2050/u);
  });
});

describe('checkboxes', () => {
  const boxes = ['- [ ] ', '- [x] ', '☐ ', '☑ ', '✓ ', '* [X] ', '2. [ ] ', '✅ ', '⬜ '];
  const isDone = (box: string) => /[xX☑✓✅]/u.test(box);

  it('A33: stay as they are in the request', () => {
    const words = ['Zelt', 'lampe', 'mapa', 'kettle', 'sznur', 'corda'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...boxes), { minLength: 2, maxLength: 6 }), (marks) => {
        const [scene] = scenesOf(marks.map((box, index) => `${box}${words[index]}`).join('\n'));
        expect(scene).toMatchObject({
          format: 'checklist',
          props: { items: marks.map((box, index) => ({ text: words[index], done: isDone(box) })) },
        });
      }),
      { numRuns: 60 },
    );
  });

  it.each(['Départ : ☑ billets ☐ valise ☐ clés', 'Abfahrt: [x] billets, [ ] valise, [ ] clés', '☑ billets ☐ valise ☐ clés'])(
    'A33: are read on one line: “%s”',
    (prompt) => {
      expect(itemsOf(prompt).map(({ label, done }) => [label, done])).toEqual([
        ['billets', true],
        ['valise', false],
        ['clés', false],
      ]);
    },
  );

  it('A33: are ticked by the film in a list without boxes', () => {
    expect(scenesOf('Packliste:\n- Zelt\n- Lampe')[0]).toMatchObject({
      format: 'checklist',
      props: { items: [{ done: true }, { done: true }] },
    });
  });
});

describe('two values of one thing', () => {
  it.each([
    'Queue times fell from 50 to 15 minutes',
    'Die Kosten sanken von 80 auf 35 Euro',
    'La durée passe de 9 jours à 4 jours',
    'La espera bajó de 30 a 12 minutos',
    'Suitable for children from 4 to 9',
    'Geöffnet von 10 bis 18, außer montags',
    'Groups of 5–14 people are welcome',
    'The club went from 40 members to 900 in a year',
    'Trips went from 50 min to 2 hours',
  ])('A33: “%s” stays one text', (prompt) => {
    const scenes = scenesOf(prompt);
    expect(scenes.map(({ format }) => format)).toEqual(['title']);
    expect(scenes[0]?.props).toMatchObject({ text: prompt });
  });

  it.each([
    ['Our crew grew from 4 to 21 people', 4, 21],
    ['Notre atelier est passé de 2 à 14 places', 2, 14],
    ['Stars: 1,300 → 4,900', 1300, 4900],
    ['Sales grew from €3m to €8m in 2024', 3, 8],
    ['Restarts 90 -> 6', 90, 6],
  ])('A33: “%s” counts from %d to %d', (prompt, from, value) => {
    expect(scenesOf(prompt)[0]).toMatchObject({ format: 'number', props: { numbers: [{ from, value }] } });
  });

  it.each([
    ['Der Preis sank von 80 € auf 35 €', ['35 €']],
    ['Le loyer passe de 900 € à 850 €', ['850 €']],
    ['Tickets cost 5–14 € at the door', []],
  ])('A33: “%s” emphasises the new value, and no part of a span', (prompt, emphasis) => {
    expect(scenesOf(prompt)[0]?.props).toMatchObject({ emphasis });
  });

  it('A33: a list of figures keeps entries with two values whole', () => {
    const entries = ['Queues fell from 50 to 15 minutes', 'Faults down from 31 to 8', 'Rooms for 2–6 guests'];
    expect(scenesOf(entries.map((entry) => `- ${entry}`).join('\n'))[0]).toMatchObject({
      format: 'list',
      props: { items: entries.map((text) => ({ text, value: null })) },
    });
  });

  it('A33: several changes are one pair for each label, with any arrow and separator', () => {
    const labels = ['Wartezeit', 'erreurs', 'returns', 'kolejka'];
    const value = fc.tuple(fc.integer({ min: 1, max: 99 }), fc.constantFrom('', '%', ' ms'));
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 2, maxLength: 4 }),
        fc.constantFrom(' → ', ' -> ', '→'),
        fc.constantFrom(', ', '; ', '\n- '),
        (values, arrow, separator) => {
          const pairs = values.map(([number, unit]) => `${number + 1}${unit}${arrow}${number}${unit}`);
          const entries = pairs.map((pair, index) => `${labels[index]} ${pair}`);
          const items = itemsOf(`${separator.slice(1)}${entries.join(separator)}`.trim());
          expect(items.map(({ label, value: pair }) => [label, pair])).toEqual(pairs.map((pair, index) => [labels[index], pair]));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('A33: a chain of arrows is still a sequence', () => {
    expect(itemsOf('Seed → Sprout → Leaf → Flower').map(({ text }) => text)).toEqual(['Seed', 'Sprout', 'Leaf', 'Flower']);
  });
});

describe('dates', () => {
  it.each([
    ['The fair runs 8.–12. Oktober near the river. Tickets at the gate.', '8.–12. Oktober'],
    ['Proben vom 2. bis 6. März in der Aula. Bitte pünktlich sein.', '2. bis 6. März'],
    ['The shop moves on Nov. 14 to a new street. We look forward to it.', 'Nov. 14'],
    ['We rest Dec 27 – Jan 4. Orders wait until then.', 'Dec 27 – Jan 4'],
    ['Die Bahn fährt vom 29. April bis 3. Mai nicht. Nehmt den Bus.', '29. April bis 3. Mai'],
    ['Fermé du 27 déc. au 4 janv. pour travaux. Merci de votre patience.', '27 déc. au 4 janv'],
    ['Cerrado del 29 de abril al 3 de mayo. Gracias por la espera.', '29 de abril al 3 de mayo'],
    ['The call is at 4 p.m. BST for all teams. Bring questions.', '4 p.m. BST'],
    ['The kiosk opens on 14 March. from then on daily.', '14 March'],
    ['Warsztaty 2–6 maja w bibliotece. Zapraszamy dzieci.', '2–6 maja'],
  ])('A33: no sentence, clause or line of “%s” ends within “%s”', (prompt, date) => {
    const sentences = sentencesOf(prompt, 0, prompt.length);
    expect(sentences).toHaveLength(2);
    const parts = [
      sentences.flatMap((sentence) => clausesOf(prompt, sentence).map(({ start, end }) => prompt.slice(start, end))),
      splitText(prompt, date.length + 4),
    ];
    for (const all of parts) expect(all.filter((part) => part.includes(date))).toHaveLength(1);
  });

  it('A33: a range of dates in two months is one date', () => {
    for (const range of ['Dec 27 – Jan 4', '29. April bis 3. Mai', '30 August to 2 September', '29 de abril al 3 de mayo'])
      expect(findWhens(`x ${range}, y`).map(({ text }) => text)).toEqual([range]);
  });

  it('A33: a sentence ends after “p.m.”', () => {
    expect(blocksOf(readRequest('The tasting starts at 4 p.m. Bring your own glass.'), 'text')).toHaveLength(2);
  });
});

describe('numbered lists', () => {
  it('A33: continue their numbers in the next scene', () => {
    fc.assert(
      fc.property(fc.integer({ min: 7, max: 14 }), (count) => {
        const prompt = Array.from({ length: count }, (_, index) => `${index + 1}. Rule ${'abcdefghijklmn'[index]}`).join('\n');
        let next = 1;
        for (const { props } of scenesOf(prompt)) {
          const { start, items, steps } = props as { start: number; items?: unknown[]; steps?: unknown[] };
          expect(start).toBe(next);
          next += (items ?? steps ?? []).length;
        }
        expect(next).toBe(count + 1);
      }),
    );
  });

  it.each([
    ['Steps', 'Ingredients', '- flour\n- milk'],
    ['Schritte', 'Zutaten', '- Mehl\n- Milch'],
    ['Étapes', 'Ingrédients', '* farine\n* lait'],
    ['Pasos', 'Ingredientes', '• harina\n• leche'],
  ])('A33: “%s” beside “%s” number their own entries only', (steps, other, bullets) => {
    const scenes = scenesOf(`## ${other}\n${bullets}\n\n## ${steps}\n1. Mix\n2. Rest\n3. Bake`);
    expect(scenes.map(({ props }) => 'steps' in props || ('numbered' in props && props.numbered))).toEqual([false, true]);
  });
});

describe('a whole sentence without a word of an instruction', () => {
  it.each([
    ['Happy retirement, Walter! You were so patient with every one of us.', 'patient'],
    ['a short clip for our choir. rehearsals are on tuesdays now', 'tuesdays'],
    ['Make a calm video about our library. The reading room opens again in April.', 'reading room'],
    ['she passed her driving test!!!\nthird try, 2 mistakes', 'driving test'],
  ])('A33: is shown: %s', (prompt, words) => {
    expect(shown(prompt).toLowerCase()).toContain(words);
  });
});

describe('structure that decides the format', () => {
  const formatsOf = (prompt: string) => scenesOf(prompt).map(({ format }) => format);

  it('A33: a column of numbers beside one of words is a chart of the numbers, named after its column', () => {
    const [scene] = scenesOf(
      'Show this as a bar chart.\n\n| River | Length (km) | Sea |\n|---|---|---|\n| Volga | 3530 | Caspian |\n| Rhine | 1233 | North |\n| Ebro | 930 | Med |\n\ntitle "Long, longer, Volga"',
    );
    expect(scene).toMatchObject({ format: 'bar-chart', props: { title: 'Long, longer, Volga', unit: 'Length (km)' } });
  });

  it.each(['KW 7', 'Week 7', 'W7', 'Sprint 7', 'Day 7'])('A33: several values of periods such as “%s” are lines', (period) => {
    const rows = [7, 8, 9].map((number) => `${period.replace('7', String(number))},${number * 11},${90 - number}`);
    expect(formatsOf(`period,in,out\n${rows.join('\n')}`)).toEqual(['line-chart']);
  });

  it('A33: an enumeration continues an exclusion, and nothing excluded is reported', () => {
    const request = {
      prompt:
        'our release, skip the chores, tests and docs\n\nfeat: dark sidebar\nfix: crash on paste\nchore: update lint\ntest: cover paste\ndocs: new readme',
      hints: { style: null, aspect: null, durationSeconds: null },
      ...{ answers: [], assets: [], seed: 1 },
    };
    const { film, caveat } = planFilm(request);
    const text = JSON.stringify(film.scenes);
    for (const kept of ['dark sidebar', 'crash on paste']) expect(text).toContain(kept);
    for (const left of ['update lint', 'cover paste', 'new readme']) expect(text + caveat).not.toContain(left);
  });

  it('A33: pairs around dashes are terms with their meanings', () => {
    const [scene] = scenesOf('the wave - la ola\nthe shore - la orilla\nthe tide - la marea');
    expect(scene).toMatchObject({ props: { items: [{ text: 'the wave', detail: 'la ola' }, {}, {}] } });
  });

  it('A33: a long last sentence without contact details is not shortened to an end card', () => {
    const prompt = 'Sensor → Queue → Store. Queue also copies every reading to the archive, which the auditors search later.';
    expect(shown(prompt)).toContain('auditors search later');
  });
});

it.each([
  ['Club news: new boat, new coach, same river. teal and white', 'Club news'],
  ['Q3 results: revenue 4.2m, new clients 31, churn 2 %', 'Q3 results'],
  ['Meeting notes: budget approved, hire a cook, repaint the hall', 'Meeting notes'],
])('A33: a label before a list is its title: %s', (prompt, title) => {
  expect(scenesOf(prompt)[0]).toMatchObject({ props: { title } });
});
