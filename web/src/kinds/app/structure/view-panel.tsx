import { Copy, Eye, EyeOff, Trash2 } from 'lucide-react';
import {
  type AppDocument,
  type Field,
  type List,
  type DataView as ListView,
  type Page,
  totals,
  type View,
  type ViewOf,
} from '../../../../../sandbox-image/templates/app/model/document.ts';
import type { Edit } from '../../../../../sandbox-image/templates/app/model/edits.ts';
import { roleTypes, typeOf } from '../../../../../sandbox-image/templates/app/model/problems.ts';
import { fittingViews, newViewId } from '../../../../../sandbox-image/templates/app/model/views.ts';
import { cx, IconButton } from '../../../ui/elements.tsx';
import { fieldTypes, views } from '../home/catalogue.ts';
import { FilterRows } from './filter-rows.tsx';
import { MenuRow, Row, SelectMenu, Sortable, SwitchRow, TextRow } from './parts.tsx';
import { viewName } from './tree.tsx';
import { fieldsFor, moved, partOf, shownFields, viewChoices, viewParts, withPart } from './view-parts.ts';

interface ViewPanelProps {
  document: AppDocument;
  page: Page;
  view: View;
  edit: (edits: readonly Edit[]) => string | null;
  onAllViews: () => void;
}

/** Properties of a view. */
export function ViewPanel({ document, page, view, edit, onAllViews }: ViewPanelProps) {
  const { icon: Icon, name } = views[view.view];
  const list = 'list' in view ? document.lists.find(({ id }) => id === view.list) : undefined;
  const change = (next: View) => edit([{ type: 'set-view', page: page.id, view: next, was: view }]);
  const at = page.views.indexOf(view);
  return (
    <>
      <div className="flex items-center gap-2.5">
        <span className="flex size-9 shrink-0 items-center justify-center rounded-lg bg-accent-soft text-accent-text">
          <Icon className="size-4.5" />
        </span>
        <div className="min-w-0 flex-1">
          <h2 className="truncate font-semibold text-[15px] leading-5">{name}</h2>
          <p className="truncate text-[13px] text-ink-3">{`View ${at + 1} of ${page.views.length} on ${page.name}`}</p>
        </div>
        {list !== undefined && (
          <IconButton
            icon={Copy}
            label="Duplicate the view"
            onClick={() => {
              const id = newViewId(view.view, list, document);
              edit([{ type: 'add-view', page: page.id, view: { ...view, id }, at: at + 1 }]);
            }}
          />
        )}
        <IconButton
          icon={Trash2}
          label="Remove the view"
          disabled={page.views.length === 1}
          onClick={() => edit([{ type: 'remove-view', page: page.id, view: view.id }])}
        />
      </div>
      {list !== undefined && <AlsoFits document={document} list={list} view={view} onChoose={change} onAll={onAllViews} />}
      {(view.view === 'form' || view.view === 'code') && (
        <TextRow
          label="Title"
          value={view.title ?? ''}
          needed
          onChange={(title) => edit([{ type: 'rename-view', page: page.id, view: view.id, name: title, was: view.title ?? '' }])}
        />
      )}
      {list !== undefined && isDataView(view) && <Fields list={list} view={view} onChange={change} />}
      {list !== undefined && view.view === 'form' && <Questions list={list} view={view} onChange={change} />}
      {view.view === 'code' && (
        <p className="mt-3 text-[13px] text-ink-2">
          {`This view is written in code, in src/code/${view.entry}.tsx. Change it under Code, or ask Koda to.`}
        </p>
      )}
      {list !== undefined && <Parts document={document} list={list} view={view} onChange={change} />}
      {list !== undefined && isDataView(view) && <FilterRows list={list} view={view} onChange={change} />}
      <p className="mt-2 text-ink-3 text-xs">{`In the app: ${viewName(view)} of ${page.name}`}</p>
    </>
  );
}

const isDataView = (view: View): view is ListView => !['form', 'dashboard', 'code'].includes(view.view);

interface AlsoFitsProps {
  document: AppDocument;
  list: List;
  view: View;
  onChoose: (view: View) => void;
  onAll: () => void;
}

/** Other ways of showing the same records. */
function AlsoFits({ document, list, view, onChoose, onAll }: AlsoFitsProps) {
  const others = fittingViews(list, document)
    .filter((other) => other.view !== view.view)
    .slice(0, 2);
  return (
    <div className="my-3 flex flex-wrap items-center gap-1.5 text-[13px]">
      <span className="text-ink-3">Also fits</span>
      {others.map((other) => {
        const { icon: Icon, name } = views[other.view];
        return (
          <button
            key={other.view}
            type="button"
            onClick={() => onChoose({ ...other, id: view.id })}
            className="flex h-7 items-center gap-1.5 rounded-full bg-sunken px-2.5 hover:bg-bubble"
          >
            <Icon className="size-3.5" />
            {name}
          </button>
        );
      })}
      <button type="button" onClick={onAll} className="h-7 rounded-full px-1.5 text-ink-2 hover:text-ink">
        All views…
      </button>
    </div>
  );
}

interface FieldsProps<V extends View> {
  list: List;
  view: V;
  onChange: (view: View) => void;
}

/** The fields that a view shows, in order. */
function Fields({ list, view, onChange }: FieldsProps<ListView>) {
  const { shown, hidden } = shownFields(view, list);
  const ids = shown.map(({ id }) => id);
  const setFields = (fields: string[]) => onChange(withPart(view, 'fields', fields));
  return (
    <section className="mt-3" aria-label="Fields">
      <h3 className="mb-1.5 font-medium text-[13px]">Fields</h3>
      <Sortable
        label="Fields of the view"
        items={[...shown, ...hidden]}
        fixedFrom={shown.length}
        onMove={(from, to) => setFields(moved(ids, from, to))}
      >
        {(field, index) => (
          <FieldEye
            field={field}
            isShown={index < shown.length}
            isOnly={shown.length === 1}
            onToggle={() => setFields(index < shown.length ? ids.filter((id) => id !== field.id) : [...ids, field.id])}
          />
        )}
      </Sortable>
    </section>
  );
}

/** The fields that a form asks for, in order. */
function Questions({ list, view, onChange }: FieldsProps<ViewOf<'form'>>) {
  const asked = view.ask.flatMap(({ field }) => list.fields.find(({ id }) => id === field) ?? []);
  const others = list.fields.filter(({ id, type }) => type !== 'computed' && !view.ask.some(({ field }) => field === id));
  return (
    <section className="mt-3" aria-label="Questions">
      <h3 className="mb-1.5 font-medium text-[13px]">Questions</h3>
      <Sortable
        label="Questions of the form"
        items={[...asked, ...others]}
        fixedFrom={asked.length}
        onMove={(from, to) => onChange({ ...view, ask: moved(view.ask, from, to) })}
      >
        {(field, index) => (
          <FieldEye
            field={field}
            isShown={index < asked.length}
            isOnly={asked.length === 1}
            onToggle={() => {
              const ask =
                index < asked.length ? view.ask.filter((one) => one.field !== field.id) : [...view.ask, { field: field.id }];
              onChange({ ...view, ask });
            }}
          />
        )}
      </Sortable>
    </section>
  );
}

interface FieldEyeProps {
  field: Field;
  isShown: boolean;
  /** Whether it is the only one that is shown. */
  isOnly: boolean;
  onToggle: () => void;
}

function FieldEye({ field, isShown, isOnly, onToggle }: FieldEyeProps) {
  const Icon = fieldTypes[field.type].icon;
  return (
    <>
      <Icon aria-hidden="true" className="size-3.5 shrink-0 text-ink-3" />
      <span className={cx('min-w-0 flex-1 truncate text-[13px]', !isShown && 'text-ink-3 line-through')}>{field.name}</span>
      <IconButton
        icon={isShown ? Eye : EyeOff}
        label={isShown ? `Hide ${field.name}` : `Show ${field.name}`}
        disabled={isShown && isOnly}
        onClick={onToggle}
        className="size-7"
      />
    </>
  );
}

const nothing = '';

interface PartsProps extends FieldsProps<View> {
  document: AppDocument;
}

function Parts({ document, list, view, onChange }: PartsProps) {
  return (
    <div className="mt-3">
      <Row label="List">
        <span className="truncate" title="Another list needs another view. Add it with + in the tree.">
          {list.name}
        </span>
      </Row>
      {viewParts[view.view].map((part) => {
        const fields = fieldsFor(part, list);
        const chosen = partOf(view, part.key);
        if (fields.length === 0 && chosen === null) return null;
        const options = fields.map(({ id, name }) => ({ value: id, label: name }));
        return (
          <MenuRow
            key={part.key}
            label={part.label}
            value={chosen ?? nothing}
            options={part.needed ? options : [{ value: nothing, label: 'Nothing' }, ...options]}
            onChange={(id) => onChange(withPart(view, part.key, id === nothing ? null : id))}
          />
        );
      })}
      {viewChoices[view.view]?.map(({ key, label, values }) => (
        <MenuRow
          key={key}
          label={label}
          value={partOf(view, key) ?? values[0]?.value ?? ''}
          options={values}
          onChange={(value) => onChange(withPart(view, key, value))}
        />
      ))}
      {view.view === 'table' && <Totals list={list} view={view} onChange={onChange} />}
      {view.view === 'calendar' && (
        <SwitchRow label="Undated wait" checked={view.waiting ?? false} onChange={(waiting) => onChange({ ...view, waiting })} />
      )}
      {view.view === 'form' && (
        <TextRow
          label="Introduction"
          value={view.intro ?? ''}
          onChange={(intro) => {
            onChange(withPart(view, 'intro', intro === '' ? null : intro));
            return null;
          }}
        />
      )}
      {view.view === 'dashboard' && <Figures document={document} list={list} view={view} onChange={onChange} />}
    </div>
  );
}

const totalNames = {
  sum: 'Sum',
  average: 'Average',
  min: 'Smallest',
  max: 'Largest',
  count: 'Number of values',
  empty: 'Number without a value',
} as const;

/** Totals of number fields below a table. */
function Totals({ list, view, onChange }: FieldsProps<ViewOf<'table'>>) {
  const amounts = list.fields.filter((field) => ['number', 'money', 'rating'].includes(typeOf(field)));
  if (amounts.length === 0) return null;
  return (
    <section aria-label="Totals" className="mt-2">
      <h3 className="font-medium text-[13px]">Totals</h3>
      {amounts.map((field) => (
        <MenuRow
          key={field.id}
          label={field.name}
          value={view.totals?.[field.id] ?? nothing}
          options={[{ value: nothing, label: 'None' }, ...totals.map((value) => ({ value, label: totalNames[value] }))]}
          onChange={(value) => {
            const others = Object.entries(view.totals ?? {}).filter(([id]) => id !== field.id);
            const next = Object.fromEntries(value === nothing ? others : [...others, [field.id, value]]);
            onChange(withPart(view, 'totals', Object.keys(next).length === 0 ? null : next));
          }}
        />
      ))}
    </section>
  );
}

/** The figures of a dashboard. Its charts are changed in the conversation. */
function Figures({ document, list, view, onChange }: PartsProps & { view: ViewOf<'dashboard'> }) {
  return (
    <section aria-label="Figures" className="mt-2">
      <h3 className="mb-1 font-medium text-[13px]">Figures</h3>
      {view.figures.map((figure, index) => {
        const from = document.lists.find(({ id }) => id === figure.list) ?? list;
        const measurable = from.fields.filter((field) => (roleTypes.measured as readonly string[]).includes(typeOf(field)));
        const value = figure.measure === 'count' ? 'count' : `${figure.measure} ${figure.of ?? ''}`;
        const options = [
          { value: 'count', label: `Number of ${from.name}` },
          ...measurable.flatMap(({ id, name }) =>
            (['sum', 'average', 'min', 'max'] as const).map((measure) => ({
              value: `${measure} ${id}`,
              label: `${totalNames[measure]}: ${name}`,
            })),
          ),
        ];
        const replace = (next: (typeof view.figures)[number]) => onChange({ ...view, figures: view.figures.with(index, next) });
        return (
          <div key={`${figure.label} ${value}`} className="flex items-center gap-1">
            <div className="min-w-0 flex-1">
              <Row label={figure.label}>
                <SelectMenu
                  label={figure.label}
                  value={value}
                  options={options}
                  onChange={(chosen) => {
                    const [measure, of] = chosen.split(' ');
                    const { of: _, ...rest } = figure;
                    const found = (['sum', 'average', 'min', 'max'] as const).find((one) => one === measure);
                    replace(
                      found === undefined || of === undefined ? { ...rest, measure: 'count' } : { ...rest, measure: found, of },
                    );
                  }}
                />
              </Row>
            </div>
            <IconButton
              icon={Trash2}
              label={`Remove ${figure.label}`}
              onClick={() => onChange({ ...view, figures: view.figures.toSpliced(index, 1) })}
            />
          </div>
        );
      })}
    </section>
  );
}
