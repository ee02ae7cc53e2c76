import { Calendar, ImageUp, Star, Trash2 } from 'lucide-react';
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import type { Field } from '../../model/document.ts';
import type { Value } from '../../model/record.ts';
import { currencyDigits, fromMinorUnits, parseText, showValue } from '../../model/values.ts';
import data from '../data/use-data.ts';
import { todayIso } from '../shell/screen.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Popover } from '../ui/menu.tsx';
import { Avatar, Switch, Tag } from '../ui/tag.tsx';
import { toast } from '../ui/toast.tsx';
import { Month } from './calendar.tsx';
import { Picker } from './picker.tsx';
import { FieldValue, isPerson, isState, Picture } from './show.tsx';
import { useTitles } from './titles.ts';

type FieldOf<T extends Field['type']> = Extract<Field, { type: T }>;

/** How editing ended: a table moves on after Enter and Tab. */
export type Done = 'enter' | 'tab' | 'back' | 'escape' | 'blur';

export interface FieldEditorProps {
  readonly field: Field;
  readonly value: Value;
  /** Gets each valid value: texts after Enter or leaving the field, others at once. */
  readonly onChange: (value: Value) => void;
  readonly onDone?: (how: Done) => void;
  readonly autoFocus?: boolean;
  readonly variant: 'cell' | 'sheet' | 'form';
  /** What is wrong with the value, as a sentence. */
  readonly problem?: string | null;
  /** Replaces the value's text: the first letter that was typed. */
  readonly startText?: string | undefined;
  /** Id of the control, for a label. Without it, the field's name is its label. */
  readonly id?: string;
}

/** Edits a value of any type. Computed fields are shown. */
export function FieldEditor(props: FieldEditorProps) {
  const { field } = props;
  switch (field.type) {
    case 'choice':
    case 'choices':
      return <ChoiceEditor {...props} field={field} />;
    case 'relation':
      return <RelationEditor {...props} field={field} />;
    case 'yesno':
      return <YesNoEditor {...props} />;
    case 'rating':
      return <RatingEditor {...props} />;
    case 'image':
      return <ImageEditor {...props} />;
    case 'computed':
      return (
        <span className="field" data-variant={props.variant} data-computed="true">
          <FieldValue field={field} value={props.value} />
        </span>
      );
    default:
      return <TextEditor {...props} />;
  }
}

/** The text of a value in a field, which `parseText` reads back. */
function editText(field: Field, value: Value): string {
  if (value === null) return '';
  if (field.type === 'money' && typeof value === 'number') {
    return fromMinorUnits(value, field.currency).toFixed(value % 100 === 0 ? 0 : currencyDigits(field.currency));
  }
  if (field.type === 'date') return showValue(field, value);
  return String(value);
}

const inputTypes: Partial<Record<Field['type'], string>> = { email: 'email', phone: 'tel', link: 'url' };
const inputModes: Partial<Record<Field['type'], 'decimal' | 'numeric'>> = { number: 'decimal', money: 'decimal' };
const examples: Partial<Record<Field['type'], string>> = { date: 'Fri, +3 or 3 Feb', time: '13:30' };

function TextEditor(props: FieldEditorProps) {
  const { field, value, onChange, onDone, autoFocus, variant, startText, id } = props;
  const [text, setText] = useState(startText ?? editText(field, value));
  const [wrong, setWrong] = useState<string | null>(null);
  const finished = useRef(false);
  const problemId = useId();
  const problem = wrong ?? props.problem ?? null;

  /** Stores the text if it is allowed. */
  function store(): boolean {
    if (text === editText(field, value)) return true;
    const parsed = parseText(field, text, { todayIso: todayIso() });
    if ('problem' in parsed) {
      setWrong(parsed.problem);
      return false;
    }
    setWrong(null);
    setText(editText(field, parsed.value));
    onChange(parsed.value);
    return true;
  }

  function finish(how: Done) {
    finished.current = true;
    onDone?.(how);
  }

  function restore(event: KeyboardEvent) {
    // An Escape that restores a text does not also close the sheet around it.
    if (text !== editText(field, value) || variant === 'cell') event.preventDefault();
    setText(editText(field, value));
    setWrong(null);
    finish('escape');
  }

  function press(event: KeyboardEvent<HTMLInputElement | HTMLTextAreaElement>) {
    const isLine = field.type !== 'longtext' || event.ctrlKey || variant === 'cell';
    if (event.key === 'Escape') {
      restore(event);
    } else if (event.key === 'Enter' && !event.shiftKey && isLine) {
      if (variant !== 'form') event.preventDefault();
      if (store()) finish('enter');
    } else if (event.key === 'Tab' && variant === 'cell') {
      event.preventDefault();
      if (store()) finish(event.shiftKey ? 'back' : 'tab');
    }
  }

  function leave() {
    if (finished.current) return;
    if (store()) {
      onDone?.('blur');
      return;
    }
    if (variant === 'cell') {
      toast(`${field.name} keeps its value: “${text}” does not fit.`, { problem: true });
      onDone?.('escape');
    }
  }

  const shared = {
    id,
    value: text,
    onBlur: leave,
    onKeyDown: press,
    onFocus: () => {
      finished.current = false;
    },
    'aria-label': id === undefined ? field.name : undefined,
    'aria-invalid': problem !== null || undefined,
    'aria-describedby': problem === null ? undefined : problemId,
    'aria-required': field.needed || undefined,
    placeholder: examples[field.type] ?? (variant === 'form' ? undefined : field.hint),
    autoFocus,
  };
  return (
    <>
      <span className="field" data-variant={variant} data-invalid={problem !== null} data-type={field.type}>
        {field.type === 'longtext' ? (
          <textarea {...shared} rows={variant === 'form' ? 4 : 2} onChange={(event) => setText(event.target.value)} />
        ) : (
          <input
            {...shared}
            type={inputTypes[field.type] ?? 'text'}
            inputMode={inputModes[field.type]}
            autoComplete={variant === 'form' ? undefined : 'off'}
            onChange={(event) => {
              setText(event.target.value);
              setWrong(null);
            }}
          />
        )}
        {field.type === 'number' && field.unit !== undefined && <span className="text-ink-3">{field.unit}</span>}
        {field.type === 'money' && <span className="text-ink-3">{field.currency}</span>}
        {field.type === 'date' && (
          <DateButton
            value={typeof value === 'string' ? value : null}
            onOpen={() => {
              finished.current = true;
            }}
            onChoose={(iso) => {
              setText(editText(field, iso));
              setWrong(null);
              onChange(iso);
              finish('enter');
            }}
            onClose={() => onDone?.('blur')}
          />
        )}
      </span>
      {problem !== null && <Problem id={problemId} text={problem} floating={variant === 'cell'} />}
    </>
  );
}

interface DateButtonProps {
  readonly value: string | null;
  readonly onOpen: () => void;
  readonly onChoose: (iso: string) => void;
  readonly onClose: () => void;
}

function DateButton({ value, onOpen, onChoose, onClose }: DateButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <Popover
      align="end"
      label="Choose a day"
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        if (!next) onClose();
      }}
      trigger={
        // The pointer goes down before the field loses the focus, which would close the cell.
        <IconButton label="Choose a day" icon={Calendar} size="small" tabIndex={-1} onPointerDown={onOpen} />
      }
    >
      <Month
        value={value}
        onChoose={(iso) => {
          setOpen(false);
          onChoose(iso);
        }}
      />
    </Popover>
  );
}

function Problem({ id, text, floating }: { id: string; text: string; floating: boolean }) {
  return (
    <span id={id} role="alert" className="problem" data-floating={floating}>
      {text}
    </span>
  );
}

const nothing = { cell: '', sheet: 'Empty', form: 'Choose' };

interface PickFieldProps extends FieldEditorProps {
  readonly items: readonly { readonly id: string; readonly name: string; readonly shown: React.ReactNode }[];
  readonly many: boolean;
  readonly onAdd?: (name: string) => string;
}

function PickField({ field, value, onChange, onDone, autoFocus, variant, problem, id, items, many, onAdd }: PickFieldProps) {
  const problemId = useId();
  const chosen = Array.isArray(value) ? value : [value].filter((entry) => typeof entry === 'string');
  return (
    <>
      <Picker
        label={field.name}
        items={items}
        chosen={chosen}
        many={many}
        startOpen={autoFocus === true}
        onChange={(ids) => onChange(many ? [...ids] : (ids[0] ?? null))}
        onDone={(how) => onDone?.(how)}
        className={`field field-${variant}`}
        id={id}
        invalid={problem !== null && problem !== undefined}
        describedBy={problem ? problemId : undefined}
        {...(onAdd ? { onAdd } : {})}
      >
        {chosen.length > 0 ? (
          <FieldValue field={field} value={value} size={variant === 'cell' ? 'cell' : 'sheet'} />
        ) : (
          <span className="text-ink-3">{nothing[variant]}</span>
        )}
      </Picker>
      {problem && <Problem id={problemId} text={problem} floating={variant === 'cell'} />}
    </>
  );
}

function ChoiceEditor({ field, ...props }: FieldEditorProps & { readonly field: FieldOf<'choice' | 'choices'> }) {
  const dot = field.type === 'choice' && isState(field);
  const items = field.choices.map((choice) => ({ id: choice.id, name: choice.name, shown: <Tag choice={choice} dot={dot} /> }));
  return <PickField {...props} field={field} items={items} many={field.type === 'choices'} />;
}

function RelationEditor({ field, ...props }: FieldEditorProps & { readonly field: FieldOf<'relation'> }) {
  const titles = useTitles(field.list);
  const person = isPerson(field);
  const items = [...titles].map(([id, name]) => ({
    id,
    name,
    shown: (
      <>
        {person && <Avatar name={name} />}
        <span className="min-w-0 truncate">{name}</span>
      </>
    ),
  }));
  const title = data.listOf(field.list).fields[0];
  return (
    <PickField
      {...props}
      field={field}
      items={items}
      many={field.many === true}
      {...(title?.type === 'text' ? { onAdd: (name: string) => data.add(field.list, { [title.id]: name }) } : {})}
    />
  );
}

function YesNoEditor({ field, value, onChange, onDone, variant, id, problem }: FieldEditorProps) {
  const problemId = useId();
  return (
    <>
      <button
        type="button"
        role="switch"
        aria-checked={value === true}
        aria-label={id === undefined ? field.name : undefined}
        aria-describedby={problem ? problemId : undefined}
        id={id}
        className="switch-field"
        data-variant={variant}
        onClick={() => {
          onChange(value !== true);
          onDone?.('blur');
        }}
      >
        <Switch on={value === true} />
        <span>{value === true ? 'Yes' : 'No'}</span>
      </button>
      {problem && <Problem id={problemId} text={problem} floating={false} />}
    </>
  );
}

/** Click a star, or press 0 to 5. */
function RatingEditor({ field, value, onChange, onDone, autoFocus, variant, id }: FieldEditorProps) {
  const rating = typeof value === 'number' ? value : 0;
  return (
    <fieldset
      id={id}
      className="rating-field"
      data-variant={variant}
      onKeyDown={(event) => {
        if (/^[0-5]$/.test(event.key)) onChange(event.key === '0' ? null : Number(event.key));
        else if (event.key === 'Escape' || event.key === 'Enter') onDone?.(event.key === 'Enter' ? 'enter' : 'escape');
        else return;
        event.preventDefault();
      }}
    >
      <legend className="sr-only">{field.name}, 1 to 5</legend>
      {[1, 2, 3, 4, 5].map((star) => (
        <button
          key={star}
          type="button"
          aria-label={star === 1 ? '1 star' : `${star} stars`}
          aria-pressed={star === rating}
          // biome-ignore lint/a11y/noAutofocus: the editor opens because the user started to edit.
          autoFocus={autoFocus && star === Math.max(1, rating)}
          onClick={() => onChange(star === rating ? null : star)}
        >
          <Icon of={Star} size={variant === 'form' ? 24 : 16} data-on={star <= rating} />
        </button>
      ))}
    </fieldset>
  );
}

function ImageEditor({ field, value, onChange, onDone, variant, id, problem }: FieldEditorProps) {
  const input = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);
  const problemId = useId();
  const shown = wrong ?? problem ?? null;

  async function store(file: File | undefined) {
    if (file === undefined) return;
    setBusy(true);
    setWrong(null);
    try {
      onChange(await data.upload(file));
      onDone?.('enter');
    } catch (error) {
      setWrong(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  }
  const choose = value === null || value === '' ? 'Choose, drop or paste a picture' : 'Replace';
  const imageIn = (list: FileList) => [...list].find(({ type }) => type.startsWith('image/'));
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping and pasting also work through the button. */}
      <div
        className="image-field"
        data-variant={variant}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event: DragEvent) => {
          event.preventDefault();
          void store(imageIn(event.dataTransfer.files));
        }}
        onPaste={(event: ClipboardEvent) => {
          const image = imageIn(event.clipboardData.files);
          if (image === undefined) return;
          event.preventDefault();
          event.stopPropagation();
          void store(image);
        }}
      >
        {typeof value === 'string' && value !== '' && <Picture id={value} label={field.name} className="thumb" />}
        <Button
          id={id}
          icon={ImageUp}
          size="small"
          disabled={busy}
          aria-describedby={shown === null ? undefined : problemId}
          onClick={() => input.current?.click()}
        >
          {busy ? 'Storing…' : choose}
        </Button>
        {value !== null && value !== '' && (
          <IconButton label="Remove the picture" icon={Trash2} size="small" onClick={() => onChange(null)} />
        )}
        <input
          ref={input}
          type="file"
          hidden
          accept="image/png,image/jpeg,image/webp"
          aria-label={field.name}
          onChange={(event) => void store(event.target.files?.[0])}
        />
      </div>
      {shown !== null && <Problem id={problemId} text={shown} floating={false} />}
    </>
  );
}
