import type { AppDocument, Field } from '../model/document.ts';
import type { Value } from '../model/record.ts';
import { defaultCurrency, fromMinorUnits } from '../model/values.ts';
import type { AppState } from './state.ts';

/**
 * Returns a value as other programs read it: the names of choices and related records, amounts in the currency's own unit (11.8 for
 * 1180 pence), yes or no, and numbers, dates and texts as they are.
 */
export function plainValue(field: Field, value: Value, state: AppState, document: AppDocument): string | number | null {
  if (value === null) return null;
  const ids = [value].flat().map(String);
  switch (field.type) {
    case 'choice':
    case 'choices':
      return ids.map((id) => field.choices.find((choice) => choice.id === id)?.name ?? id).join(', ');
    case 'relation': {
      const title = document.lists.find(({ id }) => id === field.list)?.fields[0]?.id;
      return ids.map((id) => String((title && state.get(field.list, id)?.values[title]) ?? 'Deleted')).join(', ');
    }
    case 'money':
      return typeof value === 'number' ? fromMinorUnits(value, field.currency) : String(value);
    case 'computed':
      if (field.result === 'money' && typeof value === 'number') return fromMinorUnits(value, field.currency ?? defaultCurrency);
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'number' ? value : ids.join(', ');
}
