import type { FilmScene, MeetingVerb, Subject } from '../../../contract/film.ts';
import { capitalize, isMany, listed, subjectName } from './names.ts';

/** Title of the scene, what one does, what several do. */
const words: Readonly<Record<MeetingVerb, readonly [title: string, one: string, many: string]>> = {
  chase: ['The chase', 'chases', 'chase'],
  follow: ['Close behind', 'follows', 'follow'],
  push: ['The push', 'pushes', 'push'],
  pull: ['In tow', 'pulls', 'pull'],
  hit: ['The hit', 'runs into', 'run into'],
  knock: ['Knocked over', 'knocks over', 'knock over'],
  'bounce-off': ['The rebound', 'bounces off', 'bounce off'],
  collide: ['The collision', 'collides with', 'collide with'],
  kick: ['The kick', 'kicks', 'kick'],
  'jump-over': ['The leap', 'jumps over', 'jump over'],
  'land-on': ['The landing', 'lands on', 'land on'],
  catch: ['The catch', 'catches', 'catch'],
  throw: ['The throw', 'throws', 'throw'],
  carry: ['Carried along', 'carries', 'carry'],
  eat: ['The meal', 'eats', 'eat'],
  embrace: ['Together', 'comes close to', 'come close to'],
  swap: ['Changing places', 'changes places with', 'change places with'],
  merge: ['Becoming one', 'merges with', 'merge with'],
  circle: ['Round and round', 'goes around', 'go around'],
};

const computed: readonly MeetingVerb[] = ['hit', 'knock', 'bounce-off', 'collide', 'kick'];

type Met = Pick<FilmScene, 'subjects' | 'meetings'>;
const find = ({ subjects }: Met, id: string): Subject | undefined => subjects.find((subject) => subject.id === id);

/** The subjects that a meeting of the scene speaks for. */
export function inMeetings(scene: Met): ReadonlySet<string> {
  const found = (scene.meetings ?? []).filter(
    ({ who, whom }) => find(scene, who) !== undefined && find(scene, whom) !== undefined,
  );
  return new Set(found.flatMap(({ who, whom }) => [who, whom]));
}

/** "a red ball knocks over ten cubes", one sentence for each verb and object. */
export function meetingSentences(scene: Met): string[] {
  const told = new Map<string, { who: Subject[]; verb: MeetingVerb; whom: Subject }>();
  for (const { who, verb, whom } of scene.meetings ?? []) {
    const [actor, other] = [find(scene, who), find(scene, whom)];
    if (actor === undefined || other === undefined) continue;
    const known = told.get(`${verb} ${whom}`);
    if (known === undefined) told.set(`${verb} ${whom}`, { who: [actor], verb, whom: other });
    else known.who.push(actor);
  }
  return [...told.values()].map(({ who, verb, whom }) => {
    const [, one, many] = words[verb];
    const several = who.length > 1 || who.some(isMany);
    return `${listed(who.map((subject) => subjectName(subject)))} ${several ? many : one} ${subjectName(whom)}`;
  });
}

export function meetingTitle({ meetings }: Met): string | undefined {
  const [first] = meetings ?? [];
  return first === undefined ? undefined : capitalize(words[first.verb][0]);
}

export function meetingTechnique({ meetings = [] }: Met): string[] {
  if (meetings.length === 0) return [];
  return meetings.some(({ verb }) => computed.includes(verb))
    ? ['Computed by physics from the run-up on: contacts, friction and spin are real.']
    : ['Both move on one clock: what one does the other answers, with a crouch before and a squash after each contact.'];
}
