import { useMutation } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import { formatAgo, formatCount } from '#contract/display.ts';
import type { LastingPermission } from '#contract/permission.ts';
import { api } from '../api/client.ts';
import { useProject, useView } from '../project/context.ts';
import { Button, ErrorNotice } from '../ui/elements.tsx';
import { VisibleText } from '../ui/visible-text.tsx';

/** Lists what the model may send out of this project without asking, and how often it has. Empty if it must ask. */
export function PermissionList() {
  const permissions = useView((view) => view.permissions);
  if (permissions.length === 0) return null;
  return (
    <Collapsible.Root className="rounded-xl border border-line bg-panel">
      <Collapsible.Trigger className="group flex w-full items-center gap-2 rounded-xl px-3.5 py-2.5 text-left">
        <ChevronRight className="size-3.5 text-ink-3 transition-transform group-data-[state=open]:rotate-90" />
        <span className="font-medium">Permissions</span>
        <span className="ml-auto text-ink-2 text-xs tabular-nums">{`${permissions.length} for this project`}</span>
      </Collapsible.Trigger>
      <Collapsible.Content>
        <ul aria-label="Permissions" className="divide-y divide-line px-3.5 pb-1">
          {permissions.map((permission) => (
            <PermissionItem key={permission.approvalId} permission={permission} />
          ))}
        </ul>
      </Collapsible.Content>
    </Collapsible.Root>
  );
}

function PermissionItem({ permission: { approvalId, server, tool, uses } }: { permission: LastingPermission }) {
  const { projectId } = useProject();
  const revoke = useMutation({ mutationFn: () => api.revokePermission(projectId, approvalId) });
  const name = server === null ? 'Web search' : `${tool} of ${server}`;
  return (
    <li className="py-2.5">
      <div className="flex items-center gap-2">
        <div className="min-w-0 flex-1">
          <p className="wrap-anywhere">{name}</p>
          <p className="text-ink-3 text-xs">{`Used ${formatCount(uses.count, 'time')}, last ${formatAgo(uses.lastAt, Date.now())}`}</p>
        </div>
        <Button size="sm" aria-label={`Revoke ${name}`} pending={revoke.isPending && 'Revoking…'} onClick={() => revoke.mutate()}>
          Revoke
        </Button>
      </div>
      {revoke.isError && <ErrorNotice error={revoke.error} onDismiss={() => revoke.reset()} className="mt-2" />}
      <ol aria-label="Sent last" className="mt-1.5 flex flex-col gap-0.5 border-line border-l pl-3 font-mono text-ink-2 text-xs">
        {uses.inputs.map((input, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same input may be sent twice
          <li key={index} className="wrap-anywhere">
            <VisibleText text={input} />
          </li>
        ))}
      </ol>
    </li>
  );
}
