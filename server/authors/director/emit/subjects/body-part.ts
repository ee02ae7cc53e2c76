import type { Motion } from '../../../../contract/film.ts';
import { isSilhouette } from '../../drawings.ts';
import { facingOf } from '../../programs.ts';
import { arrayLiteral, element, identifier, indent, number, objectLiteral, quote, textAttribute } from '../code.ts';
import { round, worldX } from '../frame.ts';
import { type KeyChannels, type KeyStop, stop } from '../keyframes.ts';
import type { SubjectPlace } from '../layout/places.ts';
import { isAmbient, isFlat, isHeavenly, isLuminary, isPictured, verticalRatio } from '../layout/traits.ts';
import type { Role } from '../meetings/meet.ts';
import type { Body } from '../motion/body.ts';
import { bodyChannels, channelsOf, movesOn } from '../motion/motion.ts';
import { colorParameter } from '../scene-parameters.ts';
import type { ScenePart } from '../scene-parts.ts';
import { staggerOf } from '../stagger.ts';
import { manners } from '../style.ts';
import { burstPart, impactsPart } from './landing-part.ts';
import { membersOf } from './members.ts';
import { attribute, colorCode, type Situation, vector } from './situation.ts';

function bodyOf(place: SubjectPlace, { film, scene, frame, layout, timing, endings, staying }: Situation): Body {
  const { subject, places, radius, area, stands } = place;
  const halfHeight = radius * verticalRatio(subject);
  const first = places[0] ?? [0, 0, 0];
  const top = frame.height * (0.5 - area.top / 100) + layout.cameraY;
  const left = worldX(frame, area.left);
  const late = staggerOf(place.groupSize, subject.motion, film).at(-1)?.delaySeconds ?? 0;
  // A solo may start its fall half out of the frame.
  const highest = place.solo ? frame.height / 2 + halfHeight * 0.8 : top;
  const pose = endings.get(subject.id)?.pose ?? null;
  return {
    // Who goes on in the scene after does not leave, as at the end of the film.
    timing: staying.has(subject.id) ? { ...timing, last: true } : timing,
    manner: manners[film.style],
    playful: film.style === 'playful',
    frame,
    halfHeight,
    radius,
    x: places.reduce((sum, [x]) => sum + x, 0) / Math.max(1, places.length),
    y: first[1],
    headroom: Math.max(0.4, highest - (stands ? frame.groundY : first[1] - halfHeight) - halfHeight * 2),
    sideroom: Math.max(0, first[0] - left - radius),
    stands,
    flat: isFlat(subject),
    wheel: subject.kind === 'figure' && wheels.test(subject.drawing),
    square: subject.kind === 'cube' || (subject.kind === 'shape' && subject.shape === 'square'),
    still: scene.still === 'everything',
    alone: place.groupSize === 1 && pose === null,
    firstShare: isPictured(scene) ? 0.7 : 0.45,
    shared: scene.subjects.some((other) => other !== subject && !isAmbient(other)),
    lane: first[2],
    anchored: subject.arranged?.relation === 'on' || subject.arranged?.relation === 'inside',
    rolls: subject.kind === 'ball',
    aloft: Math.max(0, first[1] - halfHeight - frame.groundY),
    pose,
    exitAt: round(timing.exitAt - late),
  };
}

/** A component for each body; several share their keyframes, each a little later than the one before. */
export function bodies(
  component: string,
  name: string,
  place: SubjectPlace,
  own: readonly (readonly [string, string])[],
  { film }: Situation,
): { constants: string[]; world: string[] } {
  const members = membersOf(place, film);
  const [only] = place.places;
  const [first] = members;
  if (place.places.length === 1 && only && first) {
    const track = first.delaySeconds === 0 ? `{tracks.${name}}` : `{tracks.${name}.delayed(${number(first.delaySeconds)})}`;
    const size = first.size === 1 ? [] : [['size', `{${number(first.size)}}`] as const];
    return { constants: [], world: [element(component, [['track', track], ['place', `{${vector(only)}}`], ...size, ...own], 6)] };
  }
  const list = `${name}Members`;
  const item = element(
    component,
    [
      ['key', '{member.place.join()}'],
      ['track', `{tracks.${name}.delayed(member.delay)}`],
      ['place', '{member.place}'],
      ['size', '{member.size}'],
      ...own,
    ],
    8,
  );
  const body = `(\n${indent(item, 2)}\n)`;
  const entries = place.places.map((spot, index) =>
    objectLiteral([
      ['place', vector(spot)],
      ['delay', number(members[index]?.delaySeconds ?? 0)],
      ['size', number(members[index]?.size ?? 1)],
    ]),
  );
  return {
    constants: [
      `// In the order in which they follow one another; no two are quite the same.\nconst ${list}: readonly Member[] = ${arrayLiteral(entries, 40)};`,
    ],
    world: [`{${list}.map((member) => ${body})}`],
  };
}

/** The bodies of a subject that does something to another: each has keyframes of its own. */
function rolePart(
  [component, file, own]: readonly [string, string, readonly (readonly [string, string])[]],
  place: SubjectPlace,
  { role, body, situation }: { readonly role: Role; readonly body: Body; readonly situation: Situation },
): ScenePart {
  const { film } = situation;
  const name = identifier(place.subject.id);
  const members = place.places.map((spot, index) => {
    const { moves = {}, touches = [] } = role.parts[index] ?? {};
    const keys = { comment: index === 0 ? role.comment : '', ...moves, touches };
    // A box that is hit turns in the picture's plane: from its corner that would be in no direction at all.
    const { comment, channels } = channelsOf(keys, {
      style: film.style,
      body,
      turnsCorner: moves.rotateZ === undefined,
      spins: false,
    });
    const track = place.places.length === 1 ? name : `${name}${index + 1}`;
    return { track, spot, touches, keyed: { name: track, comment: comment === '' ? null : comment, channels } };
  });
  return {
    kit: [[file, component]],
    tracks: members.map(({ keyed }) => keyed),
    constants: [],
    world: members.map(({ track, spot }) =>
      element(component, [['track', `{tracks.${track}}`], ['place', `{${vector(spot)}}`], ...own], 6),
    ),
    overlay: [],
    parameters: [colorParameter(place.subject)],
    accents: members.flatMap(({ touches }) => touches.map(({ time }) => time)),
  };
}

/** Unicode's animals, people and cars look to the left; these do not. */
const pointsRight = new Set([
  'rocket',
  'airplane',
  'small-airplane',
  'airplane-departure',
  'helicopter',
  'kite',
  'guitar',
  'comet',
]);

/** Whether a drawing looks to the other side than where it goes; silhouettes look to the right. */
const looksAway = (drawing: string, side: 'left' | 'right' | null): boolean =>
  side !== null && side !== (pointsRight.has(drawing) || isSilhouette(drawing) ? 'right' : 'left');

/** Where it goes by itself. */
function facing(motion: Motion): 'left' | 'right' | null {
  if (motion.type === 'act') return facingOf(motion);
  if (motion.type === 'fly') return 'right';
  return motion.type === 'slide' && (motion.direction === 'left' || motion.direction === 'right') ? motion.direction : null;
}

const recolorSeconds = 0.5;

/** The channels of a body that changes its colour: one goes out as the other comes in. */
function recolored(channels: KeyChannels, { timing }: Body): { before: KeyChannels; after: KeyChannels } {
  const at = round(timing.leadSeconds + (timing.settledBy - timing.leadSeconds) * 0.5);
  const until = round(at + recolorSeconds);
  const opacity = channels['opacity'];
  const stops = Array.isArray(opacity) ? (opacity as readonly KeyStop[]) : [];
  const early = stops.filter(({ time }) => time < at);
  const late = stops.filter(({ time }) => time > until);
  return {
    before: {
      ...channels,
      opacity: [
        ...(early.length > 0 ? early : [stop(0, 1)]),
        stop(at, 1, 'linear', 'changes colour'),
        stop(until, 0, 'easeInCubic'),
      ],
    },
    after: { ...channels, opacity: [stop(0, 0), stop(at, 0, 'linear'), stop(until, 1, 'easeOutCubic'), ...late] },
  };
}

const wheels =
  /^(?:gear|wheel|ferris-wheel|wheel-of-dharma|mdi-pinwheel|mdi-turbine|optical-disk|dvd|cyclone|doughnut|snowflake)$/;
/** Of the sun and the moon, 0…1. */
const ownLight = 0.9;

export function bodySubject(place: SubjectPlace, situation: Situation): ScenePart {
  const { subject } = place;
  const { film, timing } = situation;
  const name = identifier(subject.id);
  const body = bodyOf(place, situation);
  // What turns by itself is not spun as a body as well: a loader would show its edge, a system of planets would tumble.
  const turnsItself = subject.kind === 'loader' || subject.kind === 'orbit';
  const motion = turnsItself && subject.motion.type === 'spin' ? ({ type: 'appear' } as const) : movesOn(subject.motion, body);
  const { comment, channels: moves, touches } = bodyChannels(motion, film.style, body);
  const channels = isLuminary(subject) && situation.scene.place !== undefined ? { glow: ownLight, ...moves } : moves;
  const tracks = [{ name, comment, channels }];
  const size = number(place.radius);
  // Who meets somebody, or stands beside something, is no more than the others in the sky behind the land.
  const isFar = situation.scene.place !== undefined && isHeavenly(subject) && !place.stands && !situation.roles.has(subject.id);
  const distant = isFar && subject.arranged === undefined ? [attribute('distant', 'true')] : [];
  const color = attribute('color', colorCode(subject));
  const memberType = place.places.length > 1 ? ([['actor.tsx', 'type Member']] as const) : [];
  const role = situation.roles.get(subject.id);
  const made = (component: string, file: string, own: readonly (readonly [string, string])[]): ScenePart => {
    if (role !== undefined) return rolePart([component, file, own], place, { role, body, situation });
    const burst = subject.motion.type === 'explode' ? burstPart(place, body, name, situation) : null;
    const changed = 'becomes' in subject && subject.becomes !== undefined ? recolored(tracks[0]?.channels ?? {}, body) : null;
    const { constants, world } = bodies(component, name, place, own, situation);
    if (changed !== null && 'becomes' in subject) {
      const then = own.map(([key, value]) => [key, key === 'color' ? quote(subject.becomes ?? '') : value] as const);
      const after = bodies(component, `${name}Then`, place, then, situation);
      constants.push(...after.constants);
      world.push(...after.world);
      tracks.splice(
        0,
        1,
        { name, comment, channels: changed.before },
        { name: `${name}Then`, comment: 'The same in its new colour.', channels: changed.after },
      );
    }
    const landing = impactsPart(place, name, channels['x'], touches, situation);
    return {
      kit: [[file, component], ...memberType, ...(burst?.kit ?? []), ...landing.kit],
      tracks,
      constants: [...constants, ...landing.constants],
      world: [...world, ...landing.world, ...(burst?.world ?? [])],
      overlay: [],
      parameters: [colorParameter(subject)],
      accents: touches.map(({ time }) => time),
    };
  };
  switch (subject.kind) {
    case 'ball':
      return made('Ball', 'ball.tsx', [
        attribute('radius', `{${size}}`),
        color,
        ...(subject.plain === true ? [attribute('band', '{false}')] : []),
        ...distant,
      ]);
    case 'cube':
      return made('Cube', 'cube.tsx', [attribute('edge', `{${number(place.radius * 2 * verticalRatio(subject))}}`), color]);
    case 'shape':
      return made('Shape', 'shape.tsx', [
        attribute('shape', `"${subject.shape}"`),
        attribute('radius', `{${size}}`),
        color,
        ...(place.stands ? [attribute('stands', 'true')] : []),
      ]);
    case 'figure':
      return made('Figure', 'figure.tsx', [
        attribute('drawing', `{drawings[${quote(subject.drawing)}]}`),
        attribute('radius', `{${size}}`),
        color,
        ...(place.stands ? [attribute('stands', 'true')] : []),
        ...(looksAway(subject.drawing, role?.faces ?? facing(motion)) ? [attribute('mirrored', 'true')] : []),
        ...distant,
      ]);
    case 'logo':
      return made('Logo', 'logo.tsx', [
        attribute('src', textAttribute(subject.src)),
        attribute('height', `{${number((place.radius * 2) / Math.max(1, subject.aspectRatio / 2.2))}}`),
        attribute('aspectRatio', `{${number(subject.aspectRatio)}}`),
      ]);
    case 'orbit':
      return made('Orbit', 'orbit.tsx', [
        attribute('radius', `{${size}}`),
        color,
        attribute(
          'bodyColors',
          `{${arrayLiteral(Array.from({ length: Math.max(1, subject.bodies) }, (_, index) => quote(subject.bodyColors[index % Math.max(1, subject.bodyColors.length)] ?? film.palette.helper)))}}`,
        ),
        attribute('turnSeconds', `{${number(4.5 / timing.speed)}}`),
      ]);
    default:
      return made('Loader', 'loader.tsx', [
        attribute('variant', `"${subject.kind === 'loader' ? subject.variant : 'ring'}"`),
        attribute('radius', `{${size}}`),
        color,
        attribute('turnSeconds', `{${number(1.4 / timing.speed)}}`),
      ]);
  }
}
