import { describe, expect, it } from 'vitest';
import type { Brief, Clause, SubjectWish, TextWish } from './brief/brief.ts';
import { mannered } from './brief/manners.ts';
import { noHints, parseBrief } from './brief/parse-brief.ts';
import { isLight } from './color.ts';
import { nameOfSubject } from './feedback/matching.ts';
import { planFilm } from './plan/plan-film.ts';

function subjectLine(wish: SubjectWish): string {
  const { ref, motion, counter } = wish;
  const name = ref.kind === 'loader' ? `loader-${ref.variant}` : nameOfSubject(ref);
  const natural = wish.ref.kind === 'figure' ? wish.ref.color : null;
  const color =
    wish.color === natural
      ? ''
      : wish.colors.length > 1
        ? `${wish.colors.length} colours`
        : wish.color === null
          ? ''
          : wish.color;
  const move =
    motion === null
      ? ''
      : [
          motion.act?.program ?? motion.type,
          motion.times === null ? '' : `x${motion.times}`,
          motion.direction === null ? '' : `>${motion.direction}`,
        ].join('');
  const counting =
    counter === null
      ? ''
      : `${counter.down ? 'down ' : ''}${counter.from ?? ''}..${counter.prefix}${counter.to ?? ''}${counter.suffix}${counter.label === '' ? '' : ` ${counter.label}`}`;
  const bars = wish.bars.map((bar) => `${bar.label}=${bar.value}`).join(',');
  const parts = [
    wish.count === null ? '' : String(wish.count),
    wish.size === null ? '' : `@${wish.size}`,
    color,
    name,
    bars,
    counting,
    move,
  ];
  return parts.filter((part) => part !== '').join(' ');
}

const textLine = (text: TextWish): string =>
  `"${text.text}"${text.role === null || text.role === 'title' ? '' : `(${text.role})`}${text.color === null ? '' : `:${text.color}`}${mannered(text.manner).entrance === undefined ? '' : `~${mannered(text.manner).entrance}`}`;
const clauseLine = (clause: Clause): string =>
  [
    ...clause.subjects.map(subjectLine),
    ...clause.texts.map(textLine),
    ...clause.meetings.map(
      ({ verb, who, whom }) => `(${who.map(subjectLine).join(', ')} ${verb} ${whom === null ? '' : subjectLine(whom)})`,
    ),
    clause.speed === 1 ? '' : `speed ${clause.speed}`,
    clause.camera ?? '',
  ]
    .filter((part) => part !== '')
    .join(' + ');
const story = (brief: Brief): string => brief.clauses.map(clauseLine).join(' > ');

/** Prompt → the story that was read, and whatever else matters. */
interface Row {
  readonly prompt: string;
  readonly story: string;
  readonly style?: string | null;
  readonly aspect?: string;
  readonly seconds?: number;
  readonly background?: string;
  readonly tone?: 'dark';
  readonly unknown?: readonly string[];
  readonly language?: string;
}

const rows: readonly Row[] = [
  {
    prompt: "A red ball bounces three times, playful, with the title 'Hello'",
    story: '#ff0000 ball bouncex3 + "Hello"',
    style: 'playful',
  },
  {
    prompt: 'A red ball and a blue cube bounce, then explode',
    story: '#ff0000 ball bounce + #0000ff cube bounce > #ff0000 ball explode + #0000ff cube explode',
    style: null,
  },
  { prompt: 'three blue balls bounce twice', story: '3 #0000ff ball bouncex2' },
  { prompt: 'A bouncing red ball', story: '#ff0000 ball bounce' },
  { prompt: 'Bounce a green ball five times', story: '#008000 ball bouncex5' },
  { prompt: 'a huge golden star spins slowly', story: '@1.8 #ffd700 star spin + speed 0.65' },
  { prompt: 'five stars twinkle', story: '5 star sparkle' },
  { prompt: 'stars twinkle in the night, cinematic', story: 'stars', style: 'cinematic', unknown: [] },
  { prompt: 'A tiny dark blue cube rolls from left to right', story: '@0.45 #0c2050 cube roll>right' },
  { prompt: 'logo slides in from the left', story: 'hexagon slide>right' },
  {
    prompt: 'A pastel pink heart beats 4 times on a white background',
    story: expect.stringMatching(/^#[0-9a-f]{6} heart pulsex4$/) as unknown as string,
    background: '#ffffff',
  },
  { prompt: 'a cube on a dark green background', story: 'cube', background: '#043904' },
  { prompt: 'a cube on a darkblue background', story: 'cube', background: '#00008b' },
  { prompt: 'a deep purple ball on light blue', story: '#510052 ball', background: '#9dbdff' },
  { prompt: 'ein dunkelblauer Ball hüpft', story: '#0c2050 ball bounce', language: 'de' },
  { prompt: 'une balle bleu foncé rebondit', story: '#0c2050 ball bounce', language: 'fr' },
  { prompt: '#ff8800 triangle swings', story: '#ff8800 triangle swing' },
  { prompt: 'confetti explodes, 8 seconds, vertical', story: 'confetti explode', seconds: 8, aspect: '9:16' },
  { prompt: 'Snow falls on a navy background for half a minute', story: 'snow drop', background: '#000080', seconds: 30 },
  { prompt: 'Q1 20, Q2 35, Q3 50 as a bar chart, clean and minimal', story: 'bars Q1=20,Q2=35,Q3=50', style: 'smooth' },
  { prompt: 'sales 10, 40, 80', story: 'bars =10,=40,=80 + "Sales"' },
  { prompt: 'Bar chart: Apples 5, Oranges 8, Pears 3', story: 'bars Apples=5,Oranges=8,Pears=3' },
  { prompt: 'A chart with 20 apples, 35 oranges and 12 pears', story: 'bars apples=20,oranges=35,pears=12' },
  { prompt: 'count from 0 to 100', story: 'counter 0..100' },
  { prompt: 'Counter to 10 000 users', story: 'counter ..10000 users' },
  { prompt: 'countdown from 5', story: 'counter down 5..' },
  { prompt: 'We reached $1.2M revenue', story: 'counter ..$1.2M revenue', unknown: ['reached'] },
  { prompt: '85% of customers agree', story: 'counter ..85% of customers agree' },
  { prompt: 'an orbiting solar system with five planets, epic', story: '5 #ffc72e orbit', style: 'cinematic' },
  { prompt: 'blue waves, calm', story: '#0000ff wave + speed 0.75', style: 'smooth' },
  { prompt: 'a loading spinner', story: 'loader-ring' },
  { prompt: 'progress bar, minimal', story: 'loader-bar', style: 'smooth' },
  { prompt: "Title 'Welcome' fades in, then subtitle 'to the show'", story: '"Welcome"~fade > "to the show"(subtitle)' },
  { prompt: '„Guten Tag“ erscheint Buchstabe für Buchstabe', story: '"Guten Tag"~letters', language: 'de' },
  { prompt: 'text “Hi there” typed out in blue', story: '"Hi there":#0000ff~typewriter' },
  { prompt: '« Bonjour »', story: '"Bonjour"' },
  { prompt: "A sign that says 'Don't panic'", story: `"Don't panic"`, unknown: ['sign'] },
  { prompt: 'saying welcome home in gold', story: '"welcome home":#ffd700' },
  { prompt: 'Title: Summer Sale', story: '"Summer Sale"' },
  { prompt: 'with the title Hello World on a blue background', story: '"Hello World"', background: '#0000ff' },
  {
    prompt: 'Ein roter Ball hüpft dreimal, verspielt, mit dem Titel „Hallo“',
    story: '#ff0000 ball bouncex3 + "Hallo"',
    style: 'playful',
    language: 'de',
  },
  {
    prompt: 'Zwei grüne Würfel drehen sich langsam vor weißem Hintergrund',
    story: '2 #008000 cube spin + speed 0.65',
    background: '#ffffff',
    language: 'de',
  },
  { prompt: 'Une balle rouge rebondit deux fois, élégant', story: '#ff0000 ball bouncex2', style: 'smooth', language: 'fr' },
  {
    prompt: 'Trois étoiles jaunes tournent sur un fond noir',
    story: '3 #ffff00 star spin',
    background: '#000000',
    language: 'fr',
  },
  { prompt: 'Una pelota roja rebota tres veces', story: '#ff0000 ball bouncex3', language: 'es' },
  {
    prompt: 'Dos cubos azules giran, divertido, fondo blanco',
    story: '2 #0000ff cube spin',
    style: 'playful',
    background: '#ffffff',
    language: 'es',
  },
  { prompt: '🎉', story: 'confetti' },
  { prompt: '🔴 bounces', story: '#ff0000 ball bounce' },
  { prompt: '❤️ beats three times', story: '#ff0000 heart pulsex3' },
  { prompt: '❄ on dark blue', story: 'snow', background: '#0c2050' },
  {
    prompt: 'First a ball rolls in, then a cube jumps twice, finally text "The End"',
    story: 'ball roll > cube jumpx2 > "The End"',
  },
  { prompt: '1. red ball rolls in 2. blue cube spins 3. title "End"', story: '#ff0000 ball roll > #0000ff cube spin > "End"' },
  { prompt: '- a star drops\n- confetti\n- "Done"', story: 'star drop > confetti > "Done"' },
  { prompt: 'ball → cube → star', story: 'ball > cube > star' },
  { prompt: 'A red ball bounces. A blue cube spins.', story: '#ff0000 ball bounce > #0000ff cube spin' },
  { prompt: 'There is a red ball and a blue cube. They bounce.', story: '#ff0000 ball bounce + #0000ff cube bounce' },
  {
    prompt: "A ball bounces. The title 'Hello' appears. White background.",
    story: 'ball bounce + "Hello"~fade',
    background: '#ffffff',
  },
  { prompt: 'a ball rolls in and bounces twice and explodes', story: 'ball roll > ball bouncex2 > ball explode' },
  { prompt: 'A ball bounces, no text', story: 'ball bounce' },
  { prompt: 'a cube spins, not confetti', story: 'cube spin' },
  { prompt: 'A ball bounces for 3 seconds, then a cube spins for 4 seconds', story: 'ball bounce > cube spin', seconds: 7 },
  { prompt: 'red ball, square', story: '#ff0000 ball', aspect: '1:1' },
  { prompt: 'a red square grows', story: '#ff0000 square grow' },
  { prompt: 'a ball bounces for Instagram, 0:12', story: 'ball bounce', aspect: '9:16', seconds: 12 },
  {
    prompt: 'logo reveal like the Stripe website, 16:9, 1.5s',
    story: 'hexagon appear',
    style: 'smooth',
    aspect: '16:9',
    seconds: 1.5,
  },
  { prompt: 'movie trailer with title "DUNES", 2 minutes', story: '"DUNES"', style: 'cinematic', seconds: 120 },
  { prompt: 'Ball bounces 3 times with easeOutBack, squash on landing', story: 'ball bouncex3', style: 'playful' },
  { prompt: 'a cat jumps over the moon', story: 'cat + moon + (cat jump-over moon)', unknown: [] },
  { prompt: 'rainbow balls jump', story: '6 colours ball jump' },
  { prompt: 'a dozen bubbles rise', story: '12 bubbles' },
  { prompt: 'The camera orbits around a crystal', story: 'diamond + orbit' },
  {
    prompt: 'A gradient background from blue to purple, a white ring spins',
    story: '#ffffff ring spin',
    background: '#0000ff,#800080',
  },
  { prompt: 'after 2 seconds the title "Late" pops in while a ball floats', story: 'ball float + "Late"~pop' },
  { prompt: 'autumn leaves fall, 4:5', story: 'leaves drop', aspect: '4:5' },
  {
    prompt: 'ein Stern und drei Herzen pulsieren, 8 Sekunden, hochkant',
    story: 'star pulse + 3 heart pulse',
    seconds: 8,
    aspect: '9:16',
    language: 'de',
  },
  { prompt: 'Show our growth: 2021 12, 2022 30, 2023 55', story: 'bars 2021=12,2022=30,2023=55' },
  { prompt: 'Growth chart: Jan 10%, Feb 25%', story: 'bars Jan=10,Feb=25 + "Growth"' },
  { prompt: 'Happy birthday Anna with confetti', story: 'confetti + "Happy birthday Anna"', style: 'playful', unknown: [] },
  { prompt: 'Three cubes: red, green and blue, jump', story: '3 3 colours cube jump' },
  { prompt: "The words 'Think' 'Make' 'Share' appear one after another", story: '"Think"~fade > "Make"~fade > "Share"~fade' },
  { prompt: "counter from 1,000 to 25,000 with label 'Downloads'", story: 'counter 1000..25000 Downloads' },
  { prompt: 'loading animation with three dots', story: 'loader-dots' },
  { prompt: "'SALE' pops up", story: '"SALE"~pop' },
  {
    prompt: 'A heart beats twice, then confetti bursts, with the text "Love" at the end',
    story: 'heart pulsex2 > confetti explode > "Love"',
  },
  { prompt: 'a ball, no shadow, no music', story: 'ball' },
  { prompt: 'a heart and a rocket fly', story: 'heart fly + rocket fly', unknown: [] },
  {
    prompt: 'Planets orbit a golden star on a dark night, cinematic, 0:12, title "Far from home"',
    story: '#ffd700 orbit + "Far from home"',
    style: 'cinematic',
    seconds: 12,
    tone: 'dark',
    unknown: [],
  },
  { prompt: 'planets orbit a red sun', story: '#ff0000 orbit' },
  { prompt: 'five planets orbit around the sun', story: '5 #ffc72e orbit' },
  { prompt: 'planets orbit a blue ball', story: '#0000ff orbit' },
  { prompt: 'planets circle a star', story: '#ffc72e orbit' },
  { prompt: 'electrons around a green nucleus', story: '#008000 orbit', unknown: [] },
  { prompt: 'electrons orbit a red core', story: '#ff0000 orbit', unknown: [] },
  { prompt: 'two moons around a purple planet', story: '2 #800080 orbit' },
  { prompt: 'three white balls orbit a red cube', story: '3 #ff0000 orbit' },
  { prompt: 'a ball rolls around a blue cube', story: 'ball roll + #0000ff cube + (ball roll circle #0000ff cube)' },
  { prompt: 'Snow falls on a dark blue night', story: 'snow drop', background: '#0c2050', unknown: [] },
  { prompt: 'A ball floats in space', story: 'ball float', tone: 'dark', unknown: [] },
  { prompt: 'Sterne funkeln in der Nacht', story: 'stars', tone: 'dark', language: 'de', unknown: [] },
  { prompt: 'Waves move calmly, 15 seconds', story: 'wave slide + speed 0.75', style: 'smooth', unknown: [] },
  { prompt: 'a heart pulses gently', story: 'heart pulse + speed 0.65', style: 'smooth' },
  { prompt: 'a heart pulses gently, playful', story: 'heart pulse + speed 0.65', style: 'playful' },
  { prompt: 'A ball bounces quickly, dramatically', story: 'ball bounce + speed 1.5', style: 'cinematic' },
  { prompt: 'three balloons and confetti, fun', story: '3 balloon + confetti', style: 'playful', unknown: [] },
  { prompt: '"Änne" 🎂 with 🎈', story: '#e53950 balloon + "Änne"', style: 'playful', unknown: [] },
  { prompt: '🎉 "Hi" with confetti', story: 'confetti + "Hi"' },
  { prompt: '🌊 moves', story: '#0000ff wave slide' },
  { prompt: '🌧️ and 🔥', story: 'rain + #ffa500 sparkles', unknown: [] },
  { prompt: '"We launched!" 🚀 🦄', story: 'rocket + unicorn + "We launched!"' },
  {
    prompt: 'logo reveal for Northwind Coffee, elegant',
    story: '"Northwind Coffee"',
    style: 'smooth',
    unknown: [],
  },
  { prompt: 'an intro for our little bakery Sweet Dreams, playful', story: '"Sweet Dreams"', unknown: [] },
  { prompt: 'a ball bounces for Anna', story: 'ball bounce', unknown: ['Anna'] },
  { prompt: 'a logo for Northwind Coffee, "Since 1921"', story: '"Northwind Coffee" + "Since 1921"' },
  { prompt: 'bar chart of quarterly sales 12, 18, 9, 25', story: 'bars Q1=12,Q2=18,Q3=9,Q4=25 + "Quarterly sales"', unknown: [] },
  { prompt: 'monthly revenue 10, 20, 30', story: 'bars Jan=10,Feb=20,Mar=30 + "Monthly revenue"' },
  { prompt: 'countdown 3 2 1 go, energetic', story: 'counter down 3..1 > "Go" + speed 1.5', unknown: [] },
  { prompt: 'countdown: 3, 2, 1, liftoff!', story: 'counter down 3..1 > "Liftoff"', unknown: [] },
  { prompt: 'countdown from 10 to 0', story: 'counter down 10..0' },
  { prompt: 'a solar system, smooth', story: '#ffc72e orbit', style: 'smooth' },
  {
    prompt: 'title card: Spring Collection, minimal, 9:16',
    story: '"Spring Collection"',
    style: 'smooth',
    aspect: '9:16',
    unknown: [],
  },
  {
    prompt: 'kinetic text: move fast, ship small, sleep well',
    story: '"move fast" > "ship small" > "sleep well"',
    unknown: [],
  },
  { prompt: 'words: think, make and share, cinematic, on black', story: '"think" > "make and share"', style: 'cinematic' },
  { prompt: 'texts: one, two, then a ball bounces', story: '"one" > "two" > ball bounce' },
  { prompt: 'text: Hello, red, slow', story: '"Hello":#ff0000 + speed 0.65' },
  { prompt: 'explain how a heart pumps blood in 3 steps', story: 'heart pulse' },
  {
    prompt: 'Cinematic launch teaser: the title “Aurora” rises out of darkness with drifting particles, 8 seconds',
    story: 'sparkles + "Aurora"~rise',
    style: 'cinematic',
    seconds: 8,
  },
  { prompt: 'A red ball bounces three times and settles, playful', story: '#ff0000 ball bouncex3', unknown: [] },
  { prompt: 'write me a poem', story: '', unknown: ['write', 'poem'] },
  { prompt: '资产', story: '', unknown: ['资产'] },
];

describe('a corpus of prompts', () => {
  it.each(rows)('A4, X1: reads “$prompt”', (row) => {
    const brief = parseBrief(row.prompt, noHints);
    expect(story(brief)).toEqual(row.story);
    if (row.style !== undefined) expect(brief.style.value).toBe(row.style);
    if (row.aspect !== undefined) expect(brief.aspect).toBe(row.aspect);
    if (row.seconds !== undefined) expect(brief.durationSeconds).toBe(row.seconds);
    if (row.background !== undefined) expect(brief.background?.colors.join()).toBe(row.background);
    if (row.tone !== undefined) expect(isLight(planFilm(brief, { seed: 1 }).palette.backgroundTop)).toBe(row.tone !== 'dark');
    if (row.unknown !== undefined) expect(brief.unknownWords).toEqual(row.unknown);
    if (row.language !== undefined) expect(brief.language).toBe(row.language);
  });

  it('X1: holds at least 60 prompts', () => {
    expect(rows.length).toBeGreaterThanOrEqual(60);
  });
});
