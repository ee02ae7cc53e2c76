const nameCharacters = 80;

/** The name of a copy: “Ball copy”, then “Ball copy 2”, as long as a name may be. */
export function copyName(name: string): string {
  const [, base = name, number] = /^(.*) copy(?: (\d{1,4}))?$/.exec(name) ?? [];
  const ending = base === name ? ' copy' : ` copy ${Number(number ?? 1) + 1}`;
  return `${base.slice(0, nameCharacters - ending.length).trimEnd()}${ending}`;
}
