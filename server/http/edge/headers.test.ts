import { describe, expect, it } from 'vitest';
import { attachment } from './headers.ts';

describe('download file name', () => {
  it.each([
    ['a quote', 'a"b.mp4'],
    ['the end of the header', 'a\r\nSet-Cookie: x=1.mp4'],
    ['another parameter', "a; filename*=UTF-8''evil.exe"],
    ['a path', '../../.bashrc'],
    ['every script', 'Ünï 日本 🎈.mp4'],
    ['half a character', 'a\uD83D.mp4'],
    ['nothing', ''],
  ])('A18: may hold %s', (_what, name) => {
    const value = attachment(name);
    expect(value).toMatch(/^attachment; filename="[\w.-]*"; filename\*=UTF-8''[\w.!~%-]*$/);
    const encoded = value.slice(value.lastIndexOf("'") + 1);
    expect(decodeURIComponent(encoded)).toBe(name.toWellFormed());
    expect(() => new Headers({ 'content-disposition': value })).not.toThrow();
  });
});
