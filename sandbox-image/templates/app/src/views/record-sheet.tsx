import { Check, ChevronDown, ChevronUp, Ellipsis, Link, Plus, X } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import type { List } from '../../model/document.ts';
import { type Value, type Values, valueSchema } from '../../model/record.ts';
import { isEmpty, valueProblem } from '../../model/values.ts';
import data from '../data/use-data.ts';
import { FieldEditor } from '../fields/edit.tsx';
import { fieldIcon } from '../fields/field-icon.ts';
import { titleIn } from '../fields/titles.ts';
import { closeRecord, openRecord, useQuery } from '../shell/address.ts';
import { Conflicts } from '../shell/conflicts.tsx';
import { isField } from '../shell/keys.tsx';
import { useIsPhone } from '../shell/screen.ts';
import { useShown } from '../shell/shown.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Sheet } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { toast } from '../ui/toast.tsx';
import { RecordBody } from './record-body.tsx';

export { openRecord };

/** The sheet of the record that the address names, if it names one. */
export function OpenSheet({ readOnly = false }: { readonly readOnly?: boolean }) {
  const query = useQuery();
  const [listId, id] = (query.get('open') ?? '').split('/');
  const list = data.document.lists.find((entry) => entry.id === listId);
  const isPhone = useIsPhone();
  if (list === undefined || id === undefined) return null;
  return (
    <>
      {isPhone && <div className="scrim sheet-scrim" onPointerDown={closeRecord} />}
      {id === 'new' ? (
        <NewRecord key={query.get('with')} list={list} given={query.get('with')} />
      ) : (
        <RecordSheet list={list.id} id={id} readOnly={readOnly} />
      )}
    </>
  );
}

interface RecordSheetProps {
  readonly list: string;
  readonly id: string;
  readonly readOnly?: boolean;
}

/** To read and change one record without leaving the list. */
export function RecordSheet({ list: listId, id, readOnly = false }: RecordSheetProps) {
  const list = data.listOf(listId);
  const record = data.useRecord(listId, id);
  const { loaded, state } = data.useStatus();
  const shown = useShown();
  const ids = shown.list === listId ? shown.ids : [];
  const index = ids.indexOf(id);
  function go(by: number) {
    const next = ids[index + by];
    if (next !== undefined) openRecord(listId, next);
  }
  function press(event: KeyboardEvent) {
    if (isField(event.target) || index === -1 || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    go(event.key === 'ArrowUp' ? -1 : 1);
  }
  if (record === undefined) {
    return (
      <Sheet label={list.one} onClose={closeRecord}>
        <SheetHead>
          <span className="flex-1" />
        </SheetHead>
        <Conflicts inSheet />
        <p className="p-6 text-ink-2">{loaded ? `This ${list.one} was deleted. Undo brings it back.` : 'Loading…'}</p>
      </Sheet>
    );
  }
  const title = titleIn(list, record);
  return (
    <Sheet label={title} onClose={closeRecord} onKeyDown={press}>
      <SheetHead>
        <IconButton label={`${list.one} before`} icon={ChevronUp} size="small" disabled={index <= 0} onClick={() => go(-1)} />
        <IconButton
          label={`${list.one} after`}
          icon={ChevronDown}
          size="small"
          disabled={index === -1 || index === ids.length - 1}
          onClick={() => go(1)}
        />
        {index !== -1 && (
          <span className="text-ink-3 text-xs tabular-nums">
            {index + 1} of {ids.length}
          </span>
        )}
        <span className="flex-1" />
        {state === 'saved' && (
          <span className="saved me-2">
            <Icon of={Check} size={14} />
            Saved
          </span>
        )}
        <IconButton
          label="Copy link"
          icon={Link}
          size="small"
          onClick={() => void navigator.clipboard.writeText(location.href).then(() => toast('Link copied'))}
        />
        {!readOnly && (
          <Menu align="end" trigger={<IconButton label="More" icon={Ellipsis} size="small" />}>
            <MenuItem onSelect={() => duplicate(list, record.values)}>Duplicate</MenuItem>
            <MenuItem
              danger
              onSelect={() => {
                data.remove(listId, [id]);
                closeRecord();
              }}
            >
              Delete
            </MenuItem>
          </Menu>
        )}
      </SheetHead>
      <Conflicts inSheet />
      <div className="sheet-body" key={id}>
        <RecordBody list={list} record={record} readOnly={readOnly} />
      </div>
    </Sheet>
  );
}

function SheetHead({ children }: { children: React.ReactNode }) {
  return (
    <header className="sheet-head">
      {children}
      <IconButton label="Close" icon={X} size="small" onClick={closeRecord} />
    </header>
  );
}

function duplicate(list: List, values: Values): void {
  const kept = list.fields.filter((field) => !('unique' in field && field.unique === true));
  openRecord(
    list.id,
    data.add(list.id, Object.fromEntries(kept.flatMap(({ id }) => (values[id] === undefined ? [] : [[id, values[id]]])))),
  );
}

const newId = () => crypto.randomUUID().replaceAll('-', '');

/** Values that an address fills in. What is no value of the list is left out, because anybody can change an address. */
function givenValues(list: List, text: string | null): Values {
  if (text === null) return {};
  try {
    const given: unknown = JSON.parse(text);
    if (typeof given !== 'object' || given === null) return {};
    return Object.fromEntries(
      Object.entries(given).flatMap(([id, value]) => {
        const parsed = valueSchema.safeParse(value);
        const field = list.fields.find((entry) => entry.id === id);
        return field && parsed.success && valueProblem(field, parsed.data) === null ? [[id, parsed.data]] : [];
      }),
    );
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** A field keeps a text that it cannot store, and says why. Adding the record without it would lose the text. */
const textThatDoesNotFit = (form: HTMLFormElement): HTMLInputElement | HTMLTextAreaElement | undefined =>
  [...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('[aria-invalid="true"]')].find(({ value }) => value !== '');

/** The fields of a record that is created once all needed ones have a value. */
function NewRecord({ list, given }: { list: List; given: string | null }) {
  const [values, setValues] = useState<Values>(() => givenValues(list, given));
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const fields = list.fields.filter(({ type }) => type !== 'computed');
  function change(id: string, value: Value) {
    setValues((before) => ({ ...before, [id]: value }));
    setProblems(({ [id]: _, ...others }) => others);
  }
  function store() {
    const missing = fields.filter((field) => field.needed === true && isEmpty(values[field.id]));
    if (missing.length > 0) {
      setProblems(Object.fromEntries(missing.map(({ id, name }) => [id, `${name} is needed.`])));
      return;
    }
    const id = newId();
    const isStored = data.change(`Added ${list.one}`, [{ op: 'put', list: list.id, id, values: { ...values } }]);
    if (isStored) closeRecord();
    else toast('A value is not allowed: perhaps it has to be unique.', { problem: true });
  }
  return (
    <Sheet label={`New ${list.one}`} onClose={closeRecord}>
      <header className="sheet-head">
        <h2 className="flex-1 ps-3 text-lg">New {list.one}</h2>
        <IconButton label="Close" icon={X} size="small" onClick={closeRecord} />
      </header>
      <Conflicts inSheet />
      <form
        className="contents"
        noValidate
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          // The field stores its text with the same key, first.
          const form = event.currentTarget;
          setTimeout(() => form.requestSubmit());
        }}
        onSubmit={(event) => {
          event.preventDefault();
          const wrong = textThatDoesNotFit(event.currentTarget);
          if (wrong === undefined) store();
          else wrong.focus();
        }}
      >
        <div className="sheet-body pt-3">
          <dl className="properties">
            {fields.map((field, index) => (
              <div key={field.id} data-long={field.type === 'longtext' || undefined}>
                <dt>
                  <Icon of={fieldIcon(field)} />
                  <label htmlFor={`new-${field.id}`} className="ellipsis">
                    {field.name}
                  </label>
                  {field.needed === true && <span className="text-ink-3 text-xs">needed</span>}
                </dt>
                <dd>
                  <FieldEditor
                    id={`new-${field.id}`}
                    variant="sheet"
                    field={{ ...field, needed: false }}
                    value={values[field.id] ?? null}
                    problem={problems[field.id] ?? null}
                    autoFocus={index === 0 && field.type === 'text'}
                    onChange={(value) => change(field.id, value)}
                  />
                </dd>
              </div>
            ))}
          </dl>
        </div>
        <footer className="sheet-foot">
          <span className="flex-1 text-ink-3 text-xs">Ctrl Enter adds it</span>
          <Button kind="ghost" onClick={closeRecord}>
            Cancel
          </Button>
          <Button kind="primary" icon={Plus} type="submit">
            Add {list.one}
          </Button>
        </footer>
      </form>
    </Sheet>
  );
}
