import { expect, it } from 'vitest';
import { parseRoute, projectHref } from './router.ts';

it('A1: every project has an address of its own', () => {
  expect(parseRoute('/')).toEqual({ page: 'home' });
  expect(parseRoute(projectHref('prj_abc'))).toEqual({ page: 'project', projectId: 'prj_abc' });
  expect(parseRoute('/p/prj_abc/')).toEqual({ page: 'project', projectId: 'prj_abc' });
  for (const path of ['/p', '/p/', '/p/a/b', '/else']) expect(parseRoute(path)).toEqual({ page: 'unknown' });
});
