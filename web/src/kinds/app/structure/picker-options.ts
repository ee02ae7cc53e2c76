import type { AppDocument, List, View, ViewType } from '../../../../../sandbox-image/templates/app/model/document.ts';
import { fittingViews, viewFor } from '../../../../../sandbox-image/templates/app/model/views.ts';
import { views } from '../home/catalogue.ts';

/** A view in the picker: one that fits the list, or why it does not. */
export type PickerOption =
  | { readonly type: ViewType; readonly view: View; readonly missing: null }
  | { readonly type: ViewType; readonly view: null; readonly missing: string };

/** What each view is for. */
export const viewPurposes: Readonly<Record<ViewType, string>> = {
  table: 'Find, compare, change, sum',
  board: 'Move work from column to column',
  calendar: 'Records on days and times',
  cards: 'Choose by eye',
  detail: 'Read through a list',
  sheet: 'One record in full',
  form: 'Others send you records',
  dashboard: 'Key figures and charts',
  code: 'Written by a language model',
};

/** Returns all views for a list, best fit first, then those that the list cannot fill. A search finds names and purposes. */
export function pickerOptions(list: List, document: AppDocument, search: string): PickerOption[] {
  const fitting = fittingViews(list, document).map((view): PickerOption => ({ type: view.view, view, missing: null }));
  const others = Object.keys(views)
    .filter((type): type is Exclude<ViewType, 'code'> => type !== 'code' && !fitting.some((option) => option.type === type))
    .flatMap((type): PickerOption[] => {
      const found = viewFor(type, list, document);
      return 'missing' in found ? [{ type, view: null, missing: found.missing }] : [];
    });
  const wanted = search.trim().toLowerCase();
  return [...fitting, ...others].filter(({ type }) => `${views[type].name} ${viewPurposes[type]}`.toLowerCase().includes(wanted));
}
