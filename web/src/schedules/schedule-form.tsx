import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { z } from 'zod';
import { aspectSchema, type RenderFormat, type RenderRequest, renderFormatSchema, resolutionSchema } from '#contract/render.ts';
import type { Schedule, ScheduleDelivery, ScheduleSource, ToolSource } from '#contract/schedules.ts';
import { api, scheduleApi, toApiError } from '../api/client.ts';
import { kinds } from '../kinds.ts';
import { formatNames } from '../renders/render-label.ts';
import { useMcpServers } from '../settings/mcp-servers.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Button, ErrorNotice } from '../ui/elements.tsx';
import { Choice, Labelled, TextField } from '../ui/fields.tsx';
import { Select } from './select.tsx';
import { TableCheck, tableOf } from './table-check.tsx';
import { type Rhythm, rhythmOf, rhythms, timeText } from './texts.ts';

const rendered: ReadonlySet<string> = new Set(kinds.filter(({ isRendered }) => isRendered).map(({ id }) => id));
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const sources = { none: 'The film as it is', table: 'A table', address: 'An address', tool: 'A tool' } as const;
const places = { none: 'Nowhere', folder: 'Folder', webhook: 'Web address' } as const;

interface DialogProps {
  /** `null` for a new one. */
  schedule: Schedule | null;
  onClose: () => void;
}

type Saved = Omit<Parameters<typeof scheduleApi.create>[0], 'projectId' | 'source'> & {
  projectId: string;
  /** Missing if the table stays. */
  source?: ScheduleSource;
};

/** Creates or changes a schedule, then shows the secret that Koda made for its web address. */
export function ScheduleDialog({ schedule, onClose }: DialogProps) {
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: ({ projectId, ...body }: Saved) =>
      schedule === null ? scheduleApi.create({ projectId, ...body }) : scheduleApi.change(schedule.id, body),
    onSuccess: ({ secret }) => {
      void queries.invalidateQueries({ queryKey: ['schedules'] });
      if (secret === null) onClose();
    },
  });
  const secret = save.data?.secret ?? null;
  if (secret !== null)
    return (
      <Dialog
        open
        title="Save the secret now"
        text="The receiver checks signatures with it. It is not shown again."
        onClose={onClose}
      >
        <div className="mt-4 flex items-center gap-2 rounded-lg bg-sunken py-1.5 pr-1.5 pl-3">
          <code className="wrap-anywhere min-w-0 flex-1 font-mono text-xs leading-5">{secret}</code>
          <CopyButton text={() => secret} label="Copy secret" />
        </div>
        <div className="mt-5 flex justify-end">
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </Dialog>
    );
  return (
    <Dialog
      open
      title={schedule === null ? 'New schedule' : `Edit “${schedule.name}”`}
      text="Koda makes the film at its times, with the data of the moment."
      onClose={onClose}
    >
      <ScheduleForm schedule={schedule} save={save} onClose={onClose} />
    </Dialog>
  );
}

interface FormProps extends DialogProps {
  save: { mutate: (body: Saved) => void; isPending: boolean; error: Error | null };
}

/** The server does not send a table back. Without content, the one that it has stays. */
function sourceIn(schedule: Schedule | null): ScheduleSource {
  if (schedule === null) return { type: 'none' };
  const { source } = schedule;
  return source.type === 'table' ? { type: 'table', name: source.name, content: '' } : source;
}

function ScheduleForm({ schedule, save, onClose }: FormProps) {
  const query = { search: '', state: null, sort: 'changed', cursor: null } as const;
  const films = useQuery({
    queryKey: ['scheduled-films'],
    queryFn: async ({ signal }) => (await api.listProjects(query, signal)).items.filter(({ kind }) => rendered.has(kind)),
  });
  const [projectId, setProjectId] = useState(schedule?.projectId ?? '');
  const [name, setName] = useState(schedule?.name ?? '');
  const [cron, setCron] = useState(schedule?.cron ?? '0 17 * * *');
  const [zone, setZone] = useState(schedule?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
  const [source, setSource] = useState<ScheduleSource>(sourceIn(schedule));
  const [render, setRender] = useState<Settings>(schedule?.render ?? {});
  const [delivery, setDelivery] = useState<ScheduleDelivery>(schedule?.delivery ?? { type: 'none' });
  const [keep, setKeep] = useState(String(schedule?.keep ?? 10));
  const [catchUp, setCatchUp] = useState(schedule?.catchUp ?? true);
  const film = films.data?.find(({ id }) => id === projectId) ?? films.data?.[0];
  const id = schedule?.projectId ?? film?.id;
  const body = id && {
    ...{ projectId: id, name: name.trim() || String(film?.name), cron, timeZone: zone },
    ...{ render, delivery, catchUp, keep: Number(keep) },
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!body) return;
    const stays = schedule?.source.type === 'table' && source.type === 'table' && source.content === '';
    save.mutate({ ...body, ...(!stays && { source }) });
  };
  return (
    <form onSubmit={submit} noValidate className="mt-4 grid gap-4">
      {schedule === null && (
        <Select label="Film" value={film?.id ?? ''} onChange={(event) => setProjectId(event.target.value)}>
          {films.data?.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </Select>
      )}
      <TextField
        label="Name"
        placeholder={film?.name}
        maxLength={80}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <When cron={cron} onChange={setCron} />
      <TextField label="Time zone" value={zone} onChange={(event) => setZone(event.target.value)} />
      <NextRuns cron={cron} timeZone={zone} />
      <Source source={source} onChange={setSource} />
      {body && <TableCheck key={tableOf(source)} request={{ ...body, source }} onSource={setSource} />}
      <SizeAndFormat render={render} onChange={setRender} />
      <Delivery delivery={delivery} onChange={setDelivery} />
      <TextField label="Keep newest" inputMode="numeric" value={keep} onChange={(event) => setKeep(event.target.value)} />
      <label className="flex items-center gap-2.5 text-[13px]">
        <input
          type="checkbox"
          checked={catchUp}
          onChange={(event) => setCatchUp(event.target.checked)}
          className="size-4 accent-accent"
        />
        Catch up on a missed run, once
      </label>
      {schedule === null && films.data?.length === 0 && (
        <p className="text-[13px] text-bad">There is no film yet. Make one first.</p>
      )}
      {films.error && <ErrorNotice error={films.error} onRetry={() => void films.refetch()} />}
      {save.error && <ErrorNotice error={save.error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" pending={save.isPending && 'Saving…'}>
          {schedule === null ? 'Create schedule' : 'Save'}
        </Button>
      </div>
    </form>
  );
}

function When({ cron, onChange }: { cron: string; onChange: (cron: string) => void }) {
  const [rhythm, setRhythm] = useState<Rhythm>(rhythmOf(cron));
  const [minute = '0', hour = '17', day = '*', , weekday = '*'] = cron.split(/\s+/);
  const chosenDay = day === '*' ? '1' : day;
  const chosenWeekday = weekday === '*' ? '1' : weekday;
  const fields = { day: '* * *', week: `* * ${chosenWeekday}`, month: `${chosenDay} * *` };
  const choose = (next: Rhythm) => {
    setRhythm(next);
    if (next !== 'other') onChange(`${minute} ${hour} ${fields[next]}`);
  };
  return (
    <div className="grid gap-3">
      <Labelled text="When">
        <Choice
          label="When"
          value={rhythm}
          options={(Object.keys(rhythms) as Rhythm[]).map((value) => ({ value, label: rhythms[value] }))}
          onChange={choose}
        />
      </Labelled>
      {rhythm === 'other' && (
        <TextField
          label="Cron fields"
          hint="Minute, hour, day, month, weekday"
          className="font-mono"
          value={cron}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      {rhythm === 'week' && (
        <Select
          label="Weekday"
          value={chosenWeekday}
          onChange={(event) => onChange(`${minute} ${hour} * * ${event.target.value}`)}
        >
          {weekdays.map((name, index) => (
            <option key={name} value={index}>
              {name}
            </option>
          ))}
        </Select>
      )}
      {rhythm === 'month' && (
        <Select label="Day" value={chosenDay} onChange={(event) => onChange(`${minute} ${hour} ${event.target.value} * *`)}>
          {Array.from({ length: 31 }, (_, index) => String(index + 1)).map((name) => (
            <option key={name}>{name}</option>
          ))}
          <option value="L">Last day of the month</option>
        </Select>
      )}
      {rhythm !== 'other' && (
        <TextField
          label="Time"
          type="time"
          value={`${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`}
          onChange={({ target }) => {
            const [hours, minutes] = target.value.split(':');
            if (hours && minutes) onChange(`${Number(minutes)} ${Number(hours)} ${fields[rhythm]}`);
          }}
        />
      )}
    </div>
  );
}

type Settings = Omit<RenderRequest, 'kind'>;

const isFormat = (value: string): value is RenderFormat => renderFormatSchema.safeParse(value).success;

function SizeAndFormat({ render, onChange }: { render: Settings; onChange: (render: Settings) => void }) {
  return (
    <div className="grid grid-cols-3 gap-3">
      <Select
        label="Shape"
        value={render.aspect ?? ''}
        onChange={({ target }) => onChange({ ...render, aspect: aspectSchema.safeParse(target.value).data })}
      >
        <option value="">The film’s</option>
        {aspectSchema.options.map((aspect) => (
          <option key={aspect}>{aspect}</option>
        ))}
      </Select>
      <Select
        label="Size"
        value={render.resolution ?? ''}
        onChange={({ target }) => onChange({ ...render, resolution: resolutionSchema.safeParse(target.value).data })}
      >
        <option value="">Usual</option>
        {resolutionSchema.options.map((size) => (
          <option key={size}>{size}</option>
        ))}
      </Select>
      <Select
        label="Format"
        value={render.format ?? 'mp4'}
        onChange={({ target }) => isFormat(target.value) && onChange({ ...render, format: target.value })}
      >
        {renderFormatSchema.options.map((format) => (
          <option key={format} value={format}>
            {formatNames[format]}
          </option>
        ))}
      </Select>
    </div>
  );
}

function NextRuns({ cron, timeZone }: { cron: string; timeZone: string }) {
  const times = useQuery({
    queryKey: ['schedule-times', cron, timeZone],
    queryFn: ({ signal }) => scheduleApi.times({ cron, timeZone }, signal),
    retry: false,
  });
  if (times.error)
    return (
      <p role="alert" className="text-[13px] text-bad">
        {toApiError(times.error).message}
      </p>
    );
  return (
    <div className="rounded-lg bg-sunken px-3 py-2 text-[13px]">
      <p className="font-medium">The next five runs</p>
      <ol className="text-ink-2 tabular-nums">
        {times.data?.map((at) => (
          <li key={at}>{timeText(at, timeZone, times.dataUpdatedAt)}</li>
        ))}
      </ol>
    </div>
  );
}

const newTable = 'Table';
const emptySources: { readonly [Type in ScheduleSource['type']]: Extract<ScheduleSource, { type: Type }> } = {
  none: { type: 'none' },
  table: { type: 'table', name: newTable, content: '' },
  address: { type: 'address', url: '' },
  tool: { type: 'tool', server: '', tool: '', input: {} },
};

function Source({ source, onChange }: { source: ScheduleSource; onChange: (source: ScheduleSource) => void }) {
  return (
    <div className="grid gap-3">
      <Labelled text="Fresh data from">
        <Choice
          label="Fresh data from"
          value={source.type}
          options={(Object.keys(sources) as ScheduleSource['type'][]).map((value) => ({ value, label: sources[value] }))}
          onChange={(type) => onChange(emptySources[type])}
        />
      </Labelled>
      {source.type === 'tool' && <ToolCall source={source} onChange={onChange} />}
      {source.type === 'address' && (
        <TextField
          label="Address"
          hint="The operator allows addresses in .env"
          value={source.url}
          onChange={(event) => onChange({ ...source, url: event.target.value })}
        />
      )}
      {source.type === 'table' && source.content === '' && source.name !== newTable && (
        <p className="text-[13px] text-ink-2">{source.name} stays, unless you choose another.</p>
      )}
      {source.type === 'table' && (
        <input
          type="file"
          aria-label="Table"
          accept=".csv,.json,.jsonl,.tsv,.txt"
          className="text-[13px]"
          onChange={async ({ target }) => {
            const file = target.files?.[0];
            if (file) onChange({ ...source, name: file.name, content: await file.text() });
          }}
        />
      )}
    </div>
  );
}

interface ToolCallProps {
  source: ToolSource;
  onChange: (source: ToolSource) => void;
}

/** A tool that the operator has allowed, and what it receives. */
function ToolCall({ source, onChange }: ToolCallProps) {
  const servers = useMcpServers();
  const [text, setText] = useState(JSON.stringify(source.input));
  const [isRead, setRead] = useState(true);
  const allowed = (servers.data?.servers ?? []).flatMap(({ name, tools }) =>
    tools
      .filter(({ risk, problem }) => risk === 'allowed' && problem === null)
      .map((tool) => ({ server: name, tool: tool.name })),
  );
  const keyOf = ({ server, tool }: { server: string; tool: string }) => JSON.stringify([server, tool]);
  const chosen = allowed.find((one) => keyOf(one) === keyOf(source));
  if (servers.error) return <ErrorNotice error={servers.error} onRetry={() => void servers.refetch()} />;
  if (servers.data && allowed.length === 0 && source.tool === '')
    return (
      <p className="text-[13px] text-ink-2">
        No tool may run without a question. Allow one in the settings, under Tools of MCP servers.
      </p>
    );
  return (
    <>
      <Select
        label="Tool"
        value={source.tool === '' ? '' : keyOf(source)}
        onChange={({ target }) => {
          const next = allowed.find((one) => keyOf(one) === target.value);
          if (next) onChange({ ...source, ...next });
        }}
      >
        {source.tool === '' && <option value="">Choose one</option>}
        {source.tool !== '' && !chosen && (
          <option value={keyOf(source)}>{`${source.tool} of ${source.server} (not allowed)`}</option>
        )}
        {allowed.map((one) => (
          <option key={keyOf(one)} value={keyOf(one)}>
            {`${one.tool} of ${one.server}`}
          </option>
        ))}
      </Select>
      <TextField
        label="Input"
        hint="JSON, as the tool describes it"
        className="font-mono"
        value={text}
        problem={isRead ? null : 'Write JSON such as {"city": "Lisbon"}.'}
        onChange={({ target }) => {
          setText(target.value);
          const input = inputIn(target.value);
          setRead(input !== null);
          if (input !== null) onChange({ ...source, input });
        }}
      />
    </>
  );
}

const inputSchema = z.record(z.string(), z.unknown());

/** Returns `null` if it is no JSON object. */
function inputIn(text: string): Record<string, unknown> | null {
  try {
    return inputSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function Delivery({ delivery, onChange }: { delivery: ScheduleDelivery; onChange: (delivery: ScheduleDelivery) => void }) {
  const choose = (type: ScheduleDelivery['type']) => {
    if (type === 'none') onChange({ type });
    else onChange(type === 'folder' ? { type, folder: 'exports/' } : { type, url: '' });
  };
  return (
    <div className="grid gap-3">
      <Labelled text="Where to">
        <Choice
          label="Where to"
          value={delivery.type}
          options={(Object.keys(places) as ScheduleDelivery['type'][]).map((value) => ({ value, label: places[value] }))}
          onChange={choose}
        />
      </Labelled>
      {delivery.type === 'folder' && (
        <TextField
          label="Folder"
          value={delivery.folder}
          onChange={(event) => onChange({ type: 'folder', folder: event.target.value })}
        />
      )}
      {delivery.type === 'webhook' && (
        <TextField
          label="Address of the receiver"
          hint="Signed, retried"
          value={delivery.url}
          onChange={(event) => onChange({ type: 'webhook', url: event.target.value })}
        />
      )}
    </div>
  );
}
