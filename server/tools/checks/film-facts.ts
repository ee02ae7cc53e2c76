import type { Film, FilmScene, Subject } from '../../contract/film.ts';
import type { InspectReport } from '../../contract/sandboxd.ts';

type Seen = NonNullable<InspectReport['seen']>;

/** Enters and leaves within this of the scene's ends: a moment nearer to them tells nothing. */
const edgeSeconds = 0.7;
/** Differences often have one cause. */
const maxDifferences = 5;

const numbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const many = (count: number): string => numbers[count] ?? String(count);
/** As the director names keyframes: `ball-1` → `ball1`. */
const trackOf = (id: string): string => id.replace(/-(.)/g, (_, next: string) => next.toUpperCase());

/**
 * What the document of a film says that its page did not show at the moments that were looked at, in sentences; none where
 * they agree. Judges scenes that are written from the document, and bodies and words: who is there, how many, which texts.
 */
export function differencesOf(film: Film, { frames, seen }: Pick<InspectReport, 'frames' | 'seen'>): string[] {
  if (seen === null) return [];
  const moments = frames.map(({ seconds }) => seconds);
  return film.scenes
    .filter((scene) => scene.source === 'document' && moments.some((moment) => isWithin(moment, scene)))
    .flatMap((scene) => [
      ...scene.subjects.flatMap((subject) => differenceOf(scene, subject, seen)),
      ...(moments.some((moment) => moment >= scene.startSeconds + scene.durationSeconds * 0.6 && isWithin(moment, scene))
        ? scene.texts.flatMap((text) =>
            isRead(text.text, seen) ? [] : [`Scene ${scene.number} says “${text.text}”; it cannot be read in the film.`],
          )
        : []),
    ])
    .slice(0, maxDifferences);
}

const isWithin = (moment: number, { startSeconds, durationSeconds }: FilmScene): boolean =>
  moment >= startSeconds + edgeSeconds && moment <= startSeconds + durationSeconds - edgeSeconds;

function differenceOf({ id, number }: FilmScene, subject: Subject, { cast }: Seen): string[] {
  if (subject.kind !== 'ball' && subject.kind !== 'cube' && subject.kind !== 'shape' && subject.kind !== 'figure') return [];
  const track = trackOf(subject.id);
  const own = cast.filter(
    (one) => one.scene === id && one.name.startsWith(track) && /^(?:\d*|Then)$/.test(one.name.slice(track.length)),
  );
  const shared = Math.max(0, ...own.filter(({ name }) => name === track || name === `${track}Then`).map(({ most }) => most));
  const single = own.filter(({ name }) => /\d$/.test(name.slice(track.length))).reduce((sum, { most }) => sum + most, 0);
  const shown = shared + single;
  if (shown >= subject.count) return [];
  const name = subject.kind === 'figure' ? subject.noun : subject.kind === 'shape' ? subject.shape : subject.kind;
  if (shown === 0)
    return [`Scene ${number} has ${subject.count === 1 ? 'a' : many(subject.count)} ${name} that cannot be seen in the film.`];
  return [`Scene ${number} says ${many(subject.count)} × ${name}; the film shows ${many(shown)}.`];
}

const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\s\u200b]+/gu, '')
    .toLowerCase();

/** Whether a text was there at some moment; a text that changes, or is counted up, in one of its forms. */
function isRead(text: string, { texts }: Seen): boolean {
  const wanted = lettersOf(text).slice(0, 60);
  const all = texts.map(lettersOf);
  return wanted === '' || all.some((one) => one.includes(wanted)) || lettersOf(texts.join('')).includes(wanted);
}
