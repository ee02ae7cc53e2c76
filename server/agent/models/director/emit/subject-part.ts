import { mix } from '../color.ts';
import type { Film, FilmScene, Subject } from '../film.ts';
import { arrayLiteral, element, identifier, indent, number, objectLiteral, quote, textAttribute } from './code.ts';
import { companyOf, type Member } from './company.ts';
import { countChannels } from './count-channels.ts';
import { type Frame, round, worldX } from './frame.ts';
import { type KeyChannels, type KeyStop, stop } from './keyframes.ts';
import { estimateEm, isFlat, type SceneLayout, type SubjectPlace, type TextPlace, verticalRatio } from './layout.ts';
import { burstAt } from './motion/air.ts';
import type { Body, Touch } from './motion/body.ts';
import { bodyChannels } from './motion/motion.ts';
import { readable } from './readable.ts';
import { barParameters, colorParameter, counterParameter, readCode } from './scene-parameters.ts';
import type { ScenePart } from './scene-parts.ts';
import { manners } from './style.ts';
import type { SceneTiming } from './timing.ts';

interface Situation {
  readonly film: Film;
  readonly scene: FilmScene;
  readonly frame: Frame;
  readonly layout: SceneLayout;
  readonly timing: SceneTiming;
}

function bodyOf(place: SubjectPlace, { film, frame, layout, timing }: Situation): Body {
  const { subject, places, radius, area, stands } = place;
  const halfHeight = radius * verticalRatio(subject);
  const first = places[0] ?? [0, 0, 0];
  const top = frame.height * (0.5 - area.top / 100) + layout.cameraY;
  const left = worldX(frame, area.left);
  const late = companyOf(place.company, subject.motion, film).at(-1)?.delaySeconds ?? 0;
  // A solo may start its fall half out of the frame.
  const highest = place.solo ? frame.height / 2 + halfHeight * 0.8 : top;
  return {
    timing,
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
    square: subject.kind === 'cube' || (subject.kind === 'shape' && subject.shape === 'square'),
    alone: place.company === 1,
    lane: first[2],
    exitAt: round(timing.exitAt - late),
  };
}

const vector = (place: readonly [number, number, number]) => `[${place.map(number).join(', ')}]`;

/** The members of this subject's company that are its own bodies. */
function membersOf({ subject, places, company, rank }: SubjectPlace, film: Film): readonly Member[] {
  return companyOf(company, subject.motion, film).slice(rank, rank + places.length);
}

/** A component for each body; several share their keyframes, each a little later than the one before. */
function bodies(
  component: string,
  name: string,
  place: SubjectPlace,
  own: readonly (readonly [string, string])[],
  { film }: Situation,
): Pick<ScenePart, 'constants' | 'world'> {
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

const ambientEase = 'easeInOutCubic';

/** A value that comes in with the scene and leaves with it. */
function presence(situation: Situation, inSeconds: number): KeyStop[] {
  const { timing } = situation;
  const stops = [stop(0, timing.first ? 0.5 : 0), stop(round(inSeconds), 1, 'easeOutCubic')];
  if (!timing.last)
    stops.push(stop(round(timing.durationSeconds - 0.4), 1, 'linear'), stop(timing.durationSeconds, 0, ambientEase));
  return stops;
}

/** A count or a bar that rises to its value while the scene is young enough to be read afterwards. */
function countUp(situation: Situation): { from: number; until: number } {
  const { timing, film } = situation;
  const from = timing.first ? 0.15 : round(timing.leadSeconds + 0.15);
  const until = Math.min(timing.settledBy, from + { playful: 1.5, smooth: 2, cinematic: 2.4 }[film.style] / timing.speed);
  return { from, until: round(Math.max(until, from + 0.4)) };
}

/** Panels wait until the scene before has left, then come and go by opacity. */
function panelOpacity(situation: Situation): KeyStop[] {
  const { timing, film } = situation;
  const entering = timing.first
    ? [stop(0, 1)]
    : [stop(round(timing.leadSeconds * 0.6), 0), stop(round(timing.leadSeconds + 0.3), 1, 'easeOutCubic')];
  if (timing.last) return timing.first ? [] : entering;
  return [
    ...entering,
    stop(timing.exitAt, 1, 'linear'),
    stop(round(timing.exitAt + manners[film.style].exitSeconds), 0, 'easeInCubic', 'exit'),
  ];
}

function panelChannels(base: Record<string, readonly KeyStop[] | number>, situation: Situation): KeyChannels {
  const opacity = panelOpacity(situation);
  return opacity.length > 0 ? { ...base, opacity } : base;
}

const attribute = (name: string, code: string) => [name, code] as const;

/** The value of a `color` attribute. */
const colorCode = (subject: Subject) => `{${readCode(colorParameter(subject))}}`;

function bodySubject(place: SubjectPlace, situation: Situation): ScenePart {
  const { subject } = place;
  const { film, timing } = situation;
  const name = identifier(subject.id);
  const body = bodyOf(place, situation);
  // What turns by itself is not spun as a body as well: a loader would show its edge, a system of planets would tumble.
  const turnsItself = subject.kind === 'loader' || subject.kind === 'orbit';
  const motion = turnsItself && subject.motion.type === 'spin' ? ({ type: 'appear' } as const) : subject.motion;
  const { comment, channels, touches } = bodyChannels(motion, film.style, body);
  const tracks = [{ name, comment, channels }];
  const size = number(place.radius);
  const color = attribute('color', colorCode(subject));
  const memberType = place.places.length > 1 ? ([['actor.tsx', 'type Member']] as const) : [];
  const made = (component: string, file: string, own: readonly (readonly [string, string])[]): ScenePart => {
    const burst = subject.motion.type === 'explode' ? burstPart(place, body, name, situation) : null;
    const { constants, world } = bodies(component, name, place, own, situation);
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
      return made('Ball', 'ball.tsx', [attribute('radius', `{${size}}`), color]);
    case 'cube':
      return made('Cube', 'cube.tsx', [attribute('edge', `{${number(place.radius * 2 * verticalRatio(subject))}}`), color]);
    case 'shape':
      return made('Shape', 'shape.tsx', [
        attribute('shape', `"${subject.shape}"`),
        attribute('radius', `{${size}}`),
        color,
        ...(place.stands ? [attribute('stands', 'true')] : []),
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

/** Where a channel is at this moment; its stops are joined by straight lines, as a body moves in the air. */
function valueAt(channel: KeyChannels[string] | undefined, time: number): number {
  if (channel === undefined || typeof channel === 'number') return channel ?? 0;
  const next = channel.findIndex((key) => key.time >= time);
  const [before, after] = [channel[next - 1], channel[next]];
  if (!before || !after) return (after ?? channel.at(-1))?.value ?? 0;
  return before.value + ((after.value - before.value) * (time - before.time)) / (after.time - before.time);
}

/** A crowd would raise a sandstorm. */
const mostDust = 7;

/** Ring and dust for every landing of a subject's bodies. */
function impactsPart(
  place: SubjectPlace,
  name: string,
  x: KeyChannels[string] | undefined,
  touches: readonly Touch[],
  { film }: Situation,
): Pick<ScenePart, 'kit' | 'constants' | 'world'> {
  if (touches.length === 0 || place.company > mostDust) return { kit: [], constants: [], world: [] };
  const members = membersOf(place, film);
  const calm = film.style === 'playful' ? 1 : 0.6;
  const parts = place.places.map((spot, index) => {
    const list = `${name}Hits${place.places.length > 1 ? index + 1 : ''}`;
    const hits = touches
      .filter(({ strength }) => strength > 0.15)
      .map(({ time, strength }) =>
        objectLiteral([
          ['at', number(time + (members[index]?.delaySeconds ?? 0))],
          ['x', number(spot[0] + valueAt(x, time))],
          ['strength', number(round(strength * calm, 2))],
        ]),
      );
    const own = [
      attribute('hits', `{${list}}`),
      attribute('z', `{${number(spot[2])}}`),
      attribute('radius', `{${number(place.radius)}}`),
      attribute('seed', `{${film.seed + index}}`),
    ];
    return { constant: `const ${list}: readonly Hit[] = ${arrayLiteral(hits, 30)};`, world: element('Impacts', own, 6) };
  });
  return {
    kit: [
      ['impacts.tsx', 'Impacts'],
      ['impacts.tsx', 'type Hit'],
    ],
    constants: parts.map(({ constant }) => constant),
    world: parts.map(({ world }) => world),
  };
}

/** The pieces that `explode` leaves; they fall and stay on the floor. */
function burstPart(
  place: SubjectPlace,
  body: Body,
  name: string,
  { film }: Situation,
): Pick<ScenePart, 'kit' | 'constants' | 'world'> {
  const at = burstAt(body);
  const members = membersOf(place, film);
  const world = place.places.map((spot, index) =>
    element(
      'Burst',
      [
        attribute('at', `{${number(at + (members[index]?.delaySeconds ?? 0))}}`),
        attribute('place', `{${vector(spot)}}`),
        attribute('radius', `{${number(place.radius)}}`),
        attribute('color', colorCode(place.subject)),
        attribute('seed', `{${film.seed + index + name.length}}`),
      ],
      6,
    ),
  );
  return { kit: [['burst.tsx', 'Burst']], constants: [], world };
}

/** The bars follow one another closely; the whole row is in motion within half a second. */
function barStagger(count: number, film: Film): number {
  return count < 2 ? 0 : round(Math.min(manners[film.style].staggerSeconds, 0.45 / (count - 1)));
}

function barsPart(place: SubjectPlace & { subject: Extract<Subject, { kind: 'bars' }> }, situation: Situation): ScenePart {
  const { subject, area } = place;
  const { film, scene, frame, layout, timing } = situation;
  const name = identifier(subject.id);
  const { from, until } = countUp(situation);
  const stagger = barStagger(subject.bars.length, film);
  const grow = [
    stop(from, timing.first ? 0.04 : 0),
    stop(
      round(until - stagger * (subject.bars.length - 1)),
      1,
      film.style === 'playful' ? 'easeOutBack' : film.style === 'smooth' ? 'easeOutQuint' : 'easeInOutQuart',
      'full height',
    ),
  ];
  const ground = (scene.background ?? { bottom: film.palette.backgroundBottom }).bottom;
  const top = frame.height * (0.5 - area.top / 100) + layout.cameraY;
  const parameters = barParameters(subject);
  const chart = objectLiteral([
    [
      'bars',
      arrayLiteral(
        parameters.map(({ label, value }) =>
          objectLiteral([
            ['label', readCode(label)],
            ['value', readCode(value)],
          ]),
        ),
        10,
      ),
    ],
    ['unit', quote(subject.unit)],
    ['x', number(worldX(frame, (area.left + area.right) / 2))],
    [
      'width',
      number(
        ((area.right - area.left) / 100) *
          frame.width *
          (frame.portrait ? 0.96 : 0.86 * Math.min(1, 0.45 + subject.bars.length * 0.12)),
      ),
    ],
    // Room above the tallest bar for its value.
    ['height', number((top - frame.groundY) * 0.77 * Math.min(1, subject.size))],
    ['staggerSeconds', number(stagger)],
    ['color', readCode(colorParameter(subject))],
    ['ink', quote(readable(film.palette.ink, ground))],
  ]);
  return {
    kit: [
      ['bars.tsx', 'Bars'],
      ['bars.tsx', 'BarLabels'],
      ['bars.tsx', 'type Chart'],
    ],
    tracks: [{ name, comment: 'The bars grow one after another.', channels: panelChannels({ grow }, situation) }],
    constants: [`const ${name}Chart: Chart = ${chart};`],
    world: [
      element(
        'Bars',
        [
          ['track', `{tracks.${name}}`],
          ['chart', `{${name}Chart}`],
        ],
        6,
      ),
    ],
    overlay: [
      element(
        'BarLabels',
        [
          ['track', `{tracks.${name}}`],
          ['chart', `{${name}Chart}`],
        ],
        6,
      ),
    ],
    parameters: [colorParameter(subject), ...parameters.flatMap(({ label, value }) => [label, value])],
    accents: [],
  };
}

function counterPart(place: SubjectPlace & { subject: Extract<Subject, { kind: 'counter' }> }, situation: Situation): ScenePart {
  const { subject, area } = place;
  const { film, scene, frame, layout, timing } = situation;
  const name = identifier(subject.id);
  const target = counterParameter(subject);
  const channels = panelChannels(
    countChannels(subject, {
      ...countUp(situation),
      style: film.style,
      settledBy: timing.settledBy,
      first: timing.first,
      target: readCode(target),
    }),
    situation,
  );
  const ground = scene.background ?? { top: film.palette.backgroundTop, bottom: film.palette.backgroundBottom };
  const middle = mix(ground.top, ground.bottom, 0.5);
  const box = {
    x: area.left,
    y: round(area.top, 1),
    width: round(area.right - area.left, 1),
    height: round(area.bottom - area.top - (subject.label === '' ? 0 : 1), 1),
  };
  const decimals = Math.max(...[subject.from, subject.to].map((value) => (String(value).split('.')[1] ?? '').length));
  const widest = Math.abs(subject.from) > Math.abs(subject.to) ? subject.from : subject.to;
  const signs = [...`${subject.prefix}${Math.abs(widest).toFixed(decimals)}${subject.suffix}`].length;
  const shared = [attribute('track', `{tracks.${name}}`)];
  const centreX = worldX(frame, box.x + box.width / 2);
  const centreY = frame.height * (0.5 - (box.y + box.height / 2) / 100) + layout.cameraY;
  // A short number stands in a ring, a long one above a rail.
  const boxHeight = (box.height / 100) * frame.height;
  const boxWidth = (box.width / 100) * frame.width;
  const inRing = signs <= 5;
  const radius = round((Math.min(boxHeight, boxWidth) / 2) * 0.92 * Math.min(1, subject.size));
  const length = round(Math.min(boxWidth * 0.62, boxHeight * 1.5) * Math.min(1, subject.size));
  const fit = inRing
    ? { width: ((radius * 2) / frame.height) * 100 * 0.7, height: ((radius * 2) / frame.height) * 100 * 0.76 }
    : {
        width: (boxWidth / frame.height) * 100 * 0.86 * Math.min(1, subject.size),
        height: box.height * 0.62 * Math.min(1, subject.size),
      };
  const gauge = inRing
    ? element(
        'CounterRing',
        [
          ...shared,
          ['place', `{${vector([centreX, centreY, 0])}}`],
          ['radius', `{${number(radius)}}`],
          ['color', colorCode(subject)],
        ],
        6,
      )
    : element(
        'CounterBar',
        [
          ...shared,
          ['place', `{${vector([centreX, centreY - boxHeight * 0.36, 0])}}`],
          ['radius', `{${number(frame.height * 0.011)}}`],
          ['length', `{${number(length)}}`],
          ['color', colorCode(subject)],
        ],
        6,
      );
  return {
    kit: [
      ['counter.tsx', 'Counter'],
      ['counter.tsx', inRing ? 'CounterRing' : 'CounterBar'],
    ],
    tracks: [{ name, comment: `Counts from ${subject.from} to ${subject.to}.`, channels }],
    constants: [],
    world: [gauge],
    overlay: [
      element(
        'Counter',
        [
          ...shared,
          ['box', `{${boxCode(box)}}`],
          ['fit', `{${objectLiteral(Object.entries(fit).map(([key, value]) => [key, number(round(value, 1))] as const))}}`],
          ['prefix', textAttribute(subject.prefix)],
          ['suffix', textAttribute(subject.suffix)],
          ['decimals', `{${decimals}}`],
          ['widest', `{${widest === subject.to ? readCode(target) : number(widest)}}`],
          ['label', textAttribute(subject.label)],
          ['color', `"${readable(film.palette.ink, middle)}"`],
        ],
        6,
      ),
    ],
    parameters: [colorParameter(subject), target],
    accents: [],
  };
}

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

function boxCode(box: TextPlace['box']): string {
  return objectLiteral(Object.entries(box).map(([key, value]) => [key, number(value)] as const));
}

function particlesPart(subject: Extract<Subject, { kind: 'particles' }>, situation: Situation): ScenePart {
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

function wavePart(subject: Extract<Subject, { kind: 'wave' }>, situation: Situation): ScenePart {
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

/** The code of one subject of a scene. */
export function subjectPart(place: SubjectPlace, situation: Situation): ScenePart {
  const { subject } = place;
  switch (subject.kind) {
    case 'bars':
      return barsPart({ ...place, subject }, situation);
    case 'counter':
      return counterPart({ ...place, subject }, situation);
    case 'particles':
      return particlesPart(subject, situation);
    case 'wave':
      return wavePart(subject, situation);
    default:
      return bodySubject(place, situation);
  }
}
