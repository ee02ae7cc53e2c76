import { ArrowDownRight, ArrowRight, ArrowUpRight, Calendar } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Area, AreaChart, ResponsiveContainer } from 'recharts';
import type { Field, Filter, List, ViewOf } from '../../model/document.ts';
import type { AppRecord } from '../../model/record.ts';
import { filterRecords, filtersToQuery, measureOf, sortRecords } from '../../model/rows.ts';
import { isEmpty } from '../../model/values.ts';
import data from '../data/use-data.ts';
import { FieldValue } from '../fields/show.tsx';
import { navigate } from '../router.ts';
import { openRecord } from '../shell/address.ts';
import { Tools, useViewMark } from '../shell/page-frame.tsx';
import { todayIso, useIsPhone } from '../shell/screen.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import './dashboard/dashboard.css';
import { ChartCard, showAmount } from './dashboard/chart-card.tsx';
import {
  firstPeriod,
  isIn,
  type Period,
  type PeriodId,
  periodIds,
  periodNames,
  periodOf,
  spanText,
  stepFor,
} from './dashboard/periods.ts';
import { changeText, compare, seriesOf } from './dashboard/series.ts';
import { type Lookups, useLookups } from './lookups.ts';

type DashboardView = ViewOf<'dashboard'>;

/** Charts draw themselves on the first visit only. */
const visited = new Set<string>();

/** Figures with what they are compared with, charts and latest records. Everything follows the chosen period. */
export function Dashboard(view: DashboardView) {
  const mark = useViewMark(view.id);
  const lookups = useLookups();
  const [chosen, setPeriodId] = useState<PeriodId | 'all' | null>(null);
  const today = todayIso();
  const records = data.useRecords(view.list);
  const periodId = chosen ?? (view.period === undefined ? 'all' : firstPeriod(records, view.period, today));
  const draws = !visited.has(view.id) && !window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  useEffect(() => {
    const timer = setTimeout(() => visited.add(view.id), 500);
    return () => clearTimeout(timer);
  }, [view.id]);
  const period = periodId === 'all' ? null : periodOf(periodId, today);
  const datedBy = (list: List) =>
    list.fields.some(({ id, type }) => id === view.period && type === 'date') ? view.period : undefined;
  return (
    <div className="dashboard" {...mark}>
      {view.period !== undefined && (
        <Tools>
          {period && (
            <span className="dash-span">
              <Icon of={Calendar} />
              {spanText(period.current)}
            </span>
          )}
          <fieldset className="segments">
            <legend className="sr-only">Period</legend>
            {([...periodIds, 'all'] as const).map((id) => (
              <button key={id} type="button" aria-pressed={id === periodId} onClick={() => setPeriodId(id)}>
                {id === 'all' ? 'All' : periodNames[id]}
              </button>
            ))}
          </fieldset>
        </Tools>
      )}
      <div className="dash-grid" data-charts={view.charts.length}>
        {view.figures.map((figure) => {
          const list = data.listOf(figure.list ?? view.list);
          const dateField = datedBy(list);
          return (
            <Figure
              key={figure.label}
              figure={figure}
              list={list}
              lookups={lookups}
              period={dateField ? period : null}
              dateField={dateField}
              today={today}
            />
          );
        })}
        {view.charts.map((chart) => {
          const list = data.listOf(chart.list ?? view.list);
          const dateField = datedBy(list);
          return (
            <ChartCard
              key={`${chart.title} ${periodId}`}
              chart={chart}
              list={list}
              lookups={lookups}
              period={dateField ? period : null}
              dateField={dateField}
              today={today}
              draws={draws}
              onOpen={tablePage(list.id) === null ? null : (filters) => openTable(list.id, filters)}
            />
          );
        })}
        {view.lists?.map((shown) => (
          <Latest key={shown.title} shown={shown} lookups={lookups} />
        ))}
      </div>
    </div>
  );
}

/** The page and view in which a list is shown with its filters. */
function tablePage(listId: string): { readonly page: string; readonly view: string } | null {
  for (const page of data.document.pages) {
    const table = page.views.find((view) => view.view === 'table' && view.list === listId);
    if (table !== undefined) return { page: page.id, view: table.id };
  }
  return null;
}

function openTable(listId: string, filters: readonly Filter[]): void {
  const place = tablePage(listId);
  if (place === null) return;
  const query = filtersToQuery(filters);
  navigate(`/${place.page}?view=${place.view}${query === '' ? '' : `&${query}`}`);
}

interface FigureProps {
  readonly figure: DashboardView['figures'][number];
  readonly list: List;
  readonly lookups: Lookups;
  readonly period: Period | null;
  readonly dateField: string | undefined;
  readonly today: string;
}

function Figure({ figure, list, lookups, period, dateField, today }: FigureProps) {
  const computed = lookups.computedOf(list.id);
  const all = filterRecords(lookups.recordsOf(list.id), { list, filters: figure.filter, computed, todayIso: today });
  const measured = (records: readonly AppRecord[]) =>
    measureOf(records, { measure: figure.measure, of: figure.of }, list, computed);
  const of = list.fields.find((field) => field.id === figure.of);
  const show = showAmount(of, figure.measure);
  const during = (span: Period['current']) =>
    all.filter((record) => dateField !== undefined && isIn(span, record.values[dateField]));
  const value = measured(period === null ? all : during(period.current));
  const before = period === null ? null : measured(during(period.previous));
  const comparison = compare(value, before, figure.bad);
  const isAbsolute = figure.measure === 'average' || figure.measure === 'min' || figure.measure === 'max';
  const change = comparison && changeText(comparison, show, isAbsolute);
  const isPhone = useIsPhone();
  const points =
    period && dateField
      ? seriesOf(all, dateField, stepFor(period.whole), period, measured).filter((point) => point.value !== null)
      : [];
  return (
    <section className="dash-card dash-figure" aria-label={figure.label}>
      <h2>{figure.label}</h2>
      <div className="dash-value">
        <p>{value === null ? '–' : show(roundedFigure(of, value))}</p>
        {points.length > 2 && !isPhone && (
          <div className="dash-spark" aria-hidden="true" data-good={comparison?.good ?? undefined}>
            <ResponsiveContainer width="100%" height="100%">
              <AreaChart data={points} margin={{ top: 3, right: 3, bottom: 1, left: 0 }} accessibilityLayer={false}>
                <Area
                  type="monotone"
                  dataKey="value"
                  stroke="currentColor"
                  strokeWidth={1.75}
                  fill="currentColor"
                  fillOpacity={0.1}
                  isAnimationActive={false}
                  dot={false}
                />
              </AreaChart>
            </ResponsiveContainer>
          </div>
        )}
      </div>
      {comparison && period && (
        <p className="dash-change" data-good={comparison.good ?? undefined}>
          {comparison.direction !== 'same' && (
            <Icon of={comparison.direction === 'up' ? ArrowUpRight : ArrowDownRight} size={14} />
          )}
          <b>{change}</b>
          <span>{comparison.direction === 'same' ? `since ${period.previousName}` : `on ${period.previousName}`}</span>
        </p>
      )}
    </section>
  );
}

/** From a thousand on, the pence of a figure only distract. */
function roundedFigure(of: Field | undefined, value: number): number {
  return of?.type === 'money' && Math.abs(value) >= 100_000 ? Math.round(value / 100) * 100 : value;
}

function Latest({ shown, lookups }: { shown: NonNullable<DashboardView['lists']>[number]; lookups: Lookups }) {
  const list = data.listOf(shown.list);
  const sort = shown.sort ? [shown.sort] : [];
  const all = lookups.recordsOf(list.id);
  const sorted = sort.length > 0 ? sortRecords(all, sort, list, lookups.computedOf(list.id), lookups.titleOf) : all.toReversed();
  const records = sorted.slice(0, shown.limit ?? 5);
  const [title, ...rest] = (shown.fields ?? list.fields.slice(0, 4).map(({ id }) => id)).flatMap(
    (id) => list.fields.find((field) => field.id === id) ?? [],
  );
  const isNumeric = (field: Field) => field.type === 'money' || field.type === 'number';
  return (
    <section className="dash-card dash-latest" data-narrow={rest.length < 3} aria-label={shown.title}>
      <h2>
        {shown.title}
        <span className="flex-1" />
        {tablePage(list.id) && (
          <Button kind="ghost" onClick={() => openTable(list.id, [])}>
            All {list.name.toLowerCase()}
            <Icon of={ArrowRight} size={14} />
          </Button>
        )}
      </h2>
      {records.length === 0 && <p className="py-4 text-ink-2">No {list.name.toLowerCase()} yet.</p>}
      <ul>
        {records.map((record) => (
          <li key={record.id}>
            <button type="button" onClick={() => openRecord(list.id, record.id)}>
              {title && (
                <span className="dash-title">
                  <FieldValue field={title} value={lookups.valueOf(list.id, record, title.id)} record={record} />
                  {isEmpty(lookups.valueOf(list.id, record, title.id)) && `Untitled ${list.one}`}
                </span>
              )}
              {rest.map((field) => (
                <span key={field.id} data-numeric={isNumeric(field)} className="dash-cell">
                  <FieldValue field={field} value={lookups.valueOf(list.id, record, field.id)} record={record} />
                </span>
              ))}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
