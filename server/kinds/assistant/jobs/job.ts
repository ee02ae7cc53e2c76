import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import { newId, renderIdSchema } from '#contract/ids.ts';
import type { Aspect, ParameterValues } from '#contract/render.ts';
import type { Reply } from '../../../projects/author.ts';
import { type Adjustment, decideAfter, maxAttempts } from '../../../tools/decision.ts';
import { renderedVideosSchema } from '../render-videos.ts';
import { alert, counted, type Part, sizeText, surfaceOf, table } from '../surfaces.ts';
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

type Films = z.output<typeof filmsSchema>['films'];

export async function filmsFor(turn: Turn): Promise<Films> {
  const { output, failure } = await turn.call('films', 'list_films', { input: {}, output: filmsSchema });
  if (failure === null) return output.films;
  throw new KodaError('EXECUTION_ERROR', `The films cannot be listed. ${failure.message}`, { recovery: 'retry' });
}

export const noFilms: Reply = { content: 'There is no finished film yet. Make one first, then come back.' };

/** A choice picker has at most 500 options. */
const maxChoices = 500;

export const filmOptions = (films: Films) =>
  films.slice(0, maxChoices).map(({ id, name, aspect, seconds }) => ({ value: id, label: `${name} (${aspect}, ${seconds} s)` }));

interface Wanted {
  readonly label: string;
  readonly aspect?: Aspect;
  readonly parameters?: ParameterValues;
}

/** Both failures can come from renders that compete for the machine. */
const oneAtATime: Adjustment = {
  id: 'one-at-a-time',
  change: 'One video at a time instead of two.',
  avoids: ['OUT_OF_MEMORY', 'TIMEOUT'],
};

type Made = z.output<typeof renderedVideosSchema>['videos'];

/**
 * Makes all videos, those that failed up to three times, and shows the results. This function is the only one that knows that each is
 * a render of its own. Throws EXECUTION_ERROR if none could be made.
 */
export async function makeVideos(turn: Turn, film: Films[number], wanted: readonly Wanted[]): Promise<Reply> {
  const made: Made = [];
  let left = wanted.map((video, index) => ({ ...video, index }));
  let adjustments: readonly Adjustment[] = [oneAtATime];
  let atOnce = 2;
  for (let attempts = 1; left.length > 0 && attempts <= maxAttempts; attempts += 1) {
    const ids = await turn.once(`ids-${attempts}`, z.array(renderIdSchema), async () => left.map(() => newId('rnd')));
    const videos = left.map(({ index: _, ...video }, place) => ({ ...video, id: ids[place] }));
    const { output, failure } = await turn.call(`render-${attempts}`, 'render_videos', {
      input: { film: film.id, videos, at_once: atOnce },
      output: renderedVideosSchema,
    });
    if (failure !== null)
      throw new KodaError('EXECUTION_ERROR', `The videos were not made. ${failure.message}`, { recovery: 'retry' });
    const decisions = output.videos.map(({ error }) => decideAfter({ failure: error, attempts, isLast: true, adjustments }));
    for (const [place, video] of output.videos.entries()) made[left[place]?.index ?? place] = video;
    left = left.filter((_, place) => decisions[place]?.kind === 'retry');
    const adjusted = decisions.find((decision) => decision.kind === 'retry' && decision.adjustment !== null);
    if (adjusted === undefined) continue;
    await turn.adjust(`render-${attempts}`, oneAtATime.change);
    atOnce = 1;
    adjustments = [];
  }
  return resultOf(turn, film.name, made);
}

function resultOf(turn: Turn, film: string, made: Made): Reply {
  const done = made.filter(({ error }) => error === null);
  const [first] = made;
  if (done.length === 0)
    throw new KodaError('EXECUTION_ERROR', `No video was made. ${first?.error?.message ?? ''}`.trim(), { recovery: 'retry' });
  const bytes = done.reduce((sum, { size_bytes: size }) => sum + size, 0);
  const title = `${done.length} of ${counted(made.length, 'video')} ${made.length === 1 ? 'is' : 'are'} ready`;
  const failed = made.length - done.length;
  const rows = made.map(({ label, url, size_bytes: size, error }) => ({
    ...{ label, url: url ?? '', size: error === null ? sizeText(size) : '' },
    state: error === null ? 'Done' : `Not made: ${error.message.slice(0, 200)}`,
  }));
  return {
    content: `${title}: “${film}”, ${sizeText(bytes)}.`,
    surface: surfaceOf(turn.surfaceId('result'), {
      title,
      parts: [
        alert('summary', `${sizeText(bytes)} in all.`, failed === 0 ? 'success' : 'warning'),
        table('videos', `Videos of “${film}”`, [
          ['Video', 'label'],
          ['Size', 'size'],
          ['State', 'state'],
          ['File', 'url'],
        ]),
      ],
      data: { videos: rows },
    }),
  };
}
