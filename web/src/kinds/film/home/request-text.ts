import exampleRequests from './example-requests.json' with { type: 'json' };

const examples: Readonly<Record<string, string>> = exampleRequests;

/** Returns an example request for the format, or an empty string if it has none. */
export const exampleOf = (format: string): string => examples[format] ?? '';

/** Texts to try, by the name of their card. */
export const textExamples = {
  Quotes: 'Title “Ada turns seven”, subtitle “Sunday, 3 pm”. Blush theme, 6 seconds.',
  Table: 'Bar chart, title “How visitors found us”\n\nChannel\tVisitors\nSearch\t1240\nNewsletter\t860\nSocial\t540',
  Agenda: 'Team day on Thursday\n\n09:00 Welcome\n09:30 Results of the spring survey\n11:00 Workshop\n12:30 Lunch in the garden',
} as const;

/** Returns whether the text is an unchanged example from the prompt box. */
export const isExample = (text: string): boolean => [...Object.values(examples), ...Object.values(textExamples)].includes(text);

/**
 * Returns a sentence that names the format. At the end of a request, the built-in author reads it as an instruction and does
 * not show it in the film.
 */
export function formatSentence(title: string): string {
  const name = title.toLowerCase();
  return `Use ${/^[aeiou]/u.test(name) ? 'an' : 'a'} ${name} scene.`;
}

interface RequestParts {
  readonly prompt: string;
  readonly pasted: readonly string[];
  readonly format: { readonly id: string; readonly title: string } | null;
}

/** Joins the typed text, the pasted texts and the format into one request, as if all of it had been typed. */
export function requestText({ prompt, pasted, format }: RequestParts): string {
  const texts = [prompt.trim(), ...pasted.map((text) => text.replace(/^\s*\n|\s+$/gu, ''))].filter((text) => text !== '');
  const isOwnExample = format !== null && texts.length === 1 && texts[0] === exampleOf(format.id);
  if (format !== null && texts.length > 0 && !isOwnExample) texts.push(formatSentence(format.title));
  return texts.join('\n\n');
}
