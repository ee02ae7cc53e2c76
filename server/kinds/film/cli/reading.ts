import { KodaError } from '#contract/errors.ts';
import type { FilmHints } from '#kinds/film/contract/film.ts';
import {
  type Correction,
  correctionOf,
  type Reading,
  type ReadingRole,
  readingRoleSchema,
} from '#kinds/film/contract/reading.ts';
import { filmRoutes } from '#kinds/film/contract/routes.ts';
import type { CommandContext } from '../../../cli/client.ts';

/** Corrections in words, as the command line takes them. */
export interface WordedCorrections {
  readonly show: readonly string[];
  readonly leaveOut: readonly string[];
  readonly follow: readonly string[];
  /** “title=The long way home” */
  readonly as: readonly string[];
}

export interface SeenFilm {
  readonly film: Reading['film'];
  readonly corrections: readonly Correction[];
}

/**
 * Shows how Koda reads a prompt. `asks`: lets the user correct it until it is right. Throws VALIDATION_ERROR if corrected words are
 * not in the prompt.
 */
export async function readPrompt(
  text: string,
  { words, hints, asks }: { words: WordedCorrections; hints: FilmHints; asks: boolean },
  { client, terminal, signal }: CommandContext,
): Promise<SeenFilm> {
  const corrections = correctionsOf(text, words);
  for (;;) {
    const reading = await client.call(filmRoutes.read, { body: { text, hints, corrections } });
    for (const line of readingLines(text, reading)) terminal.note(line);
    const seen = { film: reading.film, corrections };
    const answer = asks ? await terminal.ask(question, { signal }) : '';
    if (answer === null || answer === '') return seen;
    try {
      corrections.push(spokenCorrection(text, answer));
    } catch (error) {
      if (!(error instanceof KodaError)) throw error;
      terminal.note(error.message);
    }
  }
}

const question = 'Press Enter to go on, or correct it (show …, leave out …, follow …, title …, subtitle …):';

const names = {
  shown: 'Shown',
  question: 'Shown, or for Koda?',
  instruction: 'For Koda',
  'left-out': 'Left out',
  'needs-drawing': 'Needs a drawing',
} as const;

export function readingLines(text: string, { spans, film, drawing }: Reading): string[] {
  const lines = spans.map(({ start, end, state, role, scene, sets }) => {
    const details = [role === 'text' ? null : role, scene === null ? null : `scene ${scene}`, sets === null ? null : sets.value];
    const known = details.filter((detail) => detail !== null);
    const words = text.slice(start, end).replace(/\s+/gu, ' ').trim();
    return `  ${names[state]}${known.length === 0 ? '' : ` (${known.join(', ')})`}: ${words}`;
  });
  if (drawing !== null)
    lines.push('  Koda has no format for this drawing. With a language model Koda can draw it; without one, it shows the words.');
  if (film === null) lines.push('  Nothing of this is shown. Put the words to show in quotation marks.');
  return lines;
}

export function correctionsOf(text: string, { show, leaveOut, follow, as }: WordedCorrections): Correction[] {
  return [
    ...show.map((words) => correctionOf(text, words, 'show')),
    ...leaveOut.map((words) => correctionOf(text, words, 'leave-out')),
    ...follow.map((words) => correctionOf(text, words, 'follow')),
    ...as.map((pair) => {
      const [role = '', ...words] = pair.split('=');
      return correctionOf(text, words.join('='), roleNamed(role));
    }),
  ];
}

function spokenCorrection(text: string, answer: string): Correction {
  const [, verb = '', words = ''] = /^\s*(leave out|[\p{L}-]+)[\s:]+(.*)$/u.exec(answer) ?? [];
  if (verb === 'show' || verb === 'follow') return correctionOf(text, words, verb);
  return verb === 'leave out' ? correctionOf(text, words, 'leave-out') : correctionOf(text, words, roleNamed(verb));
}

function roleNamed(name: string): ReadingRole {
  const role = readingRoleSchema.safeParse(name.trim().toLowerCase());
  if (role.success) return role.data;
  throw new KodaError('VALIDATION_ERROR', `“${name}” is no use of words. Uses are: ${readingRoleSchema.options.join(', ')}.`);
}
