import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import type { Reply } from '../../../projects/author.ts';
import { alert, type Part } from '../surfaces.ts';
import { filmsSchema } from '../tools.ts';
import type { Turn } from '../turn.ts';

/** Carries out a ready job. Returns what is said at its end. */
export type Job = (turn: Turn) => Promise<Reply>;

export const cancelled: Reply = { content: 'Nothing was changed.' };

/** A choice of one is sent as a list, too. */
export const one = z
  .union([z.string().transform((value) => [value]), z.array(z.string()).max(1)])
  .transform(([value = '']) => value);
export const several = z.union([z.string().transform((value) => [value]), z.array(z.string()).max(500)]);

export const problemsPart = (problems: readonly string[]): Part[] =>
  problems.length === 0 ? [] : [alert('problems', problems.join('\n'), 'error')];

export type Films = z.output<typeof filmsSchema>['films'];

export async function filmsFor(turn: Turn): Promise<Films> {
  const { output, failure } = await turn.call('films', 'list_films', { input: {}, output: filmsSchema });
  if (failure === null) return output.films;
  throw new KodaError('EXECUTION_ERROR', `The films cannot be listed. ${failure.message}`, { recovery: 'retry' });
}

export const noFilms: Reply = { content: 'There is no finished film yet. Make one first, then come back.' };

/** A choice picker has at most 500 options. */
export const maxChoices = 500;

export const filmOptions = (films: Films) =>
  films.slice(0, maxChoices).map(({ id, name, aspect, seconds, is_changing: isChanging }) => ({
    value: id,
    label: `${name} (${aspect}, ${seconds} s${isChanging ? ', being changed' : ''})`,
  }));
