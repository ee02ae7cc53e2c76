import type { Line } from './lines.ts';
import type { Block, Command } from './reading.ts';

type Content =
  | Pick<Extract<Block, { kind: 'code' }>, 'kind' | 'code' | 'language' | 'diff'>
  | { readonly kind: 'terminal'; readonly commands: readonly Command[] };

const shells = /^(?:sh|bash|zsh|shell|console|terminal|powershell|cmd)$/u;
const aliases: Readonly<Record<string, string>> = {
  ts: 'typescript',
  js: 'javascript',
  py: 'python',
  rs: 'rust',
  rb: 'ruby',
  yml: 'yaml',
  cs: 'csharp',
  'c++': 'cpp',
  golang: 'go',
  kt: 'kotlin',
};

/** Patterns that identify a language, most reliable first. Each matches a whole line. */
const languages: readonly (readonly [string, RegExp])[] = [
  [
    'python',
    /^\s*(?:def \w+\(.*\).*:|class \w+.*:|(?:if|for|while|elif|with|try|except|else)\b.*:|from \w[\w.]* import .+|import \w+(?: as \w+)?|print\(.*\)|@\w+.*)\s*$/u,
  ],
  ['rust', /^\s*(?:(?:pub )?fn \w+.*[{;]|let mut .*;|impl\b.*\{|use [\w:]+.*;|#\[.*\])\s*$/u],
  ['go', /^\s*(?:func (?:\(.*\) )?\w+\(.*\{|package \w+|.* := .*)\s*$/u],
  ['typescript', /^\s*(?:(?:export )?(?:interface|type) \w+.*[={]|.*\(.*: \w+.*\).*[{;]|(?:const|let) \w+: .*)\s*$/u],
  [
    'javascript',
    /^\s*(?:(?:export |async |default )*function\b.*|(?:const|let|var) .+=.*|.*=>.*|(?:import|export) .*(?:from|\{).*|await .*|console\.\w+\(.*)\s*$/u,
  ],
  [
    'sql',
    /^\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE (?:TABLE|INDEX|VIEW)|ALTER TABLE|FROM|WHERE|(?:LEFT |INNER )?JOIN|GROUP BY|ORDER BY|WITH \w+ AS)\b.*$/u,
  ],
  ['html', /^\s*<\/?(?:!doctype|[a-z][a-z0-9-]*)(?:\s[^>]*)?>.*$/iu],
  ['css', /^\s*(?:[.#:@]?[\w-]+(?:[ ,>:.#][^{]*)?\{|[a-z-]+:\s[^;]+;)\s*$/u],
  ['java', /^\s*(?:(?:public|private|protected|static|final)\b.*[{;]|#include\s*<.*>)\s*$/u],
];
/** Matches a line that occurs only in programs: it ends in a brace or semicolon, assigns, returns or calls. */
const codeLine =
  /^\s*(?:.*[{};]|[)\]}]+[;,)]*|(?:return|throw|yield|raise|break|continue|pass)\b.*|[\w.[\]]+(?:, [\w.[\]]+)* [-+*/|&]?= \S.*|[\w.]+\(.*\);?|\/\/.*|#(?!\s*\p{Lu}).*|\/?\*.*)\s*$/u;

/**
 * Reads source code that starts at line `from`: a fenced block, a diff, or lines of which most are code. Returns `null` if
 * there is none.
 */
export function readCode(lines: readonly Line[], from: number): { content: Content; end: number } | null {
  const first = lines[from] as Line;
  const fence = /^\s*(?:```|~~~)\s*([\w+#-]*)/u.exec(first.text);
  if (fence !== null) {
    let end = from + 1;
    while (end < lines.length && !/^\s*(?:```|~~~)\s*$/u.test(lines[end]?.text ?? '')) end++;
    const body = lines.slice(from + 1, end);
    const name = (fence[1] ?? '').toLowerCase();
    if (body.every(({ isBlank }) => isBlank)) return null;
    return { content: contentOf(body, aliases[name] ?? (name || null)), end: Math.min(lines.length, end + 1) };
  }
  if (/^(?:diff --git|@@ |--- a\/)/u.test(first.text)) {
    let end = from;
    while (
      end < lines.length &&
      /^(?:[-+ @]|diff|index|$)/u.test(lines[end]?.text ?? '') &&
      !(lines[end]?.isBlank && lines[end + 1]?.isBlank)
    )
      end++;
    return { content: contentOf(lines.slice(from, end), 'diff'), end };
  }
  const language = languageOf(first.text);
  const isCode = (line: Line | undefined) =>
    line !== undefined && !line.isBlank && (languageOf(line.text) !== null || codeLine.test(line.text));
  if (!isCode(first) || (language === null && !/[{};=()]/u.test(first.text))) return null;
  let end = from;
  while (end < lines.length) {
    const line = lines[end] as Line;
    const next = lines[end + 1];
    if (line.isBlank ? next === undefined || !(isCode(next) || next.indent > 0) : !isCode(line) && line.indent === 0) break;
    end++;
  }
  const body = lines.slice(from, end);
  const text = body.map((line) => line.text).join('\n');
  const isSure = body.filter((line) => languageOf(line.text) !== null).length;
  // A single line is code only if it cannot be a sentence.
  if (body.length === 1 && !(isSure > 0 && /[{};]|=>|\)\s*:$|^\s*(?:SELECT|INSERT)\b.*\bFROM\b/u.test(text))) return null;
  if (body.length > 1 && isSure === 0 && !/[;{}]\s*$/mu.test(text)) return null;
  return { content: contentOf(body, null), end };
}

function contentOf(body: readonly Line[], named: string | null): Content {
  const text = body.map((line) => line.text);
  if (named !== null && shells.test(named)) {
    const commands: { input: string; output: string[] }[] = [];
    const hasPrompts = text.some((line) => /^\s*[$>❯]\s/u.test(line));
    for (const line of text)
      if (!hasPrompts ? line.trim() !== '' && !line.startsWith('#') : /^\s*[$>❯]\s/u.test(line))
        commands.push({ input: line.replace(/^\s*[$>❯]\s+/u, '').trim(), output: [] });
      else if (line.trim() !== '') commands.at(-1)?.output.push(line);
    if (commands.length > 0) return { kind: 'terminal', commands };
  }
  const indent = Math.min(...body.filter(({ isBlank }) => !isBlank).map((line) => line.indent));
  const diff = named === 'diff' || (text.some((line) => /^\+\s?\S/u.test(line)) && text.some((line) => /^-\s?\S/u.test(line)));
  const kept = diff ? text.filter((line) => !/^(?:diff --git|index |\+\+\+|---)/u.test(line)) : text;
  const code = kept
    .map((line) => line.slice(diff ? 0 : Math.max(0, indent)))
    .join('\n')
    .trimEnd();
  const guess = body.map((line) => languageOf(line.text)).find((name) => name !== null) ?? null;
  return { kind: 'code', code, language: named === 'diff' ? guess : (named ?? guess), diff };
}

function languageOf(line: string): string | null {
  return languages.find(([, pattern]) => pattern.test(line))?.[0] ?? null;
}

const installer =
  /^(?:sudo )?(?:git|npm|npx|pnpm|yarn|pip3?|pipx|docker|cargo|brew|apt(?:-get)?|curl|wget|kubectl|helm|terraform|bun|deno|gem|composer|cd|ls|mkdir|go|ssh|make) [\w./~@-]\S*/u;
const commandVerb =
  /^(?:(?:install|installe[rz]?|instala|try)(?:\s+it)?\s+(?:with|using|avec|con)\s+|(?:please\s+)?(?:type|run|enter|install|try|start|execute|gib|tippe|schreib|tape[rz]?|lance[rz]?|escribe|ejecuta|digita|esegui|digite|execute|typ)\s*:?\s+|installier\p{L}*\s+mit\s+)(?:(?:in|into|out)\s+)?/iu;

/** Returns whether a text is a shell command. */
export const isInstaller = (text: string) => installer.test(text);

/** Returns the shell command in “type npm install x” or “npm install x”, or `null` if the text is something else. */
export function commandIn(text: string): { readonly input: string; readonly start: number } | null {
  const lead = /^\s*/u.exec(text)?.[0].length ?? 0;
  const source = text.slice(lead);
  if (source.length > 90 || source.includes('\n')) return null;
  const verb = installer.test(source) ? 0 : (commandVerb.exec(source)?.[0].length ?? 0);
  const input = source
    .slice(verb)
    .trimEnd()
    .replace(/(?<=\w)[.!]$/u, '');
  // Commas belong to prose: “npm is down, yarn too”.
  if (
    !installer.test(input) ||
    /[,;:]\s/u.test(input) ||
    /^(?:make|go|bun|helm|cd|git|npm) (?:a|an|the|is|for|to|me|this|your|our|it|on|out)\b/iu.test(input)
  )
    return null;
  return { input, start: lead + verb };
}
