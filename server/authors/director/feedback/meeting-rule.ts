import type { Film, FilmScene, Subject } from '../../../contract/film.ts';
import { noHints, parseBrief } from '../brief/parse-brief.ts';
import type { BriefAsset } from '../brief/uploads.ts';
import { meetingSentences } from '../plan/meeting-words.ts';
import { capitalize } from '../plan/names.ts';
import { scenesFrom } from './add-scene.ts';
import { mapScenes } from './film-edit.ts';
import { nameOfSubject } from './matching.ts';
import type { Outcome } from './rule.ts';

/** More bodies than this in one scene leave no focal point. */
const maxSubjects = 6;

/** The one of the film that a sentence means; of several, one of the same colour. */
function known(scene: FilmScene, said: Subject): Subject | undefined {
  const same = scene.subjects.filter((subject) => nameOfSubject(subject) === nameOfSubject(said));
  return same.find(({ color }) => color === said.color) ?? same[0];
}

/**
 * "The cat should eat the ball", "add a mouse that steals the cheese": what one does to another is read as a prompt is, and
 * takes the place of what the two did. Null when nobody does anything to anybody of the film.
 */
export function meetingOutcome(film: Film, text: string, assets: readonly BriefAsset[]): Outcome | null {
  const brief = parseBrief(text, { ...noHints, assets });
  if (brief.clauses.length !== 1 || brief.clauses[0]?.meetings.length === 0) return null;
  const [planned] = scenesFrom(film, brief);
  const [meeting] = planned?.meetings ?? [];
  if (planned === undefined || meeting === undefined) return null;
  const find = (id: string | undefined) => planned.subjects.find((subject) => subject.id === id);
  const roles = [find(meeting.who), find(meeting.whom), find(meeting.to)].filter((one) => one !== undefined);
  const here = film.scenes
    .filter(({ source }) => source === 'document')
    .map((scene) => ({ scene, count: roles.filter((role) => known(scene, role) !== undefined).length }))
    .reduce<{ scene: FilmScene; count: number } | null>(
      (best, one) => (best === null || one.count > best.count ? one : best),
      null,
    );
  if (here === null || here.count === 0) return null;
  const { scene } = here;
  const added = roles.filter((role) => known(scene, role) === undefined);
  if (scene.subjects.length + added.length > maxSubjects) return null;
  const idOf = (role: Subject | undefined) => (role === undefined ? undefined : (known(scene, role) ?? role).id);
  const [who, whom, to] = [idOf(find(meeting.who)), idOf(find(meeting.whom)), idOf(find(meeting.to))];
  if (who === undefined || whom === undefined || who === whom) return null;
  const busy = new Set([who, whom]);
  const { to: _, ...rest } = meeting;
  const next = {
    ...scene,
    subjects: [...scene.subjects, ...added],
    meetings: [
      ...(scene.meetings ?? []).filter((other) => !busy.has(other.who) && !busy.has(other.whom)),
      { ...rest, who, whom, ...(to === undefined ? {} : { to }) },
    ],
  };
  const sentence = meetingSentences({ ...next, meetings: next.meetings.slice(-1) })[0] ?? '';
  return {
    film: mapScenes(film, (one) => (one.id === scene.id ? next : one)),
    told: `${capitalize(sentence)} now.`,
    targets: { subjects: new Set([who]), texts: new Set() },
  };
}
