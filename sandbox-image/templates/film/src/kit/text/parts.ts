import { isJoinedScript, splitGraphemes } from './layout.ts';
import { isDust, type TextParts, type TextProgram, textPrograms } from './programs.ts';

export interface Part {
  readonly id: number;
  readonly text: string;
  /** Order of entrance by granularity: 0 enters first, 1 last. */
  readonly turn: Readonly<Record<TextParts, number>>;
}

const order: readonly TextParts[] = ['lines', 'words', 'letters'];

/** Returns the coarsest granularity at which all programs can animate their parts. */
export function fineness(
  text: string,
  programs: readonly { readonly program: TextProgram; readonly by: TextParts | undefined }[],
  counts: boolean,
): TextParts {
  const wanted = programs.map(({ program, by }) => (isDust(program) ? 'lines' : (by ?? textPrograms[program].parts)));
  const finest = order.findLast((parts) => wanted.includes(parts)) ?? 'lines';
  if (counts) return 'words';
  return finest === 'letters' && isJoinedScript(text) ? 'words' : finest;
}

const pieces: Readonly<Record<TextParts, (line: string) => string[]>> = {
  lines: (line) => [line],
  // Spaces are separate parts, so that an overshooting word keeps its distance.
  words: (line) => line.split(/(?= )|(?<= )/u),
  letters: splitGraphemes,
};

/** Returns the parts of each line, with their order among all of the text's lines, words and letters. */
export function partsOf(lines: readonly string[], cut: TextParts): Part[][] {
  const counts = {
    lines: lines.length,
    words: lines.reduce((sum, line) => sum + pieces.words(line).length, 0),
    letters: lines.reduce((sum, line) => sum + splitGraphemes(line).length, 0),
  };
  const at = { lines: 0, words: 0, letters: 0 };
  let id = 0;
  const turnOf = (index: number, count: number) => Math.min(1, index / Math.max(1, count - 1));
  return lines.map((line) => {
    const made = pieces.words(line).flatMap((word) => {
      const signs = pieces[cut === 'letters' ? 'letters' : 'words'](word).map((text): Part => {
        const turn = {
          lines: turnOf(at.lines, counts.lines),
          words: turnOf(at.words, counts.words),
          letters: turnOf(at.letters, counts.letters),
        };
        at.letters += splitGraphemes(text).length;
        return { id: id++, text, turn };
      });
      at.words += 1;
      return signs;
    });
    at.lines += 1;
    const [first] = made;
    return cut === 'lines' && first !== undefined ? [{ ...first, text: line }] : made;
  });
}
