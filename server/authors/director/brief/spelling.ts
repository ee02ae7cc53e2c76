import { distance } from 'fastest-levenshtein';
import { knownWords } from './lexicon.ts';
import { englishNouns } from './nouns.ts';
import { readLines, valueIn } from './sorted-lines.ts';
import type { Token } from './tokens.ts';
import { knownVerbs } from './verbs.ts';

interface Dictionary {
  /** English words, as WordNet has them: a line each, sorted. */
  readonly words: string;
  /** What the director can read, by first letter. */
  readonly readable: ReadonlyMap<string, readonly string[]>;
}
let dictionary: Dictionary | null = null;

/** Read with the first word that nobody knows. */
function readDictionary(): Dictionary {
  if (dictionary !== null) return dictionary;
  const words = readLines(`${import.meta.dirname}/words.txt`);
  const readable = Map.groupBy(
    [
      ...new Set([
        ...knownWords('en'),
        ...englishNouns(),
        ...knownVerbs().flatMap((verb) => [verb, `${verb.replace(/e$/, '')}ed`]),
      ]),
    ].filter((word) => /^[a-z]{4,}$/.test(word)),
    (word) => word.charAt(0),
  );
  dictionary = { words, readable };
  return dictionary;
}

/** WordNet has no words of grammar. */
const grammar = new Set(
  `what when where which while whose whom that this these those they them their theirs there here then than thus with within
without from into onto upon about above across after against along amid among around before behind below beneath beside besides
between beyond despite down during except inside like near outside over past since through throughout till toward towards under
underneath until unless versus because although though whether either neither both each every some such same other another
would could should shall might must have does been being were your yours yourself ours ourselves hers herself himself itself
myself themselves someone somebody something anyone anybody anything everyone everybody everything nobody nothing isnt dont
cant wont didnt doesnt wasnt werent just also very only even ever never again once twice`.split(/\s+/),
);
const endings = [/s$/, /es$/, /ed$/, /d$/, /ing$/, /er$/, /r$/, /est$/, /ly$/, /y$/, /ies$/, /ied$/];

const hasLine = (text: string, line: string): boolean => valueIn(text, line) !== null;

/** Whether an English word, or one of its forms, is in the dictionary: "icy", "waving", "stopped". */
function isWord(key: string, { words, readable }: Dictionary): boolean {
  if (grammar.has(key) || hasLine(words, key) || readable.get(key.charAt(0))?.includes(key) === true) return true;
  return endings.some((ending) => {
    if (!ending.test(key)) return false;
    const stem = key.replace(ending, '');
    // "Circleing" has an e too many.
    if (stem.endsWith('e') && /^(?:ing|ed)/.test(key.slice(stem.length))) return false;
    return [stem, `${stem}e`, `${stem}y`, stem.replace(/(.)\1$/, '$1')].some((form) => hasLine(words, form));
  });
}

/** Two letters that changed places are the commonest slip. */
function slips(one: string, other: string): number {
  const edits = distance(one, other);
  const isSwap = edits === 2 && one.length === other.length && [...one].sort().join('') === [...other].sort().join('');
  return isSwap ? 0.5 : edits;
}

const leastLetters = 4;
/** Longer words may have two slips. */
const longWord = 7;
/** Words longer than this are no typing errors; the comparison is about quadratic in them. */
const mostLetters = 20;

/** The readable word that was meant by one that is in no dictionary; null when none is near. */
function meant(key: string): string | null {
  if (key.length < leastLetters || key.length > mostLetters || !/^[a-z]+$/.test(key)) return null;
  const known = readDictionary();
  if (isWord(key, known)) return null;
  for (let at = 1; at < key.length; at += 1) {
    const swapped = `${key.slice(0, at - 1)}${key.charAt(at)}${key.charAt(at - 1)}${key.slice(at + 1)}`;
    if (swapped !== key && key.length >= longWord && isWord(swapped, known)) return swapped;
  }
  const allowed = key.length >= longWord ? 2 : 1;
  let best: { word: string; slips: number } | null = null;
  for (const word of known.readable.get(key.charAt(0)) ?? []) {
    if (Math.abs(word.length - key.length) > allowed) continue;
    const count = slips(key, word);
    if (count <= allowed && (best === null || count < best.slips)) best = { word, slips: count };
  }
  return best?.word ?? null;
}

/** More words than this are not looked at: each takes a millisecond. */
const mostLooks = 40;
/** So many words tell whether a text is English at all. */
const sample = 60;
/** Shorter texts have too few words to tell. */
const leastSample = 4;

/** Whether English knows fewer than half of a text's words: then they are no errors, but another language. */
export function isForeign(tokens: readonly Token[]): boolean {
  const words = tokens.flatMap((token) =>
    token.type === 'word' && /^\p{L}{3,}$|[^\p{Script=Latin}\P{L}]/u.test(token.key) ? [token.key] : [],
  );
  const some = words.slice(0, sample);
  const known = readDictionary();
  const others = some.filter((word) => !isWord(word, known));
  const needsNoSample = others.some((word) => /[^\p{Script=Latin}\P{L}]/u.test(word));
  return (some.length >= leastSample || needsNoSample) && others.length * 2 > some.length;
}

/** English tokens with the keys that were meant; what the user typed stays as it is. Names (capitals within a text) are left alone. */
export function corrected(tokens: readonly Token[]): Token[] {
  if (isForeign(tokens)) return [...tokens];
  let left = mostLooks;
  return tokens.map((token, at) => {
    if (token.type !== 'word' || left === 0 || (at > 0 && /^\p{Lu}/u.test(token.text))) return token;
    if (token.key.length < leastLetters || isWord(token.key, readDictionary())) return token;
    left -= 1;
    const word = meant(token.key);
    if (word === null) return token;
    return { ...token, key: word };
  });
}
