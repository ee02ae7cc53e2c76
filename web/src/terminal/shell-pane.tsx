import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import type { Shell } from '#contract/sandbox/shells.ts';
import { useProject } from '../project/context.ts';
import { Button, cx } from '../ui/elements.tsx';
import { toast } from '../ui/toasts.tsx';
import type { ShellState } from './follow-shell.ts';
import type { InputLoss } from './input-queue.ts';
import { terminalFont } from './screen.ts';
import { ShellClient } from './shell-client.ts';

const states = {
  connecting: 'Connecting…',
  starting: 'SandboxControl the sandbox…',
  live: 'Connected',
  reconnecting: 'Connection lost. Reconnecting; the shell keeps running.',
} as const;

const lostInput: Record<InputLoss, string> = {
  full: 'The text is too long for the terminal, so it was not sent.',
  unread: 'The program in the terminal is not reading its input, so your last keys were lost.',
  ended: 'The shell has ended, so your last keys were not sent.',
};

export interface SandboxControl {
  readonly running: boolean;
  readonly start: () => void;
  /** `null` unless the user started the sandbox here. */
  readonly cancel: (() => void) | null;
}

interface ShellPaneProps {
  name: string;
  label: string;
  owner: Shell['owner'];
  known: Shell | null;
  sandbox: SandboxControl;
  screenReader: boolean;
  autoFocus: boolean;
}

/** A shell with its state below. It streams only while it is shown, because browsers allow six connections. */
export function ShellPane({ name, label, owner, known, sandbox, screenReader, autoFocus }: ShellPaneProps) {
  const { projectId } = useProject();
  const { running } = sandbox;
  const host = useRef<HTMLDivElement>(null);
  const hintId = useId();
  const [client, setClient] = useState<ShellClient | null>(null);
  const [state, setState] = useState<ShellState>({ kind: 'connecting' });
  const shown = useShown(host);
  /** Initial options. Later changes arrive through the stream or the effects below. */
  const initial = useRef({ label, owner, known, screenReader, autoFocus });

  useEffect(() => {
    let made: ShellClient | null = null;
    let unmounted = false;
    void terminalFont().then(() => {
      if (unmounted || !host.current) return;
      const { autoFocus: focus, ...options } = initial.current;
      const onLost = (loss: InputLoss) => toast(lostInput[loss]);
      made = new ShellClient(host.current, {
        ...options,
        projectId,
        name,
        label: `${options.label}, terminal`,
        describedBy: hintId,
        onState: setState,
        onLost,
      });
      if (focus) made.screen.focus();
      setClient(made);
    });
    return () => {
      unmounted = true;
      made?.[Symbol.dispose]();
      setClient(null);
    };
  }, [projectId, name, hintId]);

  useEffect(() => {
    if (!client || !shown || !running) return;
    client.run();
    return () => client.pause();
  }, [client, shown, running]);

  useEffect(() => client?.screen.setScreenReader(screenReader), [client, screenReader]);

  useEffect(() => {
    if (!client || !host.current) return;
    let frame = 0;
    const sizes = new ResizeObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => client.screen.fill());
    });
    sizes.observe(host.current);
    return () => {
      sizes.disconnect();
      cancelAnimationFrame(frame);
    };
  }, [client]);

  return (
    <div className="flex min-h-0 flex-1 flex-col bg-panel">
      <div className="min-h-0 flex-1 overflow-hidden py-2 pl-3">
        <div ref={host} className="size-full" data-shell={name} />
      </div>
      {owner === 'user' && <SoftKeys onKey={(input) => client?.type(input)} />}
      <div className="flex h-10 shrink-0 items-center gap-2 border-line border-t px-3 text-ink-2 text-xs">
        <ShellStatus state={state} owner={owner} sandbox={sandbox} onRestart={() => client?.restart()} />
        <span id={hintId} className="ml-auto hidden shrink-0 text-ink-3 sm:inline">
          {owner === 'agent' ? 'View only' : 'Esc, then Tab leaves the terminal'}
        </span>
      </div>
    </div>
  );
}

const dots: Record<ShellState['kind'] | 'suspended', string> = {
  connecting: 'bg-line-strong',
  starting: 'animate-breathe bg-accent',
  live: 'bg-ok',
  reconnecting: 'animate-breathe bg-warn',
  ended: 'bg-line-strong',
  failed: 'bg-bad',
  suspended: 'bg-line-strong',
};

interface ShellStatusProps {
  state: ShellState;
  owner: Shell['owner'];
  sandbox: SandboxControl;
  onRestart: () => void;
}

function ShellStatus({ state, owner, sandbox, onRestart }: ShellStatusProps) {
  const suspended = !sandbox.running && state.kind !== 'ended';
  const action = actionOf();
  function actionOf(): { label: string; run: () => void } | null {
    if (suspended) return { label: 'Start sandbox', run: sandbox.start };
    if (state.kind === 'starting' && sandbox.cancel) return { label: 'Cancel', run: sandbox.cancel };
    if (state.kind === 'failed') return { label: 'Try again', run: onRestart };
    // Only the agent restarts its own shells.
    return state.kind === 'ended' && owner === 'user' ? { label: 'Start again', run: onRestart } : null;
  }
  return (
    <>
      <span aria-hidden="true" className={cx('size-2 shrink-0 rounded-full', dots[suspended ? 'suspended' : state.kind])} />
      <p role="status" className="min-w-0 truncate" title={stateText(state, suspended)}>
        {stateText(state, suspended)}
      </p>
      {action && (
        <Button size="sm" onClick={action.run}>
          {action.label}
        </Button>
      )}
    </>
  );
}

function stateText(state: ShellState, suspended: boolean): string {
  if (suspended) return 'The sandbox is suspended.';
  if (state.kind === 'ended') return `The shell has ended${state.exitCode === null ? '' : ` (exit code ${state.exitCode})`}.`;
  return state.kind === 'failed' ? state.error.message : states[state.kind];
}

const keys = [
  { label: 'Esc', name: 'Escape', input: '\u001b' },
  { label: 'Tab', name: 'Tab', input: '\t' },
  { label: '^C', name: 'Interrupt', input: '\u0003' },
  { label: '↑', name: 'Up', input: '\u001b[A' },
  { label: '↓', name: 'Down', input: '\u001b[B' },
] as const;

/** Keys that phone keyboards lack. */
function SoftKeys({ onKey }: { onKey: (input: string) => void }) {
  return (
    <div className="hidden shrink-0 gap-1.5 border-line border-t px-3 py-1.5 pointer-coarse:flex">
      {keys.map(({ label, name, input }) => (
        <Button
          key={name}
          size="sm"
          aria-label={name}
          // Keeps the focus in the terminal, and with it the on-screen keyboard.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onKey(input)}
          className="flex-1 font-mono"
        >
          {label}
        </Button>
      ))}
    </div>
  );
}

/** Returns whether an element is visible: neither its pane nor the browser tab is hidden. */
function useShown(element: RefObject<HTMLElement | null>): boolean {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    const look = () => setShown(!document.hidden && current.clientWidth > 0);
    const sizes = new ResizeObserver(look);
    sizes.observe(current);
    document.addEventListener('visibilitychange', look);
    return () => {
      sizes.disconnect();
      document.removeEventListener('visibilitychange', look);
    };
  }, [element]);
  return shown;
}
