import type { ParameterInfo } from '#contract/render.ts';

/** As on the film's page, a short description is a better name than the one in the code. */
const maxLabelCharacters = 40;

/**
 * Characters that could hide or reorder the words around them, and the quotation marks that Koda puts around values. A film's texts
 * come from code, which a model or somebody else has written.
 */
const disguising = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800"“”„‟]+/gu;

/** Returns a text of a film on one line, shortened, and with nothing in it that cannot be seen. */
export function filmText(text: string): string {
  const characters = [...text.replaceAll(disguising, ' ').trim()];
  if (characters.length <= maxLabelCharacters) return characters.join('');
  return `${characters.slice(0, maxLabelCharacters).join('').trim()}…`;
}

/**
 * Returns what people call each of a film's parameters, by its name: its description, followed by the name if another parameter is
 * called the same. Without a description, the name.
 */
export function parameterLabels(parameters: readonly Pick<ParameterInfo, 'name' | 'description'>[]): ReadonlyMap<string, string> {
  const called = parameters.map(({ name, description }) => ({ name, label: filmText(description) || name }));
  const isShared = (label: string): boolean => called.filter((one) => one.label.toLowerCase() === label.toLowerCase()).length > 1;
  return new Map(called.map(({ name, label }) => [name, label !== name && isShared(label) ? `${label} (${name})` : label]));
}
