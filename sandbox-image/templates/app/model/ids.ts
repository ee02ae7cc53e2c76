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

/** One of what a list's name means: “Tools” gives “tool”. */
export function singularOf(name: string): string {
  const lower = name.trim().toLowerCase();
  if (/ies$/.test(lower)) return lower.replace(/ies$/, 'y');
  if (/(?:ss|sh|ch|x)es$/.test(lower)) return lower.replace(/es$/, '');
  if (/^people$/.test(lower)) return 'person';
  return /[^su]s$/.test(lower) && lower.length > 3 ? lower.slice(0, -1) : lower;
}
