import { ChevronDown, ChevronRight, Plus, RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { errorMessage } from '#contract/errors.ts';
import {
  type AppDocument,
  type Choice,
  type Field,
  type FieldType,
  hues,
  type List,
} from '../../../../../sandbox-image/templates/app/model/document.ts';
import type { Edit } from '../../../../../sandbox-image/templates/app/model/edits.ts';
import { idFrom } from '../../../../../sandbox-image/templates/app/model/ids.ts';
import { useProject, useView } from '../../../project/context.ts';
import { Button, IconButton } from '../../../ui/elements.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { appApi } from '../app-document.ts';
import { fieldTypes } from '../home/catalogue.ts';
import { asType, choicesOf, newField, nextHue, typesToChoose } from './fields.ts';
import { MenuRow, Row, SelectMenu, Sortable, SwitchRow, TextInput, TextRow } from './parts.tsx';
import { moved } from './view-parts.ts';

interface ListPanelProps {
  document: AppDocument;
  list: List;
  edit: (edits: readonly Edit[]) => string | null;
  undo: () => void;
  onAddView: () => void;
}

const now = () => new Date().toISOString();

/** Properties of a list and its fields. */
export function ListPanel({ document, list, edit, undo, onAddView }: ListPanelProps) {
  const [open, setOpen] = useState<string | null>(null);
  const add = () => {
    const field = newField(list);
    if (edit([{ type: 'add-field', list: list.id, field }]) === null) setOpen(field.id);
  };
  const remove = ({ id, name }: Field) => {
    if (edit([{ type: 'remove-field', list: list.id, field: id, atIso: now() }]) === null)
      toast(`“${name}” was removed. Its values are kept for 30 days.`, { action: { label: 'Undo', run: undo } });
  };
  return (
    <>
      <div className="flex items-center gap-2">
        <h2 className="min-w-0 flex-1 truncate font-semibold text-[15px]">{list.name}</h2>
        <Button size="sm" icon={Plus} onClick={onAddView}>
          View
        </Button>
        <IconButton
          icon={Trash2}
          label="Remove the list"
          disabled={document.lists.length === 1}
          onClick={() => {
            if (edit([{ type: 'remove-list', list: list.id, atIso: now() }]) === null)
              toast(`The list “${list.name}” was removed, with the views that show it.`, {
                action: { label: 'Undo', run: undo },
              });
          }}
        />
      </div>
      <div className="mt-2">
        <TextRow
          label="Name"
          value={list.name}
          needed
          onChange={(name) => edit([{ type: 'rename-list', list: list.id, name, was: list.name }])}
        />
        <TextRow
          label="One of them"
          value={list.one}
          needed
          onChange={(one) => edit([{ type: 'rename-list', list: list.id, name: list.name, one, was: list.name }])}
        />
      </div>
      <h3 className="mt-3 mb-1.5 font-medium text-[13px]">Fields</h3>
      <Sortable
        label={`Fields of ${list.name}`}
        items={list.fields}
        onMove={(from, to) => {
          const field = list.fields[from];
          if (field !== undefined) edit([{ type: 'move-field', list: list.id, field: field.id, to }]);
        }}
      >
        {(field) => {
          const Icon = fieldTypes[field.type].icon;
          const isOpen = open === field.id;
          return (
            <div className="min-w-0 flex-1 py-0.5">
              <div className="flex items-center gap-1.5">
                <Icon aria-hidden="true" className="size-3.5 shrink-0 text-ink-3" />
                <TextInput
                  label={`Name of ${field.name}`}
                  value={field.name}
                  needed
                  onChange={(name) => edit([{ type: 'rename-field', list: list.id, field: field.id, name, was: field.name }])}
                  className="flex-1"
                />
                <IconButton
                  icon={isOpen ? ChevronDown : ChevronRight}
                  label={`Settings of ${field.name}`}
                  aria-expanded={isOpen}
                  onClick={() => setOpen(isOpen ? null : field.id)}
                  className="size-7"
                />
                <IconButton
                  icon={Trash2}
                  label={`Remove ${field.name}`}
                  disabled={list.fields.length === 1}
                  onClick={() => remove(field)}
                  className="size-7"
                />
              </div>
              {isOpen && <FieldSettings document={document} list={list} field={field} edit={edit} />}
            </div>
          );
        }}
      </Sortable>
      <Button size="sm" variant="quiet" icon={Plus} onClick={add} className="mt-1 self-start" disabled={list.fields.length >= 60}>
        Field
      </Button>
      <Removed list={list} edit={edit} />
    </>
  );
}

function Removed({ list, edit }: Pick<ListPanelProps, 'list' | 'edit'>) {
  if (list.removed === undefined || list.removed.length === 0) return null;
  return (
    <section aria-label="Removed fields" className="mt-3">
      <h3 className="mb-1 font-medium text-[13px]">Removed, kept for 30 days</h3>
      <ul>
        {list.removed.map(({ field, removedAt }) => (
          <li key={`${field.id} ${removedAt}`} className="flex items-center gap-2 text-[13px] text-ink-2">
            <span className="min-w-0 flex-1 truncate">{field.name}</span>
            <Button
              size="sm"
              variant="quiet"
              icon={RotateCcw}
              onClick={() => {
                edit([{ type: 'restore-field', list: list.id, field: field.id }]);
              }}
            >
              Restore
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface FieldSettingsProps extends Pick<ListPanelProps, 'document' | 'list' | 'edit'> {
  field: Field;
}

function FieldSettings({ document, list, field, edit }: FieldSettingsProps) {
  const change = (next: Field) => {
    edit([{ type: 'change-field', list: list.id, field: next, was: field, atIso: now() }]);
  };
  const types = typesToChoose(field);
  const { projectId } = useProject();
  const isPlanned = useView(({ project }) => project.phase === 'plan');
  const [isReading, setIsReading] = useState(false);
  const changeType = async (type: FieldType) => {
    const next = asType(field, type, document, list);
    const needsChoices = (next.type === 'choice' || next.type === 'choices') && next.choices.length === 0;
    if (!needsChoices || isPlanned) return change(next);
    setIsReading(true);
    try {
      // Without them, all values would become notes.
      const { lists } = await appApi.records(projectId, list.id);
      const values = (lists[list.id] ?? []).map((record) => record.values[field.id]);
      const choices = choicesOf(values, next.type);
      if (choices === null) toast(`“${field.name}” has too many or too long values to choose from, so it stays as it is.`);
      else change({ ...next, choices });
    } catch (error) {
      toast(`“${field.name}” stays as it is, because its values could not be read: ${errorMessage(error)}`);
    } finally {
      setIsReading(false);
    }
  };
  return (
    <div aria-busy={isReading} className="mt-1 mb-1.5 border-line border-t pt-1">
      <MenuRow
        label="Type"
        value={field.type}
        options={types.map((value) => ({ value, label: fieldTypes[value].name }))}
        onChange={(type: FieldType) => void changeType(type)}
      />
      {field.type !== 'computed' && (
        <SwitchRow label="Needed" checked={field.needed ?? false} onChange={(needed) => change({ ...field, needed })} />
      )}
      <TextRow
        label="Hint"
        value={field.hint ?? ''}
        onChange={(hint) => {
          change({ ...field, hint: hint === '' ? undefined : hint.slice(0, 200) });
          return null;
        }}
      />
      {field.type === 'number' && (
        <TextRow
          label="Unit"
          value={field.unit ?? ''}
          onChange={(unit) => {
            if (unit.length > 12) return 'A unit has at most 12 characters.';
            change({ ...field, unit: unit === '' ? undefined : unit });
            return null;
          }}
        />
      )}
      {field.type === 'money' && (
        <TextRow
          label="Currency"
          value={field.currency}
          needed
          onChange={(text) => {
            const currency = text.toUpperCase();
            if (!/^[A-Z]{3}$/.test(currency)) return 'A currency has three letters, such as GBP.';
            change({ ...field, currency });
            return null;
          }}
        />
      )}
      {field.type === 'relation' && (
        <>
          <MenuRow
            label="Records of"
            value={field.list}
            options={document.lists.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(to) => change({ ...field, list: to })}
          />
          <SwitchRow label="Several" checked={field.many ?? false} onChange={(many) => change({ ...field, many })} />
        </>
      )}
      {field.type === 'computed' && (
        <TextRow
          label="Formula"
          value={field.formula}
          needed
          onChange={(formula) =>
            edit([{ type: 'change-field', list: list.id, field: { ...field, formula }, was: field, atIso: now() }])
          }
        />
      )}
      {(field.type === 'choice' || field.type === 'choices') && <Choices list={list} field={field} edit={edit} />}
    </div>
  );
}

interface ChoicesProps extends Pick<ListPanelProps, 'list' | 'edit'> {
  field: Extract<Field, { type: 'choice' | 'choices' }>;
}

function Choices({ list, field, edit }: ChoicesProps) {
  const [added, setAdded] = useState<string | null>(null);
  const set = (choices: readonly Choice[]) =>
    edit([{ type: 'set-choices', list: list.id, field: field.id, choices: [...choices], was: field.choices, atIso: now() }]);
  const replace = (choice: Choice) => set(field.choices.map((other) => (other.id === choice.id ? choice : other)));
  return (
    <Row label="Choices">
      <div className="col-span-2">
        <Sortable
          label={`Choices of ${field.name}`}
          items={field.choices}
          onMove={(from, to) => set(moved(field.choices, from, to))}
        >
          {(choice) => (
            <>
              <TextInput
                label={`Name of ${choice.name}`}
                value={choice.name}
                needed
                takesFocus={choice.id === added}
                onChange={(name) => replace({ ...choice, name })}
                className="flex-1"
              />
              <div className="w-22 shrink-0">
                <SelectMenu
                  label={`Colour of ${choice.name}`}
                  value={choice.hue}
                  options={hues.map((hue) => ({ value: hue, label: hue }))}
                  onChange={(hue) => replace({ ...choice, hue })}
                />
              </div>
              <IconButton
                icon={Trash2}
                label={`Remove ${choice.name}`}
                onClick={() => set(field.choices.filter(({ id }) => id !== choice.id))}
                className="size-7"
              />
            </>
          )}
        </Sortable>
        <Button
          size="sm"
          variant="quiet"
          icon={Plus}
          onClick={() => {
            const name = `Choice ${field.choices.length + 1}`;
            const id = idFrom(name, new Set(field.choices.map((choice) => choice.id)), 'choice');
            setAdded(id);
            set([...field.choices, { id, name, hue: nextHue(field.choices) }]);
          }}
        >
          Choice
        </Button>
      </div>
    </Row>
  );
}
