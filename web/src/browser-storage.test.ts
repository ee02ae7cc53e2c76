import { afterEach, expect, it, vi } from 'vitest';
import { browserStorage } from './browser-storage.ts';

afterEach(() => vi.unstubAllGlobals());

it('A17: works without storage if the browser forbids it', () => {
  vi.stubGlobal('window', {
    get localStorage(): Storage {
      throw new Error('not allowed');
    },
  });
  expect(browserStorage.names()).toEqual([]);
  expect(browserStorage.read('koda:render:prj_a')).toBeNull();
  expect(() => browserStorage.write('koda:render:prj_a', 'text')).not.toThrow();
});
