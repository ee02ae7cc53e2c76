import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Scope, Token } from '#contract/access.ts';
import { tokenApi } from '../api/client.ts';
import { Confirm } from '../ui/dialog.tsx';
import { Button, Empty, ErrorNotice } from '../ui/elements.tsx';
import { toast } from '../ui/toasts.tsx';
import { ClientConfigs } from './client-config-view.tsx';
import { Section } from './sections.tsx';
import { TokenDialog } from './token-dialog.tsx';

const scopeNames: Record<Scope, string> = { read: 'Read', write: 'Change', run: 'Run', render: 'Render' };
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const minute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

export function useTokens() {
  return useQuery({ queryKey: ['tokens'], queryFn: ({ signal }) => tokenApi.list(signal), retry: false });
}

/** Render once `useTokens` has a result, because the sections below would move. */
export function OtherProgramsSection() {
  return (
    <Section
      id="programs"
      title="Other programs"
      lead="Other agents and editors use Koda’s tools over MCP. On the computer that runs Koda, they start its command and need no token. Over the network, each needs one."
    >
      <ClientConfigs token={null} />
      <Tokens />
    </Section>
  );
}

function Tokens() {
  const queries = useQueryClient();
  const tokens = useTokens();
  const [isCreating, setIsCreating] = useState(false);
  const [revoking, setRevoking] = useState<Token | null>(null);
  const reload = () => void queries.invalidateQueries({ queryKey: ['tokens'] });
  const revoke = useMutation({
    mutationFn: ({ id }: Token) => tokenApi.revoke(id),
    onSuccess: (_, { name }) => toast(`Revoked the token of “${name}”.`),
    onSettled: reload,
  });
  return (
    <div className="mt-8">
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h3 className="font-medium text-[13px]">Access tokens</h3>
        {tokens.data && (
          <Button size="sm" icon={Plus} onClick={() => setIsCreating(true)}>
            Create token
          </Button>
        )}
      </div>
      {tokens.error && <ErrorNotice error={tokens.error} onRetry={() => void tokens.refetch()} className="mt-3" />}
      {revoke.error && <ErrorNotice error={revoke.error} onDismiss={() => revoke.reset()} className="mt-3" />}
      {tokens.data?.length === 0 && (
        <Empty icon={<KeyRound />} title="No tokens yet" text="A program that connects over the network needs one to use Koda." />
      )}
      {tokens.data && tokens.data.length > 0 && (
        <ul aria-label="Access tokens" className="mt-3 divide-y divide-line rounded-xl border border-line bg-panel">
          {tokens.data.map((token) => (
            <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />
          ))}
        </ul>
      )}
      {isCreating && <TokenDialog onCreated={reload} onClose={() => setIsCreating(false)} />}
      <Confirm
        open={revoking !== null}
        title="Revoke the token?"
        text={`“${revoking?.name ?? ''}” loses access to Koda at once. This cannot be undone.`}
        action="Revoke"
        onConfirm={() => revoking && revoke.mutate(revoking)}
        onClose={() => setRevoking(null)}
      />
    </div>
  );
}

function TokenRow({ token, onRevoke }: { token: Token; onRevoke: () => void }) {
  const { name, scopes, projects, lastUsedAt, expiresAt } = token;
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  const projectsText = projects.length === 1 ? '1 project' : `${projects.length} projects`;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 pr-3 pl-4 text-[13px]">
      <div className="wrap-anywhere min-w-0 flex-1 basis-56">
        <p className="font-medium">{name}</p>
        <p className="text-ink-2 text-xs leading-5">
          {`${scopes.map((scope) => scopeNames[scope]).join(', ')} · ${projects === 'all' ? 'All projects' : projectsText}`}
        </p>
        <p className="text-ink-2 text-xs leading-5">
          {lastUsedAt === null ? 'Never used' : `Last used ${minute.format(Date.parse(lastUsedAt))}`}
          {expiresAt !== null && (
            <span className={isExpired ? 'text-bad' : ''}>
              {` · ${isExpired ? 'Expired' : 'Expires'} ${day.format(Date.parse(expiresAt))}`}
            </span>
          )}
        </p>
      </div>
      <Button size="sm" variant="quiet" aria-label={`Revoke the token of ${name}`} onClick={onRevoke}>
        Revoke
      </Button>
    </li>
  );
}
