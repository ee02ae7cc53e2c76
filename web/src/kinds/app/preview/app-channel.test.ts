import { describe, expect, it } from 'vitest';
import { pathFromText, readFromApp } from './app-channel.ts';

describe('messages of the page of an app', () => {
  it('are read', () => {
    for (const message of [
      { type: 'koda:app-ready', pages: [{ id: 'tools', name: 'Tools' }] },
      { type: 'koda:app-location', path: '/tools?group=status' },
      { type: 'koda:console', level: 'error', text: 'It broke' },
      { type: 'koda:network', method: 'POST', path: '/api/changes', status: 200, ms: 4.2 },
      { type: 'koda:selected', page: 'tools', view: 'all' },
    ])
      expect(readFromApp(message)).toEqual(message);
  });

  it('are ignored unless they are exactly of the kinds that an app sends', () => {
    for (const message of [
      null,
      'koda:app-ready',
      { type: 'koda:app-ready', pages: Array.from({ length: 31 }, (_, index) => ({ id: `page-${index}`, name: 'Page' })) },
      { type: 'koda:app-ready', pages: [{ id: '__proto__', name: 'Page' }] },
      { type: 'koda:app-ready' },
      { type: 'koda:app-location', path: '//evil.example/' },
      { type: 'koda:app-location', path: '/\\evil.example/' },
      { type: 'koda:app-location', path: 'https://evil.example/' },
      { type: 'koda:app-location', path: `/${'x'.repeat(2100)}` },
      { type: 'koda:console', level: 'fatal', text: '' },
      { type: 'koda:console', level: 'info', text: 'x'.repeat(20_001) },
      { type: 'koda:network', method: 'GET<script>', path: '/', status: 200, ms: 1 },
      { type: 'koda:network', method: 'GET', path: '/', status: 200, ms: Number.POSITIVE_INFINITY },
      { type: 'koda:selected', page: 'tools', view: '../etc' },
      { type: 'koda:unknown' },
    ])
      expect(readFromApp(message)).toBeNull();
  });

  it('are ignored if they are huge or deep', () => {
    const deep = { type: 'koda:console', level: 'info', text: 'x', more: [[[[[1]]]]] };
    expect(readFromApp(deep)).toBeNull();
    expect(readFromApp({ type: 'koda:app-ready', pages: [], more: Array.from({ length: 10_000 }, () => 1) })).toBeNull();
  });
});

describe('the address bar', () => {
  const here = 'http://abc.localhost:3000';

  it('takes paths with and without a slash, and whole addresses of the app', () => {
    expect(pathFromText(' /tools?group=status ', here)).toBe('/tools?group=status');
    expect(pathFromText('tools', here)).toBe('/tools');
    expect(pathFromText('', here)).toBe('/');
    expect(pathFromText('http://abc.localhost:3000/loans#x', here)).toBe('/loans#x');
    expect(pathFromText('/a/../tools', here)).toBe('/tools');
  });

  it('refuses addresses that lead elsewhere', () => {
    for (const text of [
      'https://evil.example/',
      'javascript:alert(1)',
      '//evil.example',
      '/\\evil.example',
      'http://abc.localhost:3000.evil.example/',
    ])
      expect(pathFromText(text, here)).toBeNull();
  });
});
