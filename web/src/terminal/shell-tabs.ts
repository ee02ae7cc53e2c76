import { isTerminalName, type Shell, type TerminalName, terminalNames } from '#contract/shells.ts';

export interface ShellTab {
  readonly name: string;
  readonly owner: Shell['owner'];
  /** Null until the list knows of it. */
  readonly known: Shell | null;
}

/** What this page has opened and closed, before the server's list shows it. */
export interface OwnTabs {
  readonly opened: readonly TerminalName[];
  /** Being closed, which takes a while. */
  readonly closing: readonly string[];
}

/** The user's shells by number, then the agent's by the time they began. */
export function shellTabs(shells: readonly Shell[], { opened, closing }: OwnTabs): ShellTab[] {
  const known = (name: string) => shells.find((shell) => shell.name === name) ?? null;
  const mine = terminalNames.filter((name) => opened.includes(name) || known(name)?.owner === 'user');
  const theirs = shells.filter((shell) => shell.owner === 'agent');
  return [
    ...mine.map((name): ShellTab => ({ name, owner: 'user', known: known(name) })),
    ...theirs.map((shell): ShellTab => ({ name: shell.name, owner: 'agent', known: shell })),
  ].filter(({ name }) => !closing.includes(name));
}

/** The first free name; null when all are taken. A shell that is being closed still takes its name. */
export function freeName(shells: readonly Shell[], { opened, closing }: OwnTabs): TerminalName | null {
  const taken = new Set<string>([...opened, ...closing, ...shells.map(({ name }) => name)]);
  return terminalNames.find((name) => !taken.has(name)) ?? null;
}

/** The tab to show when one closes: the next, else the one before it. */
export function neighbour(tabs: readonly ShellTab[], name: string): string | null {
  const index = tabs.findIndex((tab) => tab.name === name);
  return (tabs[index + 1] ?? tabs[index - 1])?.name ?? null;
}

/** The number in the name of one of the user's shells. */
export const shellNumber = (name: string): string => (isTerminalName(name) ? name.replace('user-', '') : name);
