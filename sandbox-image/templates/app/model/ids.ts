import { idSchema } from './document.ts';

/** An id made of a name: “Due date” becomes `due-date`, or `due-date-2` if it is used. `kind` stands in for a name without letters. */
export function idFrom(name: string, used: ReadonlySet<string>, kind: string): string {
  const plain = name
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[-0-9]+|-+$/g, '')
    .slice(0, 34)
    .replace(/-+$/, '');
  const base = idSchema.safeParse(plain).success ? plain : `${kind}${plain === '' ? '' : `-${plain}`}`.slice(0, 34);
  let id = base;
  for (let count = 2; used.has(id); count += 1) id = `${base}-${count}`;
  return id;
}

const irregular: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{
      children: 'child',
      people: 'person',
      men: 'man',
      women: 'woman',
      feet: 'foot',
      teeth: 'tooth',
      mice: 'mouse',
      geese: 'goose',
    },
    ...{
      series: 'series',
      species: 'species',
      movies: 'movie',
      cookies: 'cookie',
      calories: 'calorie',
      zombies: 'zombie',
      ties: 'tie',
    },
    ...{
      shelves: 'shelf',
      knives: 'knife',
      lives: 'life',
      leaves: 'leaf',
      wives: 'wife',
      loaves: 'loaf',
      halves: 'half',
      wolves: 'wolf',
    },
    ...{ potatoes: 'potato', tomatoes: 'tomato', heroes: 'hero' },
    ...{ shoes: 'shoe', quizzes: 'quiz', buses: 'bus', gas: 'gas', news: 'news', chassis: 'chassis', calves: 'calf' },
  }),
);
const irregularPlurals: ReadonlyMap<string, string> = new Map([...irregular].map(([many, one]) => [one, many]));

/** Changes the last word of a name, which is the one that is counted: “Garden shelves”. */
function changeLast(name: string, change: (word: string) => string): string {
  const at = name.lastIndexOf(' ') + 1;
  return name.slice(0, at) + change(name.slice(at));
}

/** One of what a list's name means: “Tools” gives “tool”. */
export function singularOf(name: string): string {
  return changeLast(name.trim().toLowerCase(), (word) => {
    const known = irregular.get(word);
    if (known !== undefined) return known;
    if (/[^aeiou]ies$/.test(word)) return word.replace(/ies$/, 'y');
    if (/(?:ss|sh|ch|x|[^aeiou]o)es$/.test(word)) return word.replace(/es$/, '');
    return /[^sui]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word;
  });
}

/** The name of a list of these: “Tool” gives “Tools”. A name that is a plural already stays. */
export function pluralOf(name: string): string {
  return changeLast(name.trim(), (word) => {
    const lower = word.toLowerCase();
    if (irregular.has(lower) || singularOf(lower) !== lower) return word;
    const many = irregularPlurals.get(lower);
    if (many !== undefined) return word.charAt(0) + many.slice(1);
    if (/[^aeiou]y$/.test(lower)) return word.replace(/y$/i, 'ies');
    return word + (/(?:s|sh|ch|x|z)$/.test(lower) ? 'es' : 's');
  });
}
