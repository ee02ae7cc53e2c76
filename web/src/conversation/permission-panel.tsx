import { useEffect, useId, useState } from 'react';
import { formatBytes } from '#contract/display.ts';
import { allowLasting, indentedJson, maxLastingBytes, type Permission, reasonText, refuse } from '#contract/permission.ts';
import type { Approval } from '#contract/project.ts';
import { CopyButton } from '../ui/copy.tsx';
import { Button } from '../ui/elements.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import type { PanelProps } from './orders.ts';
import { Panel } from './panels.tsx';

/** A click or key press that was meant for what a question replaces must not answer it. */
const deafMs = 600;

export function useIsNew(): boolean {
  const [isNew, setIsNew] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setIsNew(false), deafMs);
    return () => clearTimeout(timer);
  }, []);
  return isNew;
}

export const permissionTitle = ({ server }: Pick<Permission, 'server'>): string =>
  server === null ? 'May Koda search the web?' : 'May Koda use a tool of another server?';

/** Where a call goes, and why Koda asks. `isCode`: a name that someone else has chosen. */
export const factsOf = ({ server, tool, reason }: Pick<Permission, 'server' | 'tool' | 'reason'>) => [
  ...(server === null ? [] : [{ name: 'Server', value: server, isCode: true }]),
  { name: 'Tool', value: tool, isCode: true },
  { name: 'Why', value: reasonText(reason), isCode: false },
];

/** What would be sent, word for word. */
export function WhatIsSent({ permission: { input, sizeBytes } }: { permission: Permission }) {
  const boxId = useId();
  const text = indentedJson(input);
  return (
    <>
      <div className="mt-2.5 flex items-center justify-between">
        <p id={boxId} className="text-[13px] text-ink-2">
          {`It sends ${formatBytes(sizeBytes)}, all of it here:`}
        </p>
        <CopyButton text={() => text} label="Copy what is sent" className="-my-1" />
      </div>
      <section
        aria-labelledby={boxId}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
        tabIndex={0}
        className="max-h-[28dvh] overflow-y-auto rounded-lg border border-line bg-sunken px-3 py-2"
      >
        <pre className="whitespace-pre-wrap break-all font-mono text-xs leading-5">
          <VisibleText text={text} />
        </pre>
      </section>
    </>
  );
}

/** How long a lasting permission holds. `null` if none is offered. */
export const lastingText = (options: Approval['options']): string | null =>
  options.some(({ id }) => id === allowLasting)
    ? `For this project: until you revoke it below the conversation, for the same fields with up to ${maxLastingBytes} bytes.`
    : null;

/**
 * Asks for permission to send data out of Koda. All texts but the labels and the input are Koda's own: neither the model nor the
 * tool can word the question.
 */
export function PermissionPanel({
  approval: { id, options },
  permission,
  busy,
  give,
}: PanelProps & { approval: Approval; permission: Permission }) {
  const isNew = useIsNew();
  const title = permissionTitle(permission);
  return (
    <Panel title={title}>
      <p className="font-medium">{title}</p>
      <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-[13px]">
        {factsOf(permission).map(({ name, value, isCode }) => (
          <div key={name} className="contents">
            <dt className="text-ink-3">{name}</dt>
            <dd className={isCode ? 'wrap-anywhere font-mono' : 'text-ink-2'}>{value}</dd>
          </div>
        ))}
      </dl>
      <WhatIsSent permission={permission} />
      <div className="mt-3 flex flex-wrap gap-2">
        {options.map(({ id: optionId, label }) => (
          <Button
            key={optionId}
            variant={optionId === refuse ? 'quiet' : 'secondary'}
            disabled={busy || isNew}
            onClick={() => give({ kind: 'permission', approvalId: id, optionId })}
          >
            {label}
          </Button>
        ))}
      </div>
      <p className="mt-2.5 text-ink-3 text-xs">
        {[lastingText(options), 'A message below refuses the call.'].filter(Boolean).join(' ')}
      </p>
    </Panel>
  );
}
