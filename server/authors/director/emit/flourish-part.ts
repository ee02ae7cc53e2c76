import type { Film, FilmScene } from '../../../contract/film.ts';
import { element, number, objectLiteral, quote } from './code.ts';
import { type Frame, round } from './frame.ts';
import { type KeyChannels, type KeyStop, stop } from './keyframes.ts';
import type { SceneLayout, TextPlace } from './layout/places.ts';
import { inkBox } from './layout/text-stack.ts';
import { isAmbient } from './layout/traits.ts';
import type { ScenePart } from './scene-parts.ts';
import { manners } from './style.ts';
import { beatAt, type SceneTiming } from './timing.ts';

/** What the words of a scene cover together, in per cent of the frame. */
function wordsArea(places: readonly TextPlace[], frame: Frame): TextPlace['box'] {
  const boxes = places.map((place) => inkBox(place, frame));
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  return {
    x,
    y,
    width: round(Math.max(...boxes.map((box) => box.x + box.width)) - x, 1),
    height: round(Math.max(...boxes.map((box) => box.y + box.height)) - y, 1),
  };
}

function channelsFor(film: Film, timing: SceneTiming): KeyChannels {
  const { enterSeconds, exitSeconds } = manners[film.style];
  // The ornament follows the words, and leaves with them.
  const from = timing.first ? 0.15 : timing.leadSeconds + 0.1;
  const channels: Record<string, readonly KeyStop[]> = {
    grow: [stop(round(from), timing.first ? 0.02 : 0), stop(round(from + enterSeconds * 2), 1, 'easeOutQuart')],
  };
  const beat = beatAt(timing, true);
  if (beat !== null) channels['beat'] = [stop(beat, 0, null, 'second beat'), stop(round(beat + 1.1), 1, 'easeInOutCubic')];
  if (!timing.last) {
    const leaves = timing.durationSeconds - 0.08;
    channels['opacity'] = [stop(round(leaves - Math.min(0.3, exitSeconds)), 1), stop(round(leaves), 0, 'easeInCubic', 'exit')];
  }
  return channels;
}

/** The ornament of a scene that shows nothing but words; null for every other one, and for one that is to stand still. */
export function flourishPart(
  film: Film,
  scene: FilmScene,
  layout: SceneLayout,
  timing: SceneTiming,
  frame: Frame,
): ScenePart | null {
  if (scene.still === 'everything' || layout.texts.length === 0 || !scene.subjects.every(isAmbient)) return null;
  const area = wordsArea(layout.texts, frame);
  const left = layout.texts.every(({ align }) => align === 'left');
  return {
    kit: [['flourish.tsx', 'Flourish']],
    tracks: [{ name: 'flourish', comment: 'What is set around the words.', channels: channelsFor(film, timing) }],
    constants: [],
    world: [],
    overlay: [
      element(
        'Flourish',
        [
          ['track', '{tracks.flourish}'],
          ['box', `{${objectLiteral(Object.entries(area).map(([key, value]) => [key, number(value)] as const))}}`],
          ['color', quote(film.palette.accent).replaceAll("'", '"')],
          ['helper', quote(film.palette.helper).replaceAll("'", '"')],
          ...(left ? ([['align', '"left"']] as const) : []),
          // A lower third leaves the frame to what is behind it.
          ...(scene.subjects.length > 0 || layout.texts.every(({ text }) => text.position === 'bottom')
            ? ([['quiet', 'true']] as const)
            : []),
        ],
        6,
      ),
    ],
    parameters: [],
    accents: [],
  };
}
