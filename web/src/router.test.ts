import { expect, it } from 'vitest';
import { parseFrom, parseRoute, parseTab, projectHref, searchWithTab } from './router.ts';

it('A1: every project has its own address', () => {
  expect(parseRoute('/')).toEqual({ page: 'home' });
  expect(parseRoute(projectHref('prj_abc'))).toEqual({ page: 'project', projectId: 'prj_abc' });
  expect(parseRoute('/p/prj_abc/')).toEqual({ page: 'project', projectId: 'prj_abc' });
  expect(parseRoute('/settings')).toEqual({ page: 'settings' });
  expect(parseRoute('/schedules')).toEqual({ page: 'schedules' });
  for (const path of ['/p', '/p/', '/p/a/b', '/else']) expect(parseRoute(path)).toEqual({ page: 'unknown' });
});

it('A15: an address may name a pane', () => {
  expect(parseTab('?tab=history')).toBe('history');
  for (const search of ['', '?tab=', '?tab=%3Cb%3E', '?other=code']) expect(parseTab(search)).toBeNull();
});

it('V7: an address may name the conversation that leads to it, by its id and nothing else', () => {
  const from = 'prj_0123456789abcdefghjk';
  const { search } = new URL(projectHref('prj_abc', from), 'http://koda.test');
  expect(parseFrom(search)).toBe(from);
  const others = ['', '?from=', '?from=https://else.example', '?from=//else.example', `?from=${from}/..`, `?from=/${from}`];
  for (const other of [...others, '?from=rnd_0123456789abcdefghjk', '?from=prj_short']) expect(parseFrom(other)).toBeNull();
});

it('V7: the conversation stays in the address when another pane is chosen', () => {
  const from = '?from=prj_0123456789abcdefghjk';
  expect(searchWithTab(from, 'code')).toBe(`${from}&tab=code`);
  expect(searchWithTab(`${from}&tab=code`, 'history')).toBe(`${from}&tab=history`);
  expect(searchWithTab(`${from}&tab=code`, null)).toBe(from);
  expect(searchWithTab('?from=//else.example&tab=code', null)).toBe('');
  expect(searchWithTab('', 'code')).toBe('?tab=code');
});
