import { Plus, X } from 'lucide-react';
import type {
  Field,
  Filter,
  List,
  DataView as ListView,
  View,
} from '../../../../../sandbox-image/templates/app/model/document.ts';
import { typeOf } from '../../../../../sandbox-image/templates/app/model/problems.ts';
import { parseText, showValue } from '../../../../../sandbox-image/templates/app/model/values.ts';
import { Button, IconButton } from '../../../ui/elements.tsx';
import { MenuRow, SelectMenu, TextInput } from './parts.tsx';
import { withPart } from './view-parts.ts';

interface FilterRowsProps {
  list: List;
  view: ListView;
  onChange: (view: View) => void;
}

const comparisonNames: Readonly<Record<Filter['is'], string>> = {
  is: 'is',
  'is-not': 'is not',
  has: 'contains',
  less: 'is less than',
  more: 'is more than',
  before: 'is before',
  after: 'is after',
  empty: 'is empty',
  filled: 'is filled in',
};

/** Returns the comparisons that make sense for a field. */
export function comparisonsOf(field: Field): readonly Filter['is'][] {
  switch (typeOf(field)) {
    case 'number':
    case 'money':
    case 'rating':
      return ['is', 'less', 'more', 'empty', 'filled'];
    case 'date':
    case 'time':
      return ['is', 'before', 'after', 'empty', 'filled'];
    case 'yesno':
      return ['is'];
    case 'choice':
      return ['is', 'is-not', 'empty', 'filled'];
    case 'choices':
      return ['has', 'empty', 'filled'];
    case 'image':
    case 'relation':
      return ['empty', 'filled'];
    default:
      return ['has', 'is', 'empty', 'filled'];
  }
}

/** Returns a filter of the field that hides nothing yet or is easy to correct. */
export function newFilter(field: Field): Filter {
  const [first = 'filled'] = comparisonsOf(field);
  if (field.type === 'choice' || field.type === 'choices') {
    const [choice] = field.choices;
    return choice === undefined ? { field: field.id, is: 'filled' } : { field: field.id, is: first, value: choice.id };
  }
  if (typeOf(field) === 'yesno') return { field: field.id, is: 'is', value: true };
  return { field: field.id, is: 'filled' };
}

/** Reads the text of a filter's value, or says why it does not fit the field. */
export function filterValue(
  field: Field,
  text: string,
  todayIso: string,
): { readonly value: string | number | boolean } | { readonly problem: string } {
  const isPlain = !['number', 'money', 'rating', 'date', 'time'].includes(typeOf(field));
  if (isPlain) return text.length > 200 ? { problem: 'A filter has at most 200 characters.' } : { value: text };
  const parsed = parseText(field, text, { todayIso });
  if ('problem' in parsed) return parsed;
  const { value } = parsed;
  return typeof value === 'string' || typeof value === 'number' ? { value } : { problem: 'The filter needs a value.' };
}

/** Filter and order of a view's records. */
export function FilterRows({ list, view, onChange }: FilterRowsProps) {
  const filters = view.filter ?? [];
  const setFilters = (next: readonly Filter[]) => onChange(withPart(view, 'filter', next.length === 0 ? null : next));
  const sort = view.sort?.[0];
  return (
    <section aria-label="Records" className="mt-2">
      <MenuRow
        label="Sort by"
        value={sort === undefined ? '' : `${sort.field}${sort.descending ? ' down' : ''}`}
        options={[
          { value: '', label: 'As added' },
          ...list.fields.flatMap(({ id, name }) => [
            { value: id, label: name },
            { value: `${id} down`, label: `${name}, the other way` },
          ]),
        ]}
        onChange={(value) => {
          const [field = '', down] = value.split(' ');
          const first = field === '' ? [] : [{ field, ...(down === undefined ? {} : { descending: true }) }];
          onChange(withPart(view, 'sort', first.length === 0 ? null : first));
        }}
      />
      <h3 className="mt-1 mb-1 font-medium text-[13px]">Filter</h3>
      {filters.length === 0 && <p className="mb-1 text-[13px] text-ink-3">All records</p>}
      <ul className="flex flex-col gap-1.5">
        {filters.map((filter, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: filters are told apart by their place, and keep no state of their own.
          <li key={`${filter.field} ${filter.is} ${index}`}>
            <FilterRow
              list={list}
              filter={filter}
              onChange={(next) => setFilters(filters.with(index, next))}
              onRemove={() => setFilters(filters.toSpliced(index, 1))}
            />
          </li>
        ))}
      </ul>
      <Button
        size="sm"
        variant="quiet"
        icon={Plus}
        disabled={filters.length >= 10}
        onClick={() => list.fields[0] && setFilters([...filters, newFilter(list.fields[0])])}
        className="mt-1 self-start"
      >
        Filter
      </Button>
    </section>
  );
}

interface FilterRowProps {
  list: List;
  filter: Filter;
  onChange: (filter: Filter) => void;
  onRemove: () => void;
}

function FilterRow({ list, filter, onChange, onRemove }: FilterRowProps) {
  const field = list.fields.find(({ id }) => id === filter.field);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-1">
      <div className="grid grid-cols-2 gap-1">
        <SelectMenu
          label="Field"
          value={filter.field}
          options={list.fields.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(id) => {
            const next = list.fields.find((one) => one.id === id);
            if (next !== undefined) onChange(newFilter(next));
          }}
        />
        {field !== undefined && (
          <SelectMenu
            label="Comparison"
            value={filter.is}
            options={comparisonsOf(field).map((value) => ({ value, label: comparisonNames[value] }))}
            onChange={(is) =>
              onChange(
                is === 'empty' || is === 'filled' ? { field: filter.field, is } : { ...filter, is, value: filter.value ?? '' },
              )
            }
          />
        )}
        {field !== undefined && filter.is !== 'empty' && filter.is !== 'filled' && (
          <div className="col-span-2">
            <FilterValue field={field} filter={filter} onChange={onChange} />
          </div>
        )}
      </div>
      <IconButton icon={X} label="Remove the filter" onClick={onRemove} />
    </div>
  );
}

function FilterValue({ field, filter, onChange }: { field: Field; filter: Filter; onChange: (filter: Filter) => void }) {
  if (typeOf(field) === 'yesno') {
    return (
      <SelectMenu
        label="Value"
        value={filter.value === false ? 'no' : 'yes'}
        options={[
          { value: 'yes', label: 'Yes' },
          { value: 'no', label: 'No' },
        ]}
        onChange={(value) => onChange({ ...filter, value: value === 'yes' })}
      />
    );
  }
  if (field.type === 'choice' || field.type === 'choices') {
    return (
      <SelectMenu
        label="Value"
        value={String(filter.value ?? '')}
        options={field.choices.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(value) => onChange({ ...filter, value })}
      />
    );
  }
  return (
    <TextInput
      label="Value"
      value={shownFilterValue(field, filter)}
      onChange={(text) => {
        const read = filterValue(field, text, formatIsoDate(new Date()));
        if ('problem' in read) return read.problem;
        onChange({ ...filter, value: read.value });
        return null;
      }}
    />
  );
}

function shownFilterValue(field: Field, { value }: Filter): string {
  return value === undefined || value === '' ? '' : showValue(field, value);
}

const twoDigits = (number: number): string => String(number).padStart(2, '0');
const formatIsoDate = (date: Date): string =>
  `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
