import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planDraftSchema } from '#contract/project.ts';
import { maxSpecificationBytes, specificationProblem } from '#kinds/cycle/contract/cycle.ts';
import { documentProblems, planInArchive, planOfSpecification, specificationOf } from './specification.ts';

const name = 'CYCLE03';
const titles = (text: string) => planOfSpecification(text, { name }).sections.map(({ title }) => title);

describe('the plan of a specification', () => {
  it('C1: has the headings as sections, with the text below them', () => {
    const { title, summary, sections, caveat } = planOfSpecification('Intro\n\n# One\nfirst\n\n## Two ##\r\n\r\n# C#\rlast', {
      name,
    });
    expect([title, summary, caveat]).toEqual([name, '3 sections', null]);
    expect(sections).toEqual([
      { id: 'section-1', title: 'One', description: 'first' },
      { id: 'section-2', title: 'Two', description: 'Two' },
      { id: 'section-3', title: 'C#', description: 'last' },
    ]);
  });

  it('C1: takes comments in code for no headings', () => {
    expect(titles('# One\n```sh\n# a comment\n~~~\n# another\n```\n#hashtag\n####### seven\n    # indented\n# Two')).toEqual([
      'One',
      'Two',
    ]);
    expect(titles('~~~~\n# in code\n~~~\n# still in code\n~~~~\n# After')).toEqual(['After']);
  });

  it('C1: is one section without headings, and says how many it leaves out', () => {
    expect(planOfSpecification('Just do it.', { name }).sections).toEqual([
      { id: 'section-1', title: 'Specification', description: 'Just do it.' },
    ]);
    const many = planOfSpecification(Array.from({ length: 101 }, (_, index) => `# ${index}`).join('\n'), { name });
    expect(many.sections).toHaveLength(100);
    expect([many.summary, many.caveat]).toEqual(['101 sections', 'The outline lists the first 100 sections.']);
  });

  it('C1: is valid for any text, and keeps the whole specification', () => {
    const line = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom('# ', '```', '~~~', `# ${'👋'.repeat(50)}`),
    );
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 20 }),
        fc.string({ minLength: 1, maxLength: 200 }),
        (lines, title) => {
          const text = lines.join('\n');
          fc.pre(specificationProblem(text) === null);
          const plan = planOfSpecification(text, { name: title });
          expect(planDraftSchema.parse(plan)).toEqual(plan);
          expect(documentProblems(plan)).toEqual([]);
          expect(specificationOf(plan)).toBe(text);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('C1: of a newer version of Koda is refused', () => {
    const plan = { ...planOfSpecification('# One', { name }), document: { version: 2, specification: '# One' } };
    expect(documentProblems(plan)).toHaveLength(1);
    expect(() => specificationOf(plan)).toThrow('newer version of Koda');
  });
});

it('C1: an archive needs a usable specification', async () => {
  const read = (text: string | null) => planInArchive(async (path) => (path === 'SPEC.md' ? text : 'other'), { name });
  expect((await read('# One')).sections).toHaveLength(1);
  await expect(read(null)).rejects.toThrow('it is missing or too large');
  await expect(read(' \n')).rejects.toThrow('it is empty');
  await expect(read('é'.repeat(maxSpecificationBytes / 2 + 1))).rejects.toThrow('larger than 128 KiB');
  await expect(read('a\0b')).rejects.toThrow('not UTF-8');
});
