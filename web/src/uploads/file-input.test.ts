import { expect, it } from 'vitest';
import { pastedFiles } from './file-input.tsx';

it('pastes text as text, even with an image of it', () => {
  const picture = new File(['x'], 'image.png', { type: 'image/png' });
  const files = Object.assign([picture], { item: () => picture }) as unknown as FileList;
  expect(pastedFiles({ types: ['Files'], files })).toEqual([picture]);
  expect(pastedFiles({ types: ['text/html', 'Files'], files })).toEqual([picture]);
  expect(pastedFiles({ types: ['text/plain', 'text/html', 'Files'], files })).toEqual([]);
  expect(pastedFiles(null)).toEqual([]);
});
