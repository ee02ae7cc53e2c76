import type { FilmScene, FilmText, Subject } from '../film.ts';
import { isLively } from './company.ts';
import { type Frame, round, worldX, worldY } from './frame.ts';

/** A part of the frame in per cent, from the top left corner. */
export interface Area {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface TextPlace {
  readonly text: FilmText;
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly size: number;
  readonly align: 'left' | 'center';
}

export interface SubjectPlace {
  readonly subject: Subject;
  /** Centres of the bodies at rest, in world units, in the order in which they follow one another. */
  readonly places: readonly (readonly [number, number, number])[];
  /** Half of a body's size, in world units. */
  readonly radius: number;
  readonly area: Area;
  readonly stands: boolean;
  /** Bodies that do the same together, of this subject and others, and how many of them come before its first one. */
  readonly company: number;
  readonly rank: number;
  /** How many rows of them stand behind one another. */
  readonly rows: number;
  /** The only body of the scene, with the whole height of the frame for its move. */
  readonly solo: boolean;
}

export interface SceneLayout {
  readonly texts: readonly TextPlace[];
  readonly subjects: readonly SubjectPlace[];
  /** What the camera looks at: it lowers its eyes when text stands below the floor line. */
  readonly cameraY: number;
  readonly groundPercent: number;
}

/** Subjects that fill the air and take no place of their own. */
export function isAmbient(subject: Subject): boolean {
  return subject.kind === 'particles' || subject.kind === 'wave';
}

/** Signs rather than solids: they show their face to the camera and hover. */
export function isFlat(subject: Subject): boolean {
  if (subject.kind === 'logo' || subject.kind === 'loader') return true;
  return subject.kind === 'shape' && ['circle', 'square', 'triangle', 'star', 'heart', 'hexagon', 'ring'].includes(subject.shape);
}

const solids: readonly string[] = ['cylinder', 'cone', 'pyramid', 'capsule'];

/** Whether a subject stands on the floor while it does this. Signs join what stands beside them. */
function standsOnGround(subject: Subject, others: readonly Subject[]): boolean {
  switch (subject.motion.type) {
    case 'bounce':
    case 'roll':
    case 'drop':
    case 'jump':
      return true;
    case 'float':
    case 'fly':
    case 'swing':
      return false;
    default:
      if (subject.kind === 'ball' || subject.kind === 'cube' || subject.kind === 'bars') return true;
      if (subject.kind !== 'shape') return false;
      return (
        solids.includes(subject.shape) ||
        others.some((other) => other !== subject && !isAmbient(other) && standsOnGround(other, []))
      );
  }
}

/** How wide a text runs, in em: a fair guess for layout, the page itself measures exactly. */
export function estimateEm(text: string): number {
  let width = 0;
  for (const sign of text) {
    if (/\p{Extended_Pictographic}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u.test(sign))
      width += 1.05;
    else if (/[MWmw@—]/u.test(sign)) width += 0.85;
    else if (/[ijl.,:;'!| ftr]/u.test(sign)) width += 0.32;
    else width += /\p{Lu}/u.test(sign) ? 0.68 : 0.55;
  }
  return width;
}

const lineHeights = { title: 1.12, subtitle: 1.3, caption: 1.35 } as const;

/** Height that a text wants at this width (all in per cent of the frame's height), three lines at most. */
function wantedHeight(text: FilmText, size: number, widthPercent: number, frame: Frame): number {
  const perLine = (widthPercent * (frame.width / frame.height)) / size;
  const byWidth = Math.ceil((estimateEm(text.text) * 1.06) / perLine);
  const byCharacters = text.role === 'title' ? Math.ceil(text.text.length / 24) : 1;
  const lines = Math.min(text.role === 'title' ? 3 : 4, Math.max(1, byWidth, byCharacters, text.text.trim().split('\n').length));
  return lines * size * lineHeights[text.role] + 0.6;
}

interface Stack {
  readonly places: TextPlace[];
  readonly height: number;
}

/** Sets texts below one another; `top` of the result is at 0. */
function stack(
  texts: readonly FilmText[],
  left: number,
  right: number,
  boost: number,
  align: TextPlace['align'],
  frame: Frame,
  maxHeight: number,
): Stack {
  const sized = texts.map((text) => {
    const size = Math.max(frame.sizes[text.role] * text.scale * (text.role === 'title' ? boost : Math.min(boost, 1.15)), 3.5);
    return { text, size: round(size, 1), height: wantedHeight(text, size, right - left, frame) };
  });
  const gap = 2.2;
  const natural = sized.reduce((sum, { height }) => sum + height, 0) + gap * Math.max(0, sized.length - 1);
  const squeeze = Math.min(1, maxHeight / natural);
  let y = 0;
  const places = sized.map(({ text, size, height }) => {
    const place: TextPlace = {
      text,
      size,
      align,
      box: { x: left, y: round(y, 1), width: round(right - left, 1), height: round(height * squeeze, 1) },
    };
    y += (height + gap) * squeeze;
    return place;
  });
  return { places, height: Math.min(natural, maxHeight) };
}

/** How much larger than usual a title is that has the frame to itself: it spans most of it when it is short. */
function heroBoost(texts: readonly FilmText[], frame: Frame): number {
  const [title] = texts;
  if (title?.role !== 'title') return 1.35;
  const span = 0.62 * (frame.text.right - frame.text.left) * (frame.width / frame.height);
  const boost = span / (Math.max(...title.text.split('\n').map(estimateEm)) * frame.sizes.title * title.scale);
  return Math.min(texts.length > 1 ? 1.8 : 2.3, Math.max(1.35, boost));
}

function moveDown(places: readonly TextPlace[], by: number): TextPlace[] {
  return places.map((place) => ({ ...place, box: { ...place.box, y: round(place.box.y + by, 1) } }));
}

const roleOrder = { title: 0, subtitle: 1, caption: 2 } as const;

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
  const travelling = bodies.some((subject) => ['roll', 'slide', 'fly', 'swing'].includes(subject.motion.type));
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
  const upper = stack(top, left, right, 1, 'center', frame, textHeight * (bottom.length > 0 ? roomForText * 0.75 : roomForText));
  const lower = stack(bottom, left, right, bodies.length > 0 ? 0.85 : 1, 'center', frame, textHeight * roomForText * 0.6);
  const texts = [...moveDown(upper.places, frame.text.top), ...moveDown(lower.places, frame.text.bottom - lower.height)];

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
  return { texts, subjects: placeSubjects(scene.subjects, subjectArea, frame, cameraY), cameraY, groundPercent };
}

/** A mark and its name, in per cent of the frame's height: where the mark's middle is, its part, and the air below it. */
const lockupMiddle = 40;
const lockupPart = 54;
const lockupGap = 5.5;

/**
 * A logo (or the sign that holds its place) and its name: one group in the middle of the frame, the name close below
 * the mark. Null when it is another kind of scene, or when the name needs more room than that.
 */
function lockup(
  scene: FilmScene,
  bodies: readonly Subject[],
  { top, others }: { top: readonly FilmText[]; others: number },
  frame: Frame,
): SceneLayout | null {
  const [mark] = bodies;
  if (!mark || bodies.length > 1 || countOf(mark) > 1 || others > 0 || top.length === 0 || top[0]?.role !== 'title') return null;
  if (mark.kind !== 'logo' && !(mark.kind === 'shape' && mark.shape === 'hexagon')) return null;
  if (!['appear', 'grow', 'pulse', 'spin', 'float'].includes(mark.motion.type)) return null;
  const area: Area = { left: 6, right: 94, top: lockupMiddle - lockupPart / 2, bottom: lockupMiddle + lockupPart / 2 };
  const [placed] = placeSubjects([mark], area, frame, 0);
  const foot = lockupMiddle + ((placed?.radius ?? 0) / frame.height) * 100;
  const name = stack(top, frame.text.left, frame.text.right, 0.85, 'center', frame, frame.text.bottom - foot - lockupGap);
  if (name.places.some(({ size, box }) => box.height < size)) return null;
  return {
    texts: moveDown(name.places, foot + lockupGap),
    subjects: scene.subjects.map((subject) =>
      subject === mark && placed
        ? { ...placed, area: { ...area, bottom: round(foot, 1) } }
        : { subject, places: [], radius: 0, area, stands: false, company: 1, rank: 0, rows: 1, solo: false },
    ),
    cameraY: 0,
    groundPercent: frame.groundPercent,
  };
}

/**
 * How a solo and its title share the frame, in per cent of its width: a short title is large and the body rests on
 * the right third, a longer one takes half of the frame. `lines` is how many the title may run to.
 */
const soloSettings = [
  { titleRight: 45, boost: 1.3, lines: 2.2, bodyLeft: 46, bodyRight: 88 },
  { titleRight: 56, boost: 1, lines: 3.6, bodyLeft: 58, bodyRight: 92 },
] as const;
const soloTitleMiddle = 34;
const soloTop = 4;

/**
 * One body that falls or bounces, and its title, in a wide frame: the title stands large on the upper left, and
 * the body has the full height on the right for its fall. Null when it is another kind of scene, or when the
 * title is too long for half of the frame.
 */
function soloScene(scene: FilmScene, bodies: readonly Subject[], top: readonly FilmText[], frame: Frame): SceneLayout | null {
  const [body] = bodies;
  const [title] = top;
  if (!body || bodies.length > 1 || countOf(body) > 1 || !['bounce', 'jump', 'drop'].includes(body.motion.type)) return null;
  if (!['ball', 'cube', 'shape'].includes(body.kind) || title?.role !== 'title') return null;
  const longestWord = Math.max(...title.text.split(/\s+/u).map(estimateEm));
  const setting = soloSettings.find(({ titleRight, boost, lines }) => {
    const size = frame.sizes.title * title.scale * boost;
    const perLine = ((titleRight - frame.text.left) * (frame.width / frame.height)) / size;
    return longestWord <= perLine * 0.95 && estimateEm(title.text) <= perLine * lines;
  });
  if (!setting) return null;
  const { places, height } = stack(top, frame.text.left, setting.titleRight, setting.boost, 'left', frame, 60);
  const area: Area = { left: setting.bodyLeft, right: setting.bodyRight, top: soloTop, bottom: frame.groundPercent };
  return {
    texts: moveDown(places, Math.max(frame.text.top, soloTitleMiddle - height / 2)),
    subjects: placeSubjects(scene.subjects, area, frame, 0).map((place) => ({ ...place, solo: place.places.length > 0 })),
    cameraY: 0,
    groundPercent: frame.groundPercent,
  };
}

/** Width that one body of a subject takes, against its radius. */
function bodyAspect(subject: Subject): number {
  if (subject.kind === 'logo') return Math.max(0.6, subject.aspectRatio);
  if (subject.kind === 'orbit') return 1.85;
  if (subject.kind === 'bars') return Math.max(1.6, subject.bars.length * 0.55);
  if (subject.kind === 'counter') return 2.4;
  return 1;
}

function countOf(subject: Subject): number {
  return subject.kind === 'ball' || subject.kind === 'cube' || subject.kind === 'shape'
    ? Math.max(1, Math.round(subject.count))
    : 1;
}

/** How much of the height of its part a body fills: what jumps and falls needs air above it. */
function heightShare(subject: Subject): number {
  if (subject.kind === 'bars' || subject.kind === 'counter') return 1;
  if (subject.kind === 'orbit') return 0.95;
  switch (subject.motion.type) {
    case 'bounce':
    case 'jump':
      return 0.38;
    case 'drop':
      return 0.42;
    case 'roll':
      return 0.42;
    case 'float':
    case 'swing':
    case 'fly':
      return 0.46;
    default:
      return 0.56;
  }
}

/** Whether two subjects look and move alike, their colours aside. */
function areAlike(one: Subject, other: Subject): boolean {
  const traits = (subject: Subject) =>
    JSON.stringify([subject.kind, subject.kind === 'shape' ? subject.shape : null, subject.motion, subject.size]);
  return ['ball', 'cube', 'shape'].includes(one.kind) && traits(one) === traits(other);
}

/** Neighbours that are alike make a company and share one part of the frame; every other subject is its own. */
function companies(bodies: readonly Subject[]): Subject[][] {
  const groups: Subject[][] = [];
  for (const subject of bodies) {
    const group = groups.at(-1);
    const [first] = group ?? [];
    if (group && first && areAlike(first, subject)) group.push(subject);
    else groups.push([subject]);
  }
  return groups;
}

/** Side by side in a wide frame; in a tall one, what does not share the floor goes above one another. */
function placeSubjects(all: readonly Subject[], area: Area, frame: Frame, cameraY: number): SubjectPlace[] {
  const bodies = all.filter((subject) => !isAmbient(subject));
  const groups = companies(bodies).map((members) => ({
    members,
    lead: members[0] as Subject,
    count: members.reduce((sum, subject) => sum + countOf(subject), 0),
  }));
  const weights = groups.map(({ lead, count }) => bodyAspect(lead) * Math.sqrt(count) * Math.min(2, Math.max(0.5, lead.size)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const stacked = frame.portrait && groups.length > 1 && groups.filter(({ lead }) => standsOnGround(lead, bodies)).length <= 1;
  let used = 0;
  const placed = groups.flatMap(({ members, lead, count }, index): SubjectPlace[] => {
    const share = (weights[index] ?? 1) / total;
    const part: Area = stacked
      ? { ...area, top: area.top + (area.bottom - area.top) * used, bottom: area.top + (area.bottom - area.top) * (used + share) }
      : {
          ...area,
          left: area.left + (area.right - area.left) * used,
          right: area.left + (area.right - area.left) * (used + share),
        };
    used += share;
    const whole = placeBodies(lead, count, standsOnGround(lead, bodies), groups.length > 1, part, frame, cameraY);
    let rank = 0;
    return members.map((subject) => {
      const own = { ...whole, subject, rank, places: whole.places.slice(rank, rank + countOf(subject)) };
      rank += countOf(subject);
      return own;
    });
  });
  const nowhere = { places: [], radius: 0, area, stands: false, company: 1, rank: 0, rows: 1, solo: false };
  return all.map((subject) => placed.find((place) => place.subject === subject) ?? { ...nowhere, subject });
}

/** Whether a body comes in from the side, past its neighbours. */
function crosses({ motion }: Subject): boolean {
  return (
    motion.type === 'roll' ||
    motion.type === 'fly' ||
    (motion.type === 'slide' && (motion.direction === 'left' || motion.direction === 'right'))
  );
}

/** Rows of bodies: one where they fit, else staggered rows, into the depth on the floor and upwards in the air. */
function placeBodies(
  subject: Subject,
  count: number,
  stands: boolean,
  shared: boolean,
  area: Area,
  frame: Frame,
  cameraY: number,
): SubjectPlace {
  const width = ((area.right - area.left) / 100) * frame.width * (count > 1 ? 0.94 : 0.8);
  const height = ((area.bottom - area.top) / 100) * frame.height;
  const aspect = bodyAspect(subject);
  const wanted = (height * heightShare(subject) * (frame.portrait ? 1.2 : 1) * subject.size) / 2;
  // Who stands behind others has to be seen between them.
  const gapOf = (rows: number) => (stands && rows > 1 ? 0.62 : 0.34);
  // Full rows are staggered, half a step wider in all; a shorter last row stands in the gaps by itself.
  const isStaggered = (columns: number, rows: number) => rows > 1 && (rows > 2 || (columns * rows - count) % 2 === 0);
  const radiusFor = (columns: number, rows: number) => {
    const [gap, extra] = [gapOf(rows), isStaggered(columns, rows) ? 0.5 : 0];
    return Math.min(
      width / ((columns + extra) * aspect * 2 + (columns - 1 + extra) * gap * 2),
      stands ? Number.POSITIVE_INFINITY : height / (rows * 2 + (rows - 1) * gap * 2),
    );
  };
  let columns = count;
  let rows = 1;
  while (rows < 6 && columns > 3 && radiusFor(columns, rows) < wanted * 0.62) {
    rows += 1;
    columns = Math.ceil(count / rows);
  }
  const crowd = 1 / (1 + 0.12 * (rows - 1));
  const radius = round(Math.min(wanted * crowd * (count > 1 ? 0.9 : 1), radiusFor(columns, rows), frame.width * 0.34));
  const middleX = worldX(frame, (area.left + area.right) / 2);
  const middleY = worldY(frame, (area.top + area.bottom) / 2, cameraY);
  const floor = frame.groundY + radius * verticalRatio(subject);
  const gap = gapOf(rows);
  const step = radius * 2 * (aspect + gap);
  // Who crosses the frame passes in front of the others, not through them.
  const lane = shared && crosses(subject) ? radius * 1.6 : 0;
  const places = Array.from({ length: count }, (_, index): readonly [number, number, number] => {
    const row = Math.floor(index / columns);
    const inRow = Math.min(columns, count - row * columns);
    const shift = isStaggered(columns, rows) ? (row % 2 === 0 ? -0.25 : 0.25) : 0;
    const x = middleX + ((index % columns) - (inRow - 1) / 2 + shift) * step;
    if (stands) return [round(x), round(floor), round(lane - row * radius * 2.3)];
    return [round(x), round(middleY + ((rows - 1) / 2 - row) * radius * 2 * (1 + gap)), round(lane)];
  });
  const ordered = inOrderOfEntrance(subject, places);
  return { subject, places: ordered, radius, area, stands, company: count, rank: 0, rows, solo: false };
}

/** Height of a body against its radius. */
export function verticalRatio(subject: Subject): number {
  if (subject.kind === 'cube') return 0.82;
  if (subject.kind === 'loader' && subject.variant === 'dots') return 0.4;
  return 1;
}

/** Who moves to the right is led by the one on the right; a bounce runs through the rows from left to right. */
function inOrderOfEntrance(
  subject: Subject,
  places: readonly (readonly [number, number, number])[],
): readonly (readonly [number, number, number])[] {
  const { motion } = subject;
  const rightwards = (motion.type === 'roll' || motion.type === 'slide') && motion.direction === 'right';
  if (isLively(motion) && motion.type !== 'float') return [...places].sort((a, b) => a[0] - b[0] || b[2] - a[2]);
  return rightwards || motion.type === 'fly' ? [...places].sort((a, b) => b[0] - a[0] || b[2] - a[2]) : places;
}
