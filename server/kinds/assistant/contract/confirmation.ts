import type { Approval } from '#contract/project.ts';

/** Koda's own question before a call that no button has allowed. It has no surface, and a model asks with surfaces only. */
export interface Confirmation {
  /** Names the effect and the number: “Make 3 videos?” */
  readonly question: string;
  /** Why Koda asks. */
  readonly why: string;
  /** What is made or sent. */
  readonly facts: readonly Fact[];
  /** The model's words, which are not Koda's. */
  readonly says: string;
}

export interface Fact {
  readonly name: string;
  readonly value: string;
}

const paragraph = '\n\n';
const separator = ': ';

// Text from a model could otherwise forge further facts with line breaks and separators.
const onOneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();
const line = ({ name, value }: Fact): string => `${onOneLine(name).replaceAll(separator, ' ')}${separator}${onOneLine(value)}`;

/** Returns the question as text, which `confirmationIn` reads. Koda's part is the last paragraph. */
export function confirmationText({ question, why, facts, says }: Confirmation): string {
  return [says.trim(), [question, why].map(onOneLine).concat(facts.map(line)).join('\n')].join(paragraph);
}

interface Asked extends Pick<Approval, 'type' | 'content' | 'surface'> {
  readonly options: readonly { readonly id: string }[];
}

/** Returns the confirmation that an approval asks for. `null` if it is another question. */
export function confirmationIn({ type, content, options, surface }: Asked): Confirmation | null {
  if (type !== 'question' || surface !== undefined || options.map(({ id }) => id).join() !== 'yes,no') return null;
  const end = content.lastIndexOf(paragraph);
  const start = end === -1 ? 0 : end + paragraph.length;
  const [question = '', why = '', ...lines] = content.slice(start).split('\n');
  const facts = lines.map((one) => {
    const at = one.indexOf(separator);
    return { name: one.slice(0, Math.max(0, at)), value: one.slice(at === -1 ? 0 : at + separator.length) };
  });
  return { question, why, facts, says: content.slice(0, Math.max(0, end)).trim() };
}
