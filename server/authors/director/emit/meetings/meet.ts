import type { FilmScene, Meeting, MeetingVerb } from '../../../../contract/film.ts';
import type { Frame } from '../frame.ts';
import type { SceneLayout } from '../layout/places.ts';
import type { Manner } from '../style.ts';
import type { SceneTiming } from '../timing.ts';
import { clash, clashes } from './clash.ts';
import { deedWays } from './deeds.ts';
import { passages } from './passages.ts';
import { gaitOf, type Part, playersOf, type Setting } from './players.ts';
import { ways } from './ways.ts';

/** Clashes of a scene that are computed; there are no more in films that somebody means. */
const maxComputed = 2;

/** What the bodies of a subject do in its meeting. */
export interface Role {
  readonly comment: string;
  /** Where it looks: to the one that it meets. */
  readonly faces: 'left' | 'right';
  readonly parts: readonly Part[];
}

const isComputed = (verb: MeetingVerb): verb is keyof typeof clashes => verb in clashes;

/** Meetings of one verb with one other are one: both dogs chase the cat. Everybody has a part in one meeting at most. */
function joined(meetings: readonly Meeting[]): (Omit<Meeting, 'who'> & { readonly who: readonly string[] })[] {
  const busy = new Set<string>();
  const groups: (Omit<Meeting, 'who'> & { readonly who: string[] })[] = [];
  for (const { verb, who, whom, ...more } of meetings) {
    const known = groups.find((group) => group.verb === verb && group.whom === whom);
    if (busy.has(who) || who === whom || (known === undefined && busy.has(whom))) continue;
    busy.add(who).add(whom);
    if (known === undefined) groups.push({ verb, who: [who], whom, ...more });
    else known.who.push(who);
  }
  return groups;
}

/** The parts of a scene's meetings, by the id of the subject; meetings with who is not in the scene are left out. */
export function rolesOf(
  scene: FilmScene,
  layout: SceneLayout,
  {
    timing,
    manner,
    frame,
    playful,
    present,
  }: {
    /** Ids of those who go on from the scene before. */
    readonly present: ReadonlySet<string>;
    readonly timing: SceneTiming;
    readonly manner: Manner;
    readonly frame: Frame;
    readonly playful: boolean;
  },
): ReadonlyMap<string, Role> {
  const roles = new Map<string, Role>();
  const placeOf = (id: string) => layout.subjects.find(({ subject, places }) => subject.id === id && places.length > 0);
  const start = timing.leadSeconds + manner.enterSeconds / Math.sqrt(timing.speed) + 0.25;
  const moment = { start, until: Math.max(start + 1.6, timing.settledBy), frame, manner, playful, speed: timing.speed };
  let computed = 0;
  for (const { verb, who, whom, to, effect = null } of joined(scene.meetings ?? [])) {
    const actors = who.flatMap((id) => placeOf(id) ?? []);
    const other = placeOf(whom);
    if (actors.length === 0 || other === undefined || (isComputed(verb) && computed >= maxComputed)) continue;
    computed += isComputed(verb) ? 1 : 0;
    const end = to === undefined ? undefined : placeOf(to);
    const setting: Setting = {
      ...moment,
      fresh: who.every((id) => !present.has(id)),
      gait: gaitOf((actors[0] ?? other).subject),
      effect,
      to: end === undefined ? null : playersOf(end),
    };
    const { comment, ...played } = isComputed(verb)
      ? clash(verb, actors.flatMap(playersOf), playersOf(other), setting)
      : { ...ways, ...deedWays, ...passages }[verb](actors.flatMap(playersOf), playersOf(other), setting);
    const toRight = (actors[0]?.places[0]?.[0] ?? 0) <= (other.places[0]?.[0] ?? 0);
    let first = 0;
    for (const { subject, places } of actors) {
      roles.set(subject.id, {
        comment,
        faces: toRight ? 'right' : 'left',
        parts: played.who.slice(first, first + places.length),
      });
      first += places.length;
    }
    // Who is run after runs ahead; everybody else looks back.
    const ahead = verb === 'chase' || verb === 'follow' || verb === 'pull';
    roles.set(whom, { comment, faces: toRight === ahead ? 'right' : 'left', parts: played.whom });
  }
  return roles;
}
