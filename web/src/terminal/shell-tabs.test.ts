import { expect, it } from 'vitest';
import type { Shell } from '#contract/sandbox/shells.ts';
import { freeName, neighbour, shellTabs } from './shell-tabs.ts';

const shell = (name: string, owner: Shell['owner']): Shell => ({ name, owner, session: name, ended: false, exitCode: null });
const none = { opened: [], closing: [] };
const names = (tabs: { name: string }[]) => tabs.map(({ name }) => name);

it('the user’s shells come first, by number, including newly opened ones', () => {
  const shells = [shell('main', 'agent'), shell('user-3', 'user'), shell('user-1', 'user'), shell('dev', 'agent')];
  expect(names(shellTabs(shells, none))).toEqual(['user-1', 'user-3', 'main', 'dev']);
  const tabs = shellTabs(shells, { opened: ['user-2'], closing: ['user-1', 'dev'] });
  expect(names(tabs)).toEqual(['user-2', 'user-3', 'main']);
  expect(tabs[0]).toMatchObject({ owner: 'user', known: null });
  expect(names(shellTabs([shell('user-1', 'agent')], none))).toEqual(['user-1']);
});

it('a new shell takes the first free number of four', () => {
  expect(freeName([], none)).toBe('user-1');
  expect(freeName([shell('user-1', 'user')], { opened: ['user-2'], closing: ['user-3'] })).toBe('user-4');
  expect(freeName([shell('user-4', 'user')], { opened: ['user-1', 'user-2', 'user-3'], closing: [] })).toBeNull();
});

it('shows the neighbour of a closed tab', () => {
  const tabs = shellTabs([shell('user-1', 'user'), shell('user-2', 'user'), shell('main', 'agent')], none);
  expect(neighbour(tabs, 'user-2')).toBe('main');
  expect(neighbour(tabs, 'main')).toBe('user-2');
  expect(neighbour(tabs.slice(0, 1), 'user-1')).toBeNull();
});
