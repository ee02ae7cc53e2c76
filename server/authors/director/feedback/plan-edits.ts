import type { Film, FilmScene, FilmText, Subject } from '../../../contract/film.ts';
import { maxDurationSeconds, minSceneSeconds, type PlanDraft, type Scene } from '../../../contract/film.ts';
import type { Brief, Clause, SubjectWish } from '../brief/brief.ts';
import { noHints, parseBrief } from '../brief/parse-brief.ts';
import type { BriefAsset } from '../brief/uploads.ts';
import { sameKind } from '../brief/wishes.ts';
import { maxScenes } from '../plan/arrange-scenes.ts';
import { notesFor } from '../plan/notes.ts';
import { motionOf } from '../plan/subjects.ts';
import { fitDelays } from '../plan/texts.ts';
import { clean, shareDuration } from '../plan/timing.ts';
import { scenesFrom } from './add-scene.ts';
import { castSubject } from './cast-rules.ts';
import { mergeScenes, relay } from './film-edit.ts';
import { withStyle } from './film-rules.ts';
import { nameOfSubject } from './matching.ts';

interface Pairing {
  readonly edited: Scene;
  /** The scene of the film that it was; null = the user added it. */
  readonly scene: FilmScene | null;
}

/**
 * Which scene of the film each edited scene was. Words tell more than numbers, because a scene that was moved
 * has another number: first the description, then the title, then the number, each scene once.
 */
function pair(film: Film, scenes: readonly Scene[]): Pairing[] {
  const free = new Set(film.scenes);
  const found = new Map<Scene, FilmScene>();
  const rules: readonly ((edited: Scene, scene: FilmScene) => boolean)[] = [
    (edited, scene) => edited.description === scene.description && edited.title === scene.title,
    (edited, scene) => edited.description === scene.description,
    (edited, scene) => edited.title === scene.title,
    (edited, scene) => scenes.length === film.scenes.length && edited.number === scene.number,
  ];
  for (const rule of rules) {
    for (const edited of scenes) {
      if (found.has(edited)) continue;
      const scene = [...free].find((candidate) => rule(edited, candidate));
      if (scene === undefined) continue;
      found.set(edited, scene);
      free.delete(scene);
    }
  }
  return scenes.map((edited) => ({ edited, scene: found.get(edited) ?? null }));
}

const quotes = /[“"«„]([^“”"«»„]*)[”"»]/gu;
const quotedIn = (text: string): string[] => [...text.matchAll(quotes)].map((match) => match[1] ?? '');

/** Texts whose words were changed inside their quotes. */
function retexted(texts: readonly FilmText[], before: string, after: string): FilmText[] {
  const old = quotedIn(before);
  const fresh = quotedIn(after);
  if (old.length !== fresh.length) return [...texts];
  return texts.map((text) => {
    const at = old.findIndex((words) => words === text.text || (words.endsWith('…') && text.text.startsWith(words.slice(0, -1))));
    const words = at < 0 ? undefined : fresh[at]?.trim();
    return words === undefined || words === '' || words === old[at] ? text : { ...text, text: words.slice(0, 160) };
  });
}

const allSubjects = (brief: Brief): SubjectWish[] => brief.clauses.flatMap((clause: Clause) => clause.subjects);
/** What a description says of a subject at last: "drops in and bounces" is about the bounce. */
const wishFor = (subject: Subject, wishes: readonly SubjectWish[]): SubjectWish | undefined =>
  wishes.findLast(
    (wish) =>
      (wish.ref.kind === 'shape' ? wish.ref.shape : wish.ref.kind === 'particles' ? wish.ref.preset : wish.ref.kind) ===
      nameOfSubject(subject),
  );

/** One subject after its description changed: only what reads differently now is taken over. */
function resubject(subject: Subject, old: SubjectWish | undefined, fresh: SubjectWish): Subject {
  let next = subject;
  if (fresh.color !== null && fresh.color !== old?.color)
    next = next.kind === 'particles' ? { ...next, color: fresh.color, colors: [fresh.color] } : { ...next, color: fresh.color };
  if (fresh.size !== null && fresh.size !== old?.size) next = { ...next, size: fresh.size };
  if (fresh.motion !== null && JSON.stringify(fresh.motion) !== JSON.stringify(old?.motion ?? null))
    next = { ...next, motion: motionOf(fresh.motion) };
  if (
    fresh.count !== (old?.count ?? null) &&
    (next.kind === 'ball' || next.kind === 'cube' || next.kind === 'shape' || next.kind === 'figure')
  )
    next = { ...next, count: Math.min(24, Math.max(1, fresh.count ?? 1)) };
  return next;
}

/** A scene after its description was rewritten: the two descriptions are read alike, and their difference is applied. */
function redescribed(film: Film, scene: FilmScene, description: string, assets: readonly BriefAsset[]): FilmScene {
  const texts = retexted(scene.texts, scene.description, description);
  if (scene.description.replace(quotes, '') === description.replace(quotes, '')) return { ...scene, texts, description };
  const before = parseBrief(scene.description, { ...noHints, assets });
  const after = parseBrief(description, { ...noHints, assets });
  const old = allSubjects(before);
  const fresh = allSubjects(after);
  const kept = scene.subjects
    .filter((subject) => wishFor(subject, fresh) !== undefined || wishFor(subject, old) === undefined)
    .map((subject) => {
      const wish = wishFor(subject, fresh);
      return wish === undefined ? subject : resubject(subject, wishFor(subject, old), wish);
    });
  const added = fresh.filter(
    (wish) =>
      !old.some((known) => sameKind(known.ref, wish.ref)) &&
      !scene.subjects.some((subject) => wishFor(subject, [wish]) !== undefined),
  );
  const subjects: Subject[] = [...kept];
  for (const wish of added.slice(0, Math.max(0, 6 - kept.length))) {
    // What was added just before counts as taken, for ids and for colours.
    const soFar: FilmScene = { ...scene, subjects };
    subjects.push(castSubject({ ...film, scenes: [...film.scenes, soFar] }, soFar, wish, assets));
  }
  const words = new Set(quotedIn(scene.description));
  const gone =
    quotedIn(scene.description).length > quotedIn(description).length
      ? new Set([...words].filter((word) => !quotedIn(description).includes(word)))
      : new Set<string>();
  const left = texts.filter((text) => !gone.has(text.text));
  const keepsSomething = subjects.length + left.length > 0;
  return { ...scene, description, subjects: keepsSomething ? subjects : scene.subjects, texts: keepsSomething ? left : texts };
}

function followed(film: Film, { edited, scene }: Pairing, assets: readonly BriefAsset[]): FilmScene[] {
  const { title, description, animationNotes, durationSeconds, startSeconds } = edited;
  if (scene === null) {
    const brief = parseBrief(`${description}\n`, { ...noHints, assets });
    const [first, ...more] = scenesFrom(film, brief.animatable ? brief : parseBrief(`“${title}”`, noHints));
    if (first === undefined) return [];
    // One edited scene is one scene: what its words would spread over several shares it.
    const whole = mergeScenes([first, ...more], 1)[0] ?? first;
    return [{ ...whole, title, description, animationNotes, durationSeconds, startSeconds }];
  }
  const next = scene.description === description ? scene : redescribed(film, scene, description, assets);
  const notes =
    animationNotes === scene.animationNotes && next.subjects !== scene.subjects ? notesFor(next, film.style) : animationNotes;
  const same =
    next === scene &&
    scene.title === title &&
    scene.animationNotes === notes &&
    scene.durationSeconds === durationSeconds &&
    scene.startSeconds === startSeconds;
  return [same ? scene : { ...next, title, animationNotes: notes, durationSeconds, startSeconds }];
}

/** True when the edited times keep the rules by themselves, overlaps included. */
function timesHold(draft: PlanDraft): boolean {
  let covered = 0;
  let before = 0;
  for (const { startSeconds, durationSeconds } of draft.scenes) {
    if (startSeconds < before || startSeconds > covered + 0.01 || durationSeconds < minSceneSeconds) return false;
    before = startSeconds;
    covered = Math.max(covered, startSeconds + durationSeconds);
  }
  return Math.abs(covered - draft.durationSeconds) <= 0.01;
}

/**
 * The film after the user edited its plan: lengths, order, titles, texts and descriptions follow, deleted scenes
 * go, added ones are made from their description. The result always keeps the rules of A4.
 */
export function applyPlanEdits(film: Film, draft: PlanDraft, assets: readonly BriefAsset[] = []): Film {
  const styled = draft.style === film.style ? film : withStyle(film, draft.style, { keepLook: false });
  const base: Film = { ...styled, title: draft.title, aspect: draft.aspect, fps: draft.fps };
  let grown = base;
  const scenes = pair(base, draft.scenes).flatMap((pairing) => {
    const made = followed(grown, pairing, assets);
    // New ids must not meet those that an edit before them brought in.
    grown = { ...grown, scenes: [...grown.scenes, ...made] };
    return made;
  });
  if (scenes.length === 0) return base;
  if (timesHold(draft) && scenes.length <= maxScenes(draft.durationSeconds)) {
    const placed = scenes.map((scene, i): FilmScene => {
      const id = `scene-${i + 1}` as const;
      const texts = fitDelays(scene.texts, { durationSeconds: scene.durationSeconds, style: base.style });
      const same = scene.number === i + 1 && texts.every((text, t) => text === scene.texts[t]);
      return same ? scene : { ...scene, number: i + 1, id, texts };
    });
    return { ...base, durationSeconds: clean(draft.durationSeconds), scenes: placed };
  }
  return repaired(base, scenes);
}

/** Scenes one after the other, each long enough, as many as the rules allow. */
function repaired(film: Film, scenes: readonly FilmScene[]): Film {
  const long = scenes.map((scene) => ({
    ...scene,
    durationSeconds: clean(
      Math.max(minSceneSeconds, Number.isFinite(scene.durationSeconds) ? scene.durationSeconds : minSceneSeconds),
    ),
  }));
  const total = clean(long.reduce((sum, scene) => sum + scene.durationSeconds, 0));
  const most = maxScenes(Math.min(total, maxDurationSeconds));
  const merged = mergeScenes(long, most);
  if (total <= maxDurationSeconds) return relay(film, merged);
  const shares = shareDuration(
    maxDurationSeconds,
    merged.map((scene) => ({ needed: scene.durationSeconds, fixed: null })),
  );
  return relay(
    film,
    merged.map((scene, i) => ({ ...scene, durationSeconds: shares[i] ?? scene.durationSeconds })),
  );
}
