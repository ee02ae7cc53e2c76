import {
  type AppDocument,
  documentPath,
  documentSchema,
  type Page,
  type View,
} from '../../../sandbox-image/templates/app/model/document.ts';

/** Prints the code of an app's pages from its document. The same document always gives the same text. */

export interface PrintedFile {
  readonly path: string;
  readonly content: string;
}

const maxLine = 110;

export const pagePath = (id: string): string => `src/pages/${id}.tsx`;
export const codePath = (entry: string): string => `src/code/${entry}.tsx`;

/** Returns the files of an app: its document, and a file for each page. */
export function printApp(document: AppDocument): PrintedFile[] {
  // Parsing puts the keys into the order of the schema, so that equal documents are printed as the same text.
  const ordered = documentSchema.parse(document);
  const json = { path: documentPath, content: `${JSON.stringify(ordered, null, 2)}\n` };
  return [json, ...ordered.pages.map(printPage)];
}

/** Components that views in code need until somebody writes them. */
export function printCode({ pages }: AppDocument): PrintedFile[] {
  const entries = new Set(pages.flatMap(({ views }) => views.flatMap((view) => (view.view === 'code' ? [view.entry] : []))));
  return [...entries].map((entry) => ({ path: codePath(entry), content: emptyCode(entry) }));
}

const emptyCode = (entry: string) => `import type { ViewOf } from '../../model/document.ts';

export default function ${componentName(entry)}({ title = '${entry}' }: ViewOf<'code'>) {
  return <p>{title} is not written yet. Its code belongs in ${codePath(entry)}.</p>;
}
`;

function printPage({ id, views }: Page): PrintedFile {
  const imports = new Set(["import { PageFrame } from '../shell/page-frame.tsx';", ...views.map(importOf)]);
  const content = [
    ...imports,
    '',
    `export default function ${componentName(id)}Page() {`,
    '  return (',
    `    <PageFrame id="${id}">`,
    ...views.map((view) => element(view, 6)),
    '    </PageFrame>',
    '  );',
    '}',
    '',
  ].join('\n');
  return { path: pagePath(id), content };
}

const codeName = (entry: string) => `${componentName(entry)}Code`;

function importOf(view: View): string {
  if (view.view === 'code') return `import ${codeName(view.entry)} from '../code/${view.entry}.tsx';`;
  return `import { ${componentName(view.view)} } from '../views/${view.view}.tsx';`;
}

/** “late-fees” becomes “LateFees”. */
const componentName = (id: string) =>
  id
    .split('-')
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join('');

/** Prints a view as an element, on one line if that fits. */
function element(view: View, indent: number): string {
  const name = view.view === 'code' ? codeName(view.entry) : componentName(view.view);
  const { view: type, ...others } = view;
  const props = Object.entries({ view: type, ...others }).filter(([, value]) => value !== undefined);
  const lead = ' '.repeat(indent);
  const line = `${lead}<${name} ${props.map(([key, value]) => printProp(key, value, null)).join(' ')} />`;
  if (line.length <= maxLine) return line;
  const lines = props.map(([key, value]) => `${lead}  ${printProp(key, value, indent + 2)}`);
  return [`${lead}<${name}`, ...lines, `${lead}/>`].join('\n');
}

/** A text that means the same in an attribute of JSX, where entities are decoded, as in a string. */
const plainText = /^[\p{L}\p{N} .,:;!?()'’“”–—/+#%·-]*$/u;

function printProp(key: string, value: unknown, indent: number | null): string {
  if (value === true) return key;
  if (typeof value === 'string' && plainText.test(value)) return `${key}="${value}"`;
  return `${key}={${printValue(value, indent, key.length + 2)}}`;
}

/** Prints a value as an expression. `indent`: that of its line, or `null` to keep it on one line. `used`: characters before it. */
function printValue(value: unknown, indent: number | null, used = 0): string {
  if (typeof value !== 'object' || value === null) return printScalar(value);
  const isList = Array.isArray(value);
  const entries: [string, unknown][] = isList
    ? value.map((item): [string, unknown] => ['', item])
    : Object.entries(value)
        .filter(([, inner]) => inner !== undefined)
        .map(([key, inner]): [string, unknown] => [`${printKey(key)}: `, inner]);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (entries.length === 0) return open + close;
  const parts = entries.map(([key, inner]) => key + printValue(inner, null));
  const line = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  if (indent === null || indent + used + line.length < maxLine) return line;
  const lead = ' '.repeat(indent + 2);
  const lines = entries.map(([key, inner]) => `${lead}${key}${printValue(inner, indent + 2, key.length)},`);
  return [open, ...lines, ' '.repeat(indent) + close].join('\n');
}

/** Keys are ids, or names of the schema. */
const printKey = (key: string) => (key.includes('-') ? printScalar(key) : key);

function printScalar(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const json = JSON.stringify(value);
  return /["'\\]/.test(value) || json.length !== value.length + 2 ? json : `'${value}'`;
}
