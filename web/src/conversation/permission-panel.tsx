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

/**
 * Asks for permission to send data out of Koda. All texts but the labels and the input are Koda's own: neither the model nor the
 * tool can word the question.
 */
export function PermissionPanel({
  approval: { id, options },
  permission: { server, tool, input, sizeBytes, reason },
  busy,
  give,
}: PanelProps & { approval: Approval; permission: Permission }) {
  const isNew = useIsNew();
  const boxId = useId();
  const title = server === null ? 'May Koda search the web?' : 'May Koda use a tool of another server?';
  const facts = [...(server === null ? [] : [['Server', server]]), ['Tool', tool]] as const;
  const text = indentedJson(input);
  return (
    <Panel title={title}>
      <p className="font-medium">{title}</p>
      <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-[13px]">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-3">{name}</dt>
            <dd className="wrap-anywhere font-mono">{value}</dd>
          </div>
        ))}
        <dt className="text-ink-3">Why</dt>
        <dd className="text-ink-2">{reasonText(reason)}</dd>
      </dl>
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
        {options.some(({ id: optionId }) => optionId === allowLasting) &&
          `For this project: until you revoke it below the conversation, for the same fields with up to ${maxLastingBytes} bytes. `}
        A message below refuses the call.
      </p>
    </Panel>
  );
}
