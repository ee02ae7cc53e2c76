import { parseSync } from 'vite';

export const maxCodeLines = 10;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

export interface CodeInString {
  /** First line of the string, counted from 1. */
  readonly line: number;
  readonly lines: number;
}

/**
 * Returns the strings in a source file that contain more than `maxCodeLines` lines of JavaScript. They may be literals,
 * templates, concatenations, or HTML with scripts. Throws Error if the source itself cannot be parsed.
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
    if (lines > maxCodeLines) found.push({ line: countLines(source.slice(0, node.start)), lines });
    // A template's expressions may contain further strings.
    return node.type === 'TemplateLiteral';
  });
  return found;
}

/** Calls `enter` for each node in a tree, parents first. Skips a node's children if it returns false. */
function visit(node: Node, enter: (node: Node) => boolean): void {
  if (!enter(node)) return;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, enter);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** Returns a string expression's text, with a name in place of each computed part; `null` if it is not a string. */
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

function codeIn(text: string): string[] {
  if (countLines(text) <= maxCodeLines) return [];
  const scripts = [...text.matchAll(/<script\b[^>]*>(.*?)<\/script>/gis)].map(([, script = '']) => script);
  return [text, ...scripts].map((piece) => piece.trim()).filter(isCode);
}

/** Returns whether a string is a module, an expression, or the body of a function or class, in TypeScript with or without JSX. */
function isCode(text: string): boolean {
  const wholes = [text, `(${text}\n)`, `async function* whole() {${text}\n}`, `class Whole {${text}\n}`];
  return ['text.ts', 'text.tsx'].some((path) =>
    wholes.some((whole) => {
      const { program, errors } = parseSync(path, whole);
      return errors.length === 0 && hasActiveNodes(program, whole === text ? 0 : 1);
    }),
  );
}

/** Node types that only code has. Prose, JSON and markup may also parse as JavaScript, but lack these. */
const activeTypes =
  /^(?:(?:Arrow)?FunctionExpression|FunctionDeclaration|CallExpression|AssignmentExpression|MethodDefinition|ClassDeclaration)$/;

/** Returns whether a program has more active nodes than the `wrappers` that `isCode` added around it. */
function hasActiveNodes(program: Node, wrappers: number): boolean {
  let count = 0;
  visit(program, ({ type }) => {
    if (activeTypes.test(type)) count++;
    return true;
  });
  return count > wrappers;
}

function countLines(text: string): number {
  return text.split('\n').length;
}
