import { expect, it } from 'vitest';
import { basePathOfScript, pathOf } from './address.ts';

it('F2: finds the page’s path below the studio’s', () => {
  expect(pathOf('/koda', '/koda')).toBe('/');
  expect(pathOf('/koda/', '/koda')).toBe('/');
  expect(pathOf('/koda/p/prj_1', '/koda')).toBe('/p/prj_1');
  // A browser on the studio's own computer may use the address without the path.
  expect(pathOf('/p/prj_1', '/koda')).toBe('/p/prj_1');
  expect(pathOf('/kodak', '/koda')).toBe('/kodak');
  expect(pathOf('/', '')).toBe('/');
  expect(pathOf('/p/prj_1', '')).toBe('/p/prj_1');
});

it('F2: the shared worker finds the studio’s path in its own address', () => {
  expect(basePathOfScript('/koda/films/assets/worker-1.js')).toBe('/koda/films');
  expect(basePathOfScript('/assets/worker-1.js')).toBe('');
  expect(basePathOfScript('/src/events/worker.ts')).toBe('');
});
