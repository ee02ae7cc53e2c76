import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../../test/fixtures/characters.ts';
import { repeatedPieces, repeatedTo } from '../../../../test/fixtures/repeated-pieces.ts';
import { formatOf } from '../formats/catalogue.ts';
import { planFilm, quotedScene } from './plan-film.ts';
import { fold } from './read/reading.ts';

const plan = (prompt: string) =>
  planFilm({ prompt, hints: { style: null, aspect: null, durationSeconds: null }, answers: [], assets: [], seed: 1 });
const formats = (prompt: string) => plan(prompt).film.scenes.map(({ format }) => format);
const shown = (prompt: string) => JSON.stringify(plan(prompt).film.scenes.map(({ props }) => props));

describe('the formats of a request', () => {
  it('keeps the title line above pasted data, and ticks off a packing list', () => {
    const prompt = 'Sunday at the lake\n\nPacking list:\n- Towel\n- Peaches\n\nplayful, candy theme';
    expect(formats(prompt)).toEqual(['title', 'checklist']);
    expect(shown(prompt)).toContain('Sunday at the lake');
  });

  it.each([
    ['Sommerfest am 12. Juli um 18 Uhr im Garten der Kita', 'event'],
    ['Portes ouvertes du lycée le samedi 14 mars de 9h à 13h', 'event'],
    ['Reunión de padres el jueves 3 de octubre a las 17:30 en el aula 12', 'event'],
    ['Checkliste für den Umzug: Kartons packen, Strom ummelden, Schlüssel übergeben', 'checklist'],
    ['recette de crêpes: 1. mélanger farine et oeufs 2. ajouter le lait 3. cuire 2 minutes', 'steps'],
    ['Lower third: Dr. Amina Yusuf, Chief Medical Officer', 'lower-third'],
    ['Logo reveal for NORDLYS, gold on dark', 'logo'],
    ['Pros: no rent, more space. Cons: long commute, fewer shops.', 'comparison'],
    ['monthly visitors: Jan 1200, Feb 1800, Mar 2600, Apr 2400', 'line-chart'],
    ['Promo for Loop, a habit tracker. Features: streaks, gentle reminders, shared goals', 'features'],
    ['Zitat von Goethe: Man sieht nur, was man weiß.', 'quote'],
    ['a whatsapp chat where Mia asks "Did you feed the cat?" and Ben answers "I thought you did"', 'chat'],
    ['iphone notification from Mom: "Dinner is ready"', 'notification'],
    ['git Befehle: git init, git add ., git commit -m "start"', 'terminal'],
    ['SQL clip: SELECT name, age FROM users WHERE age > 18;', 'code'],
    ['counter from 0 to 1 million downloads', 'number'],
    ['a red ball bounces three times, playful', 'shapes'],
    ['Ranking race of goals\n\nTeam,2022,2023,2024\nOslo,4,9,12\nTurin,6,7,8', 'race'],
    ['Zeitungsartikel: Stadt pflanzt 400 Bäume', 'headline'],
    ['Newspaper headline: “Rents fall for the first time”, The Harbour Post, 9 February 2027', 'headline'],
    ['Seamless loading dots animation', 'loader'],
    ['A headline for our spring sale: 20 % off all bikes', 'title'],
    ['Front loader for hire from Monday, call 555 0142', 'title'],
    ['a cat walks through a city at night', 'icon-story'],
    ['ein Hund rennt am Strand', 'icon-story'],
    ['un chat poursuit une souris dans la cuisine', 'icon-story'],
    ['dos pájaros vuelan sobre el mar', 'icon-story'],
    ['democracy is fading while empires fall', 'title'],
  ])('A33: “%s” has a scene of %s', (prompt, format) => {
    expect(formats(prompt)).toContain(format);
  });

  it('A33: keeps the guests of an offer as content', () => {
    const prompt = 'Grand opening of Bean There on Friday 6 June at 8 am, free croissants for the first 50 guests';
    expect(shown(prompt).toLowerCase()).toContain('free croissants for the first 50 guests');
  });

  it.each([
    ['happy 70th grandma Ilse!!', '70'],
    ['Wir sitzen ab Montag im neuen Büro, 3. Stock. Zum Einstand gibt es Kuchen.', '3'],
    ['Schritt 1: 1 Brötchen kostet 2,40 € : 4 = 0,60 €', '2,40 €'],
    ['Spoke & Sons, 41 Mill Lane, is moving in September', '41'],
  ])('A33: “%s” keeps “%s” with what it counts', (prompt, part) => {
    const { scenes } = plan(prompt).film;
    expect(scenes.map(({ format }) => format)).not.toContain('number');
    const emphasis = scenes.flatMap(({ props }) => ('emphasis' in props ? props.emphasis : []));
    expect(emphasis).not.toContain(part);
  });

  it('A33: shows rows with semicolons as pairs, and a sum apart from its parts', () => {
    const words = plan('Kitchen words\nitalian;english\nil coltello;knife\nla forchetta;fork').film.scenes[0]?.props;
    expect(words).toMatchObject({
      items: [
        { text: 'il coltello', value: 'knife' },
        { text: 'la forchetta', value: 'fork' },
      ],
    });
    const bars = plan('Revenue\nregion;rev_2023\nNorth;12\nSouth;15\nTotal;27').film.scenes[0]?.props;
    expect(bars).toMatchObject({ title: 'Revenue', unit: 'Total: 27', items: [{ label: 'North' }, { label: 'South' }] });
  });
});

describe('the parts of a request that are not shown', () => {
  const notShown = (prompt: string) => plan(prompt).notShown;

  it('A4: are its instructions, one sentence each, as the user wrote them', () => {
    const prompt = 'Please make a calm video for our staff. Dark theme, 16:9.\n\n- Towel\n- Peaches';
    expect(notShown(prompt)).toEqual(['Please make a calm video for our staff.', 'Dark theme, 16:9.']);
    expect(notShown('- Towel\n- Peaches')).toEqual([]);
  });

  it('A4 A5: can each be shown word for word by a scene', () => {
    const long = 'Highlight the price, keep every line on screen for long enough to read it aloud, and end with our address';
    const scene = quotedScene(`“${long}”`, 'smooth');
    expect(scene?.props).toMatchObject({
      text: expect.stringMatching(/^Highlight/),
      subtitle: expect.stringMatching(/address$/),
    });
    expect(`${scene?.props['text']} ${scene?.props['subtitle']}`).toBe(long);
    expect(quotedScene('“Ease” in, then “out”', 'smooth')).toBeNull();
    expect(quotedScene('Make it calm', 'smooth')).toBeNull();
  });
});

describe('any text', () => {
  const texts = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 200 }),
    fc.lorem({ maxCount: 30 }),
    fc
      .array(
        fc.constantFrom(
          'Cats 12',
          'a: b',
          '\n- ',
          '3 May at 9 am',
          'first',
          '50%',
          '"so"',
          ', ',
          '. ',
          'https://koda.dev',
          '1. ',
        ),
        { maxLength: 20 },
      )
      .map((parts) => parts.join(' ')),
  );

  it('A33 X1: gives scenes whose fields fit, with no word and no number that the request lacks', () => {
    fc.assert(
      fc.property(texts, (prompt) => {
        const source = fold(prompt).replace(/\s+/gu, '');
        // Folding converts “㏻” to “28日”.
        const digits = fold(prompt).replace(/[^\p{N}]+/gu, '');
        for (const { format, props } of plan(prompt).film.scenes) {
          expect(formatOf(format)?.props.safeParse(props).error?.issues ?? []).toEqual([]);
          if (format === 'icon-story' || format === 'shapes') continue;
          JSON.stringify(props, (key, value) => {
            if (
              typeof value !== 'string' ||
              ['icon', 'side', 'gauge', 'layout', 'frame', 'prompt', 'language', 'icons', 'winner', 'entrance'].includes(key)
            )
              return value;
            for (const word of fold(value).split(' ')) {
              expect(source).toContain(word);
              for (const number of word.match(/\d+/gu) ?? []) expect(digits).toContain(number);
            }
            return value;
          });
        }
      }),
      { numRuns: 200 },
    );
  }, 60_000);

  it.each(Object.entries({ nothing: '', ...repeatedPieces }))('X1: plans %s, repeated to 20,000 characters', (_, piece) => {
    const { film } = plan(piece === '' ? '' : repeatedTo(piece, 20_000));
    expect(film.scenes.reduce((sum, { seconds }) => sum + seconds, 0)).toBeLessThanOrEqual(121);
  });
});
