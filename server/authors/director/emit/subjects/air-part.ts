import type { Subject } from '../../../../contract/film.ts';
import { arrayLiteral, element, identifier, number, quote } from '../code.ts';
import { round } from '../frame.ts';
import { type KeyStop, stop } from '../keyframes.ts';
import { inkBox } from '../layout/text-stack.ts';
import { colorParameter, readCode } from '../scene-parameters.ts';
import type { ScenePart } from '../scene-parts.ts';
import { manners } from '../style.ts';
import { ambientEase, boxCode, colorCode, presence, type Situation } from './situation.ts';

export function particlesPart(subject: Extract<Subject, { kind: 'particles' }>, situation: Situation): ScenePart {
  const { film, timing } = situation;
  const name = identifier(subject.id);
  const colors = subject.colors.length > 0 ? subject.colors.map(quote) : [readCode(colorParameter(subject))];
  const words = situation.layout.texts.map((place) => boxCode(inkBox(place, situation.frame)));
  return {
    kit: [['particles.tsx', 'Particles']],
    tracks: [{ name, comment: null, channels: { amount: presence(situation, 0.6) } }],
    constants: [],
    world: [
      element(
        'Particles',
        [
          ['track', `{tracks.${name}}`],
          ['preset', `"${subject.preset}"`],
          ['count', `{${Math.round(subject.count)}}`],
          ['colors', `{${arrayLiteral(colors)}}`],
          ['size', `{${number(subject.size)}}`],
          ['speed', `{${number(timing.speed)}}`],
          ['seed', `{${film.seed + subject.id.length}}`],
          ...(words.length > 0 ? ([['clear', `{${arrayLiteral(words, 10)}}`]] as const) : []),
        ],
        6,
      ),
    ],
    overlay: [],
    parameters: [colorParameter(subject)],
    accents: [],
  };
}

export function wavePart(subject: Extract<Subject, { kind: 'wave' }>, situation: Situation): ScenePart {
  const { film, layout, timing, scene, frame } = situation;
  const name = identifier(subject.id);
  // Below text in the middle, in the middle of an empty frame.
  const centred = scene.texts.some((text) => text.position === 'center');
  const percent = centred ? 76 : scene.texts.some((text) => text.position === 'bottom') ? 42 : 60;
  const swell = subject.motion.type === 'pulse' || subject.motion.type === 'grow' || subject.motion.type === 'bounce';
  const height: KeyStop[] = [
    stop(0, timing.first ? 0.35 : 0),
    stop(round(manners[film.style].enterSeconds * 1.6), 1, 'easeOutQuint'),
  ];
  if (swell) height.push(stop(round(timing.settledBy), 1.35, ambientEase));
  return {
    kit: [['wave.tsx', 'Wave']],
    tracks: [{ name, comment: null, channels: { height, opacity: presence(situation, 0.5) } }],
    constants: [],
    world: [
      element(
        'Wave',
        [
          ['track', `{tracks.${name}}`],
          ['lines', `{${Math.max(1, Math.round(subject.lines))}}`],
          ['y', `{${number(frame.height * (0.5 - percent / 100) + layout.cameraY)}}`],
          ['amplitude', `{${number(frame.height * 0.1 * subject.size)}}`],
          ['color', colorCode(subject)],
          ['helper', `"${film.palette.helper}"`],
          ['speed', `{${number(timing.speed)}}`],
        ],
        6,
      ),
    ],
    overlay: [],
    parameters: [colorParameter(subject)],
    accents: [],
  };
}
