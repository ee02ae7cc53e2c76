import type { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import { cancelButton, choice, counted, surfaceOf, table } from '../surfaces.ts';
import { checkedRowsSchema } from '../tools.ts';
import type { Turn } from '../turn.ts';
import { fittedRows } from './columns.ts';
import { cancelled, filmOptions, filmsFor, type Job, noFilms, one, problemsPart } from './job.ts';
import { makeVideos } from './make-videos.ts';
import { tableRows } from './table-rows.ts';

type CheckedRows = z.output<typeof checkedRowsSchema>['rows'];

const maxRounds = 20;
const fields = ['film', 'rows'];

/** Renders a film once for each row of a pasted table. */
export const makeVariants: Job = async (turn: Turn) => {
  const films = await filmsFor(turn);
  if (films.length === 0) return noFilms;
  let entered: Readonly<Record<string, unknown>> = {
    ...{ film: films.length === 1 ? [films[0]?.id] : [], rows: '' },
    ...turn.enteredBefore('choose', fields),
  };
  for (let round = 1; round <= maxRounds; round += 1) {
    const answer = await turn.form(`choose-${round}`, {
      content: 'Which film, and which rows?',
      values: entered,
      draw: (surfaceId, { values: data, problems }) =>
        surfaceOf(surfaceId, {
          title: 'Variants from a table',
          parts: [
            ...problemsPart(problems),
            choice('film', 'Film', filmOptions(films), 'mutuallyExclusive'),
            {
              ...{ id: 'rows', component: 'TextField', variant: 'longText', value: { path: '/rows' } },
              label: 'Table: the first line names the columns, each other line is one video',
            },
          ],
          ...{ data, values: fields },
          buttons: [{ id: 'next', label: 'Check the rows', isPrimary: true }, cancelButton],
        }),
      check(values) {
        const film = films.find(({ id }) => id === one.safeParse(values['film']).data);
        const read = tableRows(typeof values['rows'] === 'string' ? values['rows'] : '');
        if (film !== undefined && read.problem === null) return { value: { film, ...read, values } };
        return { problems: [film === undefined ? 'Film: choose one.' : '', read.problem ?? ''].filter(Boolean) };
      },
    });
    if (answer === null) return cancelled;
    const { film, columns, values } = answer.value;
    entered = values;
    const fitted = await fittedRows(turn, round, { film, columns, rows: answer.value.rows });
    if (fitted === null) return cancelled;
    const { output, failure } = await turn.call(`check-${round}`, 'check_rows', {
      input: { film: film.id, rows: fitted.rows },
      output: checkedRowsSchema,
    });
    if (failure !== null)
      throw new KodaError('EXECUTION_ERROR', `The rows cannot be checked. ${failure.message}`, { recovery: 'retry' });
    const checked = output.rows.map(({ problem, ...row }) => ({ ...row, problem: problem && fitted.inTableTerms(problem) }));
    const good = checked.map((row, index) => ({ ...row, number: index + 1 })).filter(({ problem }) => problem === null);
    const button = await confirm(turn, round, { film: film.name, checked, good: good.length });
    if (button === null) return cancelled;
    if (button === 'change') continue;
    return await makeVideos(
      turn,
      film,
      good.map(({ number, parameters }) => ({ label: labelOf(number, parameters), parameters })),
    );
  }
  throw new KodaError('LIMIT_EXCEEDED', 'The table was changed too often. Start the job again.');
};

const labelCharacters = 60;

const labelOf = (number: number, parameters: CheckedRows[number]['parameters']): string =>
  `Row ${number}: ${Object.values(parameters).join(', ')}`.slice(0, labelCharacters);

interface Confirmed {
  readonly film: string;
  readonly checked: CheckedRows;
  /** Number of rows that can be made. */
  readonly good: number;
}

async function confirm(turn: Turn, round: number, { film, checked, good }: Confirmed): Promise<'make' | 'change' | null> {
  const wrong = checked.flatMap(({ problem }, index) => (problem === null ? [] : [`Row ${index + 1}: ${problem}`]));
  const what = counted(good, 'video');
  const rows = checked.map(({ parameters, problem }, index) => ({
    ...{ label: labelOf(index + 1, parameters), state: problem ?? 'Ready' },
  }));
  const shownProblems = 20;
  const rest = wrong.length - shownProblems;
  const answer = await turn.form(`confirm-${round}`, {
    content: wrong.length === 0 ? `Make ${what} of “${film}”?` : `${counted(wrong.length, 'row')} cannot be used.`,
    values: {},
    draw: (surfaceId, { problems }) =>
      surfaceOf(surfaceId, {
        title: good === 0 ? 'No row can be used' : `Make ${what} of “${film}”`,
        parts: [
          ...problemsPart([...problems, ...wrong.slice(0, shownProblems), ...(rest > 0 ? [`And ${rest} more.`] : [])]),
          table('rows', 'Rows', [
            ['Video', 'label'],
            ['State', 'state'],
          ]),
        ],
        data: { rows },
        buttons: [
          ...(good === 0 ? [] : [{ id: 'make', label: `Make ${what}`, isPrimary: true }]),
          { id: 'change', label: 'Change the table', isPrimary: good === 0 },
          cancelButton,
        ],
      }),
    check: () => ({ value: true }),
  });
  if (answer === null) return null;
  return answer.button === 'make' ? 'make' : 'change';
}
