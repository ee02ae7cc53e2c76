import { createHighlighterCore, type HighlighterCore, type LanguageInput } from '@shikijs/core';
import { createJavaScriptRegexEngine } from '@shikijs/engine-javascript';
import { holdReady } from '../stage/loading.ts';

export type TokenKind = 'plain' | 'keyword' | 'string' | 'number' | 'comment' | 'name' | 'type';

export interface Token {
  readonly text: string;
  readonly kind: TokenKind;
}

const grammars: Readonly<Record<string, () => Promise<{ default: LanguageInput }>>> = {
  bash: () => import('@shikijs/langs/bash'),
  c: () => import('@shikijs/langs/c'),
  cpp: () => import('@shikijs/langs/cpp'),
  csharp: () => import('@shikijs/langs/csharp'),
  css: () => import('@shikijs/langs/css'),
  go: () => import('@shikijs/langs/go'),
  html: () => import('@shikijs/langs/html'),
  java: () => import('@shikijs/langs/java'),
  javascript: () => import('@shikijs/langs/javascript'),
  json: () => import('@shikijs/langs/json'),
  kotlin: () => import('@shikijs/langs/kotlin'),
  php: () => import('@shikijs/langs/php'),
  python: () => import('@shikijs/langs/python'),
  ruby: () => import('@shikijs/langs/ruby'),
  rust: () => import('@shikijs/langs/rust'),
  sql: () => import('@shikijs/langs/sql'),
  swift: () => import('@shikijs/langs/swift'),
  tsx: () => import('@shikijs/langs/tsx'),
  typescript: () => import('@shikijs/langs/typescript'),
  yaml: () => import('@shikijs/langs/yaml'),
};

/** Syntax theme whose colours are placeholders for token kinds, so that every theme can apply its own. */
const classes: readonly (readonly [kind: TokenKind, color: string, scopes: readonly string[]])[] = [
  ['keyword', '#000001', ['keyword', 'storage', 'constant.language', 'variable.language', 'entity.name.tag']],
  ['string', '#000002', ['string', 'constant.character', 'string.regexp']],
  ['number', '#000003', ['constant.numeric']],
  ['comment', '#000004', ['comment', 'punctuation.definition.comment']],
  ['name', '#000005', ['entity.name.function', 'support.function', 'meta.function-call', 'entity.other.attribute-name']],
  ['type', '#000006', ['entity.name.type', 'support.type', 'support.class', 'entity.name.class', 'storage.type.built-in']],
];
const kindOf = new Map(classes.map(([kind, color]) => [color, kind]));

let highlighter: Promise<HighlighterCore> | null = null;

/** Splits code into tokens. In unknown languages, each line is one plain token. */
export async function tokenize(code: string, language: string | null): Promise<Token[][]> {
  const load = language === null ? undefined : grammars[language];
  if (load === undefined || language === null) return plainTokens(code);
  highlighter ??= createHighlighterCore({
    engine: createJavaScriptRegexEngine({ forgiving: true }),
    langs: [],
    themes: [
      {
        name: 'classes',
        type: 'dark',
        fg: '#000000',
        bg: '#ffffff',
        settings: classes.map(([, foreground, scope]) => ({ scope: [...scope], settings: { foreground } })),
      },
    ],
  });
  const core = await highlighter;
  await core.loadLanguage((await load()).default);
  return core
    .codeToTokensBase(code, { lang: language, theme: 'classes' })
    .map((line) =>
      line.map(({ content, color }) => ({ text: content, kind: kindOf.get(color?.toLowerCase() ?? '') ?? 'plain' })),
    );
}

export function plainTokens(code: string): Token[][] {
  return code.split('\n').map((text) => [{ text, kind: 'plain' }]);
}

/** Delays the page's readiness until the tokens are loaded. */
export function loadTokens(code: string, language: string | null): Promise<Token[][]> {
  return holdReady(tokenize(code, language));
}
