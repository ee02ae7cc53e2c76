import fc from 'fast-check';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { type Film, filmText, type MeetingVerb, meetingVerbs, type Style, type Subject } from '../../../../contract/film.ts';
import { noHints, parseBrief } from '../../brief/parse-brief.ts';
import { applyFeedback } from '../../feedback/apply-feedback.ts';
import { planFilm } from '../../plan/plan-film.ts';
import { emitAll } from '../emit.ts';
import { frameOf } from '../frame.ts';
import { layoutScene } from '../layout/layout.ts';
import { manners } from '../style.ts';
import { timingOf } from '../timing.ts';
import { bakedStops } from './baked.ts';
import { deedWays } from './deeds.ts';
import { rolesOf } from './meet.ts';
import { passages } from './passages.ts';
import { limits, type SimulatedBody, simulate } from './simulate.ts';

const verbs = [
  ...meetingVerbs.filter((verb) => verb !== 'do' && verb !== 'become'),
  ...(Object.keys({ ...deedWays, ...passages }) as (keyof (typeof deedWays & typeof passages))[]),
];
const planned = (prompt: string, style: Style | null = null): Film =>
  planFilm(parseBrief(prompt, { ...noHints, style }), { seed: 7 });

/** A film in which two subjects meet. */
function meeting(verb: MeetingVerb, { who, whom, style }: { who: Subject; whom: Subject; style: Style }): Film {
  const film = planned('a ball hits a cube', style);
  const [scene] = film.scenes;
  if (scene === undefined) throw new Error('the film has no scene');
  return { ...film, scenes: [{ ...scene, subjects: [who, whom], meetings: [{ verb, who: who.id, whom: whom.id }] }] };
}

const anyBody = (id: string) =>
  fc
    .record({
      kind: fc.constantFrom('ball' as const, 'cube' as const, 'star' as const, 'cone' as const),
      count: fc.constantFrom(1, 1, 2, 7, 12),
      size: fc.constantFrom(0.3, 0.78, 2.2),
    })
    .map(({ kind, count, size }): Subject => {
      const base = { id, color: '#e53935', size, motion: { type: 'appear' as const }, count };
      return kind === 'ball' || kind === 'cube' ? { ...base, kind } : { ...base, kind: 'shape', shape: kind };
    });

function rolesIn(film: Film) {
  const [scene] = film.scenes;
  if (scene === undefined) throw new Error('the film has no scene');
  const frame = frameOf(film.aspect);
  const layout = layoutScene(scene, frame);
  const [timing, manner] = [timingOf(film, scene), manners[film.style]];
  return {
    roles: rolesOf(scene, layout, { timing, manner, frame, playful: film.style === 'playful', present: new Set() }),
    layout,
    frame,
    timing,
  };
}

describe('two subjects that meet', () => {
  it('A4, X1: whatever they are and do, the film is valid, its code parses, and time runs forwards', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...verbs),
        anyBody('who'),
        anyBody('whom'),
        fc.constantFrom<Style>('playful', 'smooth', 'cinematic'),
        (verb, who, whom, style) => {
          const film = meeting(verb, { who, whom, style });
          expect(() => filmText(film)).not.toThrow();
          for (const { path, content } of emitAll(film))
            if (path.endsWith('.tsx')) expect(parseSync(path, content).errors).toEqual([]);
          const { roles, timing } = rolesIn(film);
          for (const { parts } of roles.values()) {
            for (const stops of parts.flatMap(({ moves }) => Object.values(moves))) {
              for (const [index, { time, value }] of stops.entries()) {
                expect(Number.isFinite(time) && Number.isFinite(value)).toBe(true);
                expect(time).toBeGreaterThanOrEqual(stops[index - 1]?.time ?? 0);
                expect(time).toBeLessThanOrEqual(timing.durationSeconds + 1);
              }
            }
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('A4: who acts is in the frame at the end', () => {
    for (const verb of verbs) {
      const { roles, layout, frame } = rolesIn(withVerb(verb));
      const place = layout.subjects[0]?.places[0]?.[0] ?? 0;
      const x = roles.get('ball-1')?.parts[0]?.moves.x?.at(-1)?.value ?? 0;
      expect(Math.abs(place + x), verb).toBeLessThan(frame.width / 2);
    }
  });

  it('A4: a computed clash touches, and comes out the same twice', () => {
    const film = planned('a red ball knocks over ten cubes');
    const { roles } = rolesIn(film);
    expect(roles.get('ball-1')?.parts[0]?.touches.length).toBeGreaterThan(0);
    expect(emitAll(film)).toEqual(emitAll(film));
    const fallen = roles.get('cube-1')?.parts.filter(({ moves }) => moves.rotateZ !== undefined) ?? [];
    expect(fallen.length).toBeGreaterThan(3);
  });

  it('A9: who is told to do something else does nothing to others any more, and who is taken away neither', () => {
    const film = planned('a red ball pushes a blue cube');
    expect(film.scenes[0]?.meetings).toEqual([{ verb: 'push', who: 'ball-1', whom: 'cube-1' }]);
    expect(applyFeedback(film, 'make the ball spin', []).film.scenes[0]?.meetings).toBeUndefined();
    expect(applyFeedback(film, 'remove the cube', []).film.scenes[0]?.meetings).toBeUndefined();
    expect(applyFeedback(film, 'make the ball green', []).film.scenes[0]?.meetings).toHaveLength(1);
  });

  it('X3: a film from a sandbox gets no more computed than its bounds allow', () => {
    const bodies = Array.from(
      { length: 500 },
      (_, index): SimulatedBody => ({
        x: index,
        y: 1,
        shape: { radius: 0.5 },
        density: 1,
        restitution: 0.5,
        friction: 0.5,
        velocity: { x: 0, y: 0, spin: 0 },
      }),
    );
    const { paths } = simulate(bodies, { floor: 0, halfWidth: 8, kept: 1, gravity: 30, seconds: 600 });
    expect(paths).toHaveLength(limits.bodies);
    expect(paths[0]?.length).toBeLessThanOrEqual(limits.seconds * 60 + 1);
  });
});

function withVerb(verb: MeetingVerb): Film {
  const film = planned('a ball hits a cube');
  return { ...film, scenes: film.scenes.map((scene) => ({ ...scene, meetings: [{ verb, who: 'ball-1', whom: 'cube-1' }] })) };
}

describe('baked keyframes', () => {
  it('X1: differ from the samples by no more than the tolerance', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: 2, maxLength: 200 }), (values) => {
        const stops = bakedStops(values, { startSeconds: 1, perSecond: 60, tolerance: 0.5 });
        for (const [index, value] of values.entries()) {
          const time = 1 + index / 60;
          const next = stops.findIndex((stop) => stop.time >= time - 0.001);
          const [before, after] = [stops[next - 1] ?? stops[next], stops[next]];
          if (before === undefined || after === undefined) continue;
          const share = after.time === before.time ? 1 : (time - before.time) / (after.time - before.time);
          expect(Math.abs(before.value + (after.value - before.value) * share - value)).toBeLessThan(0.5 + 0.15);
        }
      }),
    );
  });
});
