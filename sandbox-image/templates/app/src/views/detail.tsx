import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronDown, ChevronLeft, ChevronUp, Ellipsis } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import type { Field, List, ViewOf } from '../../model/document.ts';
import type { AppRecord } from '../../model/record.ts';
import data from '../data/use-data.ts';
import { valueOf } from '../fields/computed.ts';
import { FieldValue, Picture, Placeholder } from '../fields/show.tsx';
import { FieldSlot } from '../fields/slot.tsx';
import { titleIn } from '../fields/titles.ts';
import { changeQuery, useQuery } from '../shell/address.ts';
import { useViewMark } from '../shell/page-frame.tsx';
import { useIsNarrow, useIsPhone } from '../shell/screen.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { NothingFound, Skeleton } from '../ui/states.tsx';
import { EmptyList } from './empty-list.tsx';
import { nothingText } from './filter-words.ts';
import { Related, relationsTo } from './related.tsx';
import { Toolbar } from './toolbar.tsx';
import { fieldsOf, type Rows, setFilters, setSearch, useRows } from './use-rows.ts';

type DetailView = ViewOf<'detail'>;
const itemHeight = 84;
const choose = (id: string | null) => changeQuery((query) => (id === null ? query.delete('record') : query.set('record', id)));

/** To read through a list. Where there is no room for both, it is a list and then a page. */
export function Detail(view: DetailView) {
  const rows = useRows(view);
  const { loaded } = data.useStatus();
  const isNarrow = useIsNarrow();
  const isPhone = useIsPhone();
  const mark = useViewMark(view.id);
  const wanted = useQuery().get('record');
  const isOne = isNarrow || isPhone;
  const index = rows.records.findIndex(({ id }) => id === wanted);
  const record = rows.records[index] ?? (isOne ? undefined : rows.records[0]);
  if (!loaded) return <Skeleton height={itemHeight} />;
  if (rows.all.length === 0) return <EmptyList list={rows.list} empty={view.empty} mark={mark} />;
  return (
    <section className="view" aria-label={rows.list.name} {...mark}>
      <Toolbar rows={rows} search={view.search} />
      {rows.records.length === 0 ? (
        <NothingFound
          text={nothingText(rows.list.one, rows.search, rows.filters.length)}
          onClear={() => {
            setFilters([]);
            setSearch('');
          }}
        />
      ) : (
        <div className="detail">
          {(!isOne || record === undefined) && <Items view={view} rows={rows} current={record?.id} />}
          {record && <Article key={record.id} view={view} rows={rows} record={record} isOne={isOne} />}
        </div>
      )}
    </section>
  );
}

interface ItemsProps {
  readonly view: DetailView;
  readonly rows: Rows;
  readonly current: string | undefined;
}

function Items({ view, rows, current }: ItemsProps) {
  const { list, records, computed } = rows;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: records.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => itemHeight,
    overscan: 6,
  });
  function press(event: KeyboardEvent) {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    const index = records.findIndex(({ id }) => id === current) + (event.key === 'ArrowUp' ? -1 : 1);
    const next = records[index];
    if (next === undefined) return;
    choose(next.id);
    virtual.scrollToIndex(index);
    setTimeout(() => document.getElementById(`item-${next.id}`)?.focus());
  }
  const field = (id: string | undefined) => list.fields.find((entry) => entry.id === id);
  const [subtitle, image, aside] = [field(view.subtitle), field(view.image), field(view.aside)];
  return (
    <div ref={scroller} className="items">
      {/* biome-ignore lint/a11y/noNoninteractiveElementInteractions: the arrows move between the buttons inside. */}
      <ul aria-label={list.name} style={{ blockSize: virtual.getTotalSize() }} onKeyDown={press}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const record = records[index];
          if (record === undefined) return null;
          const title = titleIn(list, record);
          const show = (shown: Field) => (
            <FieldValue field={shown} value={valueOf(record, shown, computed)} record={record} size="card" />
          );
          const picture = image ? record.values[image.id] : null;
          return (
            <li key={record.id} style={{ transform: `translateY(${start}px)` }}>
              <button
                id={`item-${record.id}`}
                type="button"
                className="item"
                aria-current={record.id === current ? 'true' : undefined}
                onClick={() => choose(record.id)}
              >
                {image && typeof picture === 'string' && picture !== '' && (
                  <Picture id={picture} label="" className="item-picture" />
                )}
                {image && (typeof picture !== 'string' || picture === '') && (
                  <Placeholder title={title} className="item-picture" />
                )}
                <span className="min-w-0 flex-1">
                  <span className="item-title">{title}</span>
                  {subtitle && <span className="item-subtitle">{show(subtitle)}</span>}
                </span>
                {aside && <span>{show(aside)}</span>}
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** What a record's page shows, in the order of its parts. */
function partsOf(list: List, view: DetailView, shown: readonly Field[]) {
  const used = new Set([view.title, view.subtitle, view.image]);
  const rest = shown.filter(({ id }) => !used.has(id));
  const inSections = new Set(view.sections?.flatMap(({ fields }) => fields));
  const free = rest.filter(({ id }) => !inSections.has(id));
  return {
    tags: free.filter(({ type }) => type === 'choice' || type === 'choices'),
    ratings: free.filter(({ type }) => type === 'rating'),
    facts: free.filter(({ type }) => !['choice', 'choices', 'rating', 'longtext', 'image'].includes(type)),
    sections: [
      ...free
        .filter(({ type }) => type === 'longtext')
        .map((field) => ({ title: field.name, fields: [field] as readonly Field[] })),
      ...(view.sections ?? []).map(({ title, fields }) => ({ title, fields: fieldsOf(list, fields) })),
    ],
  };
}

interface ArticleProps {
  readonly view: DetailView;
  readonly rows: Rows;
  readonly record: AppRecord;
  readonly isOne: boolean;
}

function Article({ view, rows, record, isOne }: ArticleProps) {
  const { list, records, computed } = rows;
  const index = records.indexOf(record);
  const field = (id: string | undefined) => list.fields.find((entry) => entry.id === id);
  const [titleField, subtitle, image] = [field(view.title), field(view.subtitle), field(view.image)];
  const { tags, ratings, facts, sections } = partsOf(list, view, rows.fields);
  const title = titleIn(list, record);
  const picture = image ? record.values[image.id] : null;
  const slot = (shown: Field) => <FieldSlot list={list} record={record} field={shown} />;
  function go(by: number) {
    const next = records[index + by];
    if (next !== undefined) choose(next.id);
  }
  return (
    <article className="article" aria-label={title}>
      <header className="article-head">
        {isOne && (
          <Button kind="ghost" icon={ChevronLeft} onClick={() => choose(null)}>
            {list.name}
          </Button>
        )}
        <span className="text-ink-3 text-xs tabular-nums">
          {index + 1} of {records.length}
        </span>
        <IconButton label={`${list.one} before`} icon={ChevronUp} size="small" disabled={index === 0} onClick={() => go(-1)} />
        <IconButton
          label={`${list.one} after`}
          icon={ChevronDown}
          size="small"
          disabled={index === records.length - 1}
          onClick={() => go(1)}
        />
        <span className="flex-1" />
        <Menu align="end" trigger={<IconButton label={`More about ${title}`} icon={Ellipsis} />}>
          <MenuItem danger onSelect={() => data.remove(list.id, [record.id])}>
            Delete
          </MenuItem>
        </Menu>
      </header>
      <div className="hero">
        {image && typeof picture === 'string' && picture !== '' && (
          <Picture id={picture} label={title} className="hero-picture" />
        )}
        {image && (typeof picture !== 'string' || picture === '') && <Placeholder title={title} className="hero-picture" />}
        <div className="min-w-0 flex-1">
          {tags.length > 0 && (
            <div className="hero-tags">
              {tags.map((tag) => (
                <FieldValue key={tag.id} field={tag} value={valueOf(record, tag, computed)} record={record} size="card" />
              ))}
            </div>
          )}
          <h2 className="hero-title">{titleField ? slot(titleField) : title}</h2>
          {subtitle && <div className="hero-subtitle">{slot(subtitle)}</div>}
          {ratings.map((rating) => (
            <div key={rating.id} className="hero-rating">
              {slot(rating)}
            </div>
          ))}
          <dl className="facts">
            {facts.map((fact) => (
              <div key={fact.id}>
                <dt>{fact.name}</dt>
                <dd>{slot(fact)}</dd>
              </div>
            ))}
          </dl>
        </div>
      </div>
      <div className="article-sections">
        {sections.map((section) => (
          <section key={section.title}>
            <h3>{section.title}</h3>
            {section.fields.map((shown) => (
              <div key={shown.id} className={shown.type === 'longtext' ? 'article-text' : ''}>
                {section.fields.length > 1 && <span className="text-ink-3 text-xs">{shown.name}</span>}
                {slot(shown)}
              </div>
            ))}
          </section>
        ))}
        {relationsTo(list.id, view.related).map((relation) => (
          <Related key={`${relation.list.id}.${relation.field.id}`} relation={relation} record={record} readOnly={false} />
        ))}
      </div>
    </article>
  );
}
