import type { Film, FilmScene, Subject } from '../../../contract/film.ts';
import type { SubjectWish } from '../brief/brief.ts';
import type { SubjectRef } from '../brief/sense.ts';
import type { Mention } from '../brief/state.ts';
import type { BriefAsset } from '../brief/uploads.ts';
import { logoAmong, type Picture } from '../brief/uploads.ts';
import { idName, newSubject } from '../brief/wishes.ts';
import { companions, visibleOn } from '../palette.ts';
import { maxScenes } from '../plan/arrange-scenes.ts';
import { capitalize, isMany, listed, subjectName } from '../plan/names.ts';
import { subjectOf } from '../plan/subjects.ts';
import { freeId, idsIn, isBare, mapScenes, parted, relay } from './film-edit.ts';
import { matching, nameOfSubject, scenesIn } from './matching.ts';
import { be, names } from './naming.ts';
import type { Outcome, Rule, RuleContext } from './rule.ts';
import { absence, narrowed, nobody, saidName, type Targets } from './targets.ts';

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

const wishOf = ({ ref, plural, mods, wish }: Mention): SubjectWish => wish ?? newSubject(ref, { mods, plural });

/** Whether an upload is meant, by its name. */
const isUpload = ({ ref }: Mention): boolean => ref.kind === 'logo' && ref.picture !== undefined;

/** Weather is everywhere; a burst belongs to the end of the story. */
const everywhere = new Set(['snow', 'rain', 'stars', 'sparkles', 'bubbles', 'leaves']);

function scenesFor(
  film: Film,
  scope: ReadonlySet<number> | null,
  named: Mention,
  beside: ReadonlySet<string> | null,
): ReadonlySet<number> {
  if (scope !== null) return scope;
  if (named.ref.kind === 'particles')
    return everywhere.has(named.ref.preset) ? new Set(film.scenes.map((scene) => scene.number)) : new Set([film.scenes.length]);
  const [lead] = beside ?? [];
  const home = film.scenes.find(({ subjects }) => subjects.some(({ id }) => lead === undefined || id === lead)) ?? film.scenes[0];
  return new Set([home?.number ?? 1]);
}

/** More bodies than this in one scene leave no focal point. */
const maxSubjects = 6;

/** By whom things stand whose place was told: their id, and that of their neighbour; null = the side of the frame. */
function standing(
  { film, facts, scope, it }: RuleContext,
  idOf: (named: Mention) => string | undefined,
): ReadonlyMap<string, NonNullable<Subject['arranged']>> {
  const places = new Map<string, NonNullable<Subject['arranged']>>();
  for (const named of facts.subjects) {
    const placed = named.wish?.placed ?? (facts.relation === null ? null : { relation: facts.relation, to: null, also: null });
    const id = idOf(named);
    if (placed === null || id === undefined) continue;
    const idAt = (wish: SubjectWish | null): string | undefined => {
      const neighbour = wish === null ? undefined : facts.subjects.find((one) => one.wish === wish);
      return neighbour === undefined ? undefined : (idOf(neighbour) ?? matching(film, neighbour.ref, scope)[0]?.id);
    };
    const [also, unsaid] = [idAt(placed.also), facts.relation === null ? null : [...it.subjects].find((one) => one !== id)];
    const of = placed.to === null ? unsaid : idAt(placed.to);
    if (of !== undefined && of !== id) places.set(id, { relation: placed.relation, of, ...(also === undefined ? {} : { also }) });
  }
  return places;
}

/** Those whose place was told stand there, with a neighbour of their own scene. */
const withPlaces = (film: Film, places: ReturnType<typeof standing>): Film =>
  mapScenes(film, (scene) => {
    const isHere = (id: string | null): boolean => id === null || scene.subjects.some((one) => one.id === id);
    const subjects = scene.subjects.map(({ arranged, ...subject }, i, all) => {
      const place = places.get(subject.id);
      if (place !== undefined && isHere(place.of)) return { ...subject, arranged: place };
      // Two cannot stand by each other.
      return arranged?.of != null && places.get(arranged.of)?.of === subject.id ? subject : (all[i] as Subject);
    });
    return subjects.every((subject, i) => subject === scene.subjects[i]) ? scene : { ...scene, subjects };
  });

const only = (id: string | null): Targets => ({ ...nobody, subjects: new Set(id === null ? [] : [id]) });

/** "Put the ball on the cube", "the star on the left": who is there already stands elsewhere. */
export const placeRule: Rule = (context) => {
  const { film, facts, scope } = context;
  if (facts.negated || facts.camera || facts.actions.includes('remove') || facts.actions.includes('replace')) return null;
  const places = standing(context, (named) => narrowed(matching(film, named.ref, scope), named).picked[0]?.id);
  const edited = withPlaces(film, places);
  if (edited === film) return null;
  const told = [...places].map(([id, { relation, of }]) => {
    const [who, whom] = [only(id), only(of)];
    const by = { left: 'to the left of', right: 'to the right of', front: 'in front of' } as const;
    return `${capitalize(names(film, who))} ${be(film, who)} ${of === null ? `on the ${relation}` : `${relation in by ? by[relation as keyof typeof by] : relation} ${names(film, whom)}`} now.`;
  });
  return { film: edited, told: told.join(' '), targets: { subjects: new Set(places.keys()), texts: new Set() } };
};

/** "add confetti", "add a blue cube", "with snow". */
export const addSubjectRule: Rule = (context) => {
  const { film, facts, scope, assets, it } = context;
  const absent = facts.subjects.filter((named) => matching(film, named.ref, scope).length === 0);
  // Whoever names a file that is not to be seen there wants to see it there, whatever the verb.
  const uploads = facts.negated || facts.actions.includes('remove') ? [] : absent.filter(isUpload);
  const asksFor = !facts.negated && !facts.actions.includes('remove') && !facts.actions.includes('replace');
  const placing =
    asksFor &&
    absent.length > 0 &&
    (facts.relation !== null || facts.subjects.some(({ wish }) => wish !== null && wish.placed !== null));
  const adding = facts.actions.includes('add') || uploads.length > 0 || placing;
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
  const made = new Map<Mention, string>();
  const beside = facts.relation === null ? facts.subjects.find((named) => !absent.includes(named)) : undefined;
  const near =
    facts.relation === null
      ? beside === undefined
        ? null
        : new Set(matching(film, beside.ref, scope).map(({ id }) => id))
      : it.subjects;
  // Who is there already is whom the new one stands by.
  const wanted = uploads.length > 0 && !facts.actions.includes('add') ? uploads : placing ? absent : facts.subjects;
  for (const named of wanted) {
    const found = narrowed(matching(edited, named.ref, scope), named);
    const sameColor = named.mods.colors.length === 0 || found.byColor;
    // "add two balls" to a ball: it is the same thing, more of it.
    if (found.picked.length > 0 && sameColor && !bare) return null;
    const wish = wishOf(named);
    for (const number of scenesFor(edited, scope, named, near)) {
      const scene = edited.scenes.find((one) => one.number === number);
      if (scene === undefined) continue;
      if (scene.subjects.length >= maxSubjects) {
        told.push(`Scene ${number} is full: it holds ${maxSubjects} things at most.`);
        continue;
      }
      const subject = castSubject(edited, scene, wish, assets);
      ids.add(subject.id);
      made.set(named, subject.id);
      edited = mapScenes(edited, (one) => ({ ...one, subjects: [...one.subjects, subject] }), new Set([number]));
      const where = edited.scenes.length > 1 ? ` in scene ${number}` : '';
      if (told.length === 0 || !everywhere.has(nameOfSubject(subject)))
        told.push(
          `${isUpload(named) ? saidName(named.ref) : capitalize(subjectName(subject))} ${isMany(subject) ? 'are' : 'is'} added${scope === null && everywhere.has(nameOfSubject(subject)) && edited.scenes.length > 1 ? ' to every scene' : where}.`,
        );
    }
  }
  const placed = withPlaces(
    edited,
    standing(context, (named) => made.get(named) ?? (placing ? matching(film, named.ref, scope)[0]?.id : undefined)),
  );
  return { film: placed, told: told.join(' '), targets: { subjects: ids, texts: new Set() }, refused: edited === film };
};

const opinions = ['like', 'love', 'enjoy', 'work', 'works', 'good', 'right', 'nice', 'mag', 'gefaellt', 'aime', 'gusta'];

/** "remove the cube", "no confetti", "without the stars". */
export const removeSubjectRule: Rule = ({ film, facts, scope, targets, named }) => {
  const asks = facts.actions.includes('remove') || (facts.negated && facts.motions.length === 0);
  if (!asks) return null;
  // "remove one ball": fewer, not none.
  if (facts.subjects.some(({ mods }) => mods.count !== null) && facts.actions.includes('remove')) return null;
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
  const filled = scenes.filter((scene) => !isBare(scene) || film.scenes.includes(scene));
  // Somebody who leaves the only scene leaves its place behind.
  const kept = filled.length > 0 ? filled : scenes.filter(({ place }) => place !== undefined);
  const left = listed([...new Set(gone.map((subject) => subjectName(subject, true)))]);
  if (kept.length === 0)
    return {
      film,
      told: `Without ${left} nothing would be left, so it stays. Say what should be there instead.`,
      refused: true,
    };
  const edited = kept.length === scenes.length ? { ...film, scenes } : relay(film, kept);
  const shorter =
    kept.length < scenes.length
      ? ` ${scenes.length - kept.length === 1 ? 'Its scene is' : 'Their scenes are'} gone too, so the film lasts ${edited.durationSeconds} s.`
      : '';
  return { film: edited, told: `${capitalize(left)} ${gone.length > 1 || /s$/.test(left) ? 'are' : 'is'} gone.${shorter}` };
};

/** "replace the ball with a cube", "use a star instead of the ball", "turn the ball into a heart". */
export const replaceRule: Rule = ({ film, facts, scope, assets }) => {
  const [one, other] = facts.subjects;
  if (
    one === undefined ||
    !(facts.actions.includes('replace') || facts.actions.includes('change') || facts.motions.includes('spin'))
  )
    return null;
  // "Mets un chien derrière la balle" puts somebody beside another.
  const isPlaced = facts.relation !== null || facts.subjects.some(({ wish }) => wish !== null && wish.placed !== null);
  if (isPlaced && !facts.actions.includes('replace')) return null;
  // "use logo.png in scene 2" takes nobody's place; "instead" and "as the logo" do.
  const joins =
    facts.subjects.some(isUpload) && !facts.subjects.some(({ ref }) => ref.kind === 'logo' && ref.picture === undefined);
  if (joins && !facts.actions.includes('replace') && !facts.words.has('instead') && !facts.words.has('stattdessen')) return null;
  const pair: readonly [Mention | null, Mention] | null =
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
  const wish = wishOf(to);
  let edited = film;
  let last: Subject | undefined;
  for (const subject of old) {
    const scene = edited.scenes.find((candidate) => candidate.subjects.includes(subject));
    if (scene === undefined) continue;
    const made = castSubject(edited, scene, { ...wish, color: wish.color ?? subject.color }, assets);
    last = carryOver(subject, made, to.mods.count !== null);
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
