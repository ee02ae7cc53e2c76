import type { Subject } from '../../film.ts';
import { arrayLiteral, element, identifier, number, quote } from '../code.ts';
import { type Frame, round } from '../frame.ts';
import { type KeyStop, stop } from '../keyframes.ts';
import type { TextPlace } from '../layout/places.ts';
import { estimateEm } from '../layout/text-stack.ts';
import { colorParameter, readCode } from '../scene-parameters.ts';
import type { ScenePart } from '../scene-parts.ts';
import { manners } from '../style.ts';
import { ambientEase, boxCode, colorCode, presence, type Situation } from './situation.ts';

/** The part of a text's box that its words really cover. */
function inkBox({ text, box, size, align }: TextPlace, frame: Frame): TextPlace['box'] {
  const lines = Math.max(1, Math.round(box.height / (size * 1.15)));
  const em = (estimateEm(text.text) / lines) * (lines > 1 ? 1.3 : 1.16);
  const width = Math.min(box.width, ((em * size) / 100) * (frame.height / frame.width) * 100);
  return {
    x: round(align === 'left' ? box.x : box.x + (box.width - width) / 2, 1),
    y: box.y,
    width: round(width, 1),
    height: box.height,
  };
}

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
