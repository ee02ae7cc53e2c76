import type { Film } from '../../../contract/film.ts';
import { isLight } from '../color.ts';
import { readingSeconds } from '../emit/text-times.ts';
import { readableOn, visibleOn } from '../palette.ts';
import { capitalize, colorName, subjectName } from './names.ts';

/** What a designer would warn about: texts that are hard to read, things that drown in the ground. */
export function filmNotes(film: Film): string[] {
  const notes = new Set<string>();
  for (const scene of film.scenes) {
    const ground = scene.background ?? { top: film.palette.backgroundTop, bottom: film.palette.backgroundBottom };
    const tone = `${isLight(ground.top) ? 'light' : 'dark'} ground`;
    for (const text of scene.texts) {
      if (text.color !== null && !readableOn(text.color, ground))
        notes.add(
          `${capitalize(colorName(text.color))} letters are hard to read on this ${tone}; the colours are as you named them.`,
        );
      const room = scene.durationSeconds - text.delaySeconds - 0.3;
      if (readingSeconds(text.text) > room + 0.2)
        notes.add(
          `“${text.text.slice(0, 30)}${text.text.length > 30 ? '…' : ''}” needs ${Math.round(readingSeconds(text.text) * 10) / 10} s to be read and has ${Math.max(0, Math.round(room * 10) / 10)} s.`,
        );
    }
    for (const subject of scene.subjects) {
      if (['ball', 'cube', 'shape'].includes(subject.kind) && !visibleOn(subject.color, ground))
        notes.add(`${capitalize(subjectName(subject))} hardly stands out from this ${tone}; the colours are as you named them.`);
    }
  }
  return [...notes];
}
