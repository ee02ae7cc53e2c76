import { formatCount } from '#contract/display.ts';

/** Pasted text that has a structure, so that the prompt box shows it as a card. */
export interface PasteInfo {
  readonly kind: 'table' | 'changelog' | 'agenda' | 'checklist' | 'list' | 'sections' | 'json' | 'code';
  /** For example “Pasted table, 6 rows, 2 columns”. */
  readonly label: string;
}

/** Describes pasted rows, headings or code. Returns `null` for plain text, which stays text. */
export function describePaste(text: string): PasteInfo | null {
  const trimmed = text.replace(/\r\n?/gu, '\n').trim();
  const lines = trimmed.split('\n').filter((line) => line.trim() !== '');
  return jsonIn(trimmed) ?? codeIn(trimmed, lines) ?? tableIn(lines) ?? sectionsIn(lines) ?? agendaIn(lines) ?? listIn(lines);
}

function jsonIn(text: string): PasteInfo | null {
  if (!/^[[{]/u.test(text)) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The text only looks like JSON, so other kinds may apply.
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const size = Array.isArray(value) ? formatCount(value.length, 'item') : formatCount(Object.keys(value).length, 'field');
  return { kind: 'json', label: `Pasted JSON, ${size}` };
}

const languageNames: Readonly<Record<string, string>> = {
  ...{ ts: 'TypeScript', tsx: 'TypeScript', typescript: 'TypeScript', js: 'JavaScript', jsx: 'JavaScript', mjs: 'JavaScript' },
  ...{ javascript: 'JavaScript', py: 'Python', python: 'Python', sh: 'Shell', bash: 'Shell', shell: 'Shell', zsh: 'Shell' },
  ...{ html: 'HTML', css: 'CSS', sql: 'SQL', go: 'Go', rs: 'Rust', rust: 'Rust', java: 'Java', json: 'JSON', diff: 'Diff' },
  ...{
    rb: 'Ruby',
    ruby: 'Ruby',
    php: 'PHP',
    c: 'C',
    cpp: 'C++',
    cs: 'C#',
    kt: 'Kotlin',
    swift: 'Swift',
    yaml: 'YAML',
    yml: 'YAML',
  },
};

/** Patterns that identify a language, the more specific ones first. */
const languageSigns: readonly (readonly [string, RegExp])[] = [
  ['Diff', /^(?:diff --git|@@ -\d)/mu],
  ['HTML', /^\s*<(?:!doctype|html|div|section|head|body|p|ul|svg)\b[^>]*>/imu],
  ['SQL', /^\s*(?:select\b.+\bfrom|insert into|create table|update \w+ set)\b/imu],
  ['Shell', /^\s*(?:\$ \w|#!\/(?:usr\/)?bin\/)/mu],
  ['Rust', /^\s*(?:pub )?fn \w+|^\s*let mut \w+/mu],
  ['Go', /^\s*(?:package \w+$|func (?:\(\w+ \S+\) )?\w+\()/mu],
  ['Java', /^\s*(?:public|private|protected) (?:static |final )*(?:class|void|\w+) \w+/mu],
  ['Python', /^\s*(?:def \w+\(.*\).*:|class \w+.*:|from \S+ import |elif .+:|if .+:)\s*/mu],
  [
    'TypeScript',
    /\b(?:interface \w+ \{|type \w+ =|(?:const|let|function) \w+\(?\w*\)?: ?\w+|: (?:string|number|boolean|unknown)\b)/u,
  ],
  ['JavaScript', /^\s*(?:(?:export |async )*(?:const|let|var|function|class) \w+|import .+ from )|=> ?[{(]?/mu],
  ['CSS', /^\s*[.#@]?[\w-]+[^{}\n]*\{\s*$[\s\S]*?^\s*[\w-]+:\s*[^;]+;/mu],
];
const codeLine =
  /[;{}]\s*$|^\s*[})\]]|^\s*(?:import|from|export|const|let|var|def|class|function|return|fn|func|package|public|private) |=>|^\s*<\/?\w|^\s*(?:\/\/|\/\*|\$ )|\)\s*:\s*$|^[+-]\s*\S.*[;{}]$|^\s*(?:select|from|where|order by|group by|values|insert)\b/iu;

function codeIn(text: string, lines: readonly string[]): PasteInfo | null {
  const [, tag, fenced] = /^```([\w+#-]*)[^\n]*\n([\s\S]*?)\n?```$/u.exec(text) ?? [];
  if (fenced !== undefined)
    return codeInfo(languageNames[(tag ?? '').toLowerCase()] ?? languageOf(fenced), fenced.split('\n').length);
  const language = languageOf(text);
  const share = lines.filter((line) => codeLine.test(line)).length / lines.length;
  return language !== null && lines.length >= 2 && share >= 0.5 ? codeInfo(language, text.split('\n').length) : null;
}

/** Checks only the start of the code, which keeps large pastes fast. */
const languageOf = (code: string) => languageSigns.find(([, sign]) => sign.test(code.slice(0, 2000)))?.[0] ?? null;

function codeInfo(language: string | null, count: number): PasteInfo {
  const name = language === null ? '' : `${language}, `;
  return { kind: 'code', label: `Pasted code, ${name}${formatCount(count, 'line')}` };
}

/** A table may have a title above it. */
function tableIn(lines: readonly string[]): PasteInfo | null {
  for (const from of [0, 1]) {
    const body = lines.slice(from);
    if (body.length < 2) return null;
    const rows = markdownRows(body) ?? separatedRows(body);
    if (rows === null) continue;
    const columns = rows[0]?.length ?? 0;
    return { kind: 'table', label: `Pasted table, ${formatCount(rows.length, 'row')}, ${formatCount(columns, 'column')}` };
  }
  return null;
}

const dividerLine = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/u;

/** Returns the cells below the header of a Markdown table. */
function markdownRows(lines: readonly string[]): string[][] | null {
  if (lines.length < 3 || !lines.every((line) => line.includes('|')) || !dividerLine.test(lines[1] ?? '')) return null;
  return lines.slice(2).map((line) =>
    line
      .trim()
      .replace(/^\||\|$/gu, '')
      .split('|'),
  );
}

const isNumber = (cell: string) => /^\s*[^\p{L}\d]{0,3}\d[\d\s.,:%'’/-]*\p{L}{0,3}[^\p{L}\d]{0,2}\s*$/u.test(cell);

/** Returns the cells of lines that one separator divides into the same number of columns, without their header. */
function separatedRows(lines: readonly string[]): string[][] | null {
  for (const separator of ['\t', ';', ',']) {
    const cells = lines.map((line) => splitCells(line, separator));
    const columns = cells[0]?.length ?? 0;
    if (columns < 2 || cells.some((row) => row.length !== columns)) continue;
    if (separator === '\t' || isData(cells)) return hasHeader(cells) ? cells.slice(1) : cells;
  }
  return null;
}

/**
 * Commas and semicolons also separate clauses of prose. The cells of a table are short, and contain numbers or are not preceded
 * by a space.
 */
function isData(cells: readonly string[][]): boolean {
  const isShort = cells.every((row) => row.every((cell) => cell.trim() !== '' && cell.length <= 40));
  const values = cells.slice(1).flatMap((row) => row.slice(1));
  return isShort && (values.some(isNumber) || values.every((cell) => !cell.startsWith(' ')));
}

/** Splits a line at a separator outside quotation marks. */
function splitCells(line: string, separator: string): string[] {
  const cells = [''];
  let isQuoted = false;
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted;
    if (character === separator && !isQuoted) cells.push('');
    else cells[cells.length - 1] += character;
  }
  return cells;
}

/** Returns whether the first row names the columns: it has no numbers where the rows below have some. */
function hasHeader([first = [], ...others]: readonly string[][]): boolean {
  return (
    others.length > 0 && !first.some(isNumber) && first.some((_, column) => others.some((row) => isNumber(row[column] ?? '')))
  );
}

const bullet = /^\s*(?:[-*+•–]|\d{1,3}[.)]|\[[ x]\])\s+\S/iu;
const versionLine = /^(?:version |release )?\[?v?\d+\.\d+(?:\.\d+)?\]?(?:\s*[-–(].*)?$/iu;
const changeLine =
  /^(?:change ?log|release notes|what[’']s new|added|changed|fixed|removed|deprecated|security|breaking changes?|new|improved|bug ?fixes|features)$/iu;

/** Counts sections, which are headings with text below. A title above the first section is not counted. */
function sectionsIn(lines: readonly string[]): PasteInfo | null {
  const headings = lines.map((line, at) => {
    const marked = /^#{1,6}\s+(.+)$/u.exec(line)?.[1];
    const plain = line.trim().replace(/:$/u, '');
    const isPlain = !bullet.test(line) && bullet.test(lines[at + 1] ?? '') && plain.length <= 60;
    if (marked === undefined && !isPlain && !versionLine.test(plain)) return null;
    return (marked ?? plain).replace(/^[*_]+|[*_:]+$/gu, '').trim();
  });
  const count = headings.filter((heading, at) => heading !== null && headings[at + 1] === null).length;
  const isChangelog = headings.some((heading) => heading !== null && (versionLine.test(heading) || changeLine.test(heading)));
  if (isChangelog && count >= 1) return { kind: 'changelog', label: `Pasted changelog, ${formatCount(count, 'section')}` };
  return count >= 2 ? { kind: 'sections', label: `Pasted text, ${formatCount(count, 'section')}` } : null;
}

const timeLine = /^\s*(?:[-*•]\s+)?\d{1,2}(?:[:.h]\d{2}|\s?(?:am|pm|uhr))\b/iu;

function agendaIn(lines: readonly string[]): PasteInfo | null {
  const count = lines.filter((line) => timeLine.test(line)).length;
  const isAgenda = count >= 2 && count >= lines.length - 1;
  return isAgenda ? { kind: 'agenda', label: `Pasted agenda, ${formatCount(count, 'item')}` } : null;
}

/** A list may have a title, and its items may continue on indented lines. */
function listIn(lines: readonly string[]): PasteInfo | null {
  const items = lines.filter((line) => bullet.test(line));
  const isList = items.length >= 2 && lines.slice(1).every((line) => bullet.test(line) || /^\s{2,}/u.test(line));
  if (!isList) return null;
  const isTicked = items.every((item) => /\[[ x]\]/iu.test(item));
  const kind = isTicked ? 'checklist' : 'list';
  return { kind, label: `Pasted ${kind}, ${formatCount(items.length, 'item')}` };
}
