import { describe, expect, it } from 'vitest';
import { isAllowedUrl } from './page-evidence.ts';

const origin = 'http://127.0.0.1:5173';

describe('network guard', () => {
  it.each([
    'http://127.0.0.1:5173/src/main.tsx?t=1',
    'data:image/png;base64,AA',
    'blob:http://127.0.0.1:5173/abc',
    'about:blank',
  ])('A19: allows %s', (url) => expect(isAllowedUrl(url, origin)).toBe(true));

  it.each([
    'https://fonts.googleapis.com/css2',
    'http://127.0.0.1:5174/',
    'http://localhost:5173/',
    'https://127.0.0.1:5173/',
    'http://127.0.0.1:5173.evil.example/',
    'http://127.0.0.1:5173@evil.example/',
    'file:///etc/passwd',
    'nonsense',
  ])('A19: blocks %s', (url) => expect(isAllowedUrl(url, origin)).toBe(false));
});
