import { expect, it } from 'vitest';
import { previewObstacle } from './preview-obstacle.ts';

const textFor = (url: string, page: string) => previewObstacle(url, new URL(page))?.text ?? null;

it('F2: a page that cannot load its preview says what to set', () => {
  expect(textFor('http://ab.previews.example.org:3000/', 'https://koda.example.org/p/x')).toMatch(
    /HTTPS.*KODA_PUBLIC_URL=https:\/\/koda\.example\.org in/,
  );
  expect(textFor('http://ab.localhost:3000/', 'http://studio.example.org:3000/p/x')).toMatch(
    /ab\.localhost:3000.*KODA_PUBLIC_URL=http:\/\/studio\.example\.org:3000 in/,
  );
  for (const page of ['http://192.168.1.5:3000', 'https://[2001:db8::7]'])
    expect(textFor('http://ab.localhost:3000/', page)).toMatch(/KODA_PUBLIC_URL=.*PREVIEW_DOMAIN.*IP address/);
});

it.each([
  ['http://ab.localhost:3000/', 'http://localhost:3000/p/x'],
  ['http://ab.localhost:3000/', 'http://127.0.0.1:3000/p/x'],
  ['https://ab.koda.example.org/', 'https://koda.example.org/p/x'],
  ['https://ab.koda.example.org/', 'http://localhost:3000/p/x'],
  ['http://ab.previews.example.org/', 'http://10.0.0.1/p/x'],
])('F2: %s can be shown at %s', (url, page) => {
  expect(textFor(url, page)).toBeNull();
});
