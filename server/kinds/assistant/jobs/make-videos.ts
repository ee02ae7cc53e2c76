import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import { newId, renderIdSchema } from '#contract/ids.ts';
import type { Aspect, ParameterValues } from '#contract/render.ts';
import type { Reply } from '../../../projects/author.ts';
import { type Adjustment, decideAfter, maxAttempts } from '../../../tools/decision.ts';
import { renderedVideosSchema } from '../render-videos.ts';
import { alert, cancelButton, choice, counted, type Part, type SurfaceButton, sizeText, surfaceOf, table } from '../surfaces.ts';
import type { Turn } from '../turn.ts';
import { type Films, maxChoices, problemsPart, several } from './job.ts';

interface Wanted {
  readonly label: string;
  readonly aspect?: Aspect;
  readonly parameters?: ParameterValues;
}
type Numbered = Wanted & { readonly index: number };

/** Both failures can come from renders that compete for the machine. */
const oneAtATime: Adjustment = {
  id: 'one-at-a-time',
  change: 'One video at a time instead of two.',
  avoids: ['OUT_OF_MEMORY', 'TIMEOUT'],
};

type Made = z.output<typeof renderedVideosSchema>['videos'];

/** Rounds in which the person has failed videos made again. */
const maxRounds = 20;

/**
 * Makes all videos and shows the results. Tries failed videos up to three times, then offers to make them again. Throws
 * EXECUTION_ERROR if the call itself fails.
 */
export async function makeVideos(turn: Turn, film: Films[number], wanted: readonly Wanted[]): Promise<Reply> {
  const made: Made = [];
  let left: readonly Numbered[] = wanted.map((video, index) => ({ ...video, index }));
  let calls = 0;
  for (let round = 1; round <= maxRounds; round += 1) {
    calls = await makeLeft(turn, { film, left, made, calls });
    const missing = [...made.entries()].filter(([, { error }]) => error !== null).map(([index]) => index);
    const chosen = missing.length === 0 ? null : await again(turn, round, { film: film.name, made, missing });
    if (chosen === null) break;
    left = wanted.map((video, index) => ({ ...video, index })).filter(({ index }) => chosen.includes(index));
  }
  const { title, parts, data } = resultOf(film.name, made);
  const content = `${title}: “${film.name}”, ${sizeText(bytesOf(made))}.`;
  return { content, surface: surfaceOf(turn.surfaceId('result'), { title, parts, data }) };
}

interface Work {
  readonly film: Films[number];
  readonly left: readonly Numbered[];
  /** Filled with what becomes of each video. */
  readonly made: Made;
  /** Calls before this one. */
  readonly calls: number;
}

/** Makes these videos, with up to three calls. Returns the number of calls so far. */
async function makeLeft(turn: Turn, { film, left: wanted, made, calls }: Work): Promise<number> {
  let left = wanted;
  let adjustments: readonly Adjustment[] = [oneAtATime];
  let atOnce = 2;
  let attempts = 0;
  while (left.length > 0 && attempts < maxAttempts) {
    attempts += 1;
    const call = calls + attempts;
    const ids = await turn.once(`ids-${call}`, z.array(renderIdSchema), async () => left.map(() => newId('rnd')));
    const videos = left.map(({ index: _, ...video }, place) => ({ ...video, id: ids[place] }));
    const { output, failure } = await turn.call(`render-${call}`, 'render_videos', {
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
    await turn.adjust(`render-${call}`, oneAtATime.change);
    atOnce = 1;
    adjustments = [];
  }
  return calls + attempts;
}

interface Missing {
  readonly film: string;
  readonly made: Made;
  /** Indexes of the videos that failed. */
  readonly missing: readonly number[];
}

/** Shows the results so far, and returns the failed videos that the person has made again. `null`: none. */
async function again(turn: Turn, round: number, { film, made, missing }: Missing): Promise<readonly number[] | null> {
  const { title, parts, data } = resultOf(film, made);
  const canChoose = missing.length > 1 && missing.length <= maxChoices;
  const options = missing.map((index) => ({ value: String(index), label: made[index]?.label ?? '' }));
  const retry: SurfaceButton = {
    ...{ id: 'again', isPrimary: true },
    label: canChoose ? 'Try the chosen again' : `Try ${counted(missing.length, 'video')} again`,
  };
  const answer = await turn.form(`again-${round}`, {
    content: `${title}. Try what failed again?`,
    values: { chosen: options.map(({ value }) => value) },
    draw: (surfaceId, { values, problems }) =>
      surfaceOf(surfaceId, {
        title,
        parts: [
          ...problemsPart(problems),
          ...parts,
          ...(canChoose ? [choice('chosen', 'Try again', options, 'multipleSelection')] : []),
        ],
        data: { ...data, ...values },
        values: canChoose ? ['chosen'] : [],
        buttons: [retry, { ...cancelButton, label: 'Leave it so' }],
      }),
    check(entered) {
      if (!canChoose) return { value: missing };
      const chosen = several.safeParse(entered['chosen']).data ?? [];
      const indexes = missing.filter((index) => chosen.includes(String(index)));
      return indexes.length > 0 ? { value: indexes } : { problems: ['Choose at least one video.'] };
    },
  });
  return answer?.value ?? null;
}

const bytesOf = (made: Made): number =>
  made.filter(({ error }) => error === null).reduce((sum, { size_bytes: size }) => sum + size, 0);

const maxReasonCharacters = 200;

function resultOf(film: string, made: Made): { title: string; parts: readonly Part[]; data: Readonly<Record<string, unknown>> } {
  const done = made.filter(({ error }) => error === null).length;
  const failures = made.length - done;
  const title = `${done} of ${counted(made.length, 'video')} ${done === 1 || made.length === 1 ? 'is' : 'are'} ready`;
  const summary = [
    `${done} done${failures === 0 ? '' : `, ${failures} failed`}.`,
    ...(done === 0 ? [] : [`${sizeText(bytesOf(made))} in all.`]),
  ].join(' ');
  const videos = made.map(({ label, url, size_bytes: size, error }) => ({
    ...{ label, url: url ?? '', size: error === null ? sizeText(size) : '' },
    state: error === null ? 'Done' : `Failed: ${error.message.slice(0, maxReasonCharacters)}`,
  }));
  return {
    title,
    parts: [
      alert('result', summary, failures === 0 ? 'success' : 'warning'),
      table('videos', `Videos of “${film}”`, [
        ['Video', 'label'],
        ['Size', 'size'],
        ['State', 'state'],
        ['File', 'url'],
      ]),
    ],
    data: { videos },
  };
}
