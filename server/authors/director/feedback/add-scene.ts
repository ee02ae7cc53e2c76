import type { Film, FilmScene, Subject } from '../../../contract/film.ts';
import { maxDurationSeconds } from '../../../contract/film.ts';
import type { Brief } from '../brief/brief.ts';
import { fold } from '../brief/fold.ts';
import { lex } from '../brief/lex.ts';
import type { Lexeme } from '../brief/lexemes.ts';
import { noHints, parseBrief } from '../brief/parse-brief.ts';
import type { BriefAsset } from '../brief/uploads.ts';
import { maxScenes } from '../plan/arrange-scenes.ts';
import { groundOf } from '../plan/colors.ts';
import { listed, subjectName } from '../plan/names.ts';
import { planFilm } from '../plan/plan-film.ts';
import { clean, neededSeconds, onGrid } from '../plan/timing.ts';
import { freeId, idsIn, relay } from './film-edit.ts';
import type { Outcome } from './rule.ts';

/** Where a thing stands, by the ids that things have now. */
const placed = (arranged: NonNullable<Subject['arranged']>, now: (id: string) => string): NonNullable<Subject['arranged']> => ({
  ...arranged,
  of: arranged.of === null ? null : now(arranged.of),
  ...(arranged.also === undefined ? {} : { also: now(arranged.also) }),
});

/** Scenes for an existing film from words: in its style and palette, with ids of their own. */
export function scenesFrom(film: Film, brief: Brief): FilmScene[] {
  const ground = {
    type: 'background' as const,
    colors: [film.palette.backgroundTop, film.palette.backgroundBottom],
    shade: null,
  };
  const style = { value: film.style, source: 'stated' as const };
  const planned = planFilm(
    { ...brief, style, aspect: film.aspect, durationSeconds: null, background: ground },
    { seed: film.seed },
  );
  const background = groundOf(brief.background);
  const taken = idsIn(film);
  const ids = new Map<string, string>();
  const renamed = <Part extends { readonly id: string }>(part: Part): Part => {
    const id = freeId(taken, part.id.replace(/-\d+$/, ''));
    taken.add(id);
    ids.set(part.id, id);
    return { ...part, id };
  };
  const now = (id: string): string => ids.get(id) ?? id;
  return planned.scenes.map((scene) => ({
    ...scene,
    subjects: scene.subjects
      .map((subject) => renamed(subject.color === planned.palette.accent ? { ...subject, color: film.palette.accent } : subject))
      .map(({ arranged, ...subject }) => (arranged === undefined ? subject : { ...subject, arranged: placed(arranged, now) })),
    ...(scene.meetings === undefined
      ? {}
      : {
          meetings: scene.meetings.map((meeting) => ({
            ...meeting,
            who: now(meeting.who),
            whom: now(meeting.whom),
            ...(meeting.to === undefined ? {} : { to: now(meeting.to) }),
          })),
        }),
    texts: scene.texts.map(renamed),
    background: scene.background ?? background,
    durationSeconds: Math.max(2, onGrid(Math.min(6, neededSeconds(scene, { style: film.style, last: true })))),
  }));
}

/** "add a scene with confetti at the end", "insert a scene after scene 1 where a cube spins". Null when no scene is to be added. */
export function addSceneOutcome(film: Film, text: string, assets: readonly BriefAsset[]): Outcome | null {
  const { lexemes } = lex(text, assets);
  const adds =
    lexemes.some((lexeme) => lexeme.meaning.kind === 'action' && lexeme.meaning.action === 'add') ||
    /^(?:another|one more|a new|new)\b/.test(fold(text.trim()));
  const sceneAt = lexemes.findIndex((lexeme, i) => lexeme.meaning.kind === 'scene' && !isKnownScene(lexemes, i));
  if (!adds || sceneAt < 0) return null;
  const place = placeFor(
    film,
    lexemes.map((lexeme) => ({
      kind: lexeme.meaning.kind,
      text: fold(lexeme.text),
      value: lexeme.meaning.kind === 'number' ? lexeme.meaning.value : null,
    })),
    lexemes.some((lexeme) => lexeme.meaning.kind === 'place' && lexeme.meaning.place === 'start'),
  );
  const words = text
    .replace(/\b(?:at|in) the (?:very )?(?:end|beginning|start)\b|\b(?:before|after) scene \d+\b|\bam (?:ende|anfang)\b/giu, ' ')
    .replace(/^.*?\b(?:scenes?|szenen?|scène|escena)\b/iu, ' ');
  const brief = parseBrief(words, { ...noHints, assets });
  if (!brief.animatable)
    return {
      film,
      told: 'Say what the new scene should show, for example “add a scene with confetti at the end”.',
      refused: true,
    };
  const scenes = scenesFrom(film, brief).map((scene) =>
    brief.durationSeconds === null ? scene : { ...scene, durationSeconds: brief.durationSeconds },
  );
  const all = [...film.scenes.slice(0, place), ...scenes, ...film.scenes.slice(place)];
  const total = clean(all.reduce((sum, scene) => sum + scene.durationSeconds, 0));
  if (all.length > maxScenes(total) || total > maxDurationSeconds) {
    return {
      film,
      told: `A film of ${total} s may have ${maxScenes(total)} scenes; remove one first, or make the film 30 s or longer.`,
      refused: true,
    };
  }
  const edited = relay(film, all);
  const shown = listed([
    ...new Set(
      scenes.flatMap((scene) => [
        ...scene.subjects.map((subject) => subjectName(subject)),
        ...scene.texts.map((one) => `“${one.text}”`),
      ]),
    ),
  ]);
  return { film: edited, told: `Scene ${place + 1} is new and shows ${shown}; the film lasts ${edited.durationSeconds} s now.` };
}

/** "scene 2", "the last scene", "the scene": one that is there already. */
function isKnownScene(lexemes: readonly Lexeme[], at: number): boolean {
  const before = lexemes[at - 1]?.meaning;
  if (lexemes[at + 1]?.meaning.kind === 'number' || before?.kind === 'ordinal' || before?.kind === 'first') return true;
  return before?.kind === 'article' && before.definite;
}

interface Plain {
  readonly kind: string;
  readonly text: string;
  readonly value: number | null;
}

/** How many scenes stay in front of the new one. */
function placeFor(film: Film, words: readonly Plain[], atStart: boolean): number {
  if (atStart) return 0;
  const last = film.scenes.length;
  for (let i = 0; i + 1 < words.length; i += 1) {
    const number = words[i + 1]?.value;
    if (words[i]?.kind !== 'scene' || number === null || number === undefined) continue;
    const at = Math.min(last, Math.max(1, Math.round(number)));
    return /before|vor|avant|antes/.test(words[i - 1]?.text ?? '') ? at - 1 : at;
  }
  return last;
}
