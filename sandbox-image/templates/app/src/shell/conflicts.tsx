import { Users } from 'lucide-react';
import type { Conflict, Contested } from '../data/client.ts';
import data from '../data/use-data.ts';
import { FieldValue } from '../fields/show.tsx';
import { titleIn } from '../fields/titles.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useQuery } from './address.ts';

const shownValues = 3;

/**
 * Asks whose values to keep after the user and someone else have changed the same ones. One question at a time, the oldest first. An
 * open sheet covers a part of the page, and shows it instead.
 */
export function Conflicts({ inSheet = false }: { readonly inSheet?: boolean }) {
  const { conflicts } = data.useStatus();
  const open = useQuery().get('open')?.split('/')[0];
  const hasSheet = data.document.lists.some(({ id }) => id === open);
  const [first] = conflicts;
  return first && inSheet === hasSheet ? <Question conflict={first} more={conflicts.length - 1} /> : null;
}

function Question({ conflict, more }: { conflict: Conflict; more: number }) {
  const { id, contested } = conflict;
  const left = contested.length - shownValues;
  return (
    <div className="notice conflict" role="alert" key={id}>
      <Icon of={Users} />
      <div className="min-w-0 flex-1">
        {contested.slice(0, shownValues).map((entry) => (
          <BothValues key={`${entry.list}/${entry.id}/${entry.field}`} contested={entry} />
        ))}
        {left > 0 && <p>{left === 1 ? '1 more value' : `${left} more values`}</p>}
        {more > 0 && <p className="text-ink-2">{more === 1 ? '1 more question' : `${more} more questions`} after this one</p>}
      </div>
      <div className="flex gap-2">
        <Button size="small" onClick={() => data.resolve(id, 'mine')}>
          Keep mine
        </Button>
        <Button size="small" onClick={() => data.resolve(id, 'theirs')}>
          Take theirs
        </Button>
      </div>
    </div>
  );
}

function BothValues({ contested }: { contested: Contested }) {
  const { list: listId, id, mine } = contested;
  const list = data.document.lists.find((entry) => entry.id === listId);
  const field = list?.fields.find((entry) => entry.id === contested.field);
  const record = data.useRecord(listId, id);
  if (list === undefined || field === undefined) return null;
  return (
    <div className="both-values">
      <span className="min-w-0">
        {record
          ? `“${titleIn(list, record)}”: ${field.name} was also changed by someone else.`
          : `Someone else deleted this ${list.one}.`}
      </span>
      <span className="both-value">
        <small>{record ? 'Mine' : field.name}</small>
        <FieldValue field={field} value={mine} size="sheet" />
      </span>
      {record && (
        <span className="both-value">
          <small>Theirs</small>
          <FieldValue field={field} value={record.values[field.id] ?? null} size="sheet" />
        </span>
      )}
    </div>
  );
}
