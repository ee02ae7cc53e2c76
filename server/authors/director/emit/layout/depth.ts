import { type Frame, round, worldX, worldY } from '../frame.ts';
import type { Area, SubjectPlace } from './places.ts';
import { crosses } from './traits.ts';

/** Air between neighbours, in their mean radius. */
const gap = 0.5;
/** How far behind the others the largest stands, and how far before them the smallest, in the largest radius. */
const behind = -0.75;
const before = 0.9;
/** What is as large as its neighbour stands a step nearer or farther, or all of them would be one line. */
const aside = 0.4;

interface Group {
  readonly members: readonly SubjectPlace[];
  readonly left: number;
  readonly right: number;
  readonly radius: number;
}

/** Members of a group have one part of the frame. */
function groupsOf(places: readonly SubjectPlace[]): Group[] {
  const parts = Map.groupBy(places, ({ area }) => area);
  return [...parts.values()].map((members) => {
    const spots = members.flatMap(({ places, radius }) => places.map(([x]) => ({ x, radius })));
    return {
      members,
      left: Math.min(...spots.map(({ x, radius }) => x - radius)),
      right: Math.max(...spots.map(({ x, radius }) => x + radius)),
      radius: Math.max(...spots.map(({ radius }) => radius)),
    };
  });
}

/**
 * Things that share a floor as one picture: near each other around the middle, the large ones behind, the small ones in
 * front. Parts of the frame that lie above one another stay, and so does who passes the others.
 */
export function gathered(all: readonly SubjectPlace[]): SubjectPlace[] {
  const standing = all.filter(({ places }) => places.length > 0);
  const groups = groupsOf(standing).sort((one, other) => one.left - other.left);
  if (groups.length < 2 || new Set(standing.map(({ area }) => area.top)).size > 1) return [...all];
  const gapAfter = (index: number): number => {
    const [one, next] = [groups[index], groups[index + 1]];
    return one === undefined || next === undefined ? 0 : ((one.radius + next.radius) / 2) * gap;
  };
  const width = groups.reduce((sum, { left, right }, index) => sum + right - left + gapAfter(index), 0);
  const [from, until] = [groups[0]?.left ?? 0, groups.at(-1)?.right ?? 0];
  if (width >= until - from) return [...all];
  const largest = Math.max(...groups.map(({ radius }) => radius));
  const smallest = Math.min(...groups.map(({ radius }) => radius));
  let x = (from + until - width) / 2;
  const moved = new Map<SubjectPlace, SubjectPlace>();
  groups.forEach(({ members, left, right, radius }, index) => {
    const shift = x - left;
    x += right - left + gapAfter(index);
    const share = largest - smallest < 0.12 * largest ? null : (largest - radius) / (largest - smallest);
    const depth = share === null ? (index % 2 === 0 ? aside : -aside) : behind + (before - behind) * share;
    for (const place of members) {
      const stays = !place.stands || place.rows > 1 || crosses(place.subject);
      moved.set(place, {
        ...place,
        places: place.places.map(([x, y, z]) => [round(x + shift), y, stays ? z : round(z + depth * largest)] as const),
      });
    }
  });
  return all.map((place) => moved.get(place) ?? place);
}

/** Of the part above the floor, in per cent: how high they are, and the sides that they are at. */
const skyMiddle = 20;
const skySides = [76, 24, 50] as const;
/** Half of the size of the sun, in heights of the frame. */
const skyRadius = 0.1;

/** What is in the sky, above those who stand below it. */
export function inSky(aloft: readonly SubjectPlace[], area: Area, frame: Frame, cameraY: number): SubjectPlace[] {
  return aloft.map((place, index) => {
    const count = place.places.length;
    const radius = round((frame.height * skyRadius * Math.min(1.6, place.subject.size)) / Math.sqrt(count));
    const middle = worldX(frame, skySides[index % skySides.length] ?? 50);
    const y = worldY(frame, area.top + ((area.bottom - area.top) * skyMiddle) / 100, cameraY);
    const places = place.places.map((_, member) => {
      const side = (member - (count - 1) / 2) * radius * 3.2;
      return [round((count > 1 ? 0 : middle) + side), round(y + (member % 2) * radius * 0.8), 0] as const;
    });
    return { ...place, places, radius, stands: false };
  });
}
