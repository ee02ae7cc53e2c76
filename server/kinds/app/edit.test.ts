import { describe, expect, it } from 'vitest';
import type { Plan } from '#contract/project.ts';
import { newApp, planOf, readableApp } from './document.ts';
import { editedApp } from './edit.ts';
import { startingPoint } from './starting-points.ts';

const document = startingPoint('stock')?.document;
if (document === undefined) throw new Error('There is no starting point “stock”.');
const plan = { ...planOf(newApp(document)), revision: 3, accepted: true } as Plan;
const [list, ...others] = document.lists;
if (list === undefined) throw new Error('The stock has no list.');
const extra = { id: 'extra', name: 'Extra', type: 'text' as const };
const withExtra = { ...document, lists: [{ ...list, fields: [...list.fields, extra] }, ...others] };

const replaced = (before: Plan, next: unknown, revision: number) =>
  editedApp(before, [{ type: 'set-document', document: next, revision }]);

describe('a whole document', () => {
  it('replaces the one that was read, and keeps the values of fields that it lacks', () => {
    const { draft: added, label } = replaced(plan, withExtra, 3);
    expect(label).toMatchObject({ place: 'app', words: ['document'] });
    const { draft } = replaced({ ...plan, ...added }, document, 3);
    expect(readableApp(draft).document.lists[0]?.removed).toMatchObject([{ field: extra }]);
    const { draft: back } = replaced({ ...plan, ...draft }, withExtra, 3);
    expect(readableApp(back).document.lists[0]).not.toHaveProperty('removed');
  });

  it('is refused if another one was saved in the meantime, or if it would not work', () => {
    expect(() => replaced(plan, document, 2)).toThrow('has revision 3 by now');
    const broken = { ...document, lists: [{ ...list, id: 'renamed' }, ...others] };
    expect(() => replaced(plan, broken, 3)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
  });
});
