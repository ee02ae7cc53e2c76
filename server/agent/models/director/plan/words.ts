import type { Style } from '../../../../contract/project.ts';
import { manners } from '../emit/style.ts';
import type { FilmScene, FilmText, Motion, ShapeName, Subject } from '../film.ts';
import { capitalize, isMany, listed, numberWord, particleNames, pluralOf, subjectName, timesWord } from './names.ts';
import { stillSeconds } from './timing.ts';

type Worded = Pick<FilmScene, 'subjects' | 'texts' | 'speed' | 'camera' | 'durationSeconds' | 'background'>;

const from = { left: 'right', right: 'left', up: 'below', down: 'above' } as const;
const side = (direction: keyof typeof from): string =>
  direction === 'left' || direction === 'right' ? `the ${from[direction]}` : from[direction];

/** Singular and plural of what a thing does. */
function does(motion: Motion, style: Style): readonly [string, string] {
  switch (motion.type) {
    case 'bounce': {
      const tail = motion.times === 1 ? '' : ', lower every time';
      return [
        `drops in and bounces ${timesWord(motion.times)}${tail}`,
        `drop in one after the other and bounce ${timesWord(motion.times)}${tail}`,
      ];
    }
    case 'jump':
      return [`crouches and jumps ${timesWord(motion.times)}`, `crouch and jump ${timesWord(motion.times)}, a beat apart`];
    case 'roll':
      return [
        `rolls in from the ${from[motion.direction]}, turning exactly as far as it travels`,
        `roll in from the ${from[motion.direction]}, one behind the other`,
      ];
    case 'slide':
      return [
        `slides in from ${side(motion.direction)} and settles`,
        `slide in from ${side(motion.direction)} in a staggered row`,
      ];
    case 'spin': {
      const turns =
        motion.turns === 1
          ? 'one full turn'
          : motion.turns === 0.5
            ? 'half a turn'
            : `${Number.isInteger(motion.turns) ? numberWord(motion.turns) : motion.turns} turns`;
      return [
        `makes ${turns}${style === 'cinematic' ? ', the light sweeping over it' : ''}`,
        `make ${turns}, slightly out of step`,
      ];
    }
    case 'float':
      return ['hovers, rising and sinking like a breath', 'hover, each in a rhythm of its own'];
    case 'pulse':
      return [`beats ${timesWord(motion.times)}`, `beat ${timesWord(motion.times)} together`];
    case 'grow':
      return ['grows from a point to full size', 'grow from points to full size, one after the other'];
    case 'shrink':
      return ['draws together until it is gone', 'draw together until they are gone'];
    case 'drop':
      return ['falls in and lands with weight', 'fall in and land one by one'];
    case 'swing':
      return ['swings like a pendulum and comes to rest', 'swing like pendulums, slightly apart'];
    case 'explode':
      return ['swells, holds for a blink and bursts', 'swell, hold for a blink and burst'];
    case 'fly':
      return ['flies in on a long arc', 'fly in on long arcs'];
    case 'appear':
      return ['comes up out of nothing', 'come up one after the other'];
  }
}

function sentence(subject: Subject, style: Style): string {
  const name = subjectName(subject);
  switch (subject.kind) {
    case 'bars':
      return `${name} rise from the floor to ${listed(subject.bars.map((bar) => `${bar.label === '' ? '' : `${bar.label} `}${bar.value}${subject.unit}`))}`;
    case 'counter': {
      const end = `${subject.prefix}${subject.to.toLocaleString('en-US')}${subject.suffix}`;
      return `the number runs ${subject.from > subject.to ? 'down' : 'up'} from ${subject.prefix}${subject.from.toLocaleString('en-US')}${subject.suffix} to ${end}${subject.label === '' ? '' : ` ${subject.label}`}`;
    }
    case 'particles':
      return particleSentences[subject.preset];
    case 'wave':
      return `${name} ${isMany(subject) ? 'run' : 'runs'} across the frame`;
    case 'orbit':
      return `${name} ${isMany(subject) ? 'keep' : 'keeps'} circling, each at its own distance and speed`;
    case 'loader':
      return subject.variant === 'bar'
        ? 'the progress bar fills from left to right'
        : `${name} ${isMany(subject) ? 'hop in a wave' : 'turns in an endless loop'}`;
    default: {
      const [one, many] = does(subject.motion, style);
      return `${name} ${isMany(subject) ? many : one}`;
    }
  }
}

const particleSentences = {
  confetti: 'confetti bursts up and flutters down',
  snow: 'snow drifts down in three depths',
  stars: 'stars twinkle across the whole sky',
  sparkles: 'sparkles flare up and fade',
  rain: 'rain falls in slanted streaks',
  bubbles: 'bubbles rise and sway',
  fireworks: 'fireworks climb and open',
  leaves: 'leaves tumble down',
} as const;

const entrances: Readonly<Record<FilmText['entrance'], string>> = {
  rise: 'rises into place',
  pop: 'pops in',
  letters: 'builds letter by letter',
  fade: 'fades in',
  typewriter: 'is typed',
  slide: 'slides in',
};

const places: Readonly<Record<FilmText['position'], string>> = { top: ' at the top', bottom: ' along the bottom', center: '' };

const quoted = (text: string, most = 60): string => `“${text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text}”`;

const cameras: Readonly<Record<FilmScene['camera'], string>> = {
  static: '',
  'push-in': 'The camera pushes in slowly.',
  orbit: 'The camera circles the scene.',
  dolly: 'The camera tracks sideways, fore- and background drifting apart.',
  follow: 'The camera follows the move.',
};

type Countable = Extract<Subject, { kind: 'ball' | 'cube' | 'shape' }>;
const isCountable = (subject: Subject): subject is Countable =>
  subject.kind === 'ball' || subject.kind === 'cube' || subject.kind === 'shape';
const nounOf = (subject: Countable): string => (subject.kind === 'shape' ? subject.shape : subject.kind);

/** Solid things that do the same are told in one sentence. */
function gathered(subjects: readonly Subject[]): Subject[][] {
  const groups: Subject[][] = [];
  for (const subject of subjects) {
    const move = JSON.stringify(subject.motion);
    const group = isCountable(subject)
      ? groups.find(([first]) => first !== undefined && isCountable(first) && JSON.stringify(first.motion) === move)
      : undefined;
    if (group === undefined) groups.push([subject]);
    else group.push(subject);
  }
  return groups;
}

/** "a red ball and a blue cube bounce …", "five balls in different colours hover …". */
function together(group: readonly Subject[], style: Style): string {
  const [first] = group;
  if (first === undefined) return '';
  if (group.length === 1) return sentence(first, style);
  const solids = group.filter(isCountable);
  const nouns = new Set(solids.map(nounOf));
  const [noun = ''] = nouns;
  const count = solids.reduce((sum, subject) => sum + subject.count, 0);
  const who =
    group.length > 2 && nouns.size === 1
      ? `${numberWord(count)} ${pluralOf(noun)} in different colours`
      : listed(group.map((subject) => subjectName(subject)));
  return `${who} ${does(first.motion, style)[1]}`;
}

/** What is on screen, in the order in which it comes. */
export function descriptionOf(scene: Worded, style: Style): string {
  const things = capitalize(listed(gathered(scene.subjects).map((group) => together(group, style))));
  const words = scene.texts.map((text) => `${quoted(text.text)} ${entrances[text.entrance]}${places[text.position]}`);
  const parts = [things, capitalize(listed(words))].filter((part) => part !== '');
  const closing = cameras[scene.camera];
  return (
    [...parts.map((part) => `${part}.`), closing]
      .filter((part) => part !== '')
      .join(' ')
      .slice(0, 1000) || 'The ground alone, at rest.'
  );
}

const eases: Readonly<Record<Style, { readonly enter: string; readonly exit: string }>> = {
  playful: { enter: 'easeOutBack', exit: 'easeInBack' },
  smooth: { enter: 'easeOutQuint', exit: 'easeInCubic' },
  cinematic: { enter: 'easeOutQuart', exit: 'easeInQuart' },
};

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** How the main move is made, in the terms of the trade. */
function technique(subject: Subject, style: Style): string {
  const manner = manners[style];
  switch (subject.kind) {
    case 'bars':
      return `Bars start ${manner.staggerSeconds} s apart and ${style === 'playful' ? 'overshoot a little' : 'settle without overshoot'}; figures count along with their bar.`;
    case 'counter':
      return 'The figure runs fast and brakes over the last tenth, digits tabular so that nothing jitters.';
    case 'particles':
      return `${capitalize(particleNames[subject.preset])}: near pieces larger and faster than far ones, each on a path of its own.`;
    case 'wave':
      return 'Lines share one wavelength with shifted phases; the loop closes exactly.';
    case 'orbit':
      return 'Inner bodies run faster than outer ones; constant speed, no easing on the circle itself.';
    case 'loader':
      return 'The loop closes in value and speed, so that it can run forever.';
    default:
      return motionTechnique(subject.motion, style);
  }
}

function motionTechnique(motion: Motion, style: Style): string {
  const manner = manners[style];
  switch (motion.type) {
    case 'bounce':
      return `True parabolas, each landing keeps ${percent(manner.restitution)} of the speed; squash to ${percent(manner.impactSquash)} on impact with the volume kept, the shadow tightens on the way down.`;
    case 'jump':
      return `Anticipation before each take-off, stretch in the air, squash to ${percent(manner.impactSquash)} on landing.`;
    case 'roll':
      return 'Rotation is tied to the distance rolled; it brakes softly before it rests.';
    case 'slide':
    case 'fly':
      return style === 'playful'
        ? 'Runs past its mark by a tenth and swings back.'
        : 'Brakes over the second half of the way, without overshoot.';
    case 'spin':
      return style === 'playful'
        ? 'Winds up against the turn first, then overshoots and settles.'
        : 'One long ease in and out through the whole turn.';
    case 'float':
    case 'swing':
      return 'Sine motion with the phase shifted from body to body, so that nothing moves in step.';
    case 'pulse':
      return 'Quick swell, slow release; the shadow breathes along.';
    case 'explode':
      return 'Swell of a tenth, two still frames, then pieces thrown out fast and slowed by the air.';
    case 'drop':
      return `Accelerates all the way down; squash to ${percent(manner.impactSquash)} on landing.`;
    case 'grow':
    case 'appear':
      return style === 'playful'
        ? 'Scale overshoots by a tenth before it settles.'
        : 'Scale and light come up together, without overshoot.';
    case 'shrink':
      return 'A small swell first, then it is drawn in.';
  }
}

/** Entry, accents, hold and exit with their times and curves. */
export function notesFor(scene: Worded, style: Style): string {
  const manner = manners[style];
  const { enter, exit } = eases[style];
  const techniques = [...new Set(scene.subjects.map((subject) => technique(subject, style)))];
  const first = scene.texts[0];
  const cue =
    first === undefined || scene.subjects.length === 0
      ? ''
      : `${quoted(first.text, 30)} comes in at ${first.delaySeconds} s${scene.subjects.some((subject) => subject.kind !== 'particles' && subject.kind !== 'wave') ? ', on an accent of the move' : ''}.`;
  const hold = Math.round(stillSeconds(scene, style) * 10) / 10;
  return [
    `Entry ${manner.enterSeconds} s, ${enter}.`,
    ...techniques,
    cue,
    scene.speed === 1 ? '' : `Everything runs at ${percent(scene.speed)} of the usual pace.`,
    `${hold > 0 ? `Hold ${hold} s. ` : ''}Exit in ${manner.exitSeconds} s, ${exit}, when a scene follows.`,
  ]
    .filter((part) => part !== '')
    .join(' ')
    .slice(0, 1000);
}

const pulses: Readonly<Partial<Record<ShapeName, string>>> = { heart: 'Heartbeat', star: 'Twinkling' };

const titles: Readonly<Record<Motion['type'], (subject: Subject) => string>> = {
  bounce: (subject) =>
    subject.motion.type === 'bounce'
      ? subject.motion.times === 1
        ? 'One bounce'
        : `${capitalize(numberWord(subject.motion.times))} bounces`
      : 'Bounce',
  jump: (subject) =>
    subject.motion.type === 'jump' && subject.motion.times > 1
      ? `${capitalize(numberWord(subject.motion.times))} jumps`
      : 'The jump',
  roll: () => 'Rolling in',
  slide: () => 'Sliding in',
  spin: () => 'The turn',
  float: (subject) => `${capitalize(subjectName(subject, true))} afloat`,
  pulse: (subject) => (subject.kind !== 'shape' ? 'The pulse' : (pulses[subject.shape] ?? 'The pulse')),
  grow: () => 'Growing',
  shrink: () => 'Drawing in',
  drop: () => 'The drop',
  swing: () => 'Pendulum',
  explode: () => 'The burst',
  fly: () => 'In flight',
  appear: (subject) => `Enter ${subjectName(subject, true)}`,
};

const kindTitles: Readonly<Partial<Record<Subject['kind'], string>>> = {
  bars: 'The figures',
  counter: 'Counting',
  wave: 'The swell',
  orbit: 'In orbit',
  loader: 'Loading',
  logo: 'The logo',
};

/** A working title for the scene. */
export function titleFor(scene: Pick<FilmScene, 'subjects' | 'texts'>): string {
  const first = scene.subjects.find((subject) => subject.kind !== 'particles') ?? scene.subjects[0];
  const alike = scene.subjects.filter(
    (one) => first !== undefined && isCountable(first) && isCountable(one) && nounOf(one) === nounOf(first),
  );
  const lead =
    first !== undefined && isCountable(first) && alike.length > 1 ? { ...first, count: Math.max(2, first.count) } : first;
  if (lead === undefined) return (scene.texts[0]?.text ?? 'The ground').slice(0, 80);
  if (lead.kind === 'particles') return scene.texts[0]?.text.slice(0, 80) ?? capitalize(particleNames[lead.preset]);
  const moved =
    ['float', 'appear'].includes(lead.motion.type) || ['bars', 'counter', 'wave', 'orbit', 'loader'].includes(lead.kind);
  return (moved ? kindTitles[lead.kind] : undefined) ?? titles[lead.motion.type](lead);
}
