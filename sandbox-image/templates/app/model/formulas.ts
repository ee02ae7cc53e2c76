import type { AppDocument, Field, List } from './document.ts';
import type { AppRecord, Value } from './record.ts';
import { daysBetween, defaultCurrency, fromMinorUnits, isIsoDate, toMinorUnits } from './values.ts';

/**
 * The formulas of computed fields: `+ − × ÷`, comparisons, `and`, `or`, `min max round`, `if`, `days(a, b)`, `sum(list.field where …)`
 * and `count(list where …)`. Fields are named by id or name; a dot leads through a relation: `tool.deposit`. In a condition after
 * `where`, names mean fields of the summed list, and `this` means the record whose formula it is: `sum(loans.fee where tool = this)`.
 *
 * An empty operand of `+` and `−` counts as 0 unless both are empty; other calculations with an empty operand are empty.
 */

type Type = 'number' | 'money' | 'text' | 'yesno' | 'date' | 'time' | 'ids' | 'empty';
/** Amounts are in major units while a formula runs, so that `price × 1.2` and `price + 5` mean what they say. */
type Raw = number | string | boolean | null | readonly string[];

interface Scope {
  /** Record whose fields plain names mean. */
  readonly record: AppRecord;
  /** Record whose formula it is. */
  readonly self: AppRecord;
  readonly run: Run;
}

interface Node {
  readonly type: Type;
  readonly currency?: string | undefined;
  /** Field that the node reads, whose choices a text that it is compared with names, or whose list its ids belong to. */
  readonly field?: Field | undefined;
  readonly list?: string | undefined;
  /** Whether the value depends on the record that plain names mean, and on the record whose formula it is. */
  readonly usesRecord: boolean;
  readonly usesSelf: boolean;
  /** Id of the field if the node is nothing but a field of the record that plain names mean. */
  readonly plainField?: string | undefined;
  /** Text of a literal. */
  readonly literal?: string | undefined;
  /** The two sides if the node is an equality, and both operands of an `and`. */
  readonly equality?: readonly [Node, Node] | undefined;
  readonly both?: readonly [Node, Node] | undefined;
  readonly value: (scope: Scope) => Raw;
}

export interface Formula {
  /** Type of the result. Times and ids appear as texts. */
  readonly type: 'number' | 'money' | 'text' | 'yesno' | 'date';
  /** Currency of an amount. */
  readonly currency: string | undefined;
  readonly node: Node;
}

export type Compiled = { readonly formula: Formula } | { readonly problem: string; readonly at: number };

export interface RecordsOf {
  recordsOf(listId: string): readonly AppRecord[];
  /** Keeps what several evaluations of the same records share. Make a new one when a record changes. */
  readonly cache?: FormulaCache;
}

/** What evaluations of one snapshot share: indexes of records and values of computed fields. */
export interface FormulaCache {
  readonly byId: Map<string, ReadonlyMap<string, AppRecord>>;
  readonly indexes: Map<string, ReadonlyMap<string, readonly AppRecord[]>>;
  readonly computed: Map<string, Map<string, Result>>;
  readonly constants: Map<Node, Raw>;
}

export function formulaCache(): FormulaCache {
  return { byId: new Map(), indexes: new Map(), computed: new Map(), constants: new Map() };
}

type Result = { readonly value: Value } | { readonly problem: string };
type Run = RecordsOf & { readonly cache: FormulaCache };

class FormulaProblem extends Error {
  readonly at: number;

  constructor(message: string, at = 0) {
    super(message);
    this.at = at;
  }
}

// Compiling

interface Environment {
  readonly document: AppDocument;
  /** Computed fields that are being compiled, as `list.field`, so that a loop is found. */
  readonly path: readonly string[];
  readonly compiled: Map<string, Formula>;
}

/**
 * Compiles a formula of a list's computed field. `at` is the position in the text. References to other computed fields are compiled
 * too, and a loop of them is a problem.
 */
export function compileFormula(
  text: string,
  { document, list }: { readonly document: AppDocument; readonly list: List },
): Compiled {
  return attempt(() => compileIn(text, list, { document, path: [], compiled: new Map() }));
}

function attempt(compile: () => Formula): Compiled {
  try {
    return { formula: compile() };
  } catch (error) {
    if (error instanceof FormulaProblem) return { problem: error.message, at: error.at };
    throw error;
  }
}

function compileIn(text: string, list: List, environment: Environment): Formula {
  if (text.length > 500) throw new FormulaProblem('A formula has at most 500 characters.');
  const node = new Parser(text, list, environment).read();
  const shown = { number: 'number', money: 'money', yesno: 'yesno', date: 'date' } as const;
  const type =
    node.type === 'number' || node.type === 'money' || node.type === 'yesno' || node.type === 'date' ? shown[node.type] : 'text';
  return { type, currency: node.currency, node };
}

type Computed = Extract<Field, { type: 'computed' }>;

function compileComputed(field: Computed, list: List, environment: Environment, at: number): Formula {
  const key = `${list.id}.${field.id}`;
  const known = environment.compiled.get(key);
  if (known !== undefined) return known;
  if (environment.path.includes(key)) {
    const names = [...environment.path.slice(environment.path.indexOf(key)), key].map((part) => `“${part}”`);
    throw new FormulaProblem(`The formulas refer to each other in a loop: ${names.join(' → ')}. Take one of them out.`, at);
  }
  const inner = { ...environment, path: [...environment.path, key] };
  let formula: Formula;
  try {
    formula = compileIn(field.formula, list, inner);
  } catch (error) {
    if (!(error instanceof FormulaProblem)) throw error;
    const named = error.message.includes('in a loop') || error.message.startsWith('The formula of');
    throw new FormulaProblem(named ? error.message : `The formula of “${field.name}” does not work: ${error.message}`, at);
  }
  environment.compiled.set(key, formula);
  return formula;
}

const functions = new Set(['min', 'max', 'round', 'if', 'sum', 'count', 'days']);
const words = new Set(['where', 'and', 'or', 'this', 'yes', 'no', 'true', 'false']);
const comparisons = /^(?:<=|>=|<>|!=|==|=|<|>|≤|≥|≠)/;
const comparisonSigns: Readonly<Record<string, string>> = { '==': '=', '!=': '≠', '<>': '≠', '<=': '≤', '>=': '≥' };

class Parser {
  private readonly text: string;
  private readonly outer: List;
  private readonly environment: Environment;
  /** List whose fields plain names mean: the summed one within `sum` and `count`. */
  private list: List;
  private at = 0;
  private depth = 0;

  constructor(text: string, list: List, environment: Environment) {
    this.text = text;
    this.outer = list;
    this.list = list;
    this.environment = environment;
  }

  read(): Node {
    const node = this.either();
    this.space();
    if (this.at < this.text.length) this.fail(`“${this.text.slice(this.at, this.at + 20)}” was not expected here.`);
    return node;
  }

  private fail(message: string, at = this.at): never {
    throw new FormulaProblem(message, at);
  }

  private space(): void {
    while (/\s/.test(this.text.charAt(this.at))) this.at += 1;
  }

  private take(pattern: RegExp): string | undefined {
    this.space();
    const found = this.text.slice(this.at).match(pattern)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  private expect(sign: string): void {
    if (!this.text.startsWith(sign, this.skipped())) this.fail(`“${sign}” is missing here.`);
    this.at += sign.length;
  }

  private skipped(): number {
    this.space();
    return this.at;
  }

  private word(word: string): boolean {
    const start = this.skipped();
    if (this.text.slice(start, start + word.length).toLowerCase() !== word) return false;
    if (/[\p{L}\p{N}_]/u.test(this.text.charAt(start + word.length))) return false;
    this.at = start + word.length;
    return true;
  }

  private either(): Node {
    let node = this.both();
    while (this.word('or')) node = logical(node, this.both(), false, (message) => this.fail(message));
    return node;
  }

  private both(): Node {
    let node = this.comparison();
    while (this.word('and')) node = logical(node, this.comparison(), true, (message) => this.fail(message));
    return node;
  }

  private comparison(): Node {
    const left = this.terms();
    const at = this.skipped();
    const sign = this.take(comparisons);
    if (sign === undefined) return left;
    const right = this.terms();
    return compare(left, right, comparisonSigns[sign] ?? sign, (message) => this.fail(message, at));
  }

  private terms(): Node {
    let node = this.factors();
    for (let at = this.skipped(); ; at = this.skipped()) {
      const sign = this.take(/^[+\-−–]/);
      if (sign === undefined) return node;
      node = addition(node, this.factors(), sign === '+', (message) => this.fail(message, at));
    }
  }

  private factors(): Node {
    let node = this.operand();
    for (let at = this.skipped(); ; at = this.skipped()) {
      const sign = this.take(/^[*×/÷]/);
      if (sign === undefined) return node;
      const fail = (message: string) => this.fail(message, at);
      const right = this.operand();
      node = sign === '*' || sign === '×' ? product(node, right, fail) : quotient(node, right, fail);
    }
  }

  private operand(): Node {
    this.depth += 1;
    if (this.depth > 60) this.fail('The formula has too many brackets within each other.');
    const at = this.skipped();
    const node = this.bracket() ?? this.literal() ?? this.call() ?? this.reference();
    this.depth -= 1;
    return node ?? this.fail(at >= this.text.length ? 'The formula ends too early.' : this.unknownName());
  }

  private unknownName(): string {
    const name = this.text.slice(this.at).match(/^[\p{L}\p{N}_-]+/u)?.[0];
    if (name === undefined) return `“${this.text.charAt(this.at)}” was not expected here.`;
    const hint =
      this.list !== this.outer && namedField(this.outer, this.text, this.at)
        ? ` Write this.${name} for the field of ${this.outer.name}.`
        : '';
    return `${this.list.name} has no field “${name}”.${hint}`;
  }

  private bracket(): Node | undefined {
    if (this.take(/^\(/) !== undefined) {
      const node = this.either();
      this.expect(')');
      return { ...node, plainField: undefined };
    }
    const at = this.at;
    if (this.take(/^[-−–]/) === undefined) return undefined;
    return addition({ ...constant('number', 0), type: 'empty' }, this.operand(), false, (message) => this.fail(message, at));
  }

  private literal(): Node | undefined {
    const digits = this.take(/^(?:\d+(?:\.\d+)?|\.\d+)/);
    if (digits !== undefined) return constant('number', Number(digits));
    const quoted = this.take(/^(?:"[^"]*"|'[^']*'|“[^”]*”|‘[^’]*’)/);
    if (quoted !== undefined) {
      const text = quoted.slice(1, -1);
      return { ...constant(isIsoDate(text) ? 'date' : 'text', text), literal: text };
    }
    if (namedField(this.list, this.text, this.at) !== undefined) return undefined;
    if (this.word('yes') || this.word('true')) return constant('yesno', true);
    return this.word('no') || this.word('false') ? constant('yesno', false) : undefined;
  }

  private call(): Node | undefined {
    const [, name = '', bracket = ''] = this.text.slice(this.at).match(/^([a-z]+)(\s*\()/i) ?? [];
    const called = name.toLowerCase();
    if (!functions.has(called)) return undefined;
    const at = this.at;
    this.at += name.length + bracket.length;
    if (called === 'sum' || called === 'count') return this.aggregate(called, at);
    const parts = [this.either()];
    while (this.take(/^[,;]/) !== undefined) parts.push(this.either());
    this.expect(')');
    const fail = (message: string) => this.fail(message, at);
    if (called === 'if') return choose(parts, fail);
    if (called === 'days') return days(parts, fail);
    return called === 'round' ? rounded(parts, fail) : extreme(parts, called === 'min', fail);
  }

  private aggregate(called: 'sum' | 'count', at: number): Node {
    if (this.list !== this.outer) this.fail(`${called} cannot stand within another sum or count.`, at);
    const list =
      this.environment.document.lists[longestName(this.environment.document.lists, this.text, this.skipped())?.index ?? -1];
    if (list === undefined) this.fail(`There is no such list. ${called} needs one, such as ${called}(${this.example()}).`);
    this.at += longestName(this.environment.document.lists, this.text, this.at)?.length ?? 0;
    this.list = list;
    let summed: Node | undefined;
    if (called === 'sum') {
      this.expect('.');
      summed = this.path(list);
      if (summed.type !== 'number' && summed.type !== 'money') this.fail('sum needs a number or an amount of money.', at);
    }
    const condition = this.word('where') ? this.either() : undefined;
    if (condition !== undefined && condition.type !== 'yesno')
      this.fail('After where, a comparison is needed, such as tool = this.');
    this.expect(')');
    this.list = this.outer;
    return aggregated(list, summed, condition);
  }

  private example(): string {
    const list = this.environment.document.lists[0];
    return `${list?.id ?? 'list'}.${list?.fields[0]?.id ?? 'field'}`;
  }

  private reference(): Node | undefined {
    const field = namedField(this.list, this.text, this.at);
    if (field !== undefined) return this.path(this.list);
    if (!this.word('this')) return undefined;
    if (this.take(/^\./) !== undefined) return onSelf(this.path(this.outer));
    return {
      type: 'ids',
      list: this.outer.id,
      usesRecord: false,
      usesSelf: true,
      value: ({ self }) => self.id,
    };
  }

  /** A field of a list, and further fields through relations. */
  private path(list: List): Node {
    const start = this.skipped();
    const found = namedField(list, this.text, start);
    if (found === undefined) {
      const name = this.text.slice(start).match(/^[\p{L}\p{N}_-]+/u)?.[0] ?? this.text.charAt(start);
      return this.fail(`${list.name} has no field “${name}”.`);
    }
    this.at += found.length;
    const node = readField(list, found.field, this.environment, start);
    if (!/^\s*\./.test(this.text.slice(this.at))) return node;
    if (found.field.type !== 'relation' || found.field.many === true) {
      return this.fail(`“${found.field.name}” is not one related record, so no field of it can follow.`);
    }
    this.expect('.');
    const related = found.field.list;
    const target = this.environment.document.lists.find(({ id }) => id === related);
    if (target === undefined) return this.fail(`“${found.field.name}” leads to a list that does not exist.`);
    return through(node, target.id, this.path(target));
  }
}

interface Named {
  readonly index: number;
  readonly length: number;
}

/** The item with the longest id or name that the text has at a position, as a whole word. */
function longestName(
  items: readonly { readonly id: string; readonly name: string }[],
  text: string,
  at: number,
): Named | undefined {
  let best: Named | undefined;
  for (const [index, { id, name }] of items.entries()) {
    for (const called of [id, name]) {
      if (called.length <= (best?.length ?? 0) || text.slice(at, at + called.length).toLowerCase() !== called.toLowerCase())
        continue;
      if (/[\p{L}\p{N}_]/u.test(text.charAt(at + called.length))) continue;
      best = { index, length: called.length };
    }
  }
  return best;
}

function namedField(list: List, text: string, at: number): { readonly field: Field; readonly length: number } | undefined {
  const named = longestName(list.fields, text, at);
  const field = named === undefined ? undefined : list.fields[named.index];
  if (named === undefined || field === undefined) return undefined;
  const rest = text.slice(at + named.length);
  const called = text.slice(at, at + named.length).toLowerCase();
  if (functions.has(called) && /^\s*\(/.test(rest)) return undefined;
  return words.has(called) ? undefined : { field, length: named.length };
}

// Nodes

type Fail = (message: string) => never;

function constant(type: Type, value: Raw): Node {
  return { type, usesRecord: false, usesSelf: false, value: () => value };
}

function uses(...nodes: readonly Node[]): { readonly usesRecord: boolean; readonly usesSelf: boolean } {
  return { usesRecord: nodes.some(({ usesRecord }) => usesRecord), usesSelf: nodes.some(({ usesSelf }) => usesSelf) };
}

const typeNames: Readonly<Record<Type, string>> = {
  number: 'a number',
  money: 'an amount of money',
  text: 'a text',
  yesno: 'yes or no',
  date: 'a date',
  time: 'a time',
  ids: 'a choice or record',
  empty: 'empty',
};

function isNumeric({ type }: Node): boolean {
  return type === 'number' || type === 'money' || type === 'empty';
}

function needNumbers(nodes: readonly Node[], what: string, fail: Fail): void {
  const wrong = nodes.find((node) => !isNumeric(node));
  if (wrong !== undefined) fail(`${what} needs numbers, and ${wrong.field?.name ?? 'this'} is ${typeNames[wrong.type]}.`);
}

/** Type and currency of what two numbers give together. */
function together(nodes: readonly Node[], fail: Fail): { readonly type: Type; readonly currency?: string | undefined } {
  const currencies = new Set(
    nodes.flatMap(({ type, currency }) => (type === 'money' && currency !== undefined ? [currency] : [])),
  );
  if (currencies.size > 1) fail(`${[...currencies].join(' and ')} are different currencies.`);
  return nodes.some(({ type }) => type === 'money') ? { type: 'money', currency: [...currencies][0] } : { type: 'number' };
}

function numberOf(raw: Raw): number | null {
  return typeof raw === 'number' ? raw : null;
}

function addition(left: Node, right: Node, plus: boolean, fail: Fail): Node {
  needNumbers([left, right], plus ? '+' : '−', fail);
  const value = (scope: Scope): Raw => {
    const [first, second] = [numberOf(left.value(scope)), numberOf(right.value(scope))];
    if (first === null && second === null) return null;
    return plus ? (first ?? 0) + (second ?? 0) : (first ?? 0) - (second ?? 0);
  };
  return { ...together([left, right], fail), ...uses(left, right), value };
}

function product(left: Node, right: Node, fail: Fail): Node {
  needNumbers([left, right], '×', fail);
  if (left.type === 'money' && right.type === 'money') fail('Two amounts of money cannot be multiplied.');
  const value = (scope: Scope): Raw => {
    const [first, second] = [numberOf(left.value(scope)), numberOf(right.value(scope))];
    return first === null || second === null ? null : first * second;
  };
  return { ...together([left, right], fail), ...uses(left, right), value };
}

function quotient(left: Node, right: Node, fail: Fail): Node {
  needNumbers([left, right], '÷', fail);
  if (right.type === 'money' && left.type !== 'money') fail('A number cannot be divided by an amount of money.');
  const value = (scope: Scope): Raw => {
    const [first, second] = [numberOf(left.value(scope)), numberOf(right.value(scope))];
    if (second === 0) throw new FormulaProblem('It divides by zero.');
    return first === null || second === null ? null : first / second;
  };
  const result = together([left, right], fail);
  return { ...(right.type === 'money' ? { type: 'number' as const } : result), ...uses(left, right), value };
}

function extreme(parts: readonly Node[], least: boolean, fail: Fail): Node {
  const dates = parts.every(({ type }) => type === 'date');
  if (!dates) needNumbers(parts, least ? 'min' : 'max', fail);
  const value = (scope: Scope): Raw => {
    let best: number | string | null = null;
    for (const part of parts) {
      const found = part.value(scope);
      if (typeof found !== 'number' && typeof found !== 'string') continue;
      if (best === null || (least ? found < best : found > best)) best = found;
    }
    return best;
  };
  return { ...(dates ? { type: 'date' as const } : together(parts, fail)), ...uses(...parts), value };
}

function rounded(parts: readonly Node[], fail: Fail): Node {
  const [number, places] = parts;
  if (number === undefined || parts.length > 2)
    return fail('round needs a number and, if wanted, the decimal places: round(price, 2).');
  needNumbers(parts, 'round', fail);
  const value = (scope: Scope): Raw => {
    const found = numberOf(number.value(scope));
    if (found === null) return null;
    const digits = Math.min(6, Math.max(0, Math.round(numberOf(places?.value(scope) ?? 0) ?? 0)));
    const exact = Number(Math.abs(found).toPrecision(15));
    const scaled = exact < 1e15 ? Number(`${exact.toFixed(9)}e${digits}`) : exact * 10 ** digits;
    return (Math.sign(found) * Math.round(scaled)) / 10 ** digits + 0;
  };
  return { type: number.type, currency: number.currency, ...uses(...parts), value };
}

function choose(parts: readonly Node[], fail: Fail): Node {
  const [condition, yes, no] = parts;
  if (condition === undefined || yes === undefined || parts.length > 3)
    return fail('if needs a condition and two values: if(paid, 0, price).');
  if (condition.type !== 'yesno') fail(`if needs yes or no as its condition, and this is ${typeNames[condition.type]}.`);
  const other = no ?? constant('empty', null);
  const value = (scope: Scope): Raw => (condition.value(scope) === true ? yes.value(scope) : other.value(scope));
  if (no === undefined || yes.type === no.type) {
    const currency = no === undefined ? { currency: yes.currency } : { currency: together([yes, no], fail).currency };
    return { type: yes.type, ...(yes.type === 'money' ? currency : {}), ...uses(condition, yes, other), value };
  }
  if (isNumeric(yes) && isNumeric(other)) return { ...together([yes, other], fail), ...uses(condition, yes, other), value };
  return fail(`Both values of if need the same type. One is ${typeNames[yes.type]}, the other ${typeNames[other.type]}.`);
}

function days(parts: readonly Node[], fail: Fail): Node {
  const [from, to] = parts;
  if (from === undefined || to === undefined || parts.length > 2) return fail('days needs two dates: days(lent, returned).');
  const wrong = parts.find(({ type }) => type !== 'date');
  if (wrong !== undefined) fail(`days needs dates, and ${wrong.field?.name ?? 'this'} is ${typeNames[wrong.type]}.`);
  const value = (scope: Scope): Raw => {
    const [first, last] = [from.value(scope), to.value(scope)];
    return typeof first === 'string' && typeof last === 'string' ? daysBetween(first, last) : null;
  };
  return { type: 'number', ...uses(from, to), value };
}

function logical(left: Node, right: Node, and: boolean, fail: Fail): Node {
  const wrong = [left, right].find(({ type }) => type !== 'yesno');
  if (wrong !== undefined) fail(`${and ? 'and' : 'or'} needs comparisons or yes/no, and this is ${typeNames[wrong.type]}.`);
  const value = (scope: Scope): Raw =>
    and ? left.value(scope) === true && right.value(scope) === true : left.value(scope) === true || right.value(scope) === true;
  return { type: 'yesno', ...uses(left, right), value, both: and ? [left, right] : undefined };
}

function choicesOf(node: Node): readonly { readonly id: string; readonly name: string }[] | undefined {
  return node.field?.type === 'choice' || node.field?.type === 'choices' ? node.field.choices : undefined;
}

/** Replaces a text by the id of the choice that it names, if it is compared with a choice field. */
function asChoice(node: Node, other: Node, fail: Fail): Node {
  const choices = choicesOf(other);
  if (node.literal === undefined || choices === undefined) return node;
  const wanted = node.literal.trim().toLowerCase();
  const choice = choices.find(({ id, name }) => id === wanted || name.toLowerCase() === wanted);
  if (choice === undefined) return fail(`${other.field?.name ?? 'The field'} has no choice “${node.literal}”.`);
  return constant('ids', choice.id);
}

function comparable(left: Node, right: Node): boolean {
  if (left.list !== undefined && right.list !== undefined && left.list !== right.list) return false;
  return left.type === right.type || (isNumeric(left) && isNumeric(right));
}

/** Equal texts differ in nothing but case. */
function keyOf(raw: string | number | boolean): string {
  return typeof raw === 'string' ? `s${raw.toLowerCase()}` : `${typeof raw}${String(raw)}`;
}

function keysOf(raw: Raw): readonly string[] {
  if (raw === null || raw === '') return [];
  return Array.isArray(raw) ? raw.map(keyOf) : [keyOf(raw as string | number | boolean)];
}

function equal(first: Raw, second: Raw): boolean {
  const [left, right] = [keysOf(first), keysOf(second)];
  return left.length === 0 || right.length === 0 ? left.length === right.length : left.some((key) => right.includes(key));
}

function compare(first: Node, second: Node, sign: string, fail: Fail): Node {
  const [left, right] = [asChoice(first, second, fail), asChoice(second, first, fail)];
  if (!comparable(left, right)) {
    fail(
      `${typeNames[left.type]} cannot be compared with ${typeNames[right.type]}${left.type === right.type ? ' of another list' : ''}.`,
    );
  }
  together([left, right].filter(isNumeric), fail);
  const used = { type: 'yesno' as const, ...uses(left, right) };
  if (sign === '=') return { ...used, equality: [left, right], value: (scope) => equal(left.value(scope), right.value(scope)) };
  if (sign === '≠') return { ...used, value: (scope) => !equal(left.value(scope), right.value(scope)) };
  if (left.type === 'ids' || left.type === 'yesno') fail(`${typeNames[left.type]} can only be compared with = and ≠.`);
  const value = (scope: Scope): Raw => {
    const [one, other] = [left.value(scope), right.value(scope)];
    if (one === null || other === null) return false;
    return ordered(one, other, sign);
  };
  return { ...used, value };
}

function ordered(one: Raw, other: Raw, sign: string): boolean {
  const [left, right] = [one as number | string, other as number | string];
  switch (sign) {
    case '<':
      return left < right;
    case '>':
      return left > right;
    case '≤':
      return left <= right;
    default:
      return left >= right;
  }
}

function fieldType(field: Field): Type {
  const type = field.type === 'computed' ? field.result : field.type;
  switch (type) {
    case 'number':
    case 'rating':
      return 'number';
    case 'money':
    case 'yesno':
    case 'date':
    case 'time':
      return type;
    case 'choice':
    case 'choices':
    case 'relation':
      return 'ids';
    default:
      return 'text';
  }
}

function rawOf(value: Value, type: Type, currency: string): Raw {
  switch (type) {
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? value : null;
    case 'money':
      return typeof value === 'number' && Number.isFinite(value) ? fromMinorUnits(value, currency) : null;
    case 'yesno':
      return value === true;
    case 'date':
      return typeof value === 'string' && isIsoDate(value) ? value : null;
    case 'ids':
      return typeof value === 'string' || Array.isArray(value) ? value : null;
    default:
      return typeof value === 'string' ? value : null;
  }
}

function currencyOf(field: Field): string {
  if (field.type === 'money') return field.currency;
  return field.type === 'computed' ? (field.currency ?? defaultCurrency) : defaultCurrency;
}

function readField(list: List, field: Field, environment: Environment, at: number): Node {
  const type = fieldType(field);
  const currency = currencyOf(field);
  const common = { type, field, usesRecord: true, usesSelf: false, ...(type === 'money' ? { currency } : {}) };
  if (field.type === 'computed') {
    const formula = compileComputed(field, list, environment, at);
    const key = `${list.id}.${field.id}`;
    return {
      ...common,
      value: ({ record, run }) => {
        const result = computedResult(key, field, formula, record, run);
        if ('problem' in result) throw new FormulaProblem(result.problem);
        return rawOf(result.value, type, currency);
      },
    };
  }
  const { id } = field;
  return {
    ...common,
    ...(field.type === 'relation' ? { list: field.list } : {}),
    plainField: id,
    value: ({ record }) => rawOf(Object.hasOwn(record.values, id) ? (record.values[id] ?? null) : null, type, currency),
  };
}

function onSelf(node: Node): Node {
  return {
    ...node,
    usesRecord: false,
    usesSelf: true,
    plainField: undefined,
    value: (scope) => node.value({ ...scope, record: scope.self }),
  };
}

function through(relation: Node, listId: string, target: Node): Node {
  const value = (scope: Scope): Raw => {
    const id = relation.value(scope);
    const record = typeof id === 'string' ? recordById(listId, id, scope.run) : undefined;
    return record === undefined ? null : target.value({ ...scope, record });
  };
  return { ...target, usesRecord: true, usesSelf: false, plainField: undefined, value };
}

function recordById(listId: string, id: string, run: Run): AppRecord | undefined {
  let byId = run.cache.byId.get(listId);
  if (byId === undefined) {
    byId = new Map(run.recordsOf(listId).map((record) => [record.id, record]));
    run.cache.byId.set(listId, byId);
  }
  return byId.get(id);
}

interface Lookup {
  readonly fieldId: string;
  readonly node: Node;
  readonly wanted: Node;
}

/** An equality of the condition between a stored field of the summed list and something of the outer record, for an index. */
function lookupOf(condition: Node | undefined): Lookup | undefined {
  if (condition?.both !== undefined) return lookupOf(condition.both[0]) ?? lookupOf(condition.both[1]);
  const [left, right] = condition?.equality ?? [];
  if (left === undefined || right === undefined) return undefined;
  if (left.plainField !== undefined && !right.usesRecord) return { fieldId: left.plainField, node: left, wanted: right };
  return right.plainField !== undefined && !left.usesRecord
    ? { fieldId: right.plainField, node: right, wanted: left }
    : undefined;
}

function indexed(listId: string, { fieldId, node, wanted }: Lookup, scope: Scope): readonly AppRecord[] {
  const { cache } = scope.run;
  const name = `${listId}.${fieldId}`;
  let index = cache.indexes.get(name);
  if (index === undefined) {
    const built = new Map<string, AppRecord[]>();
    for (const record of scope.run.recordsOf(listId)) {
      const keys = keysOf(node.value({ ...scope, record }));
      for (const key of keys.length === 0 ? [''] : new Set(keys)) {
        const found = built.get(key);
        if (found === undefined) built.set(key, [record]);
        else found.push(record);
      }
    }
    index = built;
    cache.indexes.set(name, index);
  }
  const keys = keysOf(wanted.value(scope));
  if (keys.length === 0) return index.get('') ?? [];
  if (keys.length === 1) return index.get(keys[0] ?? '') ?? [];
  return [...new Set(keys.flatMap((key) => index.get(key) ?? []))];
}

function aggregated(list: List, summed: Node | undefined, condition: Node | undefined): Node {
  const lookup = lookupOf(condition);
  const compute = (scope: Scope): Raw => {
    const candidates = lookup === undefined ? scope.run.recordsOf(list.id) : indexed(list.id, lookup, scope);
    let total = 0;
    for (const record of candidates) {
      const inner = { record, self: scope.self, run: scope.run };
      if (condition !== undefined && condition.value(inner) !== true) continue;
      total += summed === undefined ? 1 : (numberOf(summed.value(inner)) ?? 0);
    }
    return Number(total.toPrecision(15));
  };
  const usesSelf = condition?.usesSelf === true;
  const node: Node = {
    type: summed?.type ?? 'number',
    currency: summed?.currency,
    usesRecord: usesSelf,
    usesSelf,
    value: (scope) => {
      if (usesSelf) return compute({ ...scope, self: scope.record });
      const known = scope.run.cache.constants.get(node);
      if (known !== undefined) return known;
      const value = compute(scope);
      scope.run.cache.constants.set(node, value);
      return value;
    },
  };
  return node;
}

// Evaluating

/**
 * Value of a formula for a record, as a field of the formula's type stores it: an amount in minor units. Give `cache` when evaluating
 * more than one record, so that sums find their records through an index.
 */
export function evaluate(formula: Formula, record: AppRecord, { recordsOf, cache = formulaCache() }: RecordsOf): Result {
  return evaluateAs(formula, formula.type, formula.currency ?? defaultCurrency, record, { recordsOf, cache });
}

function evaluateAs(formula: Formula, type: Formula['type'], currency: string, record: AppRecord, run: Run): Result {
  try {
    const raw = formula.node.value({ record, self: record, run });
    if (typeof raw === 'number' && !Number.isFinite(raw)) return { problem: 'The result is too large.' };
    if (typeof raw === 'number') {
      if (type !== 'money') return { value: Number(raw.toPrecision(15)) };
      const minor = toMinorUnits(raw, currency);
      return Number.isSafeInteger(minor) ? { value: minor } : { problem: 'The result is too large.' };
    }
    return { value: typeof raw === 'object' && raw !== null ? [...raw] : raw };
  } catch (error) {
    if (error instanceof FormulaProblem) return { problem: error.message };
    throw error;
  }
}

function computedResult(key: string, field: Computed, formula: Formula, record: AppRecord, run: Run): Result {
  let results = run.cache.computed.get(key);
  if (results === undefined) {
    results = new Map();
    run.cache.computed.set(key, results);
  }
  let result = results.get(record.id);
  if (result === undefined) {
    result = evaluateAs(formula, field.result, field.currency ?? formula.currency ?? defaultCurrency, record, run);
    results.set(record.id, result);
  }
  return result;
}

/** Whether the result of a formula can be shown as the type that a computed field declares. */
export function resultFits(formula: Formula, result: Computed['result']): boolean {
  const numeric = new Set(['number', 'money']);
  return result === formula.type || (numeric.has(result) && numeric.has(formula.type));
}

export interface ComputedValues {
  /** Value of a computed field of a list's record; `null` for a problem and for other fields. For `filterRecords` and its like. */
  value(listId: string, record: AppRecord, fieldId: string): Value;
  /** What is wrong with the value of a record, such as a division by zero, or `null`. */
  problem(listId: string, record: AppRecord, fieldId: string): string | null;
}

/** The computed fields of all records of one snapshot. Values are computed when they are asked for, and once. */
export function computedValues(document: AppDocument, recordsOf: RecordsOf['recordsOf']): ComputedValues {
  const run: Run = { recordsOf, cache: formulaCache() };
  const fields = new Map<string, { readonly field: Computed; readonly compiled: Compiled }>();
  for (const list of document.lists) {
    for (const field of list.fields) {
      if (field.type !== 'computed') continue;
      const key = `${list.id}.${field.id}`;
      fields.set(key, { field, compiled: compileFormula(field.formula, { document, list }) });
    }
  }
  const result = (listId: string, record: AppRecord, fieldId: string): Result => {
    const key = `${listId}.${fieldId}`;
    const known = fields.get(key);
    if (known === undefined) return { value: null };
    if ('problem' in known.compiled) return { problem: known.compiled.problem };
    return computedResult(key, known.field, known.compiled.formula, record, run);
  };
  return {
    value: (listId, record, fieldId) => {
      const found = result(listId, record, fieldId);
      return 'value' in found ? found.value : null;
    },
    problem: (listId, record, fieldId) => {
      const found = result(listId, record, fieldId);
      return 'problem' in found ? found.problem : null;
    },
  };
}
