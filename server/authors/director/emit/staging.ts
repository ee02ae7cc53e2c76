import type { Film, FilmScene, Subject } from '../../../contract/film.ts';
import { identifier } from './code.ts';
import { type Frame, frameOf, round } from './frame.ts';
import { valueAt } from './keyframes.ts';
import { layoutScene } from './layout/layout.ts';
import type { SceneLayout, SubjectPlace } from './layout/places.ts';
import { countOf, isAmbient } from './layout/traits.ts';
import { rolesOf } from './meetings/meet.ts';
import type { ScenePart } from './scene-parts.ts';
import { manners } from './style.ts';
import type { Ending } from './subjects/situation.ts';
import { subjectPart } from './subjects/subject-part.ts';
import { type TextMove, textDeeds } from './text-deeds.ts';
import { goesOn, runOf, type SceneTiming, timingOf } from './timing.ts';

/** A scene with its cast in place. */
export interface Staged {
  readonly layout: SceneLayout;
  readonly timing: SceneTiming;
  /** In the order of `layout.subjects`. */
  readonly cast: readonly ScenePart[];
  /** Of the texts that meet one of the cast, by their ids. */
  readonly textMoves: ReadonlyMap<string, TextMove>;
}

/** Puts the cast of a scene on its stage: who was in the scene before goes on from where it ended. */
export function stageScene(film: Film, scene: FilmScene): Staged {
  const frame = frameOf(film.aspect);
  const timing = timingOf(film, scene);
  const [before, after] = [-1, 1].map((step) => film.scenes[film.scenes.indexOf(scene) + step]);
  const endings = before !== undefined && goesOn(film, scene) ? endingsOf(film, before, scene) : new Map<string, Ending>();
  const layout = sharedLayout(runOf(film, scene), scene, endings, frame);
  const manner = manners[film.style];
  const playful = film.style === 'playful';
  const met = rolesOf(scene, layout, { timing, manner, frame, playful, present: new Set(endings.keys()) });
  const { roles: readers, moves: textMoves } = textDeeds(scene, layout, {
    start: timing.leadSeconds + manner.enterSeconds / Math.sqrt(timing.speed) + 0.25,
    until: timing.settledBy,
    frame,
    manner,
    playful,
    speed: timing.speed,
  });
  const roles = new Map([...met, ...readers]);
  const staying = new Set(after !== undefined && goesOn(film, after) ? after.subjects.map(({ was }) => was ?? '') : []);
  const situation = { film, scene, frame, layout, timing, roles, endings, staying };
  return { layout, timing, cast: layout.subjects.map((place) => subjectPart(place, situation)), textMoves };
}

/** How the subjects of a scene end it, whether or not they go on: who is gone then cannot. By their ids. */
export function endingsIn(film: Film, scene: FilmScene): ReadonlyMap<string, Ending> {
  const { layout, timing, cast } = stageScene(film, scene);
  const frame = frameOf(film.aspect);
  return new Map(
    layout.subjects.flatMap((place, index) =>
      isAmbient(place.subject) || place.places.length === 0
        ? []
        : [[place.subject.id, endingOf(place, cast[index], timing.durationSeconds, frame)] as const],
    ),
  );
}

/** The same by the ids that they have in the scene after. */
function endingsOf(film: Film, before: FilmScene, scene: FilmScene): Map<string, Ending> {
  const endings = endingsIn(film, before);
  const taken = new Map<string, number>();
  return new Map(
    scene.subjects.flatMap((subject) => {
      const ending = endings.get(subject.was ?? '');
      if (subject.was === undefined || ending === undefined || ending.gone) return [];
      // Several parts of one share its places.
      const first = taken.get(subject.was) ?? 0;
      taken.set(subject.was, first + countOf(subject));
      return [[subject.id, { ...ending, places: ending.places.slice(first, first + countOf(subject)) }] as const];
    }),
  );
}

const poses = { rotateX: 0, rotateY: 0, rotateZ: 0, squash: 1, opacity: 1, glow: 0 } as const;

function endingOf({ subject, places, radius }: SubjectPlace, part: ScenePart | undefined, seconds: number, frame: Frame): Ending {
  const name = identifier(subject.id);
  const tracks = new Map(part?.tracks.map((track) => [track.name, track.channels]));
  const channelsOf = (index: number) => tracks.get(`${name}Then`) ?? tracks.get(`${name}${index + 1}`) ?? tracks.get(name) ?? {};
  const end = (index: number, channel: string, usual: number): number =>
    channelsOf(index)[channel] === undefined ? usual : round(valueAt(channelsOf(index)[channel], seconds));
  const spots = places.map(
    ([x, y, z], index) => [round(x + end(index, 'x', 0)), round(y + end(index, 'y', 0)), round(z + end(index, 'z', 0))] as const,
  );
  const scale = end(0, 'scale', 1);
  const pose = Object.fromEntries(Object.entries(poses).map(([channel, usual]) => [channel, end(0, channel, usual)]));
  const isOut = ([x, y]: readonly [number, number, number]): boolean =>
    Math.abs(x) > frame.width / 2 + radius * 0.6 || Math.abs(y) > frame.height / 2 + radius;
  return { places: spots, scale, pose, gone: scale < 0.08 || (pose['opacity'] ?? 1) < 0.08 || spots.every(isOut) };
}

/** Who is in several scenes of a run has one place in all of them, until it goes elsewhere. */
function sharedLayout(
  run: readonly FilmScene[],
  scene: FilmScene,
  endings: ReadonlyMap<string, Ending>,
  frame: Frame,
): SceneLayout {
  const own = layoutScene(scene, frame);
  const [first] = run;
  if (first === undefined || run.length < 2) return own;
  const roots = new Map<string, string>();
  const everybody: Subject[] = [];
  for (const subject of run.flatMap(({ subjects }) => subjects)) {
    const root = roots.get(subject.was ?? '') ?? subject.id;
    roots.set(subject.id, root);
    if (root === subject.id && !isAmbient(subject)) everybody.push(subject);
  }
  const rootOf = (id: string): string => roots.get(id) ?? id;
  const texts = run.map((one) => one.texts).reduce((most, some) => (some.length > most.length ? some : most));
  const whole: FilmScene = {
    ...first,
    subjects: everybody,
    meetings: run.flatMap(({ meetings = [] }) =>
      meetings.map(({ who, whom, ...more }) => ({ ...more, who: rootOf(who), whom: rootOf(whom) })),
    ),
    texts,
  };
  const shared = layoutScene(whole, frame);
  return {
    ...shared,
    texts: scene.texts === texts ? shared.texts : layoutScene({ ...whole, texts: scene.texts }, frame).texts,
    subjects: own.subjects.map((place) => {
      const { subject } = place;
      const home = shared.subjects.find((one) => one.subject.id === rootOf(subject.id));
      if (home === undefined || home.places.length === 0) return place;
      const ending = endings.get(subject.id);
      if (ending === undefined || ending.places.length === 0)
        return { ...home, subject, places: home.places.slice(0, countOf(subject)) };
      return { ...home, subject, places: ending.places, radius: round(home.radius * ending.scale), solo: false };
    }),
  };
}
