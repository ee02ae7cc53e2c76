import { describe, expect, it } from 'vitest';
import type { Film } from '../../../contract/film.ts';
import { type BriefHints, noHints, parseBrief } from '../brief/parse-brief.ts';
import { contrast, distance, toOklab } from '../color.ts';
import { readingSeconds } from '../emit/text-times.ts';
import { changePlan } from '../feedback/plan-change.ts';
import { applyPlanEdits } from '../feedback/plan-edits.ts';
import { planDraft } from './draft.ts';
import { planFilm } from './plan-film.ts';
import { shareDuration } from './timing.ts';

const briefOf = (prompt: string, hints: Partial<BriefHints> = {}) => parseBrief(prompt, { ...noHints, ...hints });
const filmOf = (prompt: string, hints: Partial<BriefHints> = {}, seed = 7): Film => planFilm(briefOf(prompt, hints), { seed });
const draftOf = (prompt: string, hints: Partial<BriefHints> = {}) => planDraft(filmOf(prompt, hints), briefOf(prompt, hints));
const demo = "A red ball bounces three times, playful, with the title 'Hello'";

describe('planFilm', () => {
  it('X1: the demo is one scene with three bounces and a title that comes in on an accent', () => {
    const film = filmOf(demo);
    expect(film).toMatchObject({ title: 'Hello', style: 'playful', aspect: '16:9', fps: 60 });
    expect(film.durationSeconds).toBeGreaterThanOrEqual(5);
    expect(film.durationSeconds).toBeLessThanOrEqual(10);
    expect(film.scenes).toHaveLength(1);
    const [scene] = film.scenes;
    expect(scene?.subjects).toMatchObject([{ kind: 'ball', color: '#ff0000', count: 1, motion: { type: 'bounce', times: 3 } }]);
    const [text] = scene?.texts ?? [];
    expect(text).toMatchObject({ text: 'Hello', role: 'title', position: 'top', entrance: 'pop' });
    expect(text?.delaySeconds).toBeGreaterThan(0.5);
    expect((text?.delaySeconds ?? 0) + readingSeconds('Hello')).toBeLessThan((scene?.durationSeconds ?? 0) - 0.3);
  });

  it.each([5, 6.25, 7.33, 12, 29.9, 30, 61.7, 600])('A4: a film of %d s lasts exactly that, without gaps', (seconds) => {
    const film = filmOf('A ball bounces, then a cube spins, then "End"', { durationSeconds: seconds });
    expect(film.durationSeconds).toBe(seconds);
    let end = 0;
    for (const scene of film.scenes) {
      expect(scene.startSeconds).toBeCloseTo(end, 6);
      expect(scene.durationSeconds).toBeGreaterThanOrEqual(1.5);
      end = scene.startSeconds + scene.durationSeconds;
    }
    expect(end).toBeCloseTo(seconds, 6);
  });

  it('A4: without a wish a film lasts 5 to 10 s', () => {
    for (const prompt of [
      demo,
      'confetti',
      'a ball bounces 15 times',
      'ball → cube → star → heart → ring → cone',
      'count to 100',
    ]) {
      const { durationSeconds } = filmOf(prompt);
      expect(durationSeconds, prompt).toBeGreaterThanOrEqual(5);
      expect(durationSeconds, prompt).toBeLessThanOrEqual(10);
    }
  });

  it('A4: more moments than scenes fit share scenes, and it is told', () => {
    const list = Array.from({ length: 12 }, (_, i) => `- "Word ${i}"`).join('\n');
    const brief = briefOf(list, { durationSeconds: 12 });
    const film = planFilm(brief, { seed: 1 });
    expect(film.scenes).toHaveLength(7);
    expect(film.scenes.flatMap((scene) => scene.texts)).toHaveLength(12);
    expect(planDraft(film, brief).caveat).toContain('share a scene');
  });

  it('A4: texts have time to be read', () => {
    const film = filmOf('"This is a rather long sentence that has to be read by everyone in the room", calm');
    const [text] = film.scenes[0]?.texts ?? [];
    expect((film.scenes[0]?.durationSeconds ?? 0) - (text?.delaySeconds ?? 0)).toBeGreaterThan(readingSeconds(text?.text ?? ''));
  });

  it('A3: colours of the user are exact; ink and unnamed colours fit the ground', () => {
    const film = filmOf('a #123456 ball bounces on a #fedcba background with the title "Hi", playful');
    expect(film.palette.backgroundTop).toBe('#fedcba');
    expect(film.scenes[0]?.subjects[0]?.color).toBe('#123456');
    expect(contrast(film.palette.ink, '#fedcba')).toBeGreaterThanOrEqual(4.5);
  });

  it('A3: what goes around the sun is seen in the dark, unless a ground is named', () => {
    for (let seed = 0; seed < 5; seed += 1)
      expect(toOklab(filmOf('a solar system, smooth', {}, seed).palette.backgroundTop).l).toBeLessThan(0.5);
    expect(filmOf('a solar system on a white background, smooth').palette.backgroundTop).toBe('#ffffff');
  });

  it('A3: white on white is done as asked and told', () => {
    expect(draftOf('a white ball bounces on a white background, playful').caveat).toContain('hardly stands out');
    expect(draftOf('white text "Hi" on a white background, playful').caveat).toContain('hard to read');
  });

  it('A3: cinematic scenes move the camera, playful ones hold it still unless told', () => {
    expect(filmOf('a ball bounces, cinematic').scenes[0]?.camera).not.toBe('static');
    expect(filmOf('a ball bounces, playful').scenes[0]?.camera).toBe('static');
    expect(filmOf('a ball bounces, playful, the camera orbits').scenes[0]?.camera).toBe('orbit');
  });

  it('A25: an uploaded logo is used with its proportions', () => {
    const assets = [{ name: 'acme-logo.png', path: '/assets/acme-logo.png', kind: 'image' as const, width: 600, height: 200 }];
    expect(filmOf('the logo spins, smooth', { assets }).scenes[0]?.subjects[0]).toMatchObject({
      kind: 'logo',
      src: '/assets/acme-logo.png',
      aspectRatio: 3,
    });
    expect(draftOf('the logo spins, smooth').caveat).toContain('No image was uploaded');
  });

  it('X9: an uploaded sound is the film’s, unless it is to be silent', () => {
    const assets = [{ name: 'beat.mp3', path: '/assets/beat.mp3', kind: 'audio' as const, width: null, height: null }];
    expect(filmOf('a ball bounces to music, smooth', { assets }).music).toBe('/assets/beat.mp3');
    expect(filmOf('a ball bounces, no music, smooth', { assets }).music).toBeNull();
    expect(filmOf('a ball bounces, smooth').music).toBeNull();
    const brief = briefOf('a ball bounces to music, smooth', { assets });
    expect(planDraft(planFilm(brief, { seed: 1 }), brief).caveat).toContain('“beat.mp3” plays');
    expect(draftOf('a ball bounces to music, smooth').caveat).toContain('The film is silent');
  });

  it('A9: the same brief and seed give the same film, another seed another palette', () => {
    expect(filmOf(demo, {}, 3)).toEqual(filmOf(demo, {}, 3));
    expect(filmOf(demo, {}, 3).palette).not.toEqual(filmOf(demo, {}, 4).palette);
  });

  it('A4: a scene of its own background has texts that read on it', () => {
    const film = filmOf('"One" on a black background, then "Two" on a white background, smooth');
    for (const scene of film.scenes) {
      const top = scene.background?.top ?? film.palette.backgroundTop;
      for (const text of scene.texts) expect(contrast(text.color ?? film.palette.ink, top)).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('A2: what could not be read is told together with what was understood', () => {
    expect(draftOf('A red ball bounces near a flurb, playful').caveat).toBe(
      'I understood a red ball; I could not read: “near”, “flurb”.',
    );
    expect(draftOf(demo).caveat).toBeNull();
    expect(draftOf('a flurb jumps, playful').caveat).toContain('“flurb” is nothing that can be drawn here');
    expect(draftOf('A ball bounces', { answers: ['whatever'] }).caveat).toContain('The style was left open, so it is playful.');
  });

  it('A4: descriptions and notes name what happens and how long it takes', () => {
    const [scene] = draftOf(demo).scenes;
    expect(scene?.description).toContain('A red ball drops in and bounces three times');
    expect(scene?.animationNotes).toMatch(/Entry [\d.]+ s.*squash.*[Ee]xit/s);
  });
});

describe('shareDuration', () => {
  it('A4: fixed lengths are kept when there is room, and nobody gets less than 1.5 s', () => {
    expect(
      shareDuration(10, [
        { needed: 1, fixed: 3 },
        { needed: 4, fixed: null },
        { needed: 4, fixed: null },
      ]),
    ).toEqual([3, 3.5, 3.5]);
    expect(
      shareDuration(4.5, [
        { needed: 9, fixed: null },
        { needed: 1, fixed: null },
        { needed: 1, fixed: null },
      ]),
    ).toEqual([1.5, 1.5, 1.5]);
  });
});

describe('applyPlanEdits', () => {
  const prompt = "A red ball bounces three times, playful, with the title 'Hello', then a blue cube spins";
  const film = filmOf(prompt);
  const plan = draftOf(prompt);
  const [one, two] = plan.scenes;
  if (one === undefined || two === undefined) throw new Error('the prompt gives two scenes');

  it('A5: an unedited plan leaves the film as it is', () => {
    expect(applyPlanEdits(film, plan)).toEqual(film);
  });

  it('A5: lengths follow, later scenes move', () => {
    const edited = applyPlanEdits(film, {
      ...plan,
      durationSeconds: 4 + two.durationSeconds,
      scenes: [
        { ...one, durationSeconds: 4 },
        { ...two, startSeconds: 4 },
      ],
    });
    expect(edited.durationSeconds).toBe(4 + two.durationSeconds);
    expect(edited.scenes.map((scene) => scene.startSeconds)).toEqual([0, 4]);
    expect(edited.scenes[1]?.subjects).toEqual(film.scenes[1]?.subjects);
  });

  it('A5: order and deletion follow', () => {
    const swapped = applyPlanEdits(film, {
      ...plan,
      scenes: [
        { ...two, number: 1, startSeconds: 0 },
        { ...one, number: 2, startSeconds: two.durationSeconds },
      ],
    });
    expect(swapped.scenes.map((scene) => scene.subjects[0]?.id)).toEqual(['cube-1', 'ball-1']);
    expect(swapped.scenes.map((scene) => scene.id)).toEqual(['scene-1', 'scene-2']);
    const shorter = applyPlanEdits(film, { ...plan, durationSeconds: one.durationSeconds, scenes: [one] });
    expect(shorter.scenes).toHaveLength(1);
    expect(shorter.durationSeconds).toBe(one.durationSeconds);
  });

  it('A5: texts, colours and counts follow the description, and the rest stays', () => {
    const said = one.description.replace('“Hello”', '“Good day”');
    expect(applyPlanEdits(film, { ...plan, scenes: [{ ...one, description: said }, two] }).scenes[0]?.texts[0]?.text).toBe(
      'Good day',
    );
    const green = one.description.replace('A red ball', 'A green ball').replace('three times', 'five times');
    const [scene] = applyPlanEdits(film, { ...plan, scenes: [{ ...one, description: green }, two] }).scenes;
    expect(scene?.subjects[0]).toMatchObject({ id: 'ball-1', color: '#008000', motion: { type: 'bounce', times: 5 } });
    expect(scene?.texts).toEqual(film.scenes[0]?.texts);
  });

  it('A5: a scene that was added is made from its description', () => {
    const added = {
      number: 3,
      title: 'The end',
      startSeconds: plan.durationSeconds,
      durationSeconds: 2,
      description: 'Confetti explodes and the title “Bye” fades in.',
      animationNotes: 'Short.',
    };
    const edited = applyPlanEdits(film, { ...plan, durationSeconds: plan.durationSeconds + 2, scenes: [one, two, added] });
    expect(edited.scenes[2]).toMatchObject({
      title: 'The end',
      durationSeconds: 2,
      subjects: [{ kind: 'particles', preset: 'confetti' }],
      texts: [{ text: 'Bye' }],
    });
    expect(edited.scenes.slice(0, 2)).toEqual(film.scenes);
  });

  it('A5: style and format follow', () => {
    const edited = applyPlanEdits(film, { ...plan, style: 'cinematic', aspect: '9:16', title: 'Mine' });
    expect(edited).toMatchObject({ style: 'cinematic', aspect: '9:16', title: 'Mine' });
  });
});

describe('changePlan', () => {
  const brief = briefOf(demo);
  const film = planFilm(brief, { seed: 7 });

  it('A5: the grammar of feedback changes the plan', () => {
    expect(changePlan(film, brief, 'make it 12 seconds').film.durationSeconds).toBe(12);
    expect(changePlan(film, brief, 'use blue instead').film.scenes[0]?.subjects[0]?.color).toBe('#0000ff');
    expect(changePlan(film, brief, 'add a scene with confetti at the end').film.scenes).toHaveLength(2);
    expect(changePlan(film, brief, 'slower').film.scenes[0]?.speed).toBe(0.75);
  });

  it('A5: another idea is planned anew, in the style that was agreed', () => {
    const { film: fresh, understood } = changePlan(film, brief, 'I would rather see a blue cube that spins and then explodes');
    expect(understood).toBe(true);
    expect(fresh.style).toBe('playful');
    expect(fresh.scenes.map((scene) => scene.subjects[0]?.kind)).toEqual(['cube', 'cube']);
  });

  it('A5: what cannot be read changes nothing and says what can be changed', () => {
    const result = changePlan(film, brief, 'qwertz');
    expect(result.film).toBe(film);
    expect(result.understood).toBe(false);
  });

  it('A4: things that do the same are told in one sentence', () => {
    const of = (prompt: string) => planFilm(parseBrief(prompt, noHints), { seed: 3 }).scenes[0]?.description;
    expect(of('five balloons float, playful')).toBe('Five balloons in different colours hover, each in a rhythm of its own.');
    expect(of('a pink heart and a yellow star float, playful')).toBe(
      'A pink heart and a yellow star hover, each in a rhythm of its own.',
    );
  });

  it('A3: stars are seen at night, planets differ from their sun', () => {
    const film = planFilm(parseBrief('Planets orbit a golden star, playful, with stars', noHints), { seed: 3 });
    expect(toOklab(film.palette.backgroundTop).l).toBeLessThan(0.5);
    const system = film.scenes[0]?.subjects.find((subject) => subject.kind === 'orbit');
    expect(system?.color).toBe('#ffd700');
    if (system?.kind !== 'orbit') throw new Error('no system');
    expect(new Set(system.bodyColors).size).toBe(3);
    for (const body of system.bodyColors) expect(distance(body, system.color)).toBeGreaterThan(0.1);
  });
});
