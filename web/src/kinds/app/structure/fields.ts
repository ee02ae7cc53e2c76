import {
  type AppDocument,
  type Choice,
  type Field,
  type FieldType,
  hues,
  type List,
} from '../../../../../sandbox-image/templates/app/model/document.ts';
import { idFrom } from '../../../../../sandbox-image/templates/app/model/ids.ts';
import { defaultCurrency } from '../../../../../sandbox-image/templates/app/model/values.ts';
import { fieldTypes } from '../home/catalogue.ts';

const isFieldType = (text: string): text is FieldType => text in fieldTypes;

/** Returns the types that a field can have. A formula is written, not converted. */
export function typesToChoose({ type }: Field): FieldType[] {
  return Object.keys(fieldTypes).filter(
    (other): other is FieldType => isFieldType(other) && (other !== 'computed' || type === other),
  );
}

/** Returns a new text field, with a name and an id that the list does not have. */
export function newField({ fields, removed = [] }: List): Field {
  const used = new Set([...fields, ...removed.map(({ field }) => field)].map(({ id }) => id));
  const names = new Set(fields.map(({ name }) => name));
  let name = 'New field';
  for (let count = 2; names.has(name); count += 1) name = `New field ${count}`;
  return { id: idFrom(name, used, 'field'), name, type: 'text' };
}

/** Returns the hue that is used least, the first of equals. New choices differ from those that are there. */
export function nextHue(choices: readonly Choice[]): Choice['hue'] {
  const count = (hue: Choice['hue']) => choices.filter((choice) => choice.hue === hue).length;
  // Grey says “none”, so it is taken last.
  const [first = 'grey'] = [...hues.slice(1), 'grey' as const].toSorted((one, other) => count(one) - count(other));
  return first;
}

const mostChoices = 200;
const mostCharacters = 60;

/**
 * Returns the choices that hold all texts and numbers of a field, in the order of their first use, or `null` if there are too many or too long
 * ones. A cell of several choices has them between commas.
 */
export function choicesOf(values: readonly unknown[], type: 'choice' | 'choices'): Choice[] | null {
  const texts = values.flatMap((value) => (typeof value === 'string' || typeof value === 'number' ? [String(value)] : []));
  const names = texts.flatMap((text) => (type === 'choice' ? [text] : text.split(/[,;]/))).map((name) => name.trim());
  const choices: Choice[] = [];
  const known = new Set<string>();
  for (const name of names) {
    if (name === '' || known.has(name.toLowerCase())) continue;
    if (name.length > mostCharacters || choices.length === mostChoices) return null;
    known.add(name.toLowerCase());
    choices.push({ id: idFrom(name, new Set(choices.map(({ id }) => id)), 'choice'), name, hue: nextHue(choices) });
  }
  return choices;
}

/** Returns the field as another type. What both types have stays. */
export function asType(field: Field, type: FieldType, { lists }: AppDocument, list: List): Field {
  if (field.type === type) return field;
  const { id, name, needed, hint } = field;
  const common = { id, name, ...(needed === undefined ? {} : { needed }), ...(hint === undefined ? {} : { hint }) };
  switch (type) {
    case 'choice':
    case 'choices':
      return { ...common, type, choices: 'choices' in field ? field.choices : [] };
    case 'money':
      return { ...common, type, currency: currencyIn(lists) };
    case 'relation':
      return { ...common, type, list: (lists.find((other) => other.id !== list.id) ?? list).id };
    case 'computed':
      return { ...common, type, formula: '0', result: 'number' };
    default:
      return { ...common, type };
  }
}

/** Returns the currency that the app uses already. */
function currencyIn(lists: readonly List[]): string {
  for (const { fields } of lists) for (const field of fields) if (field.type === 'money') return field.currency;
  return defaultCurrency;
}
