import { describe, expect, it } from 'vitest';
import { resolvePageUrl } from './agent-browser.ts';
import { suggestions } from './agent-steps.ts';

const origin = 'http://127.0.0.1:5173';

describe('resolvePageUrl', () => {
  it.each([
    ['/', '/'],
    ['', '/'],
    ['form.html?a#b', '/form.html?a#b'],
    ['?export', '/?export'],
    ['http://127.0.0.1:5173/x', '/x'],
    ['http://localhost:5173/x/../y', '/y'],
    ['data:text/html,<p>', 'data:text/html,<p>'],
  ])('T5: resolves %j to %j', (input, url) => {
    expect(resolvePageUrl(input, origin)).toBe(url);
  });

  it.each([
    'http://127.0.0.1/',
    'https://127.0.0.1:5173/',
    '//example.com/',
    'file:///etc/passwd',
    'about:blank',
    'blob:x',
    'ws://127.0.0.1:5173',
    'http://[',
  ])('T5: rejects %j', (input) => {
    expect(() => resolvePageUrl(input, origin)).toThrow(/cannot be opened/);
  });
});

describe('suggestions', () => {
  const candidates = [
    { selector: '#submit', text: 'Send it' },
    { selector: '#cancel', text: 'Never mind' },
    { selector: 'main > canvas', text: '' },
  ];

  it('T5: ranks elements by similar selector or text', () => {
    expect(suggestions({ selector: '#sumbit', text: null }, candidates)[0]?.selector).toBe('#submit');
    expect(suggestions({ selector: null, text: 'never  mind' }, candidates)[0]?.selector).toBe('#cancel');
    expect(suggestions({ selector: 'canvas', text: null }, candidates)[0]?.selector).toBe('main > canvas');
  });

  it('T5: returns a limited number of elements if none is similar', () => {
    const many = Array.from({ length: 100 }, (_, index) => ({ selector: `#a${index}`, text: '' }));
    expect(suggestions({ selector: 'video', text: null }, many)).toHaveLength(8);
  });
});
