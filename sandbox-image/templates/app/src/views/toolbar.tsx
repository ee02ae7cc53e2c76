import { ArrowDown, ArrowUp, ArrowUpDown, Download, ListFilter, Plus, Rows3, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Field, Filter } from '../../model/document.ts';
import type { Value } from '../../model/record.ts';
import { FieldEditor } from '../fields/edit.tsx';
import { fieldIcon } from '../fields/field-icon.ts';
import { Tools } from '../shell/page-frame.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuItem, MenuLine, Popover } from '../ui/menu.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { announce } from '../ui/toast.tsx';
import { canBeEmpty, comparisons, comparisonWord, filterValueText, newFilter, takesValue } from './filter-words.ts';
import { download } from './selection-bar.tsx';
import { type Rows, setFilters, setGroup, setSearch, setSorts } from './use-rows.ts';

interface ToolbarProps {
  readonly rows: Rows;
  readonly search?: boolean | undefined;
  /** Whether the view can group its rows. */
  readonly grouping?: boolean;
}

/** Search, sort, group and filters of a view. The filters take a line of their own when there are any. */
export function Toolbar({ rows, search = true, grouping = false }: ToolbarProps) {
  const { list, all, records, filters } = rows;
  const count = records.length;
  useEffect(() => announce(`${count} ${list.name.toLowerCase()}`), [count, list.name]);
  return (
    <>
      <Tools>
        {search && (
          <SearchField
            className="w-60"
            label={`Search ${all.length} ${list.name.toLowerCase()}`}
            value={rows.search}
            onChange={setSearch}
          />
        )}
        {filters.length === 0 && <AddFilter rows={rows} />}
        <SortMenu rows={rows} />
        {grouping && <GroupMenu rows={rows} />}
      </Tools>
      {filters.length > 0 && <FilterLine rows={rows} />}
    </>
  );
}

function AddFilter({ rows, chip = false }: { rows: Rows; chip?: boolean }) {
  const trigger = chip ? (
    <button type="button" className="filter-add" data-key="f">
      <Icon of={Plus} size={14} />
      Filter
    </button>
  ) : (
    <Button kind="ghost" icon={ListFilter} data-key="f" aria-label="Filter">
      <span className="tool-name">Filter</span>
    </Button>
  );
  return (
    <Menu trigger={trigger} label="Filter by">
      {rows.list.fields.map((field) => (
        <MenuItem key={field.id} icon={fieldIcon(field)} onSelect={() => setFilters([...rows.filters, newFilter(field)])}>
          {field.name}
        </MenuItem>
      ))}
    </Menu>
  );
}

function FilterLine({ rows }: { rows: Rows }) {
  const { filters } = rows;
  return (
    <div className="filters">
      {filters.map((filter, index) => (
        <FilterChip
          // biome-ignore lint/suspicious/noArrayIndexKey: filters have no id, and may be equal.
          key={`${filter.field}-${index}`}
          rows={rows}
          filter={filter}
          onChange={(next) => setFilters(filters.flatMap((other, at) => (at === index ? (next ?? []) : other)))}
        />
      ))}
      <AddFilter rows={rows} chip />
      <span className="flex-1" />
      <Button kind="ghost" size="small" icon={Download} onClick={() => download(rows, rows.records)}>
        Export {rows.records.length.toLocaleString('en')}
      </Button>
      <Button kind="ghost" size="small" onClick={() => setFilters([])}>
        Clear
      </Button>
    </div>
  );
}

interface ChipProps {
  readonly rows: Rows;
  readonly filter: Filter;
  readonly onChange: (filter: Filter | null) => void;
}

/** A filter as a sentence of field, comparison and value, each of which is a menu. */
function FilterChip({ rows, filter, onChange }: ChipProps) {
  const field = rows.list.fields.find(({ id }) => id === filter.field);
  if (field === undefined) return null;
  return (
    <span className="filter-chip">
      <Menu
        trigger={
          <button type="button" className="text-ink-2">
            <Icon of={fieldIcon(field)} size={14} />
            {field.name}
          </button>
        }
      >
        {rows.list.fields.map((other) => (
          <MenuItem key={other.id} icon={fieldIcon(other)} on={other.id === field.id} onSelect={() => onChange(newFilter(other))}>
            {other.name}
          </MenuItem>
        ))}
      </Menu>
      <Menu
        trigger={
          <button type="button" className="text-ink-3">
            {comparisonWord(filter.is)}
          </button>
        }
      >
        {comparisons(field).map((is) => (
          <MenuItem
            key={is}
            on={is === filter.is}
            onSelect={() => onChange(takesValue(is) ? { ...filter, is } : { field: field.id, is })}
          >
            {comparisonWord(is)}
          </MenuItem>
        ))}
      </Menu>
      {takesValue(filter.is) && <FilterValue rows={rows} field={field} filter={filter} onChange={onChange} />}
      <button type="button" className="text-ink-3" aria-label={`Remove the filter ${field.name}`} onClick={() => onChange(null)}>
        <Icon of={X} size={14} />
      </button>
    </span>
  );
}

function FilterValue({ rows, field, filter, onChange }: ChipProps & { readonly field: Field }) {
  const [open, setOpen] = useState(filter.value === undefined);
  const text = filterValueText(field, filter, rows.titleOf);
  function take(value: string | number | boolean | undefined) {
    onChange({ field: filter.field, is: filter.is, ...(value === undefined ? {} : { value }) });
    setOpen(false);
  }
  function ask(is: 'empty' | 'filled') {
    onChange({ field: filter.field, is });
    setOpen(false);
  }
  return (
    <Popover
      label={`Value of ${field.name}`}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <button type="button" className="font-medium">
          {text}
        </button>
      }
    >
      <FilterValueList field={field} filter={filter} onTake={take} />
      {canBeEmpty(field) && (
        <>
          <div className="menu-line" />
          {(['empty', 'filled'] as const).map((is) => (
            <button key={is} type="button" className="menu-item text-ink-2" onClick={() => ask(is)}>
              {comparisonWord(is)}
            </button>
          ))}
        </>
      )}
    </Popover>
  );
}

interface ValueListProps {
  readonly field: Field;
  readonly filter: Filter;
  readonly onTake: (value: string | number | boolean | undefined) => void;
}

function FilterValueList({ field, filter, onTake }: ValueListProps) {
  if (field.type === 'choice' || field.type === 'choices') {
    return field.choices.map(({ id, name }) => (
      <button key={id} type="button" className="menu-item" aria-pressed={filter.value === id} onClick={() => onTake(id)}>
        {name}
      </button>
    ));
  }
  if (field.type === 'yesno') {
    return [true, false].map((value) => (
      <button key={String(value)} type="button" className="menu-item" onClick={() => onTake(value)}>
        {value ? 'Yes' : 'No'}
      </button>
    ));
  }
  return (
    <div className="grid gap-1 p-1">
      <FieldEditor
        field={typedAs(field)}
        value={filter.value ?? null}
        variant="form"
        autoFocus={field.type !== 'relation'}
        onChange={(value) => onTake(plainValue(value))}
      />
      {field.type === 'date' && (
        <button type="button" className="menu-item" onClick={() => onTake('today')}>
          Today
        </button>
      )}
    </div>
  );
}

const plainValue = (value: Value) => (value === null || typeof value === 'object' ? undefined : value);

/** The field in which a value to compare with is typed: any text will do for a text, also one that is no address. */
function typedAs(field: Field): Field {
  const { id, name } = field;
  switch (field.type) {
    case 'text':
    case 'longtext':
    case 'link':
    case 'email':
    case 'phone':
      return { id, name, type: 'text' };
    case 'rating':
      return { id, name, type: 'number', decimals: 0 };
    case 'money':
      return { id, name, type: 'money', currency: field.currency };
    case 'relation':
      return { id, name, type: 'relation', list: field.list };
    case 'computed':
      if (field.result === 'money') return { id, name, type: 'money', currency: field.currency ?? 'GBP' };
      return { id, name, type: field.result };
    default:
      return { ...field, needed: false };
  }
}

function SortMenu({ rows }: { rows: Rows }) {
  const [current] = rows.sorts;
  const field = rows.list.fields.find(({ id }) => id === current?.field);
  return (
    <Menu
      align="end"
      label="Sort by"
      trigger={
        <Button kind="ghost" icon={ArrowUpDown} aria-label={field ? `Sorted by ${field.name}` : 'Sort'}>
          <span className="tool-name">{field?.name ?? 'Sort'}</span>
        </Button>
      }
    >
      {rows.list.fields
        .filter(({ type }) => type !== 'image')
        .map(({ id, name }) => {
          const isOn = id === current?.field;
          const direction = current?.descending === true ? ArrowDown : ArrowUp;
          return (
            <MenuItem
              key={id}
              icon={isOn ? direction : undefined}
              on={isOn}
              onSelect={() => setSorts([{ field: id, descending: isOn && current.descending !== true }])}
            >
              {name}
            </MenuItem>
          );
        })}
      {current && <MenuLine />}
      {current && <MenuItem onSelect={() => setSorts([])}>As they were added</MenuItem>}
    </Menu>
  );
}

function GroupMenu({ rows }: { rows: Rows }) {
  const groupable = rows.list.fields.filter(({ type }) => type === 'choice' || type === 'relation' || type === 'yesno');
  if (groupable.length === 0) return null;
  const current = groupable.find(({ id }) => id === rows.group);
  return (
    <Menu
      align="end"
      label="Group by"
      trigger={
        <Button kind="ghost" icon={Rows3} aria-label={current ? `Grouped by ${current.name}` : 'Group'}>
          <span className="tool-name">{current?.name ?? 'Group'}</span>
        </Button>
      }
    >
      {groupable.map((field) => (
        <MenuItem key={field.id} icon={fieldIcon(field)} on={field.id === rows.group} onSelect={() => setGroup(field.id)}>
          {field.name}
        </MenuItem>
      ))}
      {current && <MenuLine />}
      {current && <MenuItem onSelect={() => setGroup(null)}>No groups</MenuItem>}
    </Menu>
  );
}
