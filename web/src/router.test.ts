import { expect, it } from 'vitest';
import { parseRoute, parseTab, projectHref } from './router.ts';

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
