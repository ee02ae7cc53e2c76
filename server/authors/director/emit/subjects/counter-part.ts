import type { Subject } from '../../../../contract/film.ts';
import { mix } from '../../color.ts';
import { element, identifier, number, objectLiteral, textAttribute } from '../code.ts';
import { countChannels } from '../count-channels.ts';
import { round, worldX } from '../frame.ts';
import type { SubjectPlace } from '../layout/places.ts';
import { readable } from '../readable.ts';
import { colorParameter, counterParameter, readCode } from '../scene-parameters.ts';
import type { ScenePart } from '../scene-parts.ts';
import { attribute, boxCode, colorCode, countUp, panelChannels, type Situation, vector } from './situation.ts';

export function counterPart(
  place: SubjectPlace & { subject: Extract<Subject, { kind: 'counter' }> },
  situation: Situation,
): ScenePart {
  const { subject, area } = place;
  const { film, scene, frame, layout, timing } = situation;
  const name = identifier(subject.id);
  const target = counterParameter(subject);
  const channels = panelChannels(
    countChannels(subject, {
      ...countUp(situation),
      style: film.style,
      settledBy: timing.settledBy,
      first: timing.first,
      target: readCode(target),
    }),
    situation,
  );
  const ground = scene.background ?? { top: film.palette.backgroundTop, bottom: film.palette.backgroundBottom };
  const middle = mix(ground.top, ground.bottom, 0.5);
  const box = {
    x: area.left,
    y: round(area.top, 1),
    width: round(area.right - area.left, 1),
    height: round(area.bottom - area.top - (subject.label === '' ? 0 : 1), 1),
  };
  const decimals = Math.max(...[subject.from, subject.to].map((value) => (String(value).split('.')[1] ?? '').length));
  const widest = Math.abs(subject.from) > Math.abs(subject.to) ? subject.from : subject.to;
  const signs = [...`${subject.prefix}${Math.abs(widest).toFixed(decimals)}${subject.suffix}`].length;
  const shared = [attribute('track', `{tracks.${name}}`)];
  const centreX = worldX(frame, box.x + box.width / 2);
  const centreY = frame.height * (0.5 - (box.y + box.height / 2) / 100) + layout.cameraY;
  // A short number stands in a ring, a long one above a rail.
  const boxHeight = (box.height / 100) * frame.height;
  const boxWidth = (box.width / 100) * frame.width;
  const inRing = subject.gauge === undefined ? signs <= 5 && subject.label.length <= 16 : subject.gauge === 'ring';
  const radius = round((Math.min(boxHeight, boxWidth) / 2) * 0.92 * Math.min(1, subject.size));
  const length = round(Math.min(boxWidth * 0.62, boxHeight * 1.5) * Math.min(1, subject.size));
  const fit = inRing
    ? { width: ((radius * 2) / frame.height) * 100 * 0.7, height: ((radius * 2) / frame.height) * 100 * 0.76 }
    : {
        width: (boxWidth / frame.height) * 100 * 0.86 * Math.min(1, subject.size),
        height: box.height * 0.62 * Math.min(1, subject.size),
      };
  const gauge = inRing
    ? element(
        'CounterRing',
        [
          ...shared,
          ['place', `{${vector([centreX, centreY, 0])}}`],
          ['radius', `{${number(radius)}}`],
          ['color', colorCode(subject)],
        ],
        6,
      )
    : element(
        'CounterBar',
        [
          ...shared,
          ['place', `{${vector([centreX, centreY - boxHeight * 0.36, 0])}}`],
          ['radius', `{${number(frame.height * (subject.gauge === 'bar' ? 0.024 : 0.011))}}`],
          ['length', `{${number(length)}}`],
          ['color', colorCode(subject)],
        ],
        6,
      );
  return {
    kit: [
      ['counter.tsx', 'Counter'],
      ['counter.tsx', inRing ? 'CounterRing' : 'CounterBar'],
    ],
    tracks: [{ name, comment: `Counts from ${subject.from} to ${subject.to}.`, channels }],
    constants: [],
    world: [gauge],
    overlay: [
      element(
        'Counter',
        [
          ...shared,
          ['box', `{${boxCode(box)}}`],
          ['fit', `{${objectLiteral(Object.entries(fit).map(([key, value]) => [key, number(round(value, 1))] as const))}}`],
          ['prefix', textAttribute(subject.prefix)],
          ['suffix', textAttribute(subject.suffix)],
          ['decimals', `{${decimals}}`],
          ['widest', `{${widest === subject.to ? readCode(target) : number(widest)}}`],
          ['label', textAttribute(subject.label)],
          ['color', `"${readable(film.palette.ink, middle)}"`],
        ],
        6,
      ),
    ],
    parameters: [colorParameter(subject), target],
    accents: [],
  };
}
