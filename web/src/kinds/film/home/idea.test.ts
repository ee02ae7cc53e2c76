import { describe, expect, it } from 'vitest';
import { emptyDraft, ideaOf, parseDraft, parseSeconds, shortened } from './idea.ts';
import { exampleOf, formatSentence, requestText } from './request-text.ts';

describe('draft of an idea', () => {
  it('survives a reload as typed, even if it is too long to send', () => {
    const draft = {
      ...emptyDraft,
      prompt: 'x'.repeat(20_000),
      aspect: '9:16',
      duration: 'custom',
      customDuration: '7,5',
    } as const;
    expect(parseDraft(JSON.stringify(draft))).toEqual(draft);
  });

  it('becomes one text: what was typed, what was pasted, and the format', () => {
    const pasted = ['\nSearch\t1240\nSocial\t540\n', '  indented\nlines'];
    expect(requestText({ prompt: ' Visitors ', pasted, format: null })).toBe(
      'Visitors\n\nSearch\t1240\nSocial\t540\n\n  indented\nlines',
    );
    const format = { id: 'bar-chart', title: 'Bar chart' };
    expect(requestText({ prompt: 'Visitors', pasted: [], format })).toBe('Visitors\n\nUse a bar chart scene.');
    expect(requestText({ prompt: '', pasted: ['a\t1'], format })).toBe('a\t1\n\nUse a bar chart scene.');
    expect(requestText({ prompt: exampleOf('bar-chart'), pasted: [], format })).toBe(exampleOf('bar-chart'));
    expect(requestText({ prompt: '', pasted: [], format })).toBe('');
    expect(formatSentence('Icon story')).toBe('Use an icon story scene.');
  });

  it('is shortened at its end to the length that can be sent', () => {
    const long = { ...emptyDraft, prompt: 'a'.repeat(12_000), pasted: ['b'.repeat(18_000), 'c'.repeat(2000)] };
    expect(requestText(shortened(long))).toBe(`${'a'.repeat(12_000)}\n\n${'b'.repeat(7998)}`);
    expect(shortened({ ...emptyDraft, prompt: 'a'.repeat(40_000) }).prompt).toHaveLength(20_000);
    expect(shortened(emptyDraft)).toBe(emptyDraft);
  });

  it('is empty if none is stored, and omits unreadable fields', () => {
    expect(parseDraft(null)).toEqual(emptyDraft);
    expect(parseDraft('{"prompt":')).toEqual(emptyDraft);
    expect(parseDraft('17')).toEqual(emptyDraft);
    expect(parseDraft('{"prompt":"A ball","style":"odd","duration":9}')).toEqual({ ...emptyDraft, prompt: 'A ball' });
  });

  it.each([
    ['7', 7],
    ['7.5', 7.5],
    [' 7,25 s', 7.25],
    ['1:30', 90],
    ['10:00', 600],
    ['1.5', 1.5],
    ['1', null],
    ['601', null],
    ['10:01', null],
    ['1:60', null],
    ['', null],
    ['-3', null],
    ['1e2', null],
    ['seven', null],
  ])('reads the length “%s” as %s seconds', (text, seconds) => {
    expect(parseSeconds(text)).toBe(seconds);
  });

  it('A2: contains only chosen settings', () => {
    expect(ideaOf({ ...emptyDraft, prompt: '  A ball \n' })).toEqual({ prompt: 'A ball' });
    expect(ideaOf({ ...emptyDraft, aspect: '1:1', style: 'smooth', duration: '12' })).toMatchObject({
      aspect: '1:1',
      style: 'smooth',
      durationSeconds: 12,
    });
    expect(ideaOf({ ...emptyDraft, duration: 'custom', customDuration: '0:09' })).toMatchObject({ durationSeconds: 9 });
    expect(ideaOf({ ...emptyDraft, duration: 'custom', customDuration: 'long' })).toBeNull();
  });
});
