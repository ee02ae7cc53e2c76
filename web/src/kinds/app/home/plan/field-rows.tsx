import { ChevronDown, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Field, FieldType, List } from '../../../../../../sandbox-image/templates/app/model/document.ts';
import { columnTypes } from '../../../../../../sandbox-image/templates/app/model/tables.ts';
import { cx, IconButton } from '../../../../ui/elements.tsx';
import { Menu, MenuCheck, MenuItem, MenuSeparator } from '../../../../ui/menu.tsx';
import { fieldTypes } from '../catalogue.ts';
import {
  type AppPlan,
  addField,
  type Edited,
  fieldKey,
  fieldOfType,
  moveField,
  type Origin,
  removeField,
  renameField,
  replaceField,
  withChoices,
} from './plan.ts';

const chosenTypes = (Object.keys(fieldTypes) as FieldType[]).filter((type) => type !== 'computed');

interface FieldRowsProps {
  readonly plan: AppPlan;
  readonly list: List;
  /** Key of the field whose name takes the focus. */
  readonly focused: string | null;
  readonly onFocus: (key: string | null) => void;
  readonly onApply: (edited: Edited) => void;
  readonly onRemove: (edited: Edited, name: string) => void;
  /** Changes the type of a field that has a column of the pasted table. */
  readonly onColumnType: (field: Field, type: (typeof columnTypes)[number]) => void;
}

/** The fields of a list, edited in place. */
export function FieldRows({ plan, list, focused, onFocus, onApply, onRemove, onColumnType }: FieldRowsProps) {
  const renamed = ({ id }: Field, name: string | null) => (name === null ? plan : renameField(plan, list.id, id, name).plan);
  const addBelow = (before: AppPlan, below: string | null) => {
    const added = addField(before, list.id, below);
    onApply(added);
    if (added.field !== '') onFocus(fieldKey(list.id, added.field));
  };
  const column = (field: Field) => (plan.table?.list === list.id ? plan.table.columns[field.id] : undefined);
  return (
    <ul aria-label={`Fields of ${list.name}`}>
      {list.fields.map((field) => {
        const key = fieldKey(list.id, field.id);
        return (
          <li
            key={field.id}
            className="group/row flex flex-wrap items-center gap-x-2 px-3.5 py-0.5 hover:bg-sunken/60 sm:flex-nowrap"
          >
            <NameInput
              label={`Name of the field ${field.name}`}
              name={field.name}
              isFocused={focused === key}
              onFocused={() => onFocus(null)}
              onRename={(name) => onApply(renameField(plan, list.id, field.id, name))}
              onEnter={(name) => addBelow(renamed(field, name), field.id)}
              onMove={(by, name) => {
                onApply(moveField(renamed(field, name), list.id, field.id, by));
                onFocus(key);
              }}
              className="w-36 font-medium text-[13px] max-sm:flex-1"
            />
            <TypeMenu
              field={field}
              types={column(field) === undefined ? chosenTypes : columnTypes}
              isUsable={(type) => fieldOfType(field, type, list.id, plan.document) !== null}
              onType={(type) => {
                if (column(field) !== undefined) {
                  const known = columnTypes.find((one) => one === type);
                  if (known !== undefined) onColumnType(field, known);
                  return;
                }
                const next = fieldOfType(field, type, list.id, plan.document);
                if (next !== null) onApply(replaceField(plan, list.id, next));
              }}
              onNeeded={(needed) => onApply(replaceField(plan, list.id, { ...field, needed }))}
            />
            <span className="min-w-0 flex-1 max-sm:order-last max-sm:basis-full max-sm:pl-1.5">
              <Detail
                field={field}
                plan={plan}
                isFixed={column(field) !== undefined}
                onChange={(next) => onApply(replaceField(plan, list.id, next))}
              />
            </span>
            <OriginLabel origin={plan.origins[key]} />
            <IconButton
              icon={X}
              label={`Remove ${field.name}`}
              onClick={() => onRemove(removeField(plan, list.id, field.id), field.name)}
              className="size-7 max-sm:size-10"
            />
          </li>
        );
      })}
    </ul>
  );
}

export function OriginLabel({ origin }: { origin: Origin | undefined }) {
  if (origin === undefined || origin.from === 'own' || origin.from === 'table') return null;
  if (origin.from === 'words')
    return (
      <span className="rounded-full bg-accent-soft px-2 py-0.5 text-accent-text text-xs">
        {`from ${origin.words.map((word) => `“${word}”`).join(', ')}`}
      </span>
    );
  return <span className="text-ink-2 text-xs">{origin.from === 'guess' ? 'guessed' : 'your answer'}</span>;
}

interface NameInputProps {
  readonly label: string;
  readonly name: string;
  readonly isFocused?: boolean;
  readonly onFocused?: () => void;
  readonly onRename: (name: string) => void;
  /** Gets the name that was typed and not yet given to `onRename`, or `null`. */
  readonly onEnter?: (name: string | null) => void;
  readonly onMove?: (by: -1 | 1, name: string | null) => void;
  readonly className?: string;
}

/** A name that is a text until it is pointed at. An empty name brings the one before back. */
export function NameInput({ label, name, isFocused = false, onFocused, onRename, onEnter, onMove, className }: NameInputProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!isFocused) return;
    input.current?.focus();
    input.current?.select();
    onFocused?.();
  }, [isFocused, onFocused]);
  const taken = () => {
    setTyped(null);
    return typed !== null && typed.trim() !== name ? typed : null;
  };
  const finish = () => {
    const given = taken();
    if (given !== null) onRename(given);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      if (onEnter === undefined) finish();
      else onEnter(taken());
    } else if (event.key === 'Escape' && typed !== null) {
      event.preventDefault();
      event.stopPropagation();
      setTyped(null);
    } else if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown') && onMove !== undefined) {
      event.preventDefault();
      onMove(event.key === 'ArrowUp' ? -1 : 1, taken());
    }
  };
  return (
    <input
      ref={input}
      aria-label={label}
      value={typed ?? name}
      maxLength={60}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => setTyped(event.target.value)}
      onBlur={finish}
      onKeyDown={onKeyDown}
      className={cx(
        'h-7.5 min-w-0 rounded-md border border-transparent bg-transparent px-1.5 hover:border-line-strong focus:bg-panel max-sm:h-10 max-sm:text-base',
        className,
      )}
    />
  );
}

interface TypeMenuProps {
  readonly field: Field;
  readonly types: readonly FieldType[];
  readonly isUsable: (type: FieldType) => boolean;
  readonly onType: (type: FieldType) => void;
  readonly onNeeded: (needed: boolean) => void;
}

function TypeMenu({ field, types, isUsable, onType, onNeeded }: TypeMenuProps) {
  const { icon: Icon, name } = fieldTypes[field.type];
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          aria-label={`Type of ${field.name}: ${name}`}
          className="inline-flex h-7 shrink-0 items-center gap-1.5 rounded-md bg-sunken px-2 font-medium text-[13px] text-ink-2 hover:bg-bubble hover:text-ink max-sm:h-10"
        >
          <Icon aria-hidden="true" className="size-3.5" />
          {name}
          <ChevronDown aria-hidden="true" className="size-3" />
        </button>
      }
    >
      {types.map((type) => {
        const { icon: TypeIcon, name: typeName } = fieldTypes[type];
        return (
          <MenuItem key={type} icon={<TypeIcon />} disabled={!isUsable(type)} onSelect={() => onType(type)}>
            {typeName}
            {type === field.type && <span className="ml-auto text-ink-3 text-xs">now</span>}
            {!isUsable(type) && <span className="ml-auto text-xs">needs a second list</span>}
          </MenuItem>
        );
      })}
      <MenuSeparator />
      <MenuCheck label="Must be filled in" keys="" checked={field.needed === true} onChange={onNeeded} />
    </Menu>
  );
}

interface DetailProps {
  readonly field: Field;
  readonly plan: AppPlan;
  /** Whether the values come from the pasted table. */
  readonly isFixed: boolean;
  readonly onChange: (field: Field) => void;
}

function Detail({ field, plan, isFixed, onChange }: DetailProps) {
  const needed = field.needed === true ? 'needed' : '';
  if (field.type === 'choice' || field.type === 'choices') {
    const names = field.choices.map(({ name }) => name).join(', ');
    if (isFixed) return <Quiet text={[names, needed].filter(Boolean).join(', ')} />;
    return <ChoicesInput field={field} names={names} onChange={onChange} />;
  }
  if (field.type === 'relation') {
    const { list } = field;
    const target = plan.document.lists.find(({ id }) => id === list);
    return (
      <Menu
        align="start"
        trigger={
          <button type="button" className="inline-flex items-center gap-1 rounded px-1 text-[13px] text-ink-2 hover:text-ink">
            {`${field.many === true ? 'several' : 'one'} of ${target?.name ?? list}`}
            <ChevronDown aria-hidden="true" className="size-3" />
          </button>
        }
      >
        {plan.document.lists.map(({ id, name }) => (
          <MenuItem key={id} onSelect={() => onChange({ ...field, list: id })}>
            {name}
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuCheck label="Several" keys="" checked={field.many === true} onChange={(many) => onChange({ ...field, many })} />
      </Menu>
    );
  }
  const facts: Partial<Record<Field['type'], string>> = {
    money: field.type === 'money' ? field.currency : '',
    number: field.type === 'number' ? (field.unit ?? '') : '',
    computed: field.type === 'computed' ? field.formula : '',
  };
  return <Quiet text={[facts[field.type], needed].filter(Boolean).join(', ')} />;
}

const Quiet = ({ text }: { text: string }) => (
  <span className="line-clamp-1 text-[13px] text-ink-2" title={text}>
    {text}
  </span>
);

interface ChoicesInputProps {
  readonly field: Field;
  readonly names: string;
  readonly onChange: (field: Field) => void;
}

function ChoicesInput({ field, names, onChange }: ChoicesInputProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const finish = () => {
    if (typed !== null && typed !== names) onChange(withChoices(field, typed.split(',')));
    setTyped(null);
  };
  return (
    <input
      aria-label={`Choices of ${field.name}, with commas between them`}
      value={typed ?? names}
      placeholder="Write the choices, with commas"
      onChange={(event) => setTyped(event.target.value)}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          event.preventDefault();
          finish();
        }
      }}
      className="h-7 w-full min-w-0 truncate rounded-md border border-transparent bg-transparent px-1 text-[13px] text-ink-2 placeholder:text-ink-3 hover:border-line-strong focus:bg-panel"
    />
  );
}
