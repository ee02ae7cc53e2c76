import { describe, expect, it } from 'vitest';
import { innerUrl } from './agent-browser.ts';
import { offers } from './agent-steps.ts';

const origin = 'http://127.0.0.1:5173';

describe('addresses that the browser opens', () => {
  it.each([
    ['/', '/'],
    ['', '/'],
    ['form.html?a#b', '/form.html?a#b'],
    ['?export', '/?export'],
    ['http://127.0.0.1:5173/x', '/x'],
    ['http://localhost:5173/x/../y', '/y'],
    ['data:text/html,<p>', 'data:text/html,<p>'],
  ])('T5: %j is %j', (input, url) => {
    expect(innerUrl(input, origin)).toBe(url);
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
  ])('T5: refuses %j', (input) => {
    expect(() => innerUrl(input, origin)).toThrow(/cannot be opened/);
  });
});

describe('what is offered instead of an element', () => {
  const candidates = [
    { selector: '#submit', text: 'Send it' },
    { selector: '#cancel', text: 'Never mind' },
    { selector: 'main > canvas', text: '' },
  ];

  it('T5: is what looks most like it, by selector or by text', () => {
    expect(offers({ selector: '#sumbit', text: null }, candidates)[0]?.selector).toBe('#submit');
    expect(offers({ selector: null, text: 'never  mind' }, candidates)[0]?.selector).toBe('#cancel');
    expect(offers({ selector: 'canvas', text: null }, candidates)[0]?.selector).toBe('main > canvas');
  });

  it('T5: is whatever is there when nothing looks like it, and not too much of it', () => {
    const many = Array.from({ length: 100 }, (_, index) => ({ selector: `#a${index}`, text: '' }));
    expect(offers({ selector: 'video', text: null }, many)).toHaveLength(8);
  });
});
