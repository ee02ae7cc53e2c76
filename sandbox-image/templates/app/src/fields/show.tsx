import { CircleAlert, ExternalLink, ImageOff } from 'lucide-react';
import type { Field } from '../../model/document.ts';
import type { AppRecord, Value } from '../../model/record.ts';
import { daysBetween, isEmpty, showValue } from '../../model/values.ts';
import { todayIso } from '../shell/screen.ts';
import { Icon } from '../ui/icon.tsx';
import { Avatar, CheckMark, Stars, Switch, Tag } from '../ui/tag.tsx';
import { useTitles } from './titles.ts';

type FieldOf<T extends Field['type']> = Extract<Field, { type: T }>;

interface FieldValueProps {
  readonly field: Field;
  readonly value: Value;
  /** Tells whether a date is overdue. */
  readonly record?: AppRecord | undefined;
  /** `cell`: one line of 13. `sheet`: 14, with all there is to say. `card`: as quiet as a line below a title. */
  readonly size?: 'cell' | 'sheet' | 'card';
}

/** A value as people read it. Nothing for no value, except in a sheet. */
export function FieldValue({ field, value, record, size = 'cell' }: FieldValueProps) {
  if (field.type === 'yesno') return <YesNo on={value === true} size={size} />;
  if (isEmpty(value) || value === null) return size === 'sheet' ? <span className="text-ink-3">Empty</span> : null;
  switch (field.type) {
    case 'choice':
    case 'choices':
      return <Choices field={field} value={value} size={size} />;
    case 'rating':
      return <Stars value={Number(value)} size={size === 'sheet' ? 16 : 14} />;
    case 'date':
      return <DateValue field={field} iso={String(value)} record={record} size={size} />;
    case 'image':
      return <Picture id={String(value)} label={field.name} className={size === 'cell' ? 'thumb' : 'picture'} />;
    case 'link':
    case 'email':
    case 'phone':
      return <LinkValue field={field} value={String(value)} />;
    case 'relation':
      return <Related field={field} value={value} />;
    case 'longtext':
      return <span className={size === 'sheet' ? 'whitespace-pre-wrap' : 'ellipsis'}>{String(value)}</span>;
    case 'number':
    case 'money':
    case 'time':
      return <span className="tabular-nums whitespace-nowrap">{showValue(field, value, { long: size === 'sheet' })}</span>;
    default:
      return <span className="ellipsis">{showValue(field, value, { long: size === 'sheet' })}</span>;
  }
}

function YesNo({ on, size }: { on: boolean; size: string }) {
  return (
    <>
      {size === 'cell' ? <CheckMark on={on} /> : <Switch on={on} />}
      <span className="sr-only">{on ? 'Yes' : 'No'}</span>
    </>
  );
}

/** A choice whose hues differ says a state, and gets a dot. */
function Choices({ field, value, size }: { field: FieldOf<'choice' | 'choices'>; value: Value; size: string }) {
  const ids = Array.isArray(value) ? value : [String(value)];
  const shown = size === 'sheet' ? ids : ids.slice(0, 2);
  return (
    <span className={size === 'sheet' ? 'flex flex-wrap gap-1.5' : 'flex min-w-0 gap-1.5'}>
      {shown.map((id) => {
        const choice = field.choices.find((entry) => entry.id === id);
        return <Tag key={id} choice={choice ?? { name: id, hue: 'grey' }} dot={field.type === 'choice' && isState(field)} />;
      })}
      {ids.length > shown.length && <span className="self-center text-ink-3 text-xs">+{ids.length - shown.length}</span>}
    </span>
  );
}

const stateWords = /\b(status|state|stage|condition|progress|answer|read)\b/iu;
export const isState = (field: Field) => stateWords.test(field.name);

/** Whether a date has passed although the record is not closed. */
export function isOverdue(field: FieldOf<'date'>, value: Value | undefined, record: AppRecord | undefined): boolean {
  if (field.overdue === undefined || record === undefined || typeof value !== 'string' || value >= todayIso()) return false;
  const closing = record.values[field.overdue.unless] ?? null;
  const closed = field.overdue.in ? typeof closing === 'string' && field.overdue.in.includes(closing) : closing === true;
  return !closed;
}

function DateValue({
  field,
  iso,
  record,
  size,
}: {
  field: FieldOf<'date'>;
  iso: string;
  record: AppRecord | undefined;
  size: string;
}) {
  const text = showValue(field, iso);
  if (!isOverdue(field, iso, record)) return <span className="whitespace-nowrap">{text}</span>;
  const days = daysBetween(iso, todayIso());
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <span className="flex items-center gap-2 whitespace-nowrap text-bad" title={`${days} days overdue`}>
        {text}
        <Icon of={CircleAlert} size={14} />
      </span>
      {size === 'sheet' ? (
        <span className="text-ink-3">{days === 1 ? '1 day overdue' : `${days} days overdue`}</span>
      ) : (
        <span className="sr-only">overdue</span>
      )}
    </span>
  );
}

/** Only addresses that a browser opens as a page, so that no value runs as code. */
function hrefOf(type: 'link' | 'email' | 'phone', value: string): string | null {
  if (type === 'email') return `mailto:${encodeURIComponent(value).replace('%40', '@')}`;
  if (type === 'phone') return `tel:${value.replace(/[^+\d]/g, '')}`;
  const url = /^[a-z][a-z0-9+.-]*:/iu.test(value) ? value : `https://${value}`;
  return /^https?:\/\//iu.test(url) ? url : null;
}

function LinkValue({ field, value }: { field: FieldOf<'link' | 'email' | 'phone'>; value: string }) {
  const href = hrefOf(field.type, value);
  const text = showValue(field, value);
  if (href === null) return <span className="ellipsis">{text}</span>;
  return (
    <a
      className="link"
      href={href}
      {...(field.type === 'link' ? { target: '_blank', rel: 'noreferrer noopener' } : {})}
      onClick={(event) => event.stopPropagation()}
    >
      <span className="ellipsis">{text}</span>
      {field.type === 'link' && <Icon of={ExternalLink} size={12} />}
    </a>
  );
}

const peopleWords = /\b(person|people|customer|member|borrower|neighbour|guest|user|owner|with|by|whom?|contact|name)s?\b/iu;
/** Whether a relation is to people, who have avatars. */
export const isPerson = (field: Field) =>
  field.type === 'relation' && (peopleWords.test(field.name) || peopleWords.test(field.list));

function Related({ field, value }: { field: FieldOf<'relation'>; value: Value }) {
  const titles = useTitles(field.list);
  const ids = Array.isArray(value) ? value : [String(value)];
  return (
    <span className="flex min-w-0 items-center gap-2">
      {ids.slice(0, 2).map((id) => {
        const title = titles.get(id) ?? 'Deleted';
        return (
          <span key={id} className="flex min-w-0 items-center gap-2">
            {isPerson(field) && <Avatar name={title} />}
            <span className="ellipsis">{title}</span>
          </span>
        );
      })}
      {ids.length > 2 && <span className="text-ink-3 text-xs">+{ids.length - 2}</span>}
    </span>
  );
}

/** An image of a record. */
export function Picture({ id, label, className = '' }: { id: string; label: string; className?: string }) {
  if (!/^[\w.-]+$/u.test(id)) return <Icon of={ImageOff} className="text-ink-3" />;
  return <img className={className} src={`/files/${id}`} alt={label} loading="lazy" draggable={false} />;
}

/** A drawing in the theme's colour, with the first letter, in the place of a picture that a record does not have. */
export function Placeholder({ title, className = '' }: { title: string; className?: string }) {
  const letter = [...title.trim()][0] ?? '';
  const turn = (letter.codePointAt(0) ?? 0) % 4;
  return (
    <span className={`placeholder ${className}`} aria-hidden="true">
      <svg viewBox="0 0 120 80" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
        <circle cx={24 + turn * 22} cy={18 + turn * 6} r="34" fill="var(--panel)" opacity=".35" />
        <path
          d={`M0 ${58 + turn * 3}C24 ${46 + turn * 2} 44 ${70 - turn * 2} 70 58S104 50 120 60V80H0Z`}
          fill="var(--accent)"
          opacity=".13"
        />
        <path d={`M0 ${68 + turn}C30 58 60 76 120 66V80H0Z`} fill="var(--helper)" opacity=".16" />
      </svg>
      <span>{letter.toUpperCase()}</span>
    </span>
  );
}
