import type { Formation } from '../../../contract/film.ts';
import { fold } from './fold.ts';
import type { Lexeme, Meaning } from './lexemes.ts';

type Standing = Extract<Meaning, { kind: 'formation' }>;

/** Nouns of several together, folded, in all languages; how many there are when nobody says. */
const rows: readonly (readonly [Formation | null, usual: number, words: string])[] = [
  [
    'row',
    5,
    'row line queue lineup string chain parade reihe schlange kette linie rangee rang file ligne fila hilera cola linea',
  ],
  ['column', 4, 'column stack tower totem stapel turm saule colonne torre columna'],
  [
    'grid',
    9,
    'grid rows matrix checkerboard wall raster gitter schachbrett reihen grille damier rangees cuadricula rejilla filas',
  ],
  ['circle', 8, 'circle ring wreath kreis ring kranz cercle ronde couronne circulo corro corona'],
  ['pile', 6, 'pile heap mound mountain haufen berg tas montagne monton montana pila'],
  ['pyramid', 6, 'pyramid triangle pyramide piramide dreieck triangulo'],
  [
    null,
    5,
    'group flock herd swarm school bunch crowd pack cluster team family bouquet army fleet set collection shoal colony basket gruppe schwarm herde bund menge rudel strauss team familie groupe nuee troupeau banc bouquet foule meute famille equipe grupo bandada rebano enjambre banco ramo multitud manada familia equipo',
  ],
  [null, 3, 'trio handful handvoll poignee punado'],
  [null, 2, 'pair couple paar paire par pareja'],
];

const table = new Map(
  rows.flatMap(([as, usual, words]) => words.split(' ').map((word) => [word, { kind: 'formation', as, usual } as const])),
);

/** Ways to stand together as adjectives: how many there are is said elsewhere. */
const stands: ReadonlyMap<string, Standing> = new Map(
  Object.entries({
    stacked: 'tower',
    piled: 'pile',
    gestapelte: 'turm',
    empilees: 'pile',
    empiles: 'pile',
    apilados: 'pila',
  }).flatMap(([word, noun]) => {
    const standing = table.get(noun);
    return standing === undefined ? [] : [[word, { ...standing, usual: 0 }] as const];
  }),
);

const links = new Set(['of', 'von', 'aus', 'mit', 'de', 'made of', 'built of']);
const inside = new Set(['in', 'into', 'as', 'im', 'als', 'zu', 'en', 'dans', 'formando']);

const standingOf = (lexeme: Lexeme | undefined): Standing | null =>
  lexeme === undefined ? null : (table.get(fold(lexeme.text)) ?? table.get(fold(lexeme.text).replace(/s$/, '')) ?? null);

/** What a formation may be of, where no word links them: "eine Reihe Kerzen". */
const isCounted = (lexeme: Lexeme | undefined): boolean =>
  lexeme !== undefined && (lexeme.meaning.kind === 'subject' || lexeme.meaning.kind === 'number') && /^\p{Lu}/u.test(lexeme.text);

/** "A row of candles", "five candles in a row": how things stand together, and how many lexemes say so. */
export function formationAt(
  first: Lexeme,
  second: Lexeme | undefined,
  third: Lexeme | undefined,
  fourth: Lexeme | undefined,
): { readonly meaning: Standing; readonly used: number } | null {
  const own = standingOf(first);
  // "Stacked pancakes".
  const manner = stands.get(fold(first.text));
  if (manner !== undefined && second?.meaning.kind === 'subject') return { meaning: manner, used: 1 };
  if (own !== null) {
    if (links.has(fold(second?.text ?? ''))) return { meaning: own, used: 2 };
    return /^d'/.test(fold(second?.text ?? '')) || isCounted(second) ? { meaning: own, used: 1 } : null;
  }
  if (!inside.has(fold(first.text))) return null;
  const used = second?.meaning.kind === 'article' ? 3 : 2;
  const meaning = standingOf(used === 3 ? third : second);
  // "In a pile of leaves" the leaves are in a pile, and whoever is in it is not.
  if (links.has(fold((used === 3 ? fourth : third)?.text ?? ''))) return null;
  // "Into a basket", "in the mountains" is where, and no order.
  const isPlace = /^(?:mountain|berg|montagne|montana)/.test(fold((used === 3 ? third : second)?.text ?? ''));
  return meaning === null || meaning.as === null || isPlace ? null : { meaning, used };
}
