import { isTerminalName, type Shell, type TerminalName, terminalNames } from '#contract/sandbox/shells.ts';

export interface ShellTab {
  readonly name: string;
  readonly owner: Shell['owner'];
  /** `null` until the list contains it. */
  readonly known: Shell | null;
}

/** Tabs that this page has opened or closed but that the server's list does not reflect yet. */
export interface OwnTabs {
  readonly opened: readonly TerminalName[];
  /** Names of tabs that are being closed, which takes a while. */
  readonly closing: readonly string[];
}

export function shellTabs(shells: readonly Shell[], { opened, closing }: OwnTabs): ShellTab[] {
  const known = (name: string) => shells.find((shell) => shell.name === name) ?? null;
  const mine = terminalNames.filter((name) => opened.includes(name) || known(name)?.owner === 'user');
  const theirs = shells.filter((shell) => shell.owner === 'agent');
  return [
    ...mine.map((name): ShellTab => ({ name, owner: 'user', known: known(name) })),
    ...theirs.map((shell): ShellTab => ({ name: shell.name, owner: 'agent', known: shell })),
  ].filter(({ name }) => !closing.includes(name));
}

/** Returns the first free name, or `null` if all are taken. A closing shell still occupies its name. */
export function freeName(shells: readonly Shell[], { opened, closing }: OwnTabs): TerminalName | null {
  const taken = new Set<string>([...opened, ...closing, ...shells.map(({ name }) => name)]);
  return terminalNames.find((name) => !taken.has(name)) ?? null;
}

/** Returns the tab to show when one closes: the next, or otherwise the previous one. */
export function neighbour(tabs: readonly ShellTab[], name: string): string | null {
  const index = tabs.findIndex((tab) => tab.name === name);
  return (tabs[index + 1] ?? tabs[index - 1])?.name ?? null;
}

/** Returns the number in the name of a user's shell. */
export const shellNumber = (name: string): string => (isTerminalName(name) ? name.replace('user-', '') : name);
