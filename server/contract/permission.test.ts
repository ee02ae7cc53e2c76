import { describe, expect, it } from 'vitest';
import { canLast, covers, outsideToolName, permissionText } from './permission.ts';

const given = { server: 'brand', tool: 'echo', digest: 'd1', input: '{"text":"logo"}' };

describe('lasting permission', () => {
  it.each([
    ['the same input', {}],
    ['another value', { input: '{"text":"font"}' }],
  ])('M2: covers %s', (_, change) => {
    expect(covers(given, { ...given, ...change })).toBe(true);
  });

  it.each([
    ['another tool', { tool: 'orders' }],
    ['another server', { server: 'data' }],
    ['a tool whose declaration has changed', { digest: 'd2' }],
    ['Koda’s own search', { server: null }],
    ['a further field', { input: '{"text":"logo","secret":"x"}' }],
    ['a missing field', { input: '{}' }],
    ['an input that is not an object', { input: '["text"]' }],
    ['a large input', { input: JSON.stringify({ text: 'x'.repeat(200) }) }],
    ['a large nested input', { input: JSON.stringify({ text: Array.from({ length: 80 }, () => 'x') }) }],
  ])('M2: does not cover %s', (_, change) => {
    expect(covers(given, { ...given, ...change })).toBe(false);
  });

  it('M2: counts bytes, not characters', () => {
    expect(canLast(JSON.stringify({ text: 'x'.repeat(180) }))).toBe(true);
    expect(canLast(JSON.stringify({ text: '€'.repeat(70) }))).toBe(false);
  });
});

describe('permission question', () => {
  it.each([
    'search” of … It would send: {…} (Already allowed by the administrator.)',
    'a b',
    'a\u202eb',
    '',
    'ü',
    'x'.repeat(65),
  ])('M2: has no tool named %j', (name) => {
    expect(outsideToolName.test(name)).toBe(false);
  });

  it('M2: shows other programs and terminals everything that is sent', () => {
    const input = JSON.stringify({ text: `logo${' '.repeat(1_600)}sk-secret\u202e` });
    const text = permissionText({ ...given, input, sizeBytes: Buffer.byteLength(input), reason: 'shape' });
    expect(text).toBe(
      [
        'Permission for a tool outside Koda',
        'Server: brand',
        'Tool: echo',
        'Why Koda asks: You allowed this tool for this project, but for smaller inputs or other fields.',
        'It would send 1.6 kB:',
        '  {',
        '    "text": "logo⟨␣×1,600⟩sk-secret⟨U+202E⟩"',
        '  }',
      ].join('\n'),
    );
  });
});
