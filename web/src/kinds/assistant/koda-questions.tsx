import { type LucideIcon, ShieldQuestionMark, Trash2 } from 'lucide-react';
import { refuse } from '#contract/permission.ts';
import { tableRows } from '#contract/surface/drawing.ts';
import { submitAction } from '#contract/surface/question.ts';
import type { Confirmation } from '#kinds/assistant/contract/confirmation.ts';
import type { Order } from '../../conversation/orders.ts';
import { factsOf, lastingText, permissionTitle, useIsNew, WhatIsSent } from '../../conversation/permission-panel.tsx';
import { useView } from '../../project/context.ts';
import { Button, cx } from '../../ui/elements.tsx';
import { surfaceOf } from './steps.ts';
import { Card } from './surface-card.tsx';

/** The questions that Koda asks itself. A surface cannot look like them: none has a coloured header. */

export interface DecisionProps {
  busy: boolean;
  give: (order: Order) => void;
}

function Badge({ Icon }: { Icon: LucideIcon }) {
  return (
    <span aria-hidden="true" className="grid size-10 shrink-0 place-items-center rounded-[11px] bg-warn text-warn-soft">
      <Icon className="size-5" />
    </span>
  );
}

/** Beside the button that it presses. */
export function EscapeKey() {
  return (
    <span
      aria-hidden="true"
      className="ml-1 rounded-[5px] border border-line-strong border-b-2 px-1.25 font-sans text-[11px] text-ink-2 pointer-coarse:hidden"
    >
      Esc
    </span>
  );
}

/** More videos than this cannot be deleted at once. */
const maxNames = 200;

const factRow = 'grid gap-x-4 border-line border-b py-3.5 pane:grid-cols-[128px_minmax(0,1fr)]';

/** Asks for permission to send data out of Koda. */
export function PermissionCard({ busy, give }: DecisionProps) {
  const approval = useView((view) => view.approval);
  const isNew = useIsNew();
  if (!approval?.permission) return null;
  const { id, options, permission } = approval;
  const lasting = lastingText(options);
  const answer = (optionId: string) => give({ kind: 'permission', approvalId: id, optionId });
  return (
    <Card
      title={permissionTitle(permission)}
      says="This leaves this computer. Sending cannot be undone from here."
      tone="warn"
      icon={<Badge Icon={ShieldQuestionMark} />}
      footer={
        <div className="flex flex-wrap items-center gap-2.5">
          {options.map(({ id: optionId, label }, index) => {
            const isRefusal = optionId === refuse;
            return (
              <Button
                key={optionId}
                variant={index === 0 && !isRefusal ? 'primary' : 'secondary'}
                disabled={busy || isNew}
                onClick={() => answer(optionId)}
                className={isRefusal ? 'pane:ml-auto' : ''}
              >
                {label}
                {isRefusal && <EscapeKey />}
              </Button>
            );
          })}
        </div>
      }
    >
      <dl>
        {factsOf(permission).map(({ name, value, isCode }) => (
          <div key={name} className={factRow}>
            <dt className="text-[13px] text-ink-2">{name}</dt>
            <dd className={isCode ? 'wrap-anywhere font-mono text-[13px]' : ''}>{value}</dd>
          </div>
        ))}
      </dl>
      <WhatIsSent permission={permission} />
      {lasting !== null && <p className="mt-2.5 text-ink-2 text-xs">{lasting}</p>}
    </Card>
  );
}

/** Asks before a call that no button has allowed. The assistant's words are quoted, because they are not Koda's. */
export function ConfirmationCard({ question, why, facts, says, busy, give }: DecisionProps & Confirmation) {
  const approval = useView((view) => view.approval);
  const isNew = useIsNew();
  const answer = (optionId: string) => give({ kind: 'permission', approvalId: approval?.id ?? '', optionId });
  const rows = [...facts, ...(says === '' ? [] : [{ name: 'The assistant says', value: `“${says}”` }])];
  return (
    <Card
      title={question}
      says={why}
      tone="warn"
      icon={<Badge Icon={ShieldQuestionMark} />}
      footer={
        <div className="flex flex-wrap items-center justify-between gap-2.5">
          {approval?.options.map(({ id, label }, index) => (
            <Button key={id} variant={index === 0 ? 'primary' : 'secondary'} disabled={busy || isNew} onClick={() => answer(id)}>
              {label}
              {index > 0 && <EscapeKey />}
            </Button>
          ))}
        </div>
      }
    >
      <dl>
        {rows.map(({ name, value }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows do not change.
          <div key={index} className={cx(factRow, 'last:border-0 last:pb-0')}>
            <dt className="wrap-anywhere text-[13px] text-ink-2">{name}</dt>
            <dd className="whitespace-pre-wrap wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

/** Asks before videos or schedules are deleted. All but the names is Koda's own. */
export function DeletionCard({ busy, give }: DecisionProps) {
  const approval = useView((view) => view.approval);
  const isNew = useIsNew();
  const surface = surfaceOf(approval?.surface);
  if (approval === null || surface === null) return null;
  const rows = [...surface.components.values()].flatMap((one) =>
    one.component === 'Table' ? tableRows(one, { data: surface.data, row: '' }, { first: 0, end: maxNames }).rows : [],
  );
  const press = (sourceComponentId: string) =>
    give({
      kind: 'action',
      surfaceId: surface.surfaceId,
      pressed: { name: submitAction, sourceComponentId, context: {} },
    });
  return (
    <Card
      title={approval.content}
      tone="warn"
      icon={<Badge Icon={Trash2} />}
      footer={
        <div className="flex flex-wrap items-center justify-between gap-2.5">
          <Button variant="danger" disabled={busy || isNew} onClick={() => press('delete')}>
            {approval.content.replace(/\?$/, '')}
          </Button>
          <Button disabled={busy || isNew} onClick={() => press('keep')}>
            Keep them
          </Button>
        </div>
      }
    >
      <p className="my-2 text-ink-2">Deleted for good. The films stay.</p>
      <ul className="divide-y divide-line rounded-xl border border-line text-[13px]">
        {rows.map(([name = '', size = '']) => (
          <li key={name} className="flex justify-between gap-4 px-3.5 py-2">
            <span className="min-w-0 wrap-anywhere">{name}</span>
            <span className="shrink-0 text-ink-2 tabular-nums">{size}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
