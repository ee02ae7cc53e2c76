import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Correction } from '#kinds/film/contract/reading.ts';
import { anyCharacter } from '../../../../../test/fixtures/characters.ts';
import { repeatedPieces, repeatedTo } from '../../../../../test/fixtures/repeated-pieces.ts';
import judged from '../../../../../test/requests/judged.json' with { type: 'json' };
import worked from '../../../../../test/requests/worked.json' with { type: 'json' };
import { planFilm } from '../plan-film.ts';

const hints = { style: null, aspect: null, durationSeconds: null };
const plan = (prompt: string, corrections: readonly Correction[] = []) =>
  planFilm({ prompt, hints, answers: [], assets: [], seed: 1, corrections });
const scenesOf = (prompt: string, corrections: readonly Correction[] = []) => plan(prompt, corrections).film.scenes;
const textOf = (prompt: string, corrections: readonly Correction[] = []) =>
  JSON.stringify(scenesOf(prompt, corrections).map(({ props }) => props));
/** Returns how some words are read: the state and the rule of the span that has them. */
function readAs(prompt: string, words: string, corrections: readonly Correction[] = []) {
  const at = prompt.indexOf(words);
  const span = plan(prompt, corrections).spans.find(({ start, end }) => at >= start && at < end);
  return `${span?.state} ${span?.rule}`;
}
const correct = (prompt: string, words: string, use: Correction['use']): Correction[] => {
  const start = prompt.indexOf(words);
  return [{ start, end: start + words.length, use }];
};

describe('1: text in quotes is shown exactly', () => {
  it.each(['“Bring it brokken.”', '"Bring it brokken."', '„Bring it brokken.“', '«Bring it brokken.»', '「Bring it brokken.」'])(
    'A33: %s',
    (quoted) => {
      expect(scenesOf(`Please show ${quoted} in big letters`)).toMatchObject([
        { format: 'title', props: { text: 'Bring it brokken.' } },
      ]);
    },
  );

  it('A33: shows nothing else of its sentence, and a numbered shot as a scene of its own', () => {
    const prompt = '1: black screen, white text “We lost the map.”\n2: slow fade, text “We kept walking.”';
    expect(scenesOf(prompt).map(({ props }) => props)).toMatchObject([
      { text: 'We lost the map.' },
      { text: 'We kept walking.' },
    ]);
    expect(readAs(prompt, 'black')).toBe('instruction 9');
  });
});

describe('2 and 3: the word before a text says what it is', () => {
  it('A33: a title and a subtitle in quotes are one scene', () => {
    const prompt =
      'Title card “Quarterly All-Hands”, subtitle “Thursday 16 October, 3 pm, Atrium”. Navy background, white text, 6 seconds.';
    const { film } = plan(prompt);
    expect(film.scenes).toMatchObject([
      { format: 'title', seconds: 6, props: { text: 'Quarterly All-Hands', subtitle: 'Thursday 16 October, 3 pm, Atrium' } },
    ]);
    expect(film.colors.ground).toBe('#000080');
  });

  it.each([
    'title “Open day”, button “Join”',
    'Titel „Open day“, Knopf „Join“',
    'titre « Open day », bouton « Join »',
    'título "Open day", botón "Join"',
    'título "Open day", botão "Join"',
    'titolo "Open day", pulsante "Join"',
    'titel "Open day", knop "Join"',
  ])('A33: %s', (prompt) => {
    expect(scenesOf(prompt)).toMatchObject([{ props: { text: 'Open day' } }, { format: 'end-card', props: { action: 'Join' } }]);
  });

  it('A33: needs no quotes before a colon', () => {
    expect(scenesOf('Title: The long way home\nSubtitle: A film by Ines')).toMatchObject([
      { props: { text: 'The long way home', subtitle: 'A film by Ines' } },
    ]);
  });
});

describe('4 to 7: structure is data', () => {
  const rows = 'Podcast,187\nBlog,318\nSearch,402\nFriends,96\nEvents,51';

  it('A33: rows behind an introductory line are a table, and the line gives its title and format', () => {
    const prompt = `Turn this into an animated bar chart, title Newsletter signups:\n${rows}`;
    expect(scenesOf(prompt)).toMatchObject([
      { format: 'bar-chart', props: { title: 'Newsletter signups', items: { length: 5 } } },
    ]);
  });

  it.each([
    'Here are our numbers:',
    'Mach daraus bitte ein Balkendiagramm:',
    'Fais-en un graphique à barres, s’il te plaît :',
    'Convierte esto en un gráfico de barras:',
    'Transforme isto num gráfico de barras:',
    'Trasforma questo in un grafico a barre:',
    'Maak hier een staafdiagram van:',
  ])('A33: no cell is lost behind “%s”, with any separator', (intro) => {
    for (const [separator, value] of [
      [',', '187'],
      [';', '187'],
      ['\t', '187'],
      [' | ', '187'],
      [';', '18,7'],
    ] as const) {
      const table = `Kanal${separator}Zahl\nPodcast${separator}${value}\nBlog${separator}318\nSuche${separator}402`;
      const [scene] = scenesOf(`${intro}\n${table}`).filter(({ format }) => format === 'bar-chart');
      const values = value === '187' ? 187 : 18.7;
      expect(scene?.props['items']).toEqual([
        { label: 'Podcast', value: values },
        { label: 'Blog', value: 318 },
        { label: 'Suche', value: 402 },
      ]);
    }
  });

  it('A33: cells in quotes keep their separators and quotation marks', () => {
    const text = 'Here is our table:\nname,"value, total"\n"Smith, ""Joe"" John",12\nLee,30\nKim,7';
    expect(textOf(text)).toMatch(/Smith, \\"Joe\\" John.*12.*Lee.*30.*Kim.*7/u);
  });

  it.each([',', ';', '\t'])('F5: two rows, one of them with an empty cell, are a table with any separator: %j', (separator) => {
    const table = ['Place', 'Visitors'].join(separator);
    const rows = [`Lyon${separator}`, `Paris${separator}987`].join('\n');
    for (const text of [`Bar chart of visitors\n${table}\n${rows}`, `\uFEFF${table}\r\n${rows}`]) {
      const shown = textOf(text);
      expect(shown).toMatch(/"Lyon".*"Paris".*987/u);
      expect(shown).not.toMatch(new RegExp(`Lyon${separator}|Place${separator}Visitors`, 'u'));
    }
  });

  it('A33: a missing cell never becomes 0', () => {
    expect(textOf('Town,2023,2024\nOslo,12,14\nRome,,9\nParis,7,8')).not.toMatch(/"value":0[,}]|\[0,|,0[,\]]/u);
  });

  it.each([
    ['- Keys\n- Tent', 'list'],
    ['- [x] Keys\n- [ ] Tent', 'checklist'],
    ['09:30 Tea\n10:00 Walk', 'timeline'],
    ['1969 Moon landing\n1990 Hubble\n2021 Webb', 'timeline'],
    ['Ines: On the train?\nTom: Platform 4\nInes: Oh', 'chat'],
    ['Our morning: 1. grind 2. pour 3. wait', 'list'],
    ['Deploy: Laptop -> Registry -> Cluster', 'flow'],
    ['type npm install koda', 'terminal'],
  ])('A33: “%s” is a %s', (prompt, format) => {
    expect(scenesOf(prompt).map((scene) => scene.format)).toContain(format);
  });

  it('A33: a command is typed without the verb before it', () => {
    expect(scenesOf('type npm install koda')).toMatchObject([{ props: { blocks: [{ input: 'npm install koda' }] } }]);
  });
});

describe('8 and 9: formats and looks are instructions', () => {
  it('A33: the name of a format is not shown, nor what stands between it and a colon', () => {
    expect(scenesOf('lower third for an interview: Dr. Amara Okafor, Chief Flood Engineer')).toMatchObject([
      { format: 'lower-third', props: { name: 'Dr. Amara Okafor', role: 'Chief Flood Engineer' } },
    ]);
  });

  it('A33: a hex value is a colour wherever it stands', () => {
    const prompt = 'The colour of our doors is #2f8f5b now. We open on Sunday.';
    expect(plan(prompt).film.colors.accent).toBe('#2f8f5b');
    expect(plan(prompt).spans.find(({ sets }) => sets !== null)).toMatchObject({ sets: { look: 'accent', value: '#2f8f5b' } });
  });

  it('A33: a named chart shows numbers whose first column is a number too', () => {
    const prompt = 'Line chart, please:\nWeek;Weight;Pulse\n1;84,5;72\n2;83,9;71\n4;82,1;68';
    expect(scenesOf(prompt)).toMatchObject([{ format: 'line-chart', props: { labels: ['1', '2', '4'], series: [{}, {}] } }]);
  });

  it('A33: a row that is shown in part says which of its cells are', () => {
    const prompt = 'Bar chart:\nItem,Sold,Note\n"Croissant, butter",412,"best day: Saturday"\nSourdough,268,';
    const { spans } = plan(prompt);
    const stateOf = (words: string) => spans.find(({ start, end }) => prompt.slice(start, end).includes(words))?.state;
    expect(stateOf('412')).toBe('shown');
    expect(stateOf('best day')).toBe('left-out');
  });

  it('A33: a sum is not torn at “Mio.”', () => {
    const texts = JSON.stringify(
      scenesOf('Unser Umsatz lag bei Q1 1,2 Mio. €, Q2 1,45 Mio. €, Q3 nur 0,98 Mio. €, Q4 dann 2,1 Mio. €.'),
    );
    expect(texts).not.toMatch(/Mio\."|"€/);
  });

  it('A33: what stands under a title is its subtitle', () => {
    expect(scenesOf('Title card: "Grand Opening" and under it "24 Mill Lane"')).toMatchObject([
      { format: 'title', props: { text: 'Grand Opening', subtitle: '24 Mill Lane' } },
    ]);
  });

  it('A33: a dark or bright film is a look', () => {
    const looks = (prompt: string) => plan(prompt).spans.flatMap(({ sets }) => (sets === null ? [] : [sets]));
    expect(looks('Dark theme, please: “Night shift”')).toEqual([{ look: 'theme', value: 'dark' }]);
    expect(looks('Make it bright: “Night shift”')).toEqual([{ look: 'theme', value: 'bright' }]);
    expect(looks('Title “Dark matter”')).toEqual([]);
  });

  it.each([
    ['See you at the pier. Navy background, 6 seconds, 9:16', '9:16'],
    ['Wir sehen uns am Steg. Dunkelblauer Hintergrund, 6 Sekunden, 9:16', '9:16'],
  ])('A33: %s', (prompt, aspect) => {
    const { film } = plan(prompt);
    expect(film.aspect).toBe(aspect);
    expect(film.scenes).toHaveLength(1);
    expect(film.scenes[0]?.seconds).toBe(6);
  });
});

describe('10: what the request leaves out', () => {
  it.each(['leave out lunch', 'skip lunch', 'ohne Lunch', 'sans lunch', 'sin lunch', 'senza lunch', 'sem lunch', 'zonder lunch'])(
    'A33: %s',
    (words) => {
      const prompt = `09:30 Tea\n10:00 Walk\n12:30 Lunch\n\n${words}`;
      expect(textOf(prompt)).not.toMatch(/lunch/iu);
      expect(readAs(prompt, '12:30 Lunch')).toBe('left-out 10');
    },
  );

  it('A33: “no other text” leaves out all that is not in quotes', () => {
    expect(textOf('We open soon. “Open day” No other text.')).not.toContain('soon');
  });
});

describe('11 and 12: everything else is shown', () => {
  it('A33: a heading starts a new scene', () => {
    expect(scenesOf('# New\n- Dark mode\n- Shortcuts\n\n# Fixed\n- Login loop').map(({ props }) => props['title'])).toEqual([
      'New',
      'Fixed',
    ]);
  });

  it('A33: a sentence that speaks to Koda is an instruction only beside something else', () => {
    expect(readAs('Please make it calm. See you at the pier.', 'Please')).toBe('instruction 12');
    expect(readAs('The letters should feel calm. See you at the pier.', 'The letters')).toBe('instruction 12');
    expect(readAs('The style of Gaudí lives on. See you at the pier.', 'The style')).toBe('question 12');
    expect(textOf('Make a video about our summer party')).toContain('ur summer party');
  });

  it.each([
    ['A cat eats a fish', 'needs-drawing 12'],
    ['A cat sits down', 'shown 12'],
    ['a red ball bounces three times', 'shown 12'],
  ])('A33: “%s” is %s', (prompt, read) => {
    expect(readAs(prompt, prompt)).toBe(read);
  });
});

describe('remarks to Koda', () => {
  it.each([
    ['Hi there! The pool opens on 3 May.', 'Hi there'],
    ['The pool opens on 3 May. Thank you so much, you are great!', 'Thank you'],
    ['Guten Tag! Das Bad öffnet am 3. Mai. Vielen Dank im Voraus!', 'Vielen Dank'],
    ['Bonjour ! La piscine ouvre le 3 mai. Merci beaucoup, bonne journée', 'Merci'],
    ['La piscina abre el 3 de mayo. ¡Muchas gracias por tu ayuda!', 'Muchas gracias'],
    ['A piscina abre a 3 de maio. Obrigada desde já!', 'Obrigada'],
    ['La piscina apre il 3 maggio. Grazie mille in anticipo', 'Grazie'],
    ['Het zwembad opent op 3 mei. Alvast bedankt!', 'Alvast'],
    ['「プール開き」というタイトルで。よろしくお願いします。', 'よろしく'],
    ['فيديو عن افتتاح المسبح يوم 3 مايو. شكرا جزيلا', 'شكرا'],
    ['I teach swimming. The pool opens on 3 May.', 'I teach'],
    ['The pool opens on 3 May. It will run on the screen in the hall.', 'It will run'],
    ['Das Bad öffnet am 3. Mai. Es läuft im Foyer.', 'Es läuft'],
    ['The pool opens on 3 May. Should look like a postcard.', 'Should look'],
  ])('A33: “%s”: “%s” is an instruction', (prompt, words) => {
    expect(readAs(prompt, words)).toMatch(/^instruction/u);
    expect(textOf(prompt)).not.toContain(words);
  });

  it.each([
    ['Title “Open day”. Slide in from the right, nice and loud, 9:16', 'Slide in'],
    ['Title “Open day”. Slide in from the right, nice and loud, 9:16', 'nice and loud'],
    ['Titel „Sommerfest“. Knallrot mit weißer Schrift, darf richtig krachen', 'darf richtig'],
    ['Title “Open day”. Portrait for the hall screens!', 'for the hall'],
    ['Titre « Portes ouvertes ». Fond bleu, lettres une par une', 'lettres'],
    ['Neon sign look, for our skate shop\n\n- Decks\n- Wheels', 'Neon sign'],
    ['Neon sign look, for our skate shop\n\n- Decks\n- Wheels', 'for our skate'],
    ['launch film for our newsletter, square\n\n- Decks\n- Wheels', 'launch film'],
  ])('A33: beside data or quotations, “%s”: “%s” is an instruction', (prompt, words) => {
    expect(readAs(prompt, words)).toMatch(/^instruction/u);
  });

  it.each([
    ['Thank you for ten great years!', 'Thank you for ten great years!'],
    ['Open day on 3 May. Thanks to all our helpers from Mill Lane!', 'Thanks to all our helpers'],
    ['Title “Open day”. Square, doors at 10 am in Mill Lane', '10 am'],
    ['Music, games and cake on 3 May, 9:16', 'games and cake'],
    [
      'Subject: Outing\n\nDear all,\nthe bus leaves at 8:15. Please bring a raincoat.\n\n---\nmake a short clip of this',
      'raincoat',
    ],
  ])('A33: “%s” shows “%s”', (prompt, words) => {
    expect(textOf(prompt)).toContain(words);
  });

  it('A33: a name in quotes fills the format, and not the purpose beside it', () => {
    expect(scenesOf('Lower third for our harbour stream. Name “Dr. Ada Osei”, below it “Pilot”. teal bar')).toMatchObject([
      { format: 'lower-third', props: { name: 'Dr. Ada Osei', role: 'Pilot' } },
    ]);
  });

  it('A33: words about where a text stands are parted from it', () => {
    expect(textOf('We meet in Bristol. 118 km total should appear at the end')).not.toContain('should');
  });
});

describe('nothing is torn', () => {
  it.each([
    'Der Umsatz stieg auf 1,45 Mio. € im Jahr',
    'Kosten: ca. 12 € pro Kopf, max. 20 Leute',
    'Bus Nr. 5 hält bei Dr. Nwosu, z. B. am Markt bzw. am Hafen',
    'We meet at no. 4 with approx. 30 guests',
    'Voir p. 12 et env. 30 pages',
    'Véase pág. 12 y aprox. 30 fotos',
    'Zie blz. 12 en ca. 30 foto’s',
    'Werkstatt in der Hauptstr. 12 am Hafen',
  ])('A33: “%s” is one sentence', (prompt) => {
    expect(plan(prompt).spans.filter(({ end, start }) => /[\p{L}\d]/u.test(prompt.slice(start, end)))).toHaveLength(1);
  });
});

describe('drawings', () => {
  it.each([
    'a lantern that sways in the wind',
    'An owl turning its head, then it flies away',
    'Ein Drachen, der über die Dünen fliegt',
    'une bougie qui vacille puis s’éteint',
    'Un globo que sube y explota',
    'Uma folha cai da árvore e flutua no rio',
    'un palloncino che vola via sopra i tetti',
    'een vis die uit het water springt',
    'Draw a teapot with steam. Text “Tea at four”',
    'A pebble rolls down the stairs, no text',
  ])('A33: “%s” is announced', (prompt) => {
    expect(plan(prompt).spans.map(({ state }) => state)).toContain('needs-drawing');
  });

  it.each([
    'Draw the route as a line from Bristol to Bath',
    'Our dog school moves to Mill Lane on 3 May',
    'We are looking for a person who loves plants and opens the garden',
    'A loading ring that turns, with the text “Just a moment”',
    'The bus leaves at 8:15 from the gate',
    'Sales rose to 40 and then fell to 12. Make a line chart',
    'Snow falling, seamless loop',
  ])('A33: “%s” is not', (prompt) => {
    expect(plan(prompt).spans.map(({ state }) => state)).not.toContain('needs-drawing');
  });
});

describe('corrections', () => {
  it('A33: are stronger than every rule', () => {
    const prompt = 'Please make it calm. See you at the pier. We bring “cups” and tea.\n\n- Keys\n- Tent\n- Rope';
    expect(textOf(prompt, correct(prompt, 'Please make it calm.', 'show'))).toContain('Please make it calm.');
    expect(textOf(prompt, correct(prompt, 'See you at the pier.', 'leave-out'))).not.toContain('pier');
    expect(textOf(prompt, correct(prompt, '- Tent', 'leave-out'))).not.toContain('Tent');
    expect(textOf(prompt, correct(prompt, '- Tent', 'leave-out'))).toContain('Rope');
    expect(textOf(prompt, correct(prompt, 'See you at the pier', 'title'))).toContain('"title":"See you at the pier"');
    expect(readAs(prompt, 'See you', correct(prompt, 'See you at the pier.', 'leave-out'))).toBe('left-out null');
  });

  it('A33: show words that the request leaves out, and give words a scene of their own', () => {
    const prompt = '09:30 Tea\n10:00 Walk\n12:30 Lunch\n\nleave out lunch';
    expect(textOf(prompt, correct(prompt, '12:30 Lunch', 'show'))).toContain('Lunch');
    const words = 'Tea at nine\nWalk at ten';
    expect(scenesOf(words, correct(words, 'Walk at ten', 'own-scene'))).toHaveLength(2);
  });

  it('A33: keep the words around them, without their punctuation', () => {
    const sales = 'We sold 40 cakes in 2024 and 90 cakes in 2025. Come by on Saturday!';
    const shown = textOf(sales, correct(sales, '90 cakes in 2025', 'own-scene'));
    for (const words of ['We sold 40 cakes in 2024', '90 cakes in 2025', 'Come by on Saturday!']) expect(shown).toContain(words);
    const stand = 'Stand 14, hall B. Soft colours please, pastel. Thanks a lot, Tom';
    const left = ['Soft colours please, pastel', 'Thanks a lot, Tom'].flatMap((words) => correct(stand, words, 'leave-out'));
    expect(scenesOf(stand, left)).toMatchObject([{ props: { text: 'Stand 14, hall B.' } }]);
  });

  it('A33: show words in a scene of their own if no scene has room for their use', () => {
    const prompt = 'Our bakery turns ten. Free cake for everybody on 4 May, says Maria Lopez.';
    expect(textOf(prompt, correct(prompt, 'Maria Lopez', 'author'))).toContain('Maria Lopez');
  });

  it('A33: follow words that the rules show', () => {
    const prompt = 'Stand 14, hall B\n\nNavy and gold would suit us, 9:16';
    const corrections = correct(prompt, 'Navy and gold would suit us', 'follow');
    expect(textOf(prompt, corrections)).not.toContain('suit us');
    expect(readAs(prompt, 'Navy', corrections)).toBe('instruction null');
    expect(Object.values(plan(prompt, corrections).film.colors)).toContain('#000080');
  });

  it('A33: outside the text are ignored', () => {
    expect(textOf('Hello', [{ start: 400, end: 420, use: 'leave-out' }])).toBe(textOf('Hello'));
  });
});

describe('spans', () => {
  const requests = [...worked, ...judged].map(({ request }) => request);
  /** Returns the letters and digits that no span covers, and spans that overlap. */
  function faultsIn(prompt: string): string[] {
    const { spans } = plan(prompt);
    const faults: string[] = [];
    let end = 0;
    for (const span of spans) {
      if (span.start < end || span.end <= span.start) faults.push(`${span.start} overlaps`);
      if (/[\p{L}\p{N}]/u.test(prompt.slice(end, span.start))) faults.push(prompt.slice(end, span.start));
      end = span.end;
    }
    if (/[\p{L}\p{N}]/u.test(prompt.slice(end))) faults.push(prompt.slice(end));
    return faults;
  }

  it('A33: cover every letter and digit of every request, once', () => {
    expect(requests.flatMap(faultsIn)).toEqual([]);
  });

  it('A33 X1: cover any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (prompt) => {
        expect(faultsIn(prompt)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it.each(Object.entries(repeatedPieces))('X1: cover %s, repeated to 20,000 characters', (_, piece) => {
    expect(faultsIn(repeatedTo(piece, 20_000))).toEqual([]);
  });

  it.each([
    'a'.repeat(3000),
    Array.from({ length: 4 }, (_, row) => Array.from({ length: 60 }, (__, column) => row * column).join(',')).join('\n'),
    "“unclosed and «nested “twice» 'over",
    'She said “he said ‘« „so“ »’ and left” today',
    'موعدنا يوم 12 مايو الساعة 18:30 في الحديقة',
    'zero\u200bwidth\ufeff and \u200djoin',
    '<b onclick="x()">Bold</b> & <script>alert(1)</script>',
    '🎉🎈🎂',
  ])('X1: bad input gives a film and covers the text (%#)', (prompt) => {
    expect(faultsIn(prompt)).toEqual([]);
    expect(scenesOf(prompt).length).toBeGreaterThan(0);
  });
});
