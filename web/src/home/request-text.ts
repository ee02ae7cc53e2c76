import exampleRequests from './example-requests.json' with { type: 'json' };

const examples: Readonly<Record<string, string>> = exampleRequests;

/** Returns a request that leads to a film of the format, or an empty string if it has no example. */
export const exampleOf = (format: string): string => examples[format] ?? '';

/** Names a format in words that the built-in author reads as an instruction. At the end of a request, no film shows them. */
export function formatSentence(title: string): string {
  const name = title.toLowerCase();
  return `Use ${/^[aeiou]/u.test(name) ? 'an' : 'a'} ${name} scene.`;
}

interface RequestParts {
  readonly prompt: string;
  readonly pasted: readonly string[];
  readonly format: { readonly id: string; readonly title: string } | null;
}

/** Joins the typed text, the pasted texts and the format to one request, as if all of it had been typed. */
export function requestText({ prompt, pasted, format }: RequestParts): string {
  const texts = [prompt.trim(), ...pasted.map((text) => text.replace(/^\s*\n|\s+$/gu, ''))].filter((text) => text !== '');
  const isExample = format !== null && texts.length === 1 && texts[0] === exampleOf(format.id);
  if (format !== null && texts.length > 0 && !isExample) texts.push(formatSentence(format.title));
  return texts.join('\n\n');
}
