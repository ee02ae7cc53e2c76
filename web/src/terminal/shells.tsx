import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Bot, Ear, Plus, SquareTerminal, X } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { useState } from 'react';
import type { Shell } from '#contract/sandbox/shells.ts';
import { toApiError } from '../api/client.ts';
import { browserStorage } from '../browser-storage.ts';
import { useProject } from '../project/context.ts';
import { Button, cx, Empty, IconButton } from '../ui/elements.tsx';
import { toast } from '../ui/toasts.tsx';
import { type SandboxControl, ShellPane } from './shell-pane.tsx';
import { freeName, neighbour, type OwnTabs, type ShellTab, shellNumber, shellTabs } from './shell-tabs.ts';
import { shellsApi } from './shells-api.ts';

const screenReaderKey = 'koda:terminal-screen-reader';

interface ShellsProps {
  shells: readonly Shell[];
  sandbox: SandboxControl;
}

const labelOf = ({ name, owner }: ShellTab) => (owner === 'user' ? `Shell ${shellNumber(name)}` : `Agent: ${name}`);

/** Shows the shells as tabs. Opens a shell if the user has none. */
export function Shells({ shells, sandbox }: ShellsProps) {
  const { projectId } = useProject();
  const queries = useQueryClient();
  const [own, setOwn] = useState<OwnTabs>(() => ({
    opened: shells.some(({ owner }) => owner === 'user') ? [] : ['user-1'],
    closing: [],
  }));
  const [chosen, setChosen] = useState<string | null>(null);
  /** The shell that the user opened, which receives the focus. */
  const [focused, setFocused] = useState<string | null>(null);
  const [screenReader, setScreenReader] = useState(() => browserStorage.read(screenReaderKey) === 'on');
  const tabs = shellTabs(shells, own);
  const shown = tabs.find(({ name }) => name === chosen) ?? tabs[0] ?? null;
  const free = freeName(shells, own);

  const close = useMutation({
    mutationFn: (name: string) => shellsApi.close(projectId, name),
    onMutate(name) {
      setChosen(neighbour(tabs, name));
      setOwn(({ opened, closing }) => ({ opened: opened.filter((other) => other !== name), closing: [...closing, name] }));
    },
    onError(error) {
      // A missing shell is already closed.
      if (toApiError(error).code !== 'NOT_FOUND') toast(toApiError(error).message);
    },
    async onSettled(_data, _error, name) {
      await queries.invalidateQueries({ queryKey: ['shells', projectId] });
      setOwn(({ opened, closing }) => ({ opened, closing: closing.filter((other) => other !== name) }));
    },
  });
  const open = () => {
    if (free === null) return;
    setOwn(({ opened, closing }) => ({ opened: [...opened, free], closing }));
    setChosen(free);
    setFocused(free);
  };
  const toggleScreenReader = () => {
    browserStorage.write(screenReaderKey, screenReader ? 'off' : 'on');
    setScreenReader(!screenReader);
  };

  if (!shown) {
    return (
      <Empty
        icon={<SquareTerminal />}
        title="No shell is open"
        text="A shell works on the project’s files. Its programs keep running while you are elsewhere."
      >
        <Button icon={Plus} onClick={open} disabled={free === null}>
          Open a shell
        </Button>
      </Empty>
    );
  }
  return (
    <Tabs.Root value={shown.name} onValueChange={setChosen} className="flex h-full flex-col">
      <div className="flex h-10 shrink-0 items-center gap-1 border-line border-b bg-panel pr-2 pl-2 sm:pl-3">
        <Tabs.List aria-label="Shells" className="flex min-w-0 items-center gap-1 overflow-x-auto [scrollbar-width:none]">
          {tabs.map((tab) => (
            <Tabs.Trigger
              key={tab.name}
              value={tab.name}
              title={tab.owner === 'agent' ? 'The agent’s shell. You can watch it but not type.' : undefined}
              onKeyDown={(event) => event.key === 'Delete' && tab.owner === 'user' && close.mutate(tab.name)}
              className="flex h-7 shrink-0 items-center gap-1.5 rounded-md px-2 text-[13px] text-ink-2 outline-offset-[-2px] hover:bg-sunken hover:text-ink data-[state=active]:bg-sunken data-[state=active]:font-medium data-[state=active]:text-ink [&_svg]:size-3.5"
            >
              {tab.owner === 'agent' ? <Bot /> : <SquareTerminal />}
              {labelOf(tab)}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <IconButton
          icon={Plus}
          label={free === null ? 'Up to four shells can be open. Close one first.' : 'New shell'}
          onClick={open}
          disabled={free === null || !sandbox.running}
          className="size-7"
        />
        <IconButton
          icon={Ear}
          label="Announce output to screen readers"
          aria-pressed={screenReader}
          onClick={toggleScreenReader}
          className={cx('ml-auto size-7', screenReader && 'bg-accent-soft text-accent-text')}
        />
        {shown.owner === 'user' && (
          <IconButton
            icon={X}
            label={`Close ${labelOf(shown)}`}
            onClick={() => close.mutate(shown.name)}
            disabled={!sandbox.running}
            className="size-7"
          />
        )}
      </div>
      <Tabs.Content value={shown.name} tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
        <ShellPane
          key={shown.name}
          name={shown.name}
          label={labelOf(shown)}
          owner={shown.owner}
          known={shown.known}
          sandbox={sandbox}
          screenReader={screenReader}
          autoFocus={focused === shown.name}
        />
      </Tabs.Content>
    </Tabs.Root>
  );
}
