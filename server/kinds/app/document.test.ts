import { describe, expect, it } from 'vitest';
import { planDraftSchema } from '#contract/project.ts';
import { appHintsSchema } from '#kinds/app/contract/app.ts';
import { appOf, documentIn, newApp, planOf, problemsOf } from './document.ts';
import { startingPoint, startingPoints } from './starting-points.ts';

const library = startingPoint('tool-library');
if (library === null) throw new Error('There is no tool library.');
const { document } = library;

describe('the plan of an app', () => {
  it('shows its pages, and stores its document', () => {
    const plan = planOf(newApp(document, 'tool-library'));
    expect(plan).toMatchObject({
      title: 'Tool library',
      summary: '3 lists, 5 pages',
      chips: [{ label: '3 lists' }, { label: '5 pages' }, { label: 'forest' }],
    });
    expect(plan.sections.map(({ title, description }) => [title, description])).toEqual([
      ['Tools', 'A table of tools by kind.'],
      ['Shed', 'A board of tools by state.'],
      ['Loans', 'A calendar of loans by due. A table of loans.'],
      ['Neighbours', 'A list of neighbours with the chosen one beside it.'],
      ['Borrow a tool', 'A form for loans with 5 questions.'],
    ]);
    expect(appOf(plan)).toEqual(newApp(document, 'tool-library'));
  });

  it.each(startingPoints.map((start) => [start.id, start] as const))('of %s can be stored and read again', (_id, start) => {
    const stored = planDraftSchema.parse(JSON.parse(JSON.stringify(planOf(newApp(start.document)))));
    expect(appOf(stored)?.document).toEqual(start.document);
    expect(problemsOf(stored)).toEqual([]);
  });

  it('cannot be read if a later version has stored it', () => {
    expect(appOf({ document: { ...document, version: 2 } })).toBeNull();
    expect(appOf({ document: { scenes: [] } })).toBeNull();
    expect(problemsOf({ document: { ...document, version: 2 } })).toEqual([expect.stringContaining('later version')]);
  });

  it('says what is wrong', () => {
    const [first] = document.pages;
    const twice = { ...document, pages: first === undefined ? [] : [first, first] };
    expect(problemsOf(planOf(newApp(twice)))).toEqual(['Two pages have the id “tools”. Give one of them another id.']);
  });
});

describe('the text of src/app.json', () => {
  it('is a document, or none', () => {
    expect(documentIn(JSON.stringify(document))).toEqual(document);
    expect([null, '', '{', '[]', '{"version":1}'].map(documentIn)).toEqual([null, null, null, null, null]);
  });
});

describe('the hints of an app', () => {
  it('are a document that works, and its starting point', () => {
    expect(appHintsSchema.parse({ document, start: 'tool-library' })).toEqual({ document, start: 'tool-library' });
    expect(appHintsSchema.parse({})).toEqual({});
    const lost = { ...document, lists: document.lists.filter(({ id }) => id !== 'loans') };
    expect(appHintsSchema.safeParse({ document: lost }).error?.issues[0]?.message).toContain('which does not exist');
    expect(appHintsSchema.safeParse({ style: 'playful' }).success).toBe(false);
  });
});
