import { useMutation } from '@tanstack/react-query';
import { formatCount } from '#contract/display.ts';
import type { ScheduleRequest, ScheduleSource } from '#contract/schedules.ts';
import { renderApi, scheduleApi } from '../api/client.ts';
import { Button, ErrorNotice } from '../ui/elements.tsx';
import { Select } from './select.tsx';

const maxShownProblems = 5;

interface TableCheckProps {
  readonly request: ScheduleRequest;
  readonly onSource: (source: ScheduleSource) => void;
}

/** Reads the table as a run would. If its headings are not the names of the parameters, asks which column fills which of them. */
export function TableCheck({ request, onSource }: TableCheckProps) {
  const { source } = request;
  const check = useMutation({
    mutationFn: async () => {
      const [checked, film] = await Promise.all([scheduleApi.check(request), renderApi.film(request.projectId)]);
      return { ...checked, parameters: film.parameters };
    },
  });
  if (source.type === 'none' || !canBeRead(source)) return null;
  const { columns } = source;
  const { rows = 0, headings = [], parameters = [], problems = [] } = check.data ?? {};
  const names = parameters.map(({ name }) => name);
  const isPlaced = columns !== undefined || headings.some((heading) => !names.includes(heading));
  const placeOf = (name: string) => columns?.[name] ?? (columns === undefined && headings.includes(name) ? name : '');
  const place = (name: string, heading: string) => {
    const places = names.map((one) => [one, one === name ? heading : placeOf(one)]).filter(([, chosen]) => chosen !== '');
    onSource({ ...source, columns: places.length === 0 ? undefined : Object.fromEntries(places) });
  };
  return (
    <div className="grid gap-3">
      <div className="flex items-center gap-3">
        <Button onClick={() => check.mutate()} pending={check.isPending && 'Reading the table…'}>
          Check the table
        </Button>
        {check.data && problems.length === 0 && (
          <p role="status" className="text-[13px] text-ink-2">
            {formatCount(rows, 'video')} each time
          </p>
        )}
      </div>
      {check.error && <ErrorNotice error={check.error} />}
      {problems.length > 0 && (
        <ul role="alert" className="text-[13px] text-bad">
          {problems.slice(0, maxShownProblems).map(({ row, message }) => (
            <li key={row}>{`Row ${row}: ${message}`}</li>
          ))}
        </ul>
      )}
      {check.data && isPlaced && (
        <fieldset className="grid gap-3 rounded-lg bg-sunken p-3">
          <legend className="float-left font-medium text-[13px]">Which column goes where?</legend>
          {parameters.map(({ name, description }) => (
            <Select
              key={name}
              label={description === '' ? name : `${name}: ${description}`}
              value={placeOf(name)}
              onChange={({ target }) => place(name, target.value)}
            >
              <option value="">As in the film</option>
              {headings.map((heading) => (
                <option key={heading}>{heading}</option>
              ))}
            </Select>
          ))}
          <p className="text-ink-2 text-xs">Then check the table again.</p>
        </fieldset>
      )}
    </div>
  );
}

/** Returns a key of the table itself: with another one, the check begins anew. */
export function tableOf(source: ScheduleSource): string {
  return JSON.stringify({ ...source, columns: undefined });
}

/** A table that stays is on the server alone. */
function canBeRead(source: Exclude<ScheduleSource, { type: 'none' }>): boolean {
  switch (source.type) {
    case 'table':
      return source.content !== '';
    case 'address':
      return source.url !== '';
    case 'tool':
      return source.tool !== '';
  }
}
