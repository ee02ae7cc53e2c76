import { describe, expect, it } from 'vitest';
import { follow, noCorrections, withChoice, withCorrection, withMove } from './corrections.ts';
import { editBetween, movedRange } from './ranges.ts';

const text = 'Our group is back. I was thinking, you know. Bring a friend.';
const remark = 'I was thinking, you know.';
const start = text.indexOf(remark);
const left = withCorrection(noCorrections, [{ start, end: start + remark.length }], 'leave-out');

/** Returns the words that the corrections of an edited text are bound to. */
const boundTo = (after: string, all = left) => follow(all, text, after).corrections.map((one) => after.slice(one.start, one.end));

describe('an edit of the text', () => {
  it('before the words of a correction moves it', () => expect(boundTo(text.replace('Our', 'Our old'))).toEqual([remark]));
  it('behind them changes nothing', () => expect(boundTo(`${text} And a biscuit.`)).toEqual([remark]));
  it('in them widens or shrinks it', () => {
    expect(boundTo(text.replace('was', 'was only'))).toEqual(['I was only thinking, you know.']);
    expect(boundTo(text.replace(' thinking', ''))).toEqual(['I was, you know.']);
  });
  it('across its start or end keeps the rest', () => {
    expect(boundTo(text.replace('back. I was', 'here. We were'))).toEqual([' thinking, you know.']);
    expect(boundTo(text.replace('you know. Bring', 'Bring'))).toEqual(['I was thinking, ']);
  });
  it('of all its words ends it', () => {
    expect(boundTo(text.replace(remark, ''))).toEqual([]);
    expect(boundTo('')).toEqual([]);
  });
  it('that continues its last word widens it', () => {
    const word = withCorrection(noCorrections, [{ start: 4, end: 9 }], 'title');
    expect(boundTo(text.replace('group', 'groups'), word)).toEqual(['groups']);
    expect(boundTo(text.replace('group', 'group really'), word)).toEqual(['group']);
  });
  it('is found between equal letters', () => {
    expect(editBetween('aaa', 'aaaa')).toEqual({ at: 3, removed: 0, added: 'a' });
    expect(editBetween('same', 'same')).toBeNull();
    expect(movedRange({ start: 0, end: 2 }, { at: 0, removed: 2, added: 'xy' }, 'ab')).toBeNull();
  });
  it('moves the scenes that choices and the order name', () => {
    const all = withMove(withChoice(noCorrections, { at: start, format: 'quote' }), [0, start], 1, 0);
    const moved = follow(all, text, `So: ${text}`);
    expect(moved.choices).toEqual([{ at: start + 4, format: 'quote' }]);
    expect(moved.order).toEqual([start + 4, 4]);
  });
});

describe('a correction', () => {
  it('replaces what was said about the same words before, and keeps it for others', () => {
    const all = withCorrection(left, [{ start: start + 2, end: start + 5 }], 'title');
    expect(all.corrections.map((one) => [text.slice(one.start, one.end), one.use])).toEqual([
      ['I ', 'leave-out'],
      ['was', 'title'],
      [' thinking, you know.', 'leave-out'],
    ]);
    expect(withCorrection(all, [{ start: 0, end: text.length }], 'show').corrections).toHaveLength(1);
  });
  it('of a format keeps the length that was chosen for the scene', () => {
    const all = withChoice(withChoice(noCorrections, { at: 3, seconds: 6 }), { at: 3, format: 'quote' });
    expect(all.choices).toEqual([{ at: 3, seconds: 6, format: 'quote' }]);
  });
});
