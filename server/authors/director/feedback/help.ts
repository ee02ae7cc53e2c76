import type { Film } from '../../../contract/film.ts';
import { fold } from '../brief/fold.ts';
import { subjectName } from '../plan/names.ts';

interface Hint {
  readonly words: RegExp;
  readonly example: (film: Film) => string;
}

const lead = (film: Film): string => {
  const subject =
    film.scenes.flatMap((scene) => scene.subjects).find((one) => one.kind !== 'particles') ?? film.scenes[0]?.subjects[0];
  return subject === undefined ? 'the title' : subjectName(subject, true);
};

/** What a request that could not be read seems to be about → a sentence that could be. */
const hints: readonly Hint[] = [
  { words: /colou?r|farbe|couleur|paint|hue|tone|warm|cold|dull|boring/, example: (film) => `make ${lead(film)} green` },
  { words: /size|tall|wide|huge|tiny|scale/, example: (film) => `make ${lead(film)} bigger` },
  { words: /speed|pace|tempo|rush|quick|slow|energy/, example: () => 'make it a bit faster' },
  { words: /text|title|word|font|letter|write|name|say/, example: () => "change the title to 'Hi'" },
  { words: /back|ground|wall|scenery/, example: () => 'change the background to navy' },
  { words: /time|long|short|second|duration|minute/, example: () => 'make it 10 seconds' },
  {
    words: /style|mood|feel|look|vibe|modern|retro|better|like|love|nice|good|cool|great/,
    example: () => 'make it more cinematic',
  },
  { words: /add|more|another|also|party/, example: () => 'add confetti at the end' },
  { words: /remove|delete|less|without|hide/, example: (film) => `remove ${lead(film)}` },
];

/** One sentence on what can be changed, with an example close to what was asked. */
export function help(film: Film, text: string): string {
  const words = fold(text);
  const hint = hints.find((one) => one.words.test(words));
  const example = hint?.example(film) ?? `make ${lead(film)} bigger`;
  return `I can change colours, sizes, speed, heights, counts, texts, the background, the length, the style, the camera, and add or remove things and scenes; I did not find one of these in that – try for example “${example}”.`;
}
