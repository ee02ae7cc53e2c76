import { useQuery } from '@tanstack/react-query';
import { Check, CircleCheck, CircleDashed, RotateCcw, X } from 'lucide-react';
import { RadioGroup } from 'radix-ui';
import { Fragment, useId } from 'react';
import { type FoundModel, type FoundServer, type ModelTest, modelServerPrograms } from '#contract/model-servers.ts';
import { api } from '../api/client.ts';
import { cx, ErrorNotice, IconButton, Spinner } from '../ui/elements.tsx';
import { CommandLine } from './command-line.tsx';
import { type Ability, abilitiesOf, sizeText } from './model-abilities.ts';
import { type ConnectionDraft, uses } from './model-draft.ts';

/** Model servers that answer at their usual ports. Koda looks on opening and on request. */
export function useFoundServers({ isEnabled }: { isEnabled: boolean }) {
  return useQuery({
    queryKey: ['model-servers'],
    queryFn: ({ signal }) => api.modelServers(signal),
    enabled: isEnabled,
    refetchOnWindowFocus: false,
    retry: false,
  });
}

interface FoundServersProps {
  found: ReturnType<typeof useFoundServers>;
  connection: ConnectionDraft;
  /** Newest test of the chosen model. */
  test: ModelTest | null;
  onChoose: (server: FoundServer, model: FoundModel) => void;
}

/** Shows the servers on this computer with their models, to choose one. */
export function FoundServers({ found, connection, test, onChoose }: FoundServersProps) {
  const { data: servers = [], error, isFetching, isPending, refetch } = found;
  const running = servers.filter(({ address }) => address !== null);
  // Koda does not look where private addresses are refused.
  if (found.data?.length === 0) return null;
  return (
    <section aria-labelledby="found-servers-title" className="min-w-0 rounded-xl border border-line bg-panel p-4">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h3 id="found-servers-title" className="font-semibold text-sm">
            Servers on this computer
          </h3>
          <p className="text-pretty text-[13px] text-ink-2 leading-5">
            {`Nothing leaves your computer. ${isFetching ? 'Koda is looking at the usual ports…' : 'Koda looked at the usual ports just now.'}`}
          </p>
        </div>
        <IconButton
          {...(!isFetching && { icon: RotateCcw })}
          label="Look again"
          disabled={isFetching}
          onClick={() => void refetch()}
        >
          {isFetching && <Spinner />}
        </IconButton>
      </div>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} className="mt-3" />}
      {servers.length > 0 && (
        <ul aria-label="Usual ports" className="mt-2.5 flex flex-wrap gap-x-5 gap-y-1.5 text-[13px]">
          {servers.map((server) => (
            <Port key={`${server.kind} ${server.address}`} server={server} />
          ))}
        </ul>
      )}
      {running.length > 0 && <Models servers={running} connection={connection} test={test} onChoose={onChoose} />}
      {!isPending && !error && running.length === 0 && <NoServer />}
    </section>
  );
}

function Port({ server: { kind, address, models } }: { server: FoundServer }) {
  const { title, port } = modelServerPrograms[kind];
  const isOn = address !== null;
  const count = models.length === 1 ? '1 model' : `${models.length} models`;
  return (
    <li className={cx('flex items-center gap-1.5 whitespace-nowrap', isOn ? 'text-ink' : 'text-ink-3')}>
      {isOn ? <CircleCheck className="size-4 text-ok" /> : <CircleDashed className="size-4" />}
      <span className="font-medium">{title}</span>
      <span className="font-mono text-xs">{`:${address === null ? port : new URL(address).port}`}</span>
      <span className={isOn ? 'text-ink-2' : ''}>{isOn ? count : 'off'}</span>
    </li>
  );
}

type ModelsProps = Omit<FoundServersProps, 'found'> & { servers: readonly FoundServer[] };

function Models({ servers, connection, test, onChoose }: ModelsProps) {
  const id = useId();
  const rows = servers.flatMap((server) => server.models.map((model) => ({ server, model, value: rowValue(server, model) })));
  const chosen = rows.find(({ server, model }) => uses(connection, server, model.name));
  if (rows.length === 0)
    return <p className="mt-3 text-[13px] text-ink-2">The server has no models yet. Download one with it, then look again.</p>;
  return (
    <>
      <RadioGroup.Root
        aria-label="Models on this computer"
        aria-describedby={`${id}-note`}
        value={chosen?.value ?? ''}
        onValueChange={(value) => {
          const row = rows.find((one) => one.value === value);
          if (row) onChoose(row.server, row.model);
        }}
        className="mt-3 overflow-hidden rounded-lg border border-line"
      >
        {rows.map(({ server, model, value }, index) => (
          <Fragment key={value}>
            {servers.length > 1 && rows[index - 1]?.server !== server && (
              <p className="border-line border-t bg-sunken px-3 py-1 text-ink-2 text-xs first:border-t-0">
                {`${modelServerPrograms[server.kind].title}, ${server.address}`}
              </p>
            )}
            <ModelRow id={`${id}-${index}`} model={model} value={value} test={value === chosen?.value ? test : null} />
          </Fragment>
        ))}
      </RadioGroup.Root>
      <p id={`${id}-note`} className="mt-1.5 text-pretty text-ink-2 text-xs">
        {chosen && test?.verdict
          ? 'The chosen model as measured, the others as their server describes them.'
          : 'As the server describes them. The test measures what is true here.'}
      </p>
    </>
  );
}

const rowValue = ({ address }: FoundServer, { name }: FoundModel) => `${address} ${name}`;

interface ModelRowProps {
  id: string;
  model: FoundModel;
  value: string;
  test: ModelTest | null;
}

function ModelRow({ id, model, value, test }: ModelRowProps) {
  return (
    <label
      htmlFor={id}
      className="grid cursor-pointer grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 border-line border-t px-3 py-2.5 first:border-t-0 hover:bg-sunken has-data-[state=checked]:bg-accent-soft has-disabled:cursor-default has-disabled:hover:bg-transparent sm:grid-cols-[16px_minmax(120px,1fr)_auto_auto]"
    >
      <RadioGroup.Item
        id={id}
        value={value}
        disabled={!model.writesText}
        aria-labelledby={`${id}-name`}
        aria-describedby={`${id}-abilities`}
        className="grid size-4 shrink-0 place-items-center rounded-full border border-ink-3 bg-panel data-[state=checked]:border-accent data-[state=checked]:bg-accent"
      >
        <RadioGroup.Indicator className="size-1.5 rounded-full bg-accent-ink" />
      </RadioGroup.Item>
      <span
        id={`${id}-name`}
        className={cx('wrap-anywhere font-medium font-mono text-[13px]', !model.writesText && 'text-ink-3')}
      >
        {model.name}
      </span>
      <span className="text-right text-ink-2 text-xs tabular-nums">{sizeText(model.sizeBytes)}</span>
      <span
        id={`${id}-abilities`}
        className="col-span-2 col-start-2 flex flex-wrap gap-x-3.5 gap-y-0.5 text-xs sm:col-auto sm:justify-end"
      >
        {model.writesText ? (
          abilitiesOf(model, test).map((ability) => <AbilityMark key={ability.text} ability={ability} />)
        ) : (
          <span className="text-ink-3">Cannot write text, so it is of no use here.</span>
        )}
      </span>
    </label>
  );
}

const abilityIcons = { yes: Check, no: X };
const abilityColours = { yes: 'text-ok', no: 'text-ink-3' };

function AbilityMark({ ability: { state, text } }: { ability: Ability }) {
  const Icon = abilityIcons[state];
  return (
    <span className="flex items-center gap-1 whitespace-nowrap text-ink-2">
      <Icon className={cx('size-3.5', abilityColours[state])} />
      {text}
    </span>
  );
}

/** Says how to start a server. Koda runs no command itself. */
function NoServer() {
  return (
    <div className="mt-3 text-[13px] leading-5">
      <p className="text-pretty">No model server is running on this computer. Start one in a terminal, then look again:</p>
      {Object.values(modelServerPrograms).map(
        ({ title, start }) =>
          'command' in start && (
            <div key={title} className="mt-2 sm:grid sm:grid-cols-[88px_minmax(0,1fr)] sm:items-baseline">
              <span className="font-medium">{title}</span>
              <CommandLine command={start.command} />
            </div>
          ),
      )}
      <p className="mt-2 text-pretty text-ink-2 text-xs">
        Koda runs no command itself. A server elsewhere is fine too: enter its address below.
      </p>
    </div>
  );
}
