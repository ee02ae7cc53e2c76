import type { Choice, List, ViewOf } from '../../../model/document.ts';
import type { AppRecord } from '../../../model/record.ts';
import { showValue } from '../../../model/values.ts';
import type { Lookups } from '../lookups.ts';

export interface ColourGroup {
  readonly id: string;
  readonly name: string;
  readonly hue: Choice['hue'];
}

/** What events look like and say. */
export interface EventLook {
  titleOf(record: AppRecord): string;
  textOf(record: AppRecord): string;
  /** Hue of an event, or `undefined` for the theme's colour. */
  hueOf(record: AppRecord): Choice['hue'] | undefined;
  colourOf(record: AppRecord): string;
  /** What the colours mean. */
  readonly groups: readonly ColourGroup[];
  /** “Groomers”, the name of the field that gives the colours. */
  readonly groupsName: string;
}

const relationHues = ['pink', 'amber', 'green', 'blue', 'violet', 'teal', 'red'] as const;

export function eventLook(view: ViewOf<'calendar'>, list: List, lookups: Lookups): EventLook {
  const shown = (record: AppRecord, id: string | undefined) => {
    const field = list.fields.find((one) => one.id === id);
    return field === undefined ? '' : showValue(field, lookups.valueOf(list.id, record, field.id), { titleOf: lookups.titleOf });
  };
  const colour = list.fields.find((field) => field.id === view.colour);
  const groups: ColourGroup[] = [];
  if (colour?.type === 'choice') groups.push(...colour.choices);
  else if (colour?.type === 'relation') {
    for (const [i, { id }] of lookups.recordsOf(colour.list).entries()) {
      const hue = relationHues[i % relationHues.length] ?? 'blue';
      groups.push({ id, name: lookups.titleOf(colour.list, id) ?? '', hue });
    }
  }
  const hues = new Map(groups.map((group) => [group.id, group.hue]));
  const colourOf = (record: AppRecord) => String([record.values[view.colour ?? ''] ?? ''].flat()[0] ?? '');
  return {
    titleOf: (record) => shown(record, view.title) || `Untitled ${list.one}`,
    textOf: (record) => shown(record, view.text),
    hueOf: (record) => hues.get(colourOf(record)),
    colourOf,
    groups,
    groupsName: colour?.name ?? '',
  };
}
