import { parseSync } from 'vite';

/** Longest piece of JavaScript that may stand in a string. */
export const longestCodeLines = 10;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

export interface CodeInString {
  /** Where the string begins, counted from 1. */
  readonly line: number;
  readonly lines: number;
}

/**
 * The strings of a source file that hold more than `longestCodeLines` lines of JavaScript: string and template
 * literals, sums of them, and scripts in HTML. Throws Error when the source itself cannot be parsed.
 */
export function codeInStrings(path: string, source: string): CodeInString[] {
  const { program, errors } = parseSync(path, source);
  const [error] = errors;
  if (error) throw new Error(`${path} cannot be parsed: ${error.message}`);
  const found: CodeInString[] = [];
  visit(program, (node) => {
    const text = textOf(node);
    if (text === null) return true;
    const lines = Math.max(0, ...codeIn(text).map(countLines));
    if (lines > longestCodeLines) found.push({ line: countLines(source.slice(0, node.start)), lines });
    // What stands in a template's expressions may be a string in turn.
    return node.type === 'TemplateLiteral';
  });
  return found;
}

/** Calls `enter` for each node of a tree, parents first; what it returns false for is not entered. */
function visit(node: Node, enter: (node: Node) => boolean): void {
  if (!enter(node)) return;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, enter);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** What a string expression says, with a name in the place of everything that is computed; null = not a string. */
function textOf(node: Node): string | null {
  if (isLiteral(node)) return typeof node.value === 'string' ? node.value : null;
  if (isTemplate(node)) return node.quasis.map(({ value }) => value.cooked ?? value.raw).join('computed');
  if (!isSum(node)) return null;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === null && right === null ? null : `${left ?? 'computed'}${right ?? 'computed'}`;
}

const isLiteral = (node: Node): node is Node & { value: unknown } => node.type === 'Literal';
const isTemplate = (node: Node): node is Node & { quasis: { value: { cooked: string | null; raw: string } }[] } =>
  node.type === 'TemplateLiteral';
const isSum = (node: Node): node is Node & { left: Node; right: Node } =>
  node.type === 'BinaryExpression' && 'operator' in node && node.operator === '+';

/** The pieces of a text that are JavaScript. */
function codeIn(text: string): string[] {
  if (countLines(text) <= longestCodeLines) return [];
  const scripts = [...text.matchAll(/<script\b[^>]*>(.*?)<\/script>/gis)].map(([, script = '']) => script);
  return [text, ...scripts].map((piece) => piece.trim()).filter(isCode);
}

/** A statement, an expression, a module, or the body of a function; as TypeScript, with JSX or without. */
function isCode(text: string): boolean {
  const wholes = [text, `(${text}\n)`, `async function* whole() {${text}\n}`, `class Whole {${text}\n}`];
  return ['text.ts', 'text.tsx'].some((path) =>
    wholes.some((whole) => {
      const { program, errors } = parseSync(path, whole);
      return errors.length === 0 && does(program, whole === text ? 0 : 1);
    }),
  );
}

/** What only code does. Words, JSON, markup and files of data parse, too. */
const active =
  /^(?:(?:Arrow)?FunctionExpression|FunctionDeclaration|CallExpression|AssignmentExpression|MethodDefinition|ClassDeclaration)$/;

/** Whether a program has more parts that only code has than the `wrappers` around it. */
function does(program: Node, wrappers: number): boolean {
  let parts = 0;
  visit(program, ({ type }) => {
    if (active.test(type)) parts++;
    return true;
  });
  return parts > wrappers;
}

function countLines(text: string): number {
  return text.split('\n').length;
}
