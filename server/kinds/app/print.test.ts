import { runInNewContext } from 'node:vm';
import { transformSync } from 'esbuild';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AppDocument, documentSchema, type View } from '../../../sandbox-image/templates/app/model/document.ts';
import { printApp, printCode } from './print.ts';
import { startingPoints } from './starting-points.ts';

/** Runs a printed page, and returns the frame's id and the props of its views. */
function viewsIn(page: string): { frame: unknown; views: unknown[] } {
  const { code } = transformSync(page, { loader: 'tsx', format: 'cjs', jsx: 'transform', jsxFactory: 'element' });
  interface Drawn {
    readonly id: string;
    readonly children: readonly Record<string, unknown>[];
  }
  const module = { exports: { default: (): Drawn => ({ id: '', children: [] }) } };
  const element = (_type: unknown, props: object, ...children: unknown[]) => ({ ...props, children });
  runInNewContext(code, { module, element, require: () => ({}) });
  const { id, children } = module.exports.default();
  return { frame: id, views: children.map(({ children: _, ...props }) => JSON.parse(JSON.stringify(props))) };
}

function documentWith(views: View[]): AppDocument {
  const [start] = startingPoints;
  if (start === undefined) throw new Error('There is no starting point.');
  return { ...start.document, pages: [{ id: 'page-1', name: 'Page', views }] };
}

const pageOf = (document: AppDocument) => printApp(document)[1]?.content ?? '';

describe('printed pages', () => {
  it.each(startingPoints.map(({ id, document }) => [id, document] as const))('show the views of %s', (_id, document) => {
    const [json, ...pages] = printApp(document);
    expect(JSON.parse(json?.content ?? '')).toEqual(document);
    expect(pages.map(({ path }) => path)).toEqual(document.pages.map(({ id }) => `src/pages/${id}.tsx`));
    for (const [index, { content }] of pages.entries())
      expect(viewsIn(content)).toEqual({ frame: document.pages[index]?.id, views: document.pages[index]?.views });
  });

  it('reads like code that a person writes', () => {
    const document = documentWith([
      { view: 'table', id: 'all', list: 'items', fields: ['name', 'value'], totals: { value: 'sum' }, search: true },
      { view: 'code', id: 'fees', entry: 'late-fees' },
    ]);
    expect(pageOf(document).split('\n').slice(1, -2)).toEqual([
      "import { Table } from '../views/table.tsx';",
      "import LateFeesCode from '../code/late-fees.tsx';",
      '',
      'export default function Page1Page() {',
      '  return (',
      '    <PageFrame id="page-1">',
      `      <Table view="table" id="all" list="items" fields={['name', 'value']} search totals={{ value: 'sum' }} />`,
      '      <LateFeesCode view="code" id="fees" entry="late-fees" />',
      '    </PageFrame>',
      '  );',
    ]);
  });

  it('are the same whatever the order of the document’s keys', () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .map(([key, inner]) => [key, reversed(inner)])
          .reverse(),
      );
    };
    const document = documentWith([
      { view: 'form', id: 'ask', list: 'items', ask: [{ field: 'name', label: 'Name?', needed: true }], title: 'New item' },
    ]);
    expect(printApp(documentSchema.parse(reversed(document)))).toEqual(printApp(document));
  });

  it('show hostile texts as they are, and run none of them', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom(
        ...['"} onClick={alert(1)} x={"', '</PageFrame><script>', '{`x`}', '&quot;&#123;', "\\'); throw 1; ('"],
        ...['\u2028\u2029', '*/ import "x"; /*', '`', '\r\n', '\\u0022'],
      ),
    );
    const texts = fc.tuple(hostile, hostile, hostile);
    const formOf = ([one, other, third]: readonly [string, string, string], id: string): View => ({
      ...{ view: 'form', id, list: 'items', title: one, intro: other, ask: [{ field: 'name', label: third }] },
      thanks: { title: third, text: one, summary: true },
    });
    const boardOf = ([one, other, third]: readonly [string, string, string], id: string): View => ({
      ...{ view: 'board', id, list: 'items', columns: 'condition', card: { title: 'name' }, limits: { 'being-repaired': 3 } },
      ...{ empty: { title: one, text: other }, filter: [{ field: 'name', is: 'has', value: third }] },
    });
    // Many texts a page, because starting the compiler takes longest.
    fc.assert(
      fc.property(fc.array(texts, { minLength: 4, maxLength: 4 }), (groups) => {
        const views = groups.flatMap((group, index) => [formOf(group, `form-${index}`), boardOf(group, `board-${index}`)]);
        expect(viewsIn(pageOf(documentWith(views))).views).toEqual(views);
      }),
      { numRuns: 25 },
    );
  });

  it('have a component for each view in code, until somebody writes it', () => {
    const document = documentWith([
      { view: 'code', id: 'fees', entry: 'late-fees' },
      { view: 'code', id: 'more', entry: 'late-fees', title: 'More' },
    ]);
    const files = printCode(document);
    expect(files.map(({ path }) => path)).toEqual(['src/code/late-fees.tsx']);
    expect(() => transformSync(files[0]?.content ?? '', { loader: 'tsx' })).not.toThrow();
  });
});
