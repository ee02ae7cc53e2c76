import { format, parseISO } from 'date-fns';
import type { Field, List, ViewOf } from '../../model/document.ts';
import { type Value, type Values, valueSchema } from '../../model/record.ts';
import { isEmpty } from '../../model/values.ts';

type FormView = ViewOf<'form'>;

export interface Question {
  readonly field: Field;
  readonly label: string;
  readonly hint: string | null;
  readonly needed: boolean;
  /** Whether it takes the whole width of the form instead of half of it. */
  readonly wide: boolean;
}

/** Questions of a form in order. Fields that do not exist or cannot be entered are left out. */
export function questionsOf(view: FormView, list: List): Question[] {
  return view.ask.flatMap((ask) => {
    const field = list.fields.find((one) => one.id === ask.field);
    if (field === undefined || field.type === 'computed') return [];
    const hint = ask.hint ?? field.hint ?? null;
    return [{ field, label: ask.label ?? field.name, hint, needed: ask.needed ?? field.needed ?? false, wide: isWide(field) }];
  });
}

function isWide(field: Field): boolean {
  if (field.type === 'choice') return field.choices.length > 3 || field.choices.some((choice) => choice.name.length > 12);
  return field.type === 'longtext' || field.type === 'choices' || field.type === 'image' || field.type === 'rating';
}

/** How a choice is asked: a few short ones in one bar, a few long ones as cards, many in a menu. */
export function choiceShape(field: Extract<Field, { type: 'choice' }>): 'bar' | 'cards' | 'menu' {
  if (field.choices.length <= 3 && field.choices.every((choice) => choice.name.length <= 12)) return 'bar';
  return field.choices.length <= 6 ? 'cards' : 'menu';
}

/** “Half plot, 125 m² (£32 a year)” as a title with a second line, which may follow in brackets. */
export function choiceLines(name: string): { readonly title: string; readonly text: string | null } {
  const parts = /^(.+?)\s*\((.+)\)$/.exec(name);
  return parts === null ? { title: name, text: null } : { title: parts[1] ?? name, text: parts[2] ?? null };
}

/** Whether an answer is typed as text, which is read when the field is left. */
export function isTyped(field: Field): boolean {
  return ['text', 'longtext', 'number', 'money', 'date', 'time', 'email', 'phone', 'link'].includes(field.type);
}

/** What a needed question without an answer asks for. */
export function missingText(question: Question): string {
  switch (question.field.type) {
    case 'choice':
    case 'relation':
      return 'Choose one.';
    case 'choices':
      return 'Choose at least one.';
    case 'yesno':
      return 'Tick this to go on.';
    case 'rating':
      return 'Choose from 1 to 5 stars.';
    case 'image':
      return 'Add a picture.';
    case 'email':
      return 'Enter an e-mail address, such as name@mail.example.';
    case 'phone':
      return 'Enter a phone number.';
    case 'date':
      return 'Choose a day.';
    default:
      return `Enter ${question.label
        .replace(/[?.:]+$/, '')
        .replace(/^Your /, 'your ')
        .replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())}.`;
  }
}

/** `open`, `closed` after its last day, or `full` when as many records exist as are taken. */
export function formState(view: FormView, records: number, todayIso: string): 'open' | 'closed' | 'full' {
  if (view.closes !== undefined && todayIso > view.closes) return 'closed';
  return view.limit !== undefined && records >= view.limit ? 'full' : 'open';
}

/** “Open until 30 November”, “3 places left”, or both. `null` if neither matters. */
export function remainingText(view: FormView, records: number): string | null {
  const parts: string[] = [];
  if (view.limit !== undefined) {
    const left = view.limit - records;
    parts.push(left === 1 ? '1 place left' : `${left} places left`);
  }
  if (view.closes !== undefined) parts.push(`open until ${format(parseISO(view.closes), 'd MMMM')}`);
  const text = parts.join(', ');
  return text === '' ? null : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** “Thank you, {name}.” with the first word of the answer to that field. Unknown or empty fields are left out with their comma. */
export function filledText(text: string, answers: Values, shown: (field: string) => string): string {
  return text.replace(/(,?\s?)\{([a-z][a-z0-9-]*)\}/g, (_, before: string, field: string) => {
    const answer = isEmpty(answers[field]) ? '' : shown(field);
    return answer === '' ? '' : `${before}${answer}`;
  });
}

/** Answers that a reload has kept, as far as they belong to the form's questions. Text that cannot be read counts as none. */
export function readDraft(text: string | null, questions: readonly Question[]): Values {
  if (text === null) return {};
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
  if (typeof stored !== 'object' || stored === null) return {};
  const entries = Object.entries(stored);
  const answers: Record<string, Value> = {};
  for (const { field } of questions) {
    const value = valueSchema.safeParse(entries.find(([id]) => id === field.id)?.[1]);
    if (value.success) answers[field.id] = value.data;
  }
  return answers;
}
