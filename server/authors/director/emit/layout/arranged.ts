import type { Subject } from '../../../../contract/film.ts';
import { type Frame, round, worldX, worldY } from '../frame.ts';
import { extentOf, formationOf, formationSpots } from './formations.ts';
import type { Area, SubjectPlace } from './places.ts';
import { countOf, drawnShare, isAmbient, verticalRatio } from './traits.ts';

type Spot = readonly [number, number, number];

/** One place on the floor: what stands there, from the floor up, and what has its place by it. */
interface Slot {
  readonly column: Subject[];
  readonly behind: Subject[];
  readonly front: Subject[];
  readonly inside: Subject[];
  readonly around: Subject[];
  /** Stands in the middle of the bodies of a column that is only they. */
  readonly amid: Subject[];
}

/** All lengths are shares of the radius of a body of the usual size. */
const gapBetween = 0.75;
const gapAbove = 0.4;
const behindBy = { x: 1.1, z: -1.9 };
const frontBy = { x: -1, z: 1.6 };
const insideSize = 0.8;
const bodyGap = 0.5;

const sizeOf = (subject: Subject): number => Math.min(1.8, Math.max(0.2, subject.size));
const spotsOf = (subject: Subject) => {
  const formation = formationOf(subject);
  return formation === undefined || countOf(subject) < 2 ? null : formationSpots(formation, countOf(subject));
};
/** A crowd that shares the floor with others is made of smaller bodies. */
const formedSize = 0.6;
function rowWidth(subject: Subject): number {
  const spots = spotsOf(subject);
  if (spots !== null) return extentOf(spots).width * sizeOf(subject) * formedSize;
  return (
    countOf(subject) * 2 * sizeOf(subject) * drawnShare(subject).wide +
    (countOf(subject) - 1) * bodyGap * Math.min(1, sizeOf(subject))
  );
}
function heightOf(subject: Subject): number {
  const spots = spotsOf(subject);
  return (
    (spots === null ? 2 : extentOf(spots).height * formedSize) *
    sizeOf(subject) *
    verticalRatio(subject) *
    drawnShare(subject).high
  );
}
/** Radius of the circle on which bodies stand around a column. */
const circle = (slot: Slot, subject: Subject): number =>
  Math.max(...slot.column.map(sizeOf)) + 1.3 * sizeOf(subject) + 0.12 * countOf(subject);

const newSlot = (subject: Subject): Slot => ({
  column: [subject],
  behind: [],
  front: [],
  inside: [],
  around: [],
  amid: [],
});

const holds = (slot: Slot, id: string): boolean => slot.column.some((subject) => subject.id === id);

/** Puts a subject to its place among the slots; false while that what it stands by has no place yet. */
function settle(subject: Subject, slots: Slot[], order: readonly Subject[]): boolean {
  const { arranged } = subject;
  if (!arranged) return false;
  if (arranged.of === null) {
    if (arranged.relation === 'left') slots.unshift(newSlot(subject));
    else slots.push(newSlot(subject));
    return true;
  }
  const { of, also, relation } = arranged;
  const at = slots.findIndex((slot) => holds(slot, of));
  const slot = slots[at];
  if (!slot) return false;
  switch (relation) {
    case 'left':
      slots.splice(at, 0, newSlot(subject));
      break;
    case 'right':
      slots.splice(at + 1, 0, newSlot(subject));
      break;
    case 'beside': {
      const first = order.indexOf(subject) < order.findIndex(({ id }) => id === of);
      slots.splice(first ? at : at + 1, 0, newSlot(subject));
      break;
    }
    case 'on':
    case 'above':
      slot.column.push(subject);
      break;
    case 'below':
      slot.column.unshift(subject);
      break;
    case 'between': {
      const other = also === undefined ? -1 : slots.findIndex((one) => holds(one, also));
      if (other >= 0) slots.splice(Math.max(at, other), 0, newSlot(subject));
      else slot.amid.push(subject);
      break;
    }
    default:
      slot[relation].push(subject);
  }
  return true;
}

function slotsOf(bodies: readonly Subject[]): Slot[] {
  const free = bodies.filter(({ arranged }) => !arranged);
  const slots = free.map(newSlot);
  let waiting = bodies.filter(({ arranged }) => arranged);
  for (let placed = true; placed && waiting.length > 0; ) {
    const left = waiting.filter((subject) => !settle(subject, slots, bodies));
    placed = left.length < waiting.length;
    waiting = left;
  }
  // Who stands by somebody that is gone, or by each other in a circle, stands for itself.
  slots.push(...waiting.map(newSlot));
  return slots;
}

function slotWidth(slot: Slot): number {
  const row = Math.max(...slot.column.map(rowWidth)) + slot.amid.reduce((sum, one) => sum + rowWidth(one) + bodyGap, 0);
  const depth = [...slot.behind, ...slot.front].reduce((most, one) => Math.max(most, rowWidth(one) - row + 1.4, 0.9), 0);
  const ring = slot.around.map((one) => 2 * (circle(slot, one) + sizeOf(one)));
  return Math.max(row + (slot.behind.length + slot.front.length > 0 ? depth : 0), ...ring);
}

const isAbove = (slot: Slot, index: number): boolean =>
  slot.column[index]?.arranged?.relation === 'above' || slot.column[index - 1]?.arranged?.relation === 'below';

const columnHeight = (slot: Slot): number =>
  slot.column.reduce((sum, subject, index) => sum + heightOf(subject) + (isAbove(slot, index) ? gapAbove : 0), 0);

/** Several that stand on one are as small as they have to be: seven candles on a cake. */
const fitted = (bodies: readonly Subject[]): Subject[] =>
  bodies.map((subject) => {
    const base = subject.arranged?.relation === 'on' ? bodies.find(({ id }) => id === subject.arranged?.of) : undefined;
    if (base === undefined || countOf(subject) < 2) return subject;
    return { ...subject, size: subject.size * Math.min(1, (rowWidth(base) * 0.9) / rowWidth(subject)) };
  });

/**
 * Subjects that were said to stand by one another: next to, on, behind, around … Null when nobody said so, or when
 * something takes part that has no body.
 */
export function placeArranged(all: readonly Subject[], area: Area, frame: Frame, cameraY: number): SubjectPlace[] | null {
  const bodies = fitted(all.filter((subject) => !isAmbient(subject)));
  if (!bodies.some(({ arranged }) => arranged)) return null;
  if (bodies.some(({ kind }) => !['ball', 'cube', 'shape', 'figure', 'logo'].includes(kind))) return null;
  const slots = slotsOf(bodies);
  const widths = slots.map(slotWidth);
  const total = widths.reduce((sum, width) => sum + width, 0) + gapBetween * (slots.length - 1);
  const tallest = Math.max(...slots.map(columnHeight));
  const width = ((area.right - area.left) / 100) * frame.width * 0.86;
  const height = worldY(frame, area.top, cameraY) - frame.groundY;
  const unit = Math.min(
    width / total,
    (height * 0.86) / tallest,
    height * (slots.length > 1 ? 0.27 : 0.31) * (frame.portrait ? 1.2 : 1),
  );
  const places: SubjectPlace[] = [];
  const put = (subject: Subject, wanted: readonly Spot[], { size, stands }: { size: number; stands: boolean }) => {
    const formed = spotsOf(subject);
    const radius = round(unit * size * (formed === null ? 1 : formedSize));
    const ratio = verticalRatio(subject);
    const x = wanted.reduce((sum, spot) => sum + spot[0], 0) / wanted.length;
    const [, y = 0, z = 0] = wanted[0] ?? [];
    const lowest = y - (unit * size - radius) * ratio;
    const spots = formed?.map(([aside, up]): Spot => [x + aside * radius, lowest + up * radius * ratio, z]) ?? wanted;
    places.push({
      subject,
      places: spots.map(([x, y, z]) => [round(x), round(y), round(z)] as const),
      radius,
      area,
      stands,
      groupSize: spots.length,
      rank: 0,
      rows: 1,
      solo: false,
    });
  };
  const middle = worldX(frame, (area.left + area.right) / 2);
  let left = middle - (total * unit) / 2;
  slots.forEach((slot, index) => {
    const own = (widths[index] ?? 0) * unit;
    placeSlot(slot, left + own / 2, { unit, floor: frame.groundY, put });
    left += own + gapBetween * unit;
  });
  const nowhere = { places: [], radius: 0, area, stands: false, groupSize: 1, rank: 0, rows: 1, solo: false };
  return all.map((subject) => ({ ...(places.find((place) => place.subject.id === subject.id) ?? nowhere), subject }));
}

interface Ground {
  readonly unit: number;
  readonly floor: number;
  readonly put: (subject: Subject, spots: readonly Spot[], made: { size: number; stands: boolean }) => void;
}

/** The bodies of a subject side by side around x, `hole` wide in their middle. */
function row(subject: Subject, x: number, y: number, z: number, unit: number, hole = 0): Spot[] {
  const count = countOf(subject);
  const step = (2 * sizeOf(subject) * drawnShare(subject).wide + bodyGap * Math.min(1, sizeOf(subject))) * unit;
  return Array.from({ length: count }, (_, index): Spot => {
    const aside = hole === 0 ? 0 : (index < count / 2 ? -hole : hole) / 2;
    return [x + (index - (count - 1) / 2) * step + aside, y, z];
  });
}

function placeSlot(slot: Slot, x: number, { unit, floor, put }: Ground): void {
  const foot = (subject: Subject, size = sizeOf(subject)): number => floor + size * verticalRatio(subject) * unit;
  const hole = slot.amid.reduce((sum, one) => sum + rowWidth(one) + bodyGap, 0) * unit;
  let top = floor;
  slot.column.forEach((subject, index) => {
    const half = sizeOf(subject) * verticalRatio(subject) * unit;
    const hovers = isAbove(slot, index);
    const foot = top + (hovers ? gapAbove * unit : 0);
    const y = foot + half;
    put(subject, row(subject, x, y, 0, unit, index === 0 ? hole : 0), { size: sizeOf(subject), stands: !hovers });
    top = foot + heightOf(subject) * unit;
  });
  for (const subject of slot.amid) put(subject, row(subject, x, foot(subject), 0, unit), { size: sizeOf(subject), stands: true });
  for (const [subjects, by] of [
    [slot.behind, behindBy],
    [slot.front, frontBy],
  ] as const)
    for (const subject of subjects)
      put(subject, row(subject, x + by.x * unit, foot(subject), by.z * unit, unit), { size: sizeOf(subject), stands: true });
  const [base] = slot.column;
  for (const subject of slot.inside) {
    const size = Math.min(insideSize, rowWidth(base ?? subject) / rowWidth(subject)) * sizeOf(subject);
    // Half of it looks out of what it is in.
    const step = size / sizeOf(subject);
    const top = base === undefined ? 0 : heightOf(base);
    const edge = floor + Math.max(top * 0.3, top - heightOf(subject) * step * 0.45) * unit;
    put(subject, row(subject, x, edge + size * verticalRatio(subject) * unit, -0.25 * unit, unit * step), { size, stands: true });
  }
  for (const subject of slot.around) {
    const reach = circle(slot, subject) * unit;
    const count = countOf(subject);
    const spots = Array.from({ length: count }, (_, index): Spot => {
      // Nobody stands straight in front of what they surround.
      const angle = ((index + 0.5) / count) * 2 * Math.PI + Math.PI / 2;
      return [x + reach * Math.cos(angle), foot(subject), reach * Math.sin(angle)];
    });
    put(subject, spots, { size: sizeOf(subject), stands: true });
  }
}
