import type { FilmScene, FilmText, Style, Subject } from '../../../contract/film.ts';
import { inMeetings, meetingSentences } from './meeting-words.ts';
import { does } from './move-words.ts';

import { capitalize, colorName, isMany, listed, numberWord, pluralOf, subjectName } from './names.ts';
import { placeSentence } from './scenery.ts';

import { textDoes } from './text-words.ts';

export type Worded = Pick<
  FilmScene,
  'subjects' | 'meetings' | 'texts' | 'speed' | 'camera' | 'durationSeconds' | 'background' | 'place'
>;

function sentence(subject: Subject, style: Style): string {
  const name = subjectName(subject);
  switch (subject.kind) {
    case 'bars': {
      const does = { bars: 'rise from the floor to', pie: 'closes clockwise:', line: 'is drawn over' }[subject.chart ?? 'bars'];
      const told = subject.bars.filter(({ label }) => subject.chart !== 'pie' || label !== '');
      return `${name} ${does} ${listed(told.map((bar) => `${bar.label === '' ? '' : `${bar.label} `}${bar.value}${subject.unit}`))}`;
    }
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
      const becomes =
        'becomes' in subject && subject.becomes !== undefined
          ? ` and ${isMany(subject) ? 'turn' : 'turns'} ${colorName(subject.becomes)}`
          : '';
      return `${name} ${isMany(subject) ? many : one}${becomes}`;
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

const places: Readonly<Record<FilmText['position'], string>> = { top: ' at the top', bottom: ' along the bottom', center: '' };

export const quoted = (text: string, most = 60): string =>
  `“${text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text}”`;

const cameras: Readonly<Record<FilmScene['camera'], string>> = {
  static: '',
  'push-in': 'The camera pushes in slowly.',
  orbit: 'The camera circles the scene.',
  dolly: 'The camera tracks sideways, fore- and background drifting apart.',
  follow: 'The camera follows the move.',
};

type Countable = Extract<Subject, { kind: 'ball' | 'cube' | 'shape' | 'figure' }>;

export const isCountable = (subject: Subject): subject is Countable =>
  subject.kind === 'ball' || subject.kind === 'cube' || subject.kind === 'shape' || subject.kind === 'figure';

export const nounOf = (subject: Countable): string =>
  subject.kind === 'shape' ? subject.shape : subject.kind === 'figure' ? subject.noun : subject.kind;

/** Solid things that do the same are told in one sentence. */
function gathered(subjects: readonly Subject[]): Subject[][] {
  const groups: Subject[][] = [];
  for (const subject of subjects) {
    const move = JSON.stringify([subject.motion, isCountable(subject) ? subject.becomes : undefined]);
    const group = isCountable(subject)
      ? groups.find(
          ([first]) => first !== undefined && isCountable(first) && JSON.stringify([first.motion, first.becomes]) === move,
        )
      : undefined;
    if (group === undefined) groups.push([subject]);
    else group.push(subject);
  }
  return groups;
}

/** "a red ball and a blue cube bounce …", "five balls in different colours hover …". */
export function together(group: readonly Subject[], style: Style): string {
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

/** The subject that a text meets, as a second mention. */
const metName = ({ subjects }: Worded, { met }: FilmText): string => {
  const subject = met === undefined ? undefined : subjects.find(({ id }) => id === met.id);
  return subject === undefined ? '' : subjectName(subject, true);
};

/** What is on screen, in the order in which it comes. */
export function descriptionOf(scene: Worded, style: Style): string {
  const met = inMeetings(scene);
  const others = scene.subjects.filter(({ id }) => !met.has(id));
  const things = capitalize(listed([...meetingSentences(scene), ...gathered(others).map((group) => together(group, style))]));
  const words = scene.texts.map((text) => `${quoted(text.text)} ${textDoes(text, places[text.position], metName(scene, text))}`);
  const parts = [placeSentence(scene).replace(/\.$/u, ''), things, capitalize(listed(words))].filter((part) => part !== '');
  const closing = cameras[scene.camera];
  return (
    [...parts.map((part) => `${part}.`), closing]
      .filter((part) => part !== '')
      .join(' ')
      .slice(0, 1000) || 'The ground alone, at rest.'
  );
}
