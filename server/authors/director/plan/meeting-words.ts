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
  do: ['Hands on', 'acts on', 'act on'],
  reach: ['On the way', 'goes to', 'go to'],
  into: ['Inside', 'goes into', 'go into'],
  'out-of': ['Out of it', 'comes out of', 'come out of'],
  off: ['Off it goes', 'comes down from', 'come down from'],
  past: ['Passing by', 'passes', 'pass'],
  ride: ['The ride', 'rides', 'ride'],
  juggle: ['The juggler', 'juggles', 'juggle'],
  watch: ['Watching', 'watches', 'watch'],
  lift: ['Up it goes', 'lifts', 'lift'],
  pour: ['Poured', 'pours', 'pour'],
  become: ['The change', 'turns into', 'turn into'],
};

/** "opens", "rolls into": the verb as it stands behind one who does it. */
function third(said: string): string {
  const [verb = '', ...rest] = said.split(' ');
  const form = /[^aeiou]y$/.test(verb) ? verb.replace(/y$/, 'ies') : /(?:s|x|z|ch|sh|o)$/.test(verb) ? `${verb}es` : `${verb}s`;
  return [form, ...rest].join(' ');
}

const computed: readonly MeetingVerb[] = ['hit', 'knock', 'bounce-off', 'collide', 'kick'];

type Met = Pick<FilmScene, 'subjects' | 'meetings'>;
const find = ({ subjects }: Met, id: string): Subject | undefined => subjects.find((subject) => subject.id === id);

/** The subjects that a meeting of the scene speaks for. */
export function inMeetings(scene: Met): ReadonlySet<string> {
  const found = (scene.meetings ?? []).filter(
    ({ who, whom }) => find(scene, who) !== undefined && find(scene, whom) !== undefined,
  );
  return new Set(found.flatMap(({ who, whom, to }) => [who, whom, ...(to === undefined ? [] : [to])]));
}

/** "a red ball knocks over ten cubes", one sentence for each verb and object. */
export function meetingSentences(scene: Met): string[] {
  const told = new Map<
    string,
    { who: Subject[]; verb: MeetingVerb; said?: string | undefined; whom: Subject; to?: Subject | undefined }
  >();
  for (const { who, verb, said, whom, to } of scene.meetings ?? []) {
    const [actor, other] = [find(scene, who), find(scene, whom)];
    if (actor === undefined || other === undefined) continue;
    const known = told.get(`${verb} ${whom}`);
    if (known === undefined)
      told.set(`${verb} ${whom}`, { who: [actor], verb, said, whom: other, to: to === undefined ? undefined : find(scene, to) });
    else known.who.push(actor);
  }
  return [...told.values()].map(({ who, verb, said, whom, to }) => {
    const [one, many] = said === undefined ? words[verb].slice(1) : [third(said), said];
    const several = who.length > 1 || who.some(isMany);
    const end = to === undefined ? '' : ` to ${subjectName(to)}`;
    return `${listed(who.map((subject) => subjectName(subject)))} ${several ? many : one} ${subjectName(whom)}${end}`;
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
