import type { Film, FilmScene, Subject } from '../../../contract/film.ts';
import type { SubjectWish } from '../brief/brief.ts';
import type { SubjectRef } from '../brief/sense.ts';
import type { BriefAsset } from '../brief/uploads.ts';
import { logoAmong, type Picture } from '../brief/uploads.ts';
import { idName, newMotion, newSubject, noModifiers } from '../brief/wishes.ts';
import { companions, visibleOn } from '../palette.ts';
import { maxScenes } from '../plan/arrange-scenes.ts';
import { capitalize, isMany, listed, subjectName } from '../plan/names.ts';
import { subjectOf } from '../plan/subjects.ts';
import type { Facts, NamedSubject } from './facts.ts';
import { freeId, idsIn, isBare, mapScenes, parted, relay } from './film-edit.ts';
import type { Outcome, Rule } from './rule.ts';
import { absence, matching, nameOfSubject, narrowed, saidName, scenesIn } from './targets.ts';

/** A colour that no other body of the scene has and that shows on the ground. */
function freshColor(film: Film, scene: FilmScene): string {
  const ground = scene.background ?? { top: film.palette.backgroundTop, bottom: film.palette.backgroundBottom };
  const used = new Set(scene.subjects.map((subject) => subject.color));
  const pool = companions(film.palette, film.palette.accent);
  return pool.find((color) => !used.has(color) && visibleOn(color, ground)) ?? film.palette.accent;
}

/** The picture that the film shows already. */
const knownPicture = (film: Film): Picture | null =>
  film.scenes.flatMap((scene) => scene.subjects).find((subject) => subject.kind === 'logo') ?? null;

/** "The logo" keeps the picture that the film already shows; where nothing was uploaded, a hexagon holds its place. */
function withPicture(ref: SubjectRef, film: Film, assets: readonly BriefAsset[]): SubjectRef {
  if (ref.kind !== 'logo' || ref.picture !== undefined) return ref;
  const picture = knownPicture(film) ?? logoAmong(assets);
  if (picture === null) return { kind: 'shape', shape: 'hexagon' };
  return { kind: 'logo', picture: { src: picture.src, aspectRatio: picture.aspectRatio } };
}

export function castSubject(film: Film, scene: FilmScene, wish: SubjectWish, assets: readonly BriefAsset[]): Subject {
  const ref = withPicture(wish.ref, film, assets);
  return subjectOf({ ...wish, ref }, freeId(idsIn(film), idName(ref)), {
    palette: film.palette,
    fallbackColor: freshColor(film, scene),
    style: film.style,
  });
}

/** Whether an upload is meant, by its name. */
const isUpload = ({ ref }: NamedSubject): boolean => ref.kind === 'logo' && ref.picture !== undefined;

function wishOf(facts: Facts, named: NamedSubject): SubjectWish {
  const mods = {
    ...noModifiers(),
    colors: [...(named.colors.length > 0 ? named.colors : facts.subjects.length === 1 ? facts.colors : [])],
    count: named.count,
    rainbow: facts.rainbow,
  };
  const wish = newSubject(named.ref, { mods, plural: named.plural });
  wish.color ??= (named.ref as { color?: string }).color ?? null;
  if (facts.size !== null && !facts.size.compared) wish.size = facts.size.factor;
  const [motion] = facts.motions;
  if (motion !== undefined) {
    wish.motion = newMotion(motion, facts.act);
    wish.motion.times = facts.repeat;
  }
  if (facts.bars !== null) wish.bars = facts.bars;
  return wish;
}

/** Weather is everywhere; a burst belongs to the end of the story. */
const everywhere = new Set(['snow', 'rain', 'stars', 'sparkles', 'bubbles', 'leaves']);

function scenesFor(film: Film, scope: ReadonlySet<number> | null, named: NamedSubject): ReadonlySet<number> {
  if (scope !== null) return scope;
  if (named.ref.kind === 'particles')
    return everywhere.has(named.ref.preset) ? new Set(film.scenes.map((scene) => scene.number)) : new Set([film.scenes.length]);
  const lead = film.scenes.find((scene) => scene.subjects.length > 0) ?? film.scenes[0];
  return new Set([lead?.number ?? 1]);
}

/** More bodies than this in one scene leave no focal point. */
const maxSubjects = 6;

/** "add confetti", "add a blue cube", "with snow". */
export const addSubjectRule: Rule = ({ film, facts, scope, assets }) => {
  const absent = facts.subjects.filter((named) => matching(film, named.ref, scope).length === 0);
  // Whoever names a file that is not to be seen there wants to see it there, whatever the verb.
  const uploads = facts.negated || facts.actions.includes('remove') ? [] : absent.filter(isUpload);
  const adding = facts.actions.includes('add') || uploads.length > 0;
  const bare =
    facts.actions.length === 0 &&
    !facts.negated &&
    facts.scenes.length === 0 &&
    absent.length === facts.subjects.length &&
    !facts.whole &&
    facts.size?.compared !== true &&
    facts.speed === null;
  if (facts.subjects.length === 0 || !(adding || bare) || facts.camera) return null;
  let edited = film;
  const told: string[] = [];
  const ids = new Set<string>();
  const wanted = uploads.length > 0 && !facts.actions.includes('add') ? uploads : facts.subjects;
  for (const named of wanted) {
    const found = narrowed(matching(edited, named.ref, scope), named);
    const sameColor = named.colors.length === 0 || found.byColor;
    // "add two balls" to a ball: it is the same thing, more of it.
    if (found.picked.length > 0 && sameColor && !bare) return null;
    const wish = wishOf(facts, named);
    for (const number of scenesFor(edited, scope, named)) {
      const scene = edited.scenes.find((one) => one.number === number);
      if (scene === undefined) continue;
      if (scene.subjects.length >= maxSubjects) {
        told.push(`Scene ${number} is full: it holds ${maxSubjects} things at most.`);
        continue;
      }
      const subject = castSubject(edited, scene, wish, assets);
      ids.add(subject.id);
      edited = mapScenes(edited, (one) => ({ ...one, subjects: [...one.subjects, subject] }), new Set([number]));
      const where = edited.scenes.length > 1 ? ` in scene ${number}` : '';
      if (told.length === 0 || !everywhere.has(nameOfSubject(subject)))
        told.push(
          `${isUpload(named) ? saidName(named.ref) : capitalize(subjectName(subject))} ${isMany(subject) ? 'are' : 'is'} added${scope === null && everywhere.has(nameOfSubject(subject)) && edited.scenes.length > 1 ? ' to every scene' : where}.`,
        );
    }
  }
  return { film: edited, told: told.join(' '), targets: { subjects: ids, texts: new Set() }, refused: edited === film };
};

const opinions = ['like', 'love', 'enjoy', 'work', 'works', 'good', 'right', 'nice', 'mag', 'gefaellt', 'aime', 'gusta'];

/** "remove the cube", "no confetti", "without the stars". */
export const removeSubjectRule: Rule = ({ film, facts, scope, targets, named }) => {
  const asks = facts.actions.includes('remove') || (facts.negated && facts.motions.length === 0);
  if (!asks) return null;
  // "remove one ball": fewer, not none.
  if (facts.subjects.some((one) => one.count !== null) && facts.actions.includes('remove')) return null;
  if (facts.subjects.length > 0 && !named)
    return {
      film,
      told: absence(facts.subjects.map((one) => one.ref)),
      refused: true,
    };
  // "I do not like it" is an opinion and takes nothing away.
  const opinion =
    !facts.actions.includes('remove') && facts.subjects.length === 0 && opinions.some((word) => facts.words.has(word));
  const ids = facts.subjects.length > 0 || (facts.pronoun && !opinion) ? targets.subjects : new Set<string>();
  if (ids.size === 0) return null;
  const gone = scenesIn(film, scope).flatMap((scene) => scene.subjects.filter((subject) => ids.has(subject.id)));
  if (gone.length === 0) return null;
  const scenes = parted(film, ids).scenes.map((scene) =>
    scene.subjects.some((subject) => gone.includes(subject))
      ? { ...scene, subjects: scene.subjects.filter((subject) => !gone.includes(subject)) }
      : scene,
  );
  const kept = scenes.filter((scene) => !isBare(scene));
  const names = listed([...new Set(gone.map((subject) => subjectName(subject, true)))]);
  if (kept.length === 0)
    return {
      film,
      told: `Without ${names} nothing would be left, so it stays. Say what should be there instead.`,
      refused: true,
    };
  const edited = kept.length === scenes.length ? { ...film, scenes } : relay(film, kept);
  const shorter =
    kept.length < scenes.length
      ? ` ${scenes.length - kept.length === 1 ? 'Its scene is' : 'Their scenes are'} gone too, so the film lasts ${edited.durationSeconds} s.`
      : '';
  return { film: edited, told: `${capitalize(names)} ${gone.length > 1 || /s$/.test(names) ? 'are' : 'is'} gone.${shorter}` };
};

/** "replace the ball with a cube", "use a star instead of the ball", "turn the ball into a heart". */
export const replaceRule: Rule = ({ film, facts, scope, assets }) => {
  const [one, other] = facts.subjects;
  if (
    one === undefined ||
    !(facts.actions.includes('replace') || facts.actions.includes('change') || facts.motions.includes('spin'))
  )
    return null;
  // "use logo.png in scene 2" takes nobody's place; "instead" and "as the logo" do.
  const joins =
    facts.subjects.some(isUpload) && !facts.subjects.some(({ ref }) => ref.kind === 'logo' && ref.picture === undefined);
  if (joins && !facts.actions.includes('replace') && !facts.words.has('instead') && !facts.words.has('stattdessen')) return null;
  const pair: readonly [NamedSubject | null, NamedSubject] | null =
    other === undefined ? null : matching(film, one.ref, scope).length > 0 ? [one, other] : [other, one];
  // "use a cube instead": whoever leads gives way.
  const lone =
    other === undefined &&
    matching(film, one.ref, scope).length === 0 &&
    (facts.words.has('instead') || facts.words.has('use') || facts.words.has('stattdessen') || facts.pronoun);
  const [from, to] = pair ?? (lone ? [null, one] : [null, null]);
  if (to === null) return null;
  const leads = film.scenes.flatMap((scene) => scene.subjects).filter((subject) => subject.kind !== 'particles');
  const old = from === null ? leads.slice(0, 1) : narrowed(matching(film, from.ref, scope), from).picked;
  if (old.length === 0)
    return { film, told: `There is no ${from === null ? 'thing' : saidName(from.ref)} to replace.`, refused: true };
  const wish = wishOf({ ...facts, motions: [], subjects: [to] }, to);
  let edited = film;
  let last: Subject | undefined;
  for (const subject of old) {
    const scene = edited.scenes.find((candidate) => candidate.subjects.includes(subject));
    if (scene === undefined) continue;
    const made = castSubject(edited, scene, { ...wish, color: wish.color ?? subject.color }, assets);
    last = carryOver(subject, made, to.count !== null);
    const next = last;
    edited = mapScenes(edited, (candidate) =>
      candidate === scene
        ? { ...candidate, subjects: candidate.subjects.map((known) => (known === subject ? next : known)) }
        : candidate,
    );
  }
  if (last === undefined || old[0] === undefined) return null;
  return {
    film: edited,
    told: `${capitalize(subjectName(old[0], true))} ${'count' in old[0] && old[0].count > 1 ? 'are' : 'is'} ${subjectName(last)} now.`,
    targets: { subjects: new Set([last.id]), texts: new Set() },
  };
};

/** What takes another's place moves like it, as big and as many. */
function carryOver(old: Subject, made: Subject, ownCount: boolean): Subject {
  const moved = { ...made, size: old.size, motion: old.motion };
  if (
    (moved.kind === 'ball' || moved.kind === 'cube' || moved.kind === 'shape') &&
    (old.kind === 'ball' || old.kind === 'cube' || old.kind === 'shape') &&
    !ownCount
  )
    return { ...moved, count: old.count };
  return moved;
}

/** "remove scene 2", "delete the last scene". */
export const removeSceneRule: Rule = ({ film, facts, scope }) => {
  if (
    !facts.actions.includes('remove') ||
    facts.scenes.length === 0 ||
    facts.subjects.length > 0 ||
    facts.textNoun !== null ||
    facts.quotes.length > 0 ||
    facts.motions.length > 0 ||
    facts.background
  )
    return null;
  if (scope === null)
    return { film, told: `There is no scene ${facts.scenes.join(' and ')}; the film has ${film.scenes.length}.`, refused: true };
  const kept = film.scenes.filter((scene) => !scope.has(scene.number));
  if (kept.length === 0) return { film, told: 'A film needs at least one scene, so it stays.', refused: true };
  if (kept.length > maxScenes(kept.reduce((sum, scene) => sum + scene.durationSeconds, 0))) {
    return { film, told: `Without it the film would be under 30 s with more than 7 scenes, so it stays.`, refused: true };
  }
  const edited = relay(film, kept);
  return {
    film: edited,
    told: `Scene ${[...scope].join(' and ')} is gone; the film lasts ${edited.durationSeconds} s.`,
  } satisfies Outcome;
};
