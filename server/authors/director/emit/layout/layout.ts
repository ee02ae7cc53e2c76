import type { FilmScene, FilmText } from '../../../../contract/film.ts';
import { type Frame, round } from '../frame.ts';
import { placeSubjects } from './bodies.ts';
import { gathered, inSky } from './depth.ts';
import type { Area, SceneLayout, SubjectPlace } from './places.ts';
import { lockup, soloScene } from './settings.ts';
import { heroBoost, moveDown, roleOrder, stack, titleBoost } from './text-stack.ts';
import { crosses, isAmbient, isBody, isHeavenly, isPictured, standsOnGround } from './traits.ts';

/**
 * Shares the frame of a scene: text gets its zones first, subjects what is left, and neither enters the
 * other's part. A title in the middle of a wide frame stands beside the subject, in a tall one above it.
 */
export function layoutScene(scene: FilmScene, frame: Frame): SceneLayout {
  const bodies = scene.subjects.filter((subject) => !isAmbient(subject));
  const byPosition = (position: FilmText['position']) =>
    scene.texts.filter((text) => text.position === position).sort((a, b) => roleOrder[a.role] - roleOrder[b.role]);
  let [top, center, bottom] = [byPosition('top'), byPosition('center'), byPosition('bottom')];
  const wide = frame.width / frame.height > 1.3;
  const travelling = bodies.some((subject) => crosses(subject) || subject.motion.type === 'swing');
  const beside =
    bodies.length > 0 && center.length > 0 && wide && !travelling && bodies.every((subject) => subject.kind !== 'bars');
  if (bodies.length > 0 && center.length > 0 && !beside) {
    top = [...top, ...center].sort((a, b) => roleOrder[a.role] - roleOrder[b.role]);
    center = [];
  }

  const lockedUp = lockup(scene, bodies, { top, others: center.length + bottom.length }, frame);
  if (lockedUp) return lockedUp;
  if (wide && bottom.length === 0 && center.length === 0) {
    const soloed = soloScene(scene, bodies, top, frame);
    if (soloed) return soloed;
  }

  const { left, right } = frame.text;
  const roomForText = bodies.length > 0 ? 0.42 : 0.8;
  const textHeight = frame.text.bottom - frame.text.top;
  const upper = stack(
    top,
    left,
    right,
    wide && isPictured(scene) && bodies.length > 0 ? titleBoost(top, frame) : 1,
    'center',
    frame,
    textHeight * (bottom.length > 0 ? roomForText * 0.75 : roomForText),
  );
  // Names with nothing else in a wide frame are a lower third: on the left, a little above the edge.
  const lowerThird = wide && bodies.length === 0 && top.length + center.length === 0;
  const lower = stack(
    bottom,
    left,
    right,
    bodies.length > 0 || lowerThird ? 0.85 : 1,
    lowerThird ? 'left' : 'center',
    frame,
    textHeight * roomForText * 0.6,
  );
  const texts = [
    ...moveDown(upper.places, frame.text.top),
    ...moveDown(lower.places, frame.text.bottom - lower.height - (lowerThird ? 4 : 0)),
  ];

  const groundPercent =
    bottom.length > 0 ? Math.min(frame.groundPercent, round(frame.text.bottom - lower.height - 7, 1)) : frame.groundPercent;
  const cameraY = round(frame.groundY - frame.height * (0.5 - groundPercent / 100));
  const area: Area = {
    left: beside ? 50 : 6,
    right: beside ? 93 : 94,
    top: (top.length > 0 ? frame.text.top + upper.height : frame.text.top - 3) + 3,
    bottom: groundPercent,
  };
  // What has no foot may use the room below the floor line as well.
  const airy = bodies.length > 0 && bodies.every((subject) => !standsOnGround(subject, bodies)) && bottom.length === 0;
  const subjectArea = airy
    ? { ...area, bottom: Math.max(area.bottom, top.length > 0 ? frame.text.bottom - 4 : 100 - area.top) }
    : area;

  if (center.length > 0) {
    const middle = stack(
      center,
      left,
      beside ? 48 : right,
      beside ? 1.1 : bodies.length > 0 ? 1.35 : heroBoost(center, frame),
      beside ? 'left' : 'center',
      frame,
      (area.bottom - area.top) * 0.9,
    );
    // The optical middle lies a little above the geometric one.
    const middleY = beside ? 47 : (frame.text.top + frame.text.bottom) / 2 - 1.5;
    texts.push(...moveDown(middle.places, Math.max(middleY - middle.height / 2, area.top)));
  }
  return { texts, subjects: composed(scene, subjectArea, frame, cameraY), cameraY, groundPercent };
}

/** The cast in its part of the frame: what is in the sky above, the others as one picture below it. */
function composed(scene: FilmScene, area: Area, frame: Frame, cameraY: number): SceneLayout['subjects'] {
  const busy = new Set([
    ...(scene.meetings ?? []).flatMap(({ who, whom }) => [who, whom]),
    ...scene.subjects.flatMap(({ id, arranged }) => (arranged ? [id, arranged.of, arranged.also] : [])),
  ]);
  const aloft = scene.subjects.filter((subject) => isHeavenly(subject) && !busy.has(subject.id));
  const below = scene.subjects.filter((subject) => !aloft.includes(subject));
  if (aloft.length === 0 || below.every(isAmbient)) return together(scene, placeSubjects(scene.subjects, area, frame, cameraY));
  const placed = [
    ...together(scene, placeSubjects(below, area, frame, cameraY)),
    ...inSky(placeSubjects(aloft, area, frame, cameraY), area, frame, cameraY),
  ];
  return scene.subjects.flatMap((subject) => placed.find((place) => place.subject === subject) ?? []);
}

/** Who does something to another, or has a place by another, keeps the room for it. */
const together = (scene: FilmScene, places: readonly SubjectPlace[]): SubjectPlace[] =>
  !isPictured(scene) ||
  (scene.meetings ?? []).length > 0 ||
  scene.subjects.some((subject) => !isAmbient(subject) && (subject.arranged || !isBody(subject)))
    ? [...places]
    : gathered(places);
