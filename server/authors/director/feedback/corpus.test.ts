import { describe, expect, it } from 'vitest';
import type { Film } from '../../../contract/film.ts';
import { noHints, parseBrief } from '../brief/parse-brief.ts';
import { isLight } from '../color.ts';
import { planFilm } from '../plan/plan-film.ts';
import { applyFeedback } from './apply-feedback.ts';

const filmOf = (prompt: string): Film => planFilm(parseBrief(prompt, noHints), { seed: 7 });

/** Scene 1: a red ball bounces three times under "Hello". Scene 2: a blue cube spins. */
const film = filmOf("A red ball bounces three times, playful, with the title 'Hello', then a blue cube spins");

const worded = new Set(['description', 'animationNotes', 'title']);

/** Every value that differs, as `path: old → new`; wording follows what is shown and is left out. */
function changes(before: unknown, after: unknown, path = ''): string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (typeof before === 'object' && typeof after === 'object' && before !== null && after !== null) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys]
      .filter((key) => !worded.has(key))
      .flatMap((key) =>
        changes(
          (before as Record<string, unknown>)[key],
          (after as Record<string, unknown>)[key],
          path === '' ? key : `${path}.${key}`,
        ),
      );
  }
  const show = (value: unknown): string => (typeof value === 'object' && value !== null ? 'thing' : String(value));
  return [`${path}: ${show(before)} → ${show(after)}`];
}

interface Row {
  readonly say: string;
  readonly changed: readonly string[];
}

const ball = 'scenes.0.subjects.0';
const cube = 'scenes.1.subjects.0';
const title = 'scenes.0.texts.0';

const exact: readonly Row[] = [
  { say: 'make the ball green', changed: [`${ball}.color: #ff0000 → #008000`] },
  { say: 'Make the ball #123456!', changed: [`${ball}.color: #ff0000 → #123456`] },
  { say: 'blue title', changed: [`${title}.color: null → #0000ff`] },
  { say: 'make "Hello" gold', changed: [`${title}.color: null → #ffd700`] },
  { say: 'use blue instead', changed: [`${ball}.color: #ff0000 → #0000ff`] },
  {
    say: 'make the ball green and the cube yellow',
    changed: [`${ball}.color: #ff0000 → #008000`, `${cube}.color: #0000ff → #ffff00`],
  },
  { say: 'in scene 2 make it red', changed: [`${cube}.color: #0000ff → #ff0000`] },
  { say: 'make the red ball purple', changed: [`${ball}.color: #ff0000 → #800080`] },
  { say: 'make it bigger', changed: [`${ball}.size: 1 → 1.3`] },
  { say: 'the cube is too big', changed: [`${cube}.size: 1 → 0.77`] },
  { say: 'make the cube twice as big', changed: [`${cube}.size: 1 → 2`] },
  { say: 'a bigger title', changed: [`${title}.scale: 1 → 1.3`] },
  { say: 'the ball should be tiny', changed: [`${ball}.size: 1 → 0.45`] },
  { say: 'faster', changed: ['scenes.0.speed: 1 → 1.3', 'scenes.1.speed: 1 → 1.3'] },
  { say: 'twice as fast', changed: ['scenes.0.speed: 1 → 2', 'scenes.1.speed: 1 → 2'] },
  { say: 'too fast', changed: ['scenes.0.speed: 1 → 0.77', 'scenes.1.speed: 1 → 0.77'] },
  { say: 'a bit slower in scene 2', changed: ['scenes.1.speed: 1 → 0.87'] },
  { say: '50% faster', changed: ['scenes.0.speed: 1 → 1.5', 'scenes.1.speed: 1 → 1.5'] },
  { say: 'higher', changed: [`${ball}.motion.height: 0.75 → 1.01`] },
  { say: 'bounce lower', changed: [`${ball}.motion.height: 0.75 → 0.52`] },
  { say: 'the ball should bounce higher', changed: [`${ball}.motion.height: 0.75 → 1.01`] },
  { say: 'five balls', changed: [`${ball}.count: 1 → 5`] },
  { say: 'add two balls', changed: [`${ball}.count: 1 → 3`] },
  { say: 'add another cube', changed: [`${cube}.count: 1 → 2`] },
  { say: 'one more bounce', changed: [`${ball}.motion.times: 3 → 4`] },
  { say: 'bounce 5 times', changed: [`${ball}.motion.times: 3 → 5`] },
  { say: 'two bounces less', changed: [`${ball}.motion.times: 3 → 1`] },
  { say: 'make it bounce twice', changed: [`${ball}.motion.times: 3 → 2`] },
  { say: "change the title to 'Hi'", changed: [`${title}.text: Hello → Hi`] },
  { say: 'change the title to Good morning', changed: [`${title}.text: Hello → Good morning`] },
  { say: "change 'Hello' to 'Hi'", changed: [`${title}.text: Hello → Hi`] },
  { say: 'The title should say Hola', changed: [`${title}.text: Hello → Hola`] },
  { say: 'remove the title', changed: [`${title}: thing → undefined`] },
  { say: 'no text please', changed: [`${title}: thing → undefined`] },
  { say: "add a subtitle 'by us'", changed: ['scenes.0.texts.1: undefined → thing'] },
  { say: "add a title 'World'", changed: ['scenes.1.texts.0: undefined → thing'] },
  { say: 'move the title to the bottom', changed: [`${title}.position: top → bottom`] },
  { say: 'type it', changed: [`${title}.entrance: pop → typewriter`] },
  { say: 'underline the title', changed: [`${title}.emphasis: undefined → underline`] },
  { say: "strike out 'Hello'", changed: [`${title}.emphasis: undefined → strike`] },
  { say: 'the title should dissolve into particles at the end', changed: [`${title}.exit: undefined → particles`] },
  {
    say: 'let the title come from the left, word by word',
    changed: [`${title}.entrance: pop → slide`, `${title}.from: undefined → left`, `${title}.by: undefined → words`],
  },
  { say: 'the title letter by letter', changed: [`${title}.entrance: pop → letters`] },
  { say: 'add confetti', changed: ['scenes.1.subjects.1: undefined → thing'] },
  { say: 'add snow', changed: ['scenes.0.subjects.1: undefined → thing', 'scenes.1.subjects.1: undefined → thing'] },
  { say: 'add a blue star', changed: ['scenes.0.subjects.1: undefined → thing'] },
  {
    say: 'the ball should roll',
    changed: [
      `${ball}.motion.type: bounce → roll`,
      `${ball}.motion.times: 3 → undefined`,
      `${ball}.motion.height: 0.75 → undefined`,
      `${ball}.motion.direction: undefined → right`,
    ],
  },
  {
    say: 'replace the cube with a star',
    changed: [`${cube}.id: cube-1 → star-1`, `${cube}.kind: cube → shape`, `${cube}.shape: undefined → star`],
  },
  { say: 'make it vertical', changed: ['aspect: 16:9 → 9:16'] },
  { say: 'square format', changed: ['aspect: 16:9 → 1:1'] },
  { say: '30 fps', changed: ['fps: 60 → 30'] },
  { say: 'zoom in in scene 1', changed: ['scenes.0.camera: static → push-in'] },
  { say: 'the camera should orbit', changed: ['scenes.0.camera: static → orbit', 'scenes.1.camera: static → orbit'] },
  { say: 'stop spinning', changed: [`${cube}.motion.type: spin → appear`, `${cube}.motion.turns: 1 → undefined`] },
  { say: 'increase the bounce height', changed: [`${ball}.motion.height: 0.75 → 1.01`] },
  { say: 'make the bounces bigger', changed: [`${ball}.motion.height: 0.75 → 0.98`] },
  { say: 'the title should appear earlier', changed: [`${title}.delaySeconds: 1.7 → 1.2`] },
  { say: 'slower in scene 1 and faster in scene 2', changed: ['scenes.0.speed: 1 → 0.75', 'scenes.1.speed: 1 → 1.3'] },
  {
    say: 'turn the cube into a star',
    changed: [`${cube}.id: cube-1 → star-1`, `${cube}.kind: cube → shape`, `${cube}.shape: undefined → star`],
  },
  { say: 'mach den Ball grün', changed: [`${ball}.color: #ff0000 → #008000`] },
  { say: 'schneller', changed: ['scenes.0.speed: 1 → 1.3', 'scenes.1.speed: 1 → 1.3'] },
  { say: 'der Würfel soll größer sein', changed: [`${cube}.size: 1 → 1.3`] },
  { say: 'la balle en vert', changed: [`${ball}.color: #ff0000 → #008000`] },
  { say: 'haz la pelota verde', changed: [`${ball}.color: #ff0000 → #008000`] },
];

const paths = (say: string, on: Film = film): string[] => changes(on, applyFeedback(on, say).film);

describe('feedback', () => {
  it.each(exact)('A9: “$say” changes that and nothing else', ({ say, changed }) => {
    const { understood } = applyFeedback(film, say);
    expect(understood).toBe(true);
    expect(paths(say)).toEqual(changed);
  });

  it('A9: holds at least 40 lines', () => {
    expect(exact.length).toBeGreaterThanOrEqual(40);
  });

  it('A9: a new background brings an ink that reads on it and touches no scene', () => {
    const { film: navy } = applyFeedback(film, 'change the background to navy');
    expect(navy.palette.backgroundTop).toBe('#000080');
    expect(navy.palette.ink).not.toBe(film.palette.ink);
    expect(navy.scenes).toEqual(film.scenes);
  });

  it('A9: a background of one scene is its own', () => {
    const { film: edited } = applyFeedback(film, 'in scene 2 make the background black');
    expect(edited.palette).toEqual(film.palette);
    expect(edited.scenes[0]).toBe(film.scenes[0]);
    expect(edited.scenes[1]?.background?.top).toBe('#000000');
  });

  it('A9: the length is exactly what was asked', () => {
    for (const [say, seconds] of [
      ['make it 10 seconds', 10],
      ['12.5 s', 12.5],
      ['0:20', 20],
      ['half a minute please', 30],
    ] as const) {
      const { film: edited } = applyFeedback(film, say);
      expect(edited.durationSeconds, say).toBe(seconds);
      expect(edited.scenes.reduce((sum, scene) => sum + scene.durationSeconds, 0)).toBeCloseTo(seconds, 6);
    }
  });

  it('A9: an impossible length is refused with the limits, and nothing changes', () => {
    const { film: same, explanation, understood } = applyFeedback(film, 'make it 3 hours long');
    expect(understood).toBe(false);
    expect(same).toBe(film);
    expect(explanation).toContain('10 minutes');
  });

  it('A9: removing a thing that fills a scene removes the scene', () => {
    const { film: edited } = applyFeedback(film, 'remove the cube');
    expect(edited.scenes).toHaveLength(1);
    expect(edited.durationSeconds).toBe(film.scenes[0]?.durationSeconds);
  });

  it('A9: the last thing stays', () => {
    const lone = filmOf('a red ball bounces');
    const { film: same, understood, explanation } = applyFeedback(lone, 'remove the ball');
    expect(understood).toBe(false);
    expect(same).toBe(lone);
    expect(explanation).toContain('nothing would be left');
  });

  it('A9: adds a scene at the end, at the start, and after another', () => {
    const end = applyFeedback(film, 'add a scene with confetti at the end').film;
    expect(end.scenes.map((scene) => scene.subjects.map((subject) => subject.kind).join())).toEqual([
      'ball',
      'cube',
      'particles',
    ]);
    const start = applyFeedback(film, 'add a scene at the beginning where a star spins').film;
    expect(start.scenes.map((scene) => scene.subjects[0]?.id)).toEqual(['star-1', 'ball-1', 'cube-1']);
    const middle = applyFeedback(film, "insert a scene after scene 1 with the text 'Meanwhile'").film;
    expect(middle.scenes[1]?.texts[0]?.text).toBe('Meanwhile');
    expect(middle.scenes[2]?.subjects[0]?.id).toBe('cube-1');
    expect(middle.scenes.map((scene) => scene.number)).toEqual([1, 2, 3]);
  });

  it('A9: removes a scene by its number', () => {
    expect(applyFeedback(film, 'delete the last scene').film.scenes.map((scene) => scene.subjects[0]?.id)).toEqual(['ball-1']);
    expect(applyFeedback(film, 'remove scene 1').film.scenes.map((scene) => scene.subjects[0]?.id)).toEqual(['cube-1']);
    expect(applyFeedback(film, 'remove scene 7').understood).toBe(false);
  });

  it('A9: a style brings its palette, camera and entrances, and leaves named colours alone', () => {
    const { film: dark } = applyFeedback(film, 'more cinematic');
    expect(dark.style).toBe('cinematic');
    expect(dark.palette).not.toEqual(film.palette);
    expect(dark.scenes[0]?.camera).not.toBe('static');
    expect(dark.scenes[0]?.subjects[0]?.color).toBe('#ff0000');
  });

  it('A9: “faster but smoother” is interpreted, and the interpretation is told', () => {
    const { film: edited, explanation } = applyFeedback(film, 'faster but smoother');
    expect(edited.style).toBe('smooth');
    expect(edited.scenes.map((scene) => scene.speed)).toEqual([1.3, 1.3]);
    expect(edited.palette).toEqual(film.palette);
    expect(explanation).toContain('pull against each other');
  });

  it('A9: several wishes in one sentence are all done', () => {
    expect(paths("make the ball bigger, faster and change the title to 'Wow'")).toEqual(
      [`${ball}.size: 1 → 1.3`, `scenes.0.speed: 1 → 1.3`, `${title}.text: Hello → Wow`].sort(),
    );
  });

  it('A9: what is not in the film is named', () => {
    const { understood, explanation } = applyFeedback(film, 'make the pyramid green');
    expect(understood).toBe(false);
    expect(explanation).toContain('no pyramid');
  });

  it.each(['qwertz', 'what do you think?', '', '   ', 'I want it to feel nicer', '更快一点'])(
    'A9: “%s” is not understood, and it is told what can be changed',
    (say) => {
      const result = applyFeedback(film, say);
      expect(result.understood).toBe(false);
      expect(result.film).toBe(film);
      expect(result.explanation).toMatch(/I can change .*try for example “.+”/);
    },
  );

  it('A9: figures of charts and counters can be changed', () => {
    const chart = filmOf('bar chart Q1 10, Q2 20, clean');
    expect(applyFeedback(chart, 'Q1 30, Q2 60, Q3 90').film.scenes[0]?.subjects[0]).toMatchObject({
      bars: [
        { label: 'Q1', value: 30 },
        { label: 'Q2', value: 60 },
        { label: 'Q3', value: 90 },
      ],
    });
    const counter = filmOf('count from 0 to 100 users, clean');
    expect(applyFeedback(counter, 'count to 500').film.scenes[0]?.subjects[0]).toMatchObject({
      from: 0,
      to: 500,
      label: 'users',
    });
  });

  it('A9: wording follows what is shown, and words the user wrote stay', () => {
    const green = applyFeedback(film, 'make the ball green').film;
    expect(green.scenes[0]?.description).toContain('green ball');
    const own: Film = { ...film, scenes: film.scenes.map((scene) => ({ ...scene, description: 'My own words.' })) };
    expect(applyFeedback(own, 'make the ball green').film.scenes[0]?.description).toBe('My own words.');
  });
});

describe('what the user is told', () => {
  const told = (say: string, of: Film = film): string => applyFeedback(of, say).explanation;

  it('B1: an opinion takes nothing away', () => {
    const result = applyFeedback(film, 'I do not like it');
    expect(result.film).toEqual(film);
    expect(result.understood).toBe(false);
  });

  it('B1: several changes of one thing are told in one sentence', () => {
    expect(told('make the ball bigger and green')).toContain('The ball is bigger and green now.');
  });

  it('B1: a subtitle that says something is a subtitle', () => {
    expect(told('add a subtitle saying Welcome home')).toBe('The subtitle “Welcome home” is added in scene 1.');
  });

  it('B1: more colourful means many colours, brighter means brighter', () => {
    const party = filmOf('confetti falls, playful');
    expect(told('the confetti should be more colourful', party)).toBe('Confetti is in many colours now.');
    expect(told('brighter cube')).toBe('The cube is brighter now.');
  });

  it('B1: the middle of a system and what circles it are coloured apart', () => {
    const system = filmOf('Planets orbit a golden star on a dark night, title "Far"');
    const before = system.scenes[0]?.subjects[0];
    const sun = applyFeedback(system, 'make the star red').film.scenes[0]?.subjects[0];
    expect(sun).toEqual({ ...before, color: '#ff0000' });
    const planets = applyFeedback(system, 'make the planets blue').film.scenes[0]?.subjects[0];
    expect(planets).toEqual({ ...before, bodyColors: ['#0000ff', '#0000ff', '#0000ff'] });
    expect(told('make the planets blue', system)).toContain('The planets are blue now.');
  });

  it('B1: what is not there is named in good English', () => {
    expect(told('remove the bubbles')).toBe('There are no bubbles in the film.');
    expect(told('change the font')).toContain('The typeface goes with the style');
  });

  it('B1: night is a dark ground', () => {
    const { palette } = applyFeedback(film, 'make it night').film;
    expect(isLight(palette.backgroundTop)).toBe(false);
  });
});
