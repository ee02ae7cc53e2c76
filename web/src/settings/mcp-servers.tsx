import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plug, Plus } from 'lucide-react';
import { useState } from 'react';
import type { McpRisk, McpServer, McpSettings, McpTool } from '#contract/mcp-servers.ts';
import { mcpServerApi } from '../api/client.ts';
import { Confirm } from '../ui/dialog.tsx';
import { Button, Empty, ErrorNotice } from '../ui/elements.tsx';
import { Choice } from '../ui/fields.tsx';
import { toast } from '../ui/toasts.tsx';
import { McpServerDialog } from './mcp-server-dialog.tsx';
import { Section } from './sections.tsx';

const queryKey = ['mcp-servers'];
/** A server connects, fails and changes its tools at any time. */
const reloadMs = 5_000;
const connectingReloadMs = 500;

const riskNames: Record<McpRisk, string> = { ask: 'Ask', allowed: 'Allow', off: 'Off' };
const risks = ['ask', 'allowed', 'off'] as const;
const stateNames: Record<McpServer['state'], string> = {
  connecting: 'Connecting…',
  connected: 'Connected',
  failed: 'Not connected',
};

export function useMcpServers() {
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => mcpServerApi.list(signal),
    retry: false,
    refetchInterval: ({ state }) =>
      state.data?.servers.some((server) => server.state === 'connecting') ? connectingReloadMs : reloadMs,
  });
}

/** Render once `useMcpServers` has a result, because the sections below would move. */
export function McpServersSection() {
  return (
    <Section
      id="tools"
      title="Tools of MCP servers"
      lead="Language models can use tools outside Koda, such as a web search or your brand’s assets. The server receives what the model sends. Each call needs your permission, unless you allow the tool here."
    >
      <Servers />
    </Section>
  );
}

function Servers() {
  const queries = useQueryClient();
  const settings = useMcpServers();
  const show = (view: McpSettings) => queries.setQueryData(queryKey, view);
  const [edited, setEdited] = useState<McpServer | 'new' | null>(null);
  const [removed, setRemoved] = useState<McpServer | null>(null);
  const remove = useMutation({
    mutationFn: ({ name }: McpServer) => mcpServerApi.remove(name),
    onSuccess: (view, { name }) => {
      show(view);
      toast(`Removed “${name}”.`);
    },
  });
  return (
    <div>
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h3 className="font-medium text-[13px]">Servers</h3>
        {settings.data && (
          <Button size="sm" icon={Plus} onClick={() => setEdited('new')}>
            Add server
          </Button>
        )}
      </div>
      {settings.error && <ErrorNotice error={settings.error} onRetry={() => void settings.refetch()} className="mt-3" />}
      {remove.error && <ErrorNotice error={remove.error} onDismiss={() => remove.reset()} className="mt-3" />}
      {settings.data?.servers.length === 0 && (
        <Empty
          icon={<Plug />}
          title="No servers yet"
          text="Add the address of an MCP server, and choose which of its tools to allow."
        />
      )}
      {settings.data && settings.data.servers.length > 0 && (
        <ul aria-label="MCP servers" className="mt-3 grid gap-3">
          {settings.data.servers.map((server) => (
            <ServerItem
              key={server.name}
              server={server}
              settings={settings.data}
              show={show}
              onEdit={() => setEdited(server)}
              onRemove={() => setRemoved(server)}
            />
          ))}
        </ul>
      )}
      {edited !== null && (
        <McpServerDialog server={edited === 'new' ? null : edited} onSaved={show} onClose={() => setEdited(null)} />
      )}
      <Confirm
        open={removed !== null}
        title="Remove the server?"
        text={`Language models can no longer use the tools of “${removed?.name ?? ''}”, and Koda deletes its access token.`}
        action="Remove"
        onConfirm={() => removed && remove.mutate(removed)}
        onClose={() => setRemoved(null)}
      />
    </div>
  );
}

interface ServerItemProps {
  server: McpServer;
  settings: McpSettings;
  show: (view: McpSettings) => void;
  onEdit: () => void;
  onRemove: () => void;
}

function ServerItem({ server, settings, show, onEdit, onRemove }: ServerItemProps) {
  const { name, source, address, hasToken, state, error, tools } = server;
  return (
    <li className="rounded-xl border border-line bg-panel">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
        <div className="min-w-0 flex-1 basis-56">
          <p className="wrap-anywhere font-medium text-[13px]">{name}</p>
          <p className="wrap-anywhere text-ink-2 text-xs">
            {address}
            {hasToken && ' · with a token'}
          </p>
          <p role="status" className={state === 'failed' ? 'wrap-anywhere text-bad text-xs' : 'text-ink-2 text-xs'}>
            {stateNames[state]}
            {error !== null && `: ${error}`}
          </p>
        </div>
        {source === 'file' ? (
          <p className="text-ink-2 text-xs">From the file on the computer that runs Koda</p>
        ) : (
          <div className="flex gap-2">
            <Button size="sm" onClick={onEdit} aria-label={`Change the server ${name}`}>
              Change
            </Button>
            <Button size="sm" variant="quiet" onClick={onRemove} aria-label={`Remove the server ${name}`}>
              Remove
            </Button>
          </div>
        )}
      </div>
      {tools.length > 0 && (
        <ul aria-label={`Tools of ${name}`} className="divide-y divide-line border-line border-t">
          {tools.map((tool) => (
            <ToolItem key={tool.name} server={name} tool={tool} settings={settings} show={show} />
          ))}
        </ul>
      )}
    </li>
  );
}

interface ToolItemProps extends Pick<ServerItemProps, 'settings' | 'show'> {
  server: string;
  tool: McpTool;
}

function ToolItem({ server, tool, settings, show }: ToolItemProps) {
  const { name, description, risk, problem } = tool;
  const setRisk = useMutation({
    mutationFn: (next: McpRisk) => mcpServerApi.setRisk({ server, tool: name, risk: next }),
    onSuccess: show,
  });
  return (
    <li className="px-4 py-3">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <p className="wrap-anywhere font-mono text-xs">{name}</p>
          <p className="wrap-anywhere mt-0.5 line-clamp-3 text-ink-2 text-xs">{description}</p>
          {problem !== null && <p className="wrap-anywhere mt-0.5 text-bad text-xs">Not available. {problem}</p>}
        </div>
        {problem === null && (
          <Choice
            label={`Use of ${name}`}
            value={risk}
            options={risks.map((value) => ({ value, label: riskNames[value] }))}
            onChange={setRisk.mutate}
          />
        )}
      </div>
      {problem === null && !settings.hasSearchServer && (
        <SearchChoice server={server} tool={name} settings={settings} show={show} />
      )}
      {setRisk.error && <ErrorNotice error={setRisk.error} onDismiss={() => setRisk.reset()} className="mt-2" />}
    </li>
  );
}

interface SearchChoiceProps extends Pick<ServerItemProps, 'settings' | 'show'> {
  server: string;
  tool: string;
}

/** Marks one tool as the web search. Without it, language models have none. */
function SearchChoice({ server, tool, settings: { search }, show }: SearchChoiceProps) {
  const isSearch = search?.server === server && search.tool === tool;
  const setSearch = useMutation({
    mutationFn: (isChosen: boolean) => mcpServerApi.setSearch({ search: isChosen ? { server, tool } : null }),
    onSuccess: show,
  });
  return (
    <>
      <label className="mt-2 flex w-fit cursor-pointer items-center gap-2 text-ink-2 text-xs">
        <input
          type="checkbox"
          checked={isSearch}
          onChange={({ target }) => setSearch.mutate(target.checked)}
          className="size-4 shrink-0 accent-accent"
          aria-label={`Search the web with ${tool}`}
        />
        Search the web with this tool
      </label>
      {setSearch.error && <ErrorNotice error={setSearch.error} onDismiss={() => setSearch.reset()} className="mt-2" />}
    </>
  );
}
