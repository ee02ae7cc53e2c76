import { arrayLiteral, element, number, objectLiteral } from '../code.ts';
import { round } from '../frame.ts';
import { type KeyChannels, valueAt } from '../keyframes.ts';
import type { SubjectPlace } from '../layout/places.ts';
import { burstAt } from '../motion/air.ts';
import type { Body, Touch } from '../motion/body.ts';
import type { ScenePart } from '../scene-parts.ts';
import { membersOf } from './members.ts';
import { attribute, colorCode, type Situation, vector } from './situation.ts';

/** A crowd would raise a sandstorm. */
const mostDust = 7;

/** Ring and dust for every landing of a subject's bodies. */
export function impactsPart(
  place: SubjectPlace,
  name: string,
  x: KeyChannels[string] | undefined,
  touches: readonly Touch[],
  { film }: Situation,
): Pick<ScenePart, 'kit' | 'constants' | 'world'> {
  if (touches.length === 0 || place.groupSize > mostDust) return { kit: [], constants: [], world: [] };
  const members = membersOf(place, film);
  const calm = film.style === 'playful' ? 1 : 0.6;
  const parts = place.places.map((spot, index) => {
    const list = `${name}Hits${place.places.length > 1 ? index + 1 : ''}`;
    const hits = touches
      .filter(({ strength }) => strength > 0.15)
      .map(({ time, strength }) =>
        objectLiteral([
          ['at', number(time + (members[index]?.delaySeconds ?? 0))],
          ['x', number(spot[0] + valueAt(x, time))],
          ['strength', number(round(strength * calm, 2))],
        ]),
      );
    const own = [
      attribute('hits', `{${list}}`),
      attribute('z', `{${number(spot[2])}}`),
      attribute('radius', `{${number(place.radius)}}`),
      attribute('seed', `{${film.seed + index}}`),
    ];
    return { constant: `const ${list}: readonly Hit[] = ${arrayLiteral(hits, 30)};`, world: element('Impacts', own, 6) };
  });
  return {
    kit: [
      ['impacts.tsx', 'Impacts'],
      ['impacts.tsx', 'type Hit'],
    ],
    constants: parts.map(({ constant }) => constant),
    world: parts.map(({ world }) => world),
  };
}

/** The pieces that `explode` leaves; they fall and stay on the floor. */
export function burstPart(
  place: SubjectPlace,
  body: Body,
  name: string,
  { film }: Situation,
): Pick<ScenePart, 'kit' | 'constants' | 'world'> {
  const at = burstAt(body);
  const members = membersOf(place, film);
  const world = place.places.map((spot, index) =>
    element(
      'Burst',
      [
        attribute('at', `{${number(at + (members[index]?.delaySeconds ?? 0))}}`),
        attribute('place', `{${vector(spot)}}`),
        attribute('radius', `{${number(place.radius)}}`),
        attribute('color', colorCode(place.subject)),
        attribute('seed', `{${film.seed + index + name.length}}`),
      ],
      6,
    ),
  );
  return { kit: [['burst.tsx', 'Burst']], constants: [], world };
}
