import type { Subject } from '../../../../contract/film.ts';
import { type Frame, round, worldX, worldY } from '../frame.ts';
import { isLively } from '../stagger.ts';
import { placeArranged } from './arranged.ts';
import { extentOf, formationOf, formationSpots } from './formations.ts';
import type { Area, SubjectPlace } from './places.ts';
import { areAlike, bodyAspect, countOf, crosses, heightShare, isAmbient, standsOnGround, verticalRatio } from './traits.ts';

/** Neighbours that are alike make a group and share one part of the frame; every other subject is its own. */
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
export function placeSubjects(all: readonly Subject[], area: Area, frame: Frame, cameraY: number): SubjectPlace[] {
  const arranged = placeArranged(all, area, frame, cameraY);
  if (arranged) return arranged;
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
  const nowhere = { places: [], radius: 0, area, stands: false, groupSize: 1, rank: 0, rows: 1, solo: false };
  return all.map((subject) => placed.find((place) => place.subject === subject) ?? { ...nowhere, subject });
}

/** Bodies as somebody said that they stand: in a row, on one another, in a circle. */
function placeFormation(
  subject: Subject,
  spots: readonly (readonly [number, number])[],
  { stands, area, frame, cameraY }: { stands: boolean; area: Area; frame: Frame; cameraY: number },
): SubjectPlace {
  const size = Math.min(1.4, Math.max(0.6, subject.size));
  const width = ((area.right - area.left) / 100) * frame.width * 0.92;
  const height = ((area.bottom - area.top) / 100) * frame.height;
  const extent = extentOf(spots);
  const ratio = verticalRatio(subject);
  const aspect = bodyAspect(subject);
  const largest = (height * heightShare(subject) * (frame.portrait ? 1.2 : 1) * size) / 2;
  const radius = round(
    Math.min(largest, (width * Math.min(1, size)) / (extent.width * aspect), (height * 0.88) / (extent.height * ratio)),
  );
  const middleX = worldX(frame, (area.left + area.right) / 2);
  const middleY = worldY(frame, (area.top + area.bottom) / 2, cameraY);
  const lowest = stands ? frame.groundY + radius * ratio : middleY - (extent.height / 2 - 1) * radius * ratio;
  const places = spots.map(([x, y]) => [round(middleX + x * radius * aspect), round(lowest + y * radius * ratio), 0] as const);
  return { subject, places, radius, area, stands, groupSize: spots.length, rank: 0, rows: 1, solo: false };
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
  const formation = formationOf(subject);
  if (formation !== undefined && count > 1)
    return placeFormation(subject, formationSpots(formation, count), { stands, area, frame, cameraY });
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
  return { subject, places: ordered, radius, area, stands, groupSize: count, rank: 0, rows, solo: false };
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
