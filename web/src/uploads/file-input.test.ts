import { expect, it } from 'vitest';
import { pastedFiles } from './file-input.tsx';

it('a paste of text stays text, also when a picture of it comes along', () => {
  const picture = new File(['x'], 'image.png', { type: 'image/png' });
  const files = Object.assign([picture], { item: () => picture }) as unknown as FileList;
  expect(pastedFiles({ types: ['Files'], files })).toEqual([picture]);
  expect(pastedFiles({ types: ['text/html', 'Files'], files })).toEqual([picture]);
  expect(pastedFiles({ types: ['text/plain', 'text/html', 'Files'], files })).toEqual([]);
  expect(pastedFiles(null)).toEqual([]);
});
