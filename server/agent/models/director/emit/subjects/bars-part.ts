import type { Film, Subject } from '../../film.ts';
import { arrayLiteral, element, identifier, number, objectLiteral, quote } from '../code.ts';
import { round, worldX } from '../frame.ts';
import { stop } from '../keyframes.ts';
import type { SubjectPlace } from '../layout/places.ts';
import { readable } from '../readable.ts';
import { barParameters, colorParameter, readCode } from '../scene-parameters.ts';
import type { ScenePart } from '../scene-parts.ts';
import { manners } from '../style.ts';
import { countUp, panelChannels, type Situation } from './situation.ts';

/** The bars follow one another closely; the whole row is in motion within half a second. */
function barStagger(count: number, film: Film): number {
  return count < 2 ? 0 : round(Math.min(manners[film.style].staggerSeconds, 0.45 / (count - 1)));
}

export function barsPart(place: SubjectPlace & { subject: Extract<Subject, { kind: 'bars' }> }, situation: Situation): ScenePart {
  const { subject, area } = place;
  const { film, scene, frame, layout, timing } = situation;
  const name = identifier(subject.id);
  const { from, until } = countUp(situation);
  const stagger = barStagger(subject.bars.length, film);
  const grow = [
    stop(from, timing.first ? 0.04 : 0),
    stop(
      round(until - stagger * (subject.bars.length - 1)),
      1,
      film.style === 'playful' ? 'easeOutBack' : film.style === 'smooth' ? 'easeOutQuint' : 'easeInOutQuart',
      'full height',
    ),
  ];
  const ground = (scene.background ?? { bottom: film.palette.backgroundBottom }).bottom;
  const top = frame.height * (0.5 - area.top / 100) + layout.cameraY;
  const parameters = barParameters(subject);
  const chart = objectLiteral([
    [
      'bars',
      arrayLiteral(
        parameters.map(({ label, value }) =>
          objectLiteral([
            ['label', readCode(label)],
            ['value', readCode(value)],
          ]),
        ),
        10,
      ),
    ],
    ['unit', quote(subject.unit)],
    ['x', number(worldX(frame, (area.left + area.right) / 2))],
    [
      'width',
      number(
        ((area.right - area.left) / 100) *
          frame.width *
          (frame.portrait ? 0.96 : 0.86 * Math.min(1, 0.45 + subject.bars.length * 0.12)),
      ),
    ],
    // Room above the tallest bar for its value.
    ['height', number((top - frame.groundY) * 0.77 * Math.min(1, subject.size))],
    ['staggerSeconds', number(stagger)],
    ['color', readCode(colorParameter(subject))],
    ['ink', quote(readable(film.palette.ink, ground))],
  ]);
  return {
    kit: [
      ['bars.tsx', 'Bars'],
      ['bars.tsx', 'BarLabels'],
      ['bars.tsx', 'type Chart'],
    ],
    tracks: [{ name, comment: 'The bars grow one after another.', channels: panelChannels({ grow }, situation) }],
    constants: [`const ${name}Chart: Chart = ${chart};`],
    world: [
      element(
        'Bars',
        [
          ['track', `{tracks.${name}}`],
          ['chart', `{${name}Chart}`],
        ],
        6,
      ),
    ],
    overlay: [
      element(
        'BarLabels',
        [
          ['track', `{tracks.${name}}`],
          ['chart', `{${name}Chart}`],
        ],
        6,
      ),
    ],
    parameters: [colorParameter(subject), ...parameters.flatMap(({ label, value }) => [label, value])],
    accents: [],
  };
}
