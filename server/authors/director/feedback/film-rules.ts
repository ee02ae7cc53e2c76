import type { Film, FilmScene, Palette, Subject } from '../../../contract/film.ts';
import { maxDurationSeconds, minSceneSeconds, type Style } from '../../../contract/film.ts';
import { mix, shift, stepped } from '../color.ts';
import { wordCount } from '../emit/text-times.ts';
import {
  choosePalette,
  companions,
  festive,
  type Ground,
  groundFrom,
  inkFor,
  isBuiltInGround,
  onGround,
  palettes,
  readableOn,
} from '../palette.ts';
import { colorName } from '../plan/names.ts';
import { cameraFor } from '../plan/scenes.ts';
import { entranceOf } from '../plan/texts.ts';
import { clean, onGrid } from '../plan/timing.ts';
import { mapScenes, withDuration, withSceneDuration } from './film-edit.ts';
import { type Rule, rounded, stepFactor, within } from './rule.ts';

const seconds = (value: number): string => `${rounded(value)} s`;
const sceneList = (scope: ReadonlySet<number>): string => `scene ${[...scope].join(' and ')}`;

/** "make it 10 seconds", "longer", "scene 2 shorter". */
export const durationRule: Rule = ({ film, facts, scope }) => {
  const { seconds: asked, length } = facts;
  if (asked === null && length === null) return null;
  const next = (now: number): number => asked ?? now * stepFactor(facts, length ?? { factor: 1, compared: true });
  const longerBy = asked !== null && length !== null ? (length.factor > 1 ? asked : -asked) : null;
  if (scope !== null) {
    const edited = withSceneDuration(film, scope, (now) => (longerBy === null ? next(now) : now + longerBy));
    if (edited === film) return { film, told: `${sceneList(scope)} cannot last that long.`, refused: true };
    const lasting = edited.scenes.filter((scene) => scope.has(scene.number)).map((scene) => seconds(scene.durationSeconds));
    return {
      film: edited,
      told: `${sceneList(scope).replace(/^s/, 'S')} now lasts ${lasting.join(' and ')}, the film ${seconds(edited.durationSeconds)}.`,
    };
  }
  const total = asked === null ? onGrid(next(film.durationSeconds)) : longerBy === null ? asked : film.durationSeconds + longerBy;
  if (total < minSceneSeconds || total > maxDurationSeconds) {
    return {
      film,
      told: `A film can last from ${minSceneSeconds} s to ${maxDurationSeconds / 60} minutes, so it stays at ${seconds(film.durationSeconds)}.`,
      refused: true,
    };
  }
  const edited = withDuration(film, clean(total));
  const shared =
    edited.scenes.length < film.scenes.length
      ? ` There is no room for ${film.scenes.length} scenes of ${minSceneSeconds} s, so some share one.`
      : '';
  return { film: edited, told: `The film now lasts ${seconds(edited.durationSeconds)}.${shared}` };
};

export const aspectRule: Rule = ({ film, facts }) => {
  if (facts.aspect === null) return null;
  if (facts.aspect === film.aspect) return { film, told: `The format already is ${film.aspect}.` };
  return {
    film: { ...film, aspect: facts.aspect },
    told: `The format is now ${facts.aspect}; everything finds its new place in it.`,
  };
};

export const frameRateRule: Rule = ({ film, facts }) => {
  if (facts.fps === null) return null;
  const fps = facts.fps <= 30 ? 30 : 60;
  return {
    film: fps === film.fps ? film : { ...film, fps },
    told: `It runs at ${fps} frames a second${facts.fps === fps ? '' : ', the nearest rate there is'}.`,
  };
};

const moves: Readonly<Record<Style, string>> = {
  playful: 'quick moves that overshoot, with squash and stretch',
  smooth: 'long soft eases without overshoot',
  cinematic: 'slow starts, a moving camera and depth',
};

/** Comparatives about motion alone ("smoother", "softer") leave colours and camera as they are. */
const motionOnly = /bouncy|smooth|soft|sanft|weich|flüss|fluid|doux|suave/i;

function intensified(film: Film, style: Style, factor: number): Film {
  return mapScenes(film, (scene) => ({
    ...scene,
    speed: rounded(within(scene.speed * factor, 0.25, 4)),
    camera: style === 'cinematic' && scene.camera === 'static' ? 'push-in' : scene.camera,
  }));
}

/** Colours that came from the palette move on to the new one; named ones are kept. */
function recolored(subject: Subject, from: Palette, to: Palette): Subject {
  const sets = [companions, festive].map((make) => ({ old: make(from, from.accent), fresh: make(to, to.accent) }));
  const swap = (color: string): string => {
    const set = sets.find(({ old }) => old.includes(color));
    return set === undefined ? color : (set.fresh[set.old.indexOf(color) % set.fresh.length] ?? to.accent);
  };
  const color = swap(subject.color);
  if (subject.kind === 'particles') return { ...subject, color, colors: subject.colors.map(swap) };
  if (subject.kind === 'orbit') return { ...subject, color, bodyColors: subject.bodyColors.map(swap) };
  return color === subject.color ? subject : { ...subject, color };
}

/** A film in another style: easing by the style itself, and what still is as the old style chose it: colours, camera, entrances. */
export function withStyle(film: Film, style: Style, { keepLook }: { keepLook: boolean }): Film {
  const ground = { top: film.palette.backgroundTop, bottom: film.palette.backgroundBottom };
  const ours = [companions, festive].flatMap((make) => make(film.palette, film.palette.accent));
  const subjects = film.scenes.flatMap((scene) => scene.subjects);
  const palette = keepLook
    ? film.palette
    : choosePalette(style, film.seed, {
        background: isBuiltInGround(ground) ? null : ground,
        subjectColors: subjects.map((subject) => subject.color).filter((color) => !ours.includes(color)),
        textColors: film.scenes.flatMap((scene) => scene.texts.flatMap((text) => text.color ?? [])),
        tone: null,
      });
  const scenes = film.scenes.map((scene, i): FilmScene => {
    const next = keepLook ? scene.subjects : scene.subjects.map((subject) => recolored(subject, film.palette, palette));
    return {
      ...scene,
      subjects: next,
      camera: !keepLook && scene.camera === cameraFor(film.style, i, scene.subjects) ? cameraFor(style, i, next) : scene.camera,
      texts: scene.texts.map((text) =>
        text.entrance === entranceOf(film.style, text.role, wordCount(text.text))
          ? { ...text, entrance: entranceOf(style, text.role, wordCount(text.text)) }
          : text,
      ),
    };
  });
  return { ...film, style, palette, scenes };
}

export const styleRule: Rule = ({ film, facts }) => {
  if (facts.style === null || facts.negated) return null;
  const { style, compared, text } = facts.style;
  const keepLook = compared && motionOnly.test(text);
  if (style === film.style) {
    if (!compared && facts.more === 0) return { film, told: `The film already is ${style}.` };
    // With a pace of its own in the same breath, the pace is the user's.
    if (facts.speed !== null) return { film, told: `It stays ${style}: ${moves[style]}.` };
    const factor = style === 'playful' ? 1.12 : 0.88;
    return {
      film: intensified(film, style, factor),
      told: `More ${style}: everything moves ${style === 'playful' ? 'a little quicker' : 'a little slower'}${style === 'cinematic' ? ', and the camera moves in every scene' : ''}.`,
    };
  }
  return {
    film: withStyle(film, style, { keepLook }),
    told: keepLook
      ? `Moves are ${style} now: ${moves[style]}; colours and camera stay.`
      : `The film is ${style} now: ${moves[style]}, with a palette to match.`,
  };
};

/** Whether a colour in the clause is one for the ground. */
export const aboutGround = (facts: { background: boolean; gradient: boolean }): boolean => facts.background || facts.gradient;

function moved(ground: Ground, factor: 'dark' | 'light' | 'bright'): Ground {
  const lightness = factor === 'dark' ? -0.12 : 0.1;
  return {
    top: shift(ground.top, { lightness, chroma: factor === 'bright' ? 1.2 : 1 }),
    bottom: shift(ground.bottom, { lightness, chroma: factor === 'bright' ? 1.2 : 1 }),
  };
}

/** "change the background to navy", "a gradient from blue to purple", "darker background", "background of scene 2 white". */
export const backgroundRule: Rule = ({ film, facts, scope }) => {
  if (!aboutGround(facts)) return null;
  const now: Ground = { top: film.palette.backgroundTop, bottom: film.palette.backgroundBottom };
  const [first, second] = facts.colors;
  const tone =
    facts.shade === null
      ? null
      : facts.shade.shade === 'dark' || facts.shade.shade === 'deep'
        ? 'dark'
        : facts.shade.shade === 'bright'
          ? 'bright'
          : 'light';
  const makes = (from: Ground): Ground | null => {
    if (first !== undefined)
      return second === undefined
        ? facts.gradient
          ? { top: first, bottom: mix(first, stepped(first, 'dark'), 0.8) }
          : groundFrom(first)
        : { top: first, bottom: second };
    if (tone === null) return null;
    if (facts.shade?.compared) return moved(from, tone);
    return tone === 'dark' ? darkGround(film) : lightGround(film);
  };
  if (makes(now) === null) return null;
  if (scope !== null) {
    const edited = mapScenes(film, (scene) => sceneOn(film, scene, makes(scene.background ?? now) ?? now), scope);
    return { film: edited, told: `The background of ${sceneList(scope)} is changed, the others stay.` };
  }
  const ground = makes(now) ?? now;
  const palette = onGround(film.palette, ground);
  // A ground that is named stands in the place of every place.
  const edited = mapScenes({ ...film, palette }, ({ place: _, ...scene }) =>
    scene.background === null || first === undefined ? scene : { ...scene, background: null },
  );
  const ink = palette.ink === film.palette.ink ? '' : ' Texts got an ink that reads on it.';
  return {
    film: edited,
    told: `The background is ${first === undefined ? (tone === 'dark' ? 'darker' : tone === 'bright' ? 'brighter' : 'lighter') : second === undefined ? colorName(first) : 'a gradient'} now.${ink}`,
  };
};

function sceneOn(film: Film, { place: _, ...scene }: FilmScene, ground: Ground): FilmScene {
  const texts = scene.texts.map((text) =>
    text.color === null && !readableOn(film.palette.ink, ground) ? { ...text, color: inkFor(ground) } : text,
  );
  return { ...scene, background: ground, texts };
}

const firstGround = (style: Style): Ground => ({
  top: palettes[style][0]?.backgroundTop ?? '#fafaf8',
  bottom: palettes[style][0]?.backgroundBottom ?? '#e9e8e4',
});
const darkGround = (film: Film): Ground =>
  film.style === 'smooth' ? { top: '#2a3442', bottom: '#1b232e' } : firstGround('cinematic');
const lightGround = (film: Film): Ground => firstGround(film.style === 'cinematic' ? 'smooth' : film.style);

/** A camera that was told to stand does so, and does not drift as one that stands by its style. */
function withCamera(scene: FilmScene, camera: FilmScene['camera']): FilmScene {
  const { still, ...rest } = scene;
  if (camera !== 'static') return scene.camera === camera ? scene : { ...rest, camera };
  return scene.camera === camera && still !== undefined ? scene : { ...rest, camera, still: still ?? 'camera' };
}

export const cameraRule: Rule = ({ film, facts, scope }) => {
  const still = facts.negated || [...facts.words].some((word) => ['static', 'still', 'fixed', 'statisch', 'fest'].includes(word));
  const camera =
    facts.cameraMove ??
    (facts.camera
      ? still
        ? 'static'
        : facts.motions.includes('spin')
          ? 'orbit'
          : facts.subjects.some((subject) => subject.ref.kind === 'orbit')
            ? 'orbit'
            : facts.motions.length > 0
              ? 'dolly'
              : facts.size?.compared || facts.more !== 0
                ? 'push-in'
                : null
      : null);
  if (camera === null) return null;
  const chosen = facts.camera && still ? 'static' : camera;
  const told: Readonly<Record<FilmScene['camera'], string>> = {
    static: 'stands still',
    'push-in': 'pushes in slowly',
    orbit: 'circles the scene',
    dolly: 'tracks sideways',
    follow: 'follows the move',
  };
  return {
    film: mapScenes(film, (scene) => withCamera(scene, chosen), scope),
    told: `The camera ${told[chosen]}${scope === null ? '' : ` in ${sceneList(scope)}`}.`,
  };
};
