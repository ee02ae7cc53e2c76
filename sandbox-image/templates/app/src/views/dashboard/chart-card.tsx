import { ChartColumn, Table2 } from 'lucide-react';
import { useId, useState } from 'react';
import { Bar, BarChart, CartesianGrid, Cell, Pie, PieChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import type { Field, Filter, List, ViewOf } from '../../../model/document.ts';
import { filterRecords, measureOf } from '../../../model/rows.ts';
import { showValue } from '../../../model/values.ts';
import { IconButton } from '../../ui/button.tsx';
import type { Lookups } from '../lookups.ts';
import { LineChart } from './line-chart.tsx';
import { isIn, type Period, type Step, stepFor } from './periods.ts';
import {
  axisTicks,
  type Group,
  groupsOf,
  groupsSentence,
  largestGroups,
  lineSentence,
  type Point,
  progressOf,
  seriesOf,
} from './series.ts';

export type ChartSpec = ViewOf<'dashboard'>['charts'][number];

interface ChartCardProps {
  readonly chart: ChartSpec;
  readonly list: List;
  readonly lookups: Lookups;
  /** Days that count, and the date field by which they do. `null` if the chart's list has no such field. */
  readonly period: Period | null;
  readonly dateField: string | undefined;
  readonly today: string;
  readonly draws: boolean;
  /** Opens the list's table with these filters. `null` if the app shows the list nowhere. */
  readonly onOpen: ((filters: readonly Filter[]) => void) | null;
}

const mostGroups = 6;

/** A chart with its title, one sentence that says what it shows, and its numbers as a table. */
export function ChartCard(props: ChartCardProps) {
  const { chart, list } = props;
  const [asTable, setAsTable] = useState(false);
  const id = useId();
  const x = list.fields.find((field) => field.id === chart.x);
  if (x === undefined) throw new Error(`The list ${list.name} has no field ${chart.x}. Choose another one for “${chart.title}”.`);
  const content = x.type === 'date' ? datedContent(props, x) : groupedContent(props, x);
  return (
    <section className="dash-card" data-kind={chart.kind} data-wide={x.type === 'date'} aria-labelledby={id}>
      <h2>
        <span id={id}>{chart.title}</span>
        <span className="flex-1" />
        {!asTable && content.legend}
        <IconButton
          size="small"
          label={asTable ? `Show “${chart.title}” as a chart` : `Show “${chart.title}” as table`}
          icon={asTable ? ChartColumn : Table2}
          aria-pressed={asTable}
          onClick={() => setAsTable(!asTable)}
        />
      </h2>
      <p className="dash-sentence">{content.sentence}</p>
      {asTable ? <NumbersTable caption={chart.title} columns={content.columns} rows={content.rows} /> : content.drawing}
    </section>
  );
}

interface Content {
  readonly sentence: string;
  readonly legend?: React.ReactNode;
  readonly drawing: React.ReactNode;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function measuring({ chart, list, lookups, today }: ChartCardProps) {
  const computed = lookups.computedOf(list.id);
  const of = list.fields.find((field) => field.id === chart.of);
  const all = filterRecords(lookups.recordsOf(list.id), { list, filters: chart.filter, computed, todayIso: today });
  const measured = (records: typeof all) => measureOf(records, { measure: chart.measure, of: chart.of }, list, computed);
  return { all, measured, show: showAmount(of, chart.measure) };
}

/** Shows amounts of a measure: counts as numbers, others like the field that they come from. */
export function showAmount(of: Field | undefined, measure: ChartSpec['measure']): (amount: number) => string {
  const rounded = (amount: number) => Math.round(amount * 100) / 100;
  if (measure === 'count' || of === undefined) return (amount) => rounded(amount).toLocaleString('en-GB');
  const isMoney = of.type === 'money' || (of.type === 'computed' && of.result === 'money');
  return (amount) => showValue(of, isMoney ? Math.round(amount) : rounded(amount)) || '0';
}

function datedContent(props: ChartCardProps, x: Field): Content {
  const { chart, period, today, draws, onOpen } = props;
  const { all, measured, show } = measuring(props);
  const dates = all.map((record) => String(record.values[x.id] ?? '')).filter((day) => day !== '');
  const whole = period ?? spanOf(dates, today);
  const step = chart.by ?? stepFor(whole.whole);
  const points = seriesOf(all, x.id, step, whole, (records) => measured([...records]));
  const total = measured(all.filter((record) => isIn(whole.current, record.values[x.id])));
  const before = period === null ? null : measured(all.filter((record) => isIn(period.previous, record.values[x.id])));
  const shownPoints = period === null ? points.map((point) => ({ ...point, previous: null })) : points;
  const sentence = lineSentence(shownPoints, total, before, { period, show });
  const columns = period === null ? [step, chart.title] : [stepNames[step], period.name, period.previousName];
  const rows = shownPoints.map((point) => [
    point.title,
    point.value === null ? '' : show(point.value),
    ...(period === null ? [] : [point.previous === null ? '' : show(point.previous)]),
  ]);
  const legend = period && (
    <span className="dash-legend">
      <span>
        <i />
        {period.name}
      </span>
      <span>
        <i data-before />
        {period.previousName}
      </span>
    </span>
  );
  if (chart.kind === 'progress')
    return { ...progressContent(props, x, [{ value: null, name: chart.title, amount: total ?? 0 }], show), columns, rows };
  const drawing =
    chart.kind === 'line' ? (
      <div className="dash-plot" role="img" aria-label={`${chart.title}. ${sentence}`}>
        <LineChart points={shownPoints} period={period} show={show} draws={draws} />
      </div>
    ) : (
      <Columns
        points={shownPoints}
        show={show}
        draws={draws}
        label={`${chart.title}. ${sentence}`}
        onOpen={onOpen && ((point) => onOpen(dayFilters(x.id, point)))}
      />
    );
  return { sentence, legend: chart.kind === 'line' ? legend : undefined, drawing, columns, rows };
}

const stepNames: Readonly<Record<Step, string>> = { day: 'Day', week: 'Week', month: 'Month' };

/** Filters that leave the days of a bar. `before` and `after` include no equal day. */
function dayFilters(field: string, { span }: Point): Filter[] {
  if (span.from === span.to) return [{ field, is: 'is', value: span.from }];
  return [
    { field, is: 'after', value: shiftDay(span.from, -1) },
    { field, is: 'before', value: shiftDay(span.to, 1) },
  ];
}

function shiftDay(iso: string, days: number): string {
  return new Date(Date.parse(`${iso}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** All days from the first to the last record, for charts without a period. */
function spanOf(dates: readonly string[], today: string): Period {
  const sorted = dates.toSorted();
  const whole = { from: sorted[0] ?? today, to: sorted.at(-1) ?? today };
  return { id: 'year', whole, current: whole, previous: whole, previousWhole: whole, name: 'all', previousName: '' };
}

function groupedContent(props: ChartCardProps, x: Field): Content {
  const { chart, list, lookups, period, dateField, onOpen } = props;
  const { all, measured, show } = measuring(props);
  const counted =
    period === null || dateField === undefined ? all : all.filter((record) => isIn(period.current, record.values[dateField]));
  const nameOf = (value: string) => {
    if (x.type === 'relation') return lookups.titleOf(x.list, value) ?? 'Deleted';
    return showValue(x, value);
  };
  const withComputed =
    x.type === 'computed'
      ? counted.map((record) => ({ ...record, values: { ...record.values, [x.id]: lookups.valueOf(list.id, record, x.id) } }))
      : counted;
  const groups = groupsOf(withComputed, x, (records) => measured([...records]), nameOf);
  const adds = chart.measure === 'count' || chart.measure === 'sum';
  const open = onOpen && ((group: Group) => onOpen(groupFilters(x.id, group, period, dateField)));
  const columns = [x.name, chart.measure === 'count' ? list.name : chart.title];
  const rows = groups.map((group) => [group.name, show(group.amount)]);
  if (chart.kind === 'progress') return { ...progressContent(props, x, groups, show), columns, rows };
  const sentence = groupsSentence(groups, adds, show);
  const drawing =
    chart.kind === 'share' ? (
      <Share groups={groups} x={x} show={show} draws={props.draws} onOpen={open} />
    ) : (
      <Bars groups={groups} adds={adds} show={show} onOpen={open} />
    );
  return { sentence, drawing, columns, rows };
}

function groupFilters(field: string, group: Group, period: Period | null, dateField: string | undefined): Filter[] {
  const own: Filter = group.value === null ? { field, is: 'empty' } : { field, is: 'is', value: group.value };
  if (period === null || dateField === undefined) return [own];
  return [
    own,
    { field: dateField, is: 'after', value: shiftDay(period.current.from, -1) },
    { field: dateField, is: 'before', value: shiftDay(period.current.to, 1) },
  ];
}

interface GroupsProps {
  readonly groups: readonly Group[];
  readonly show: (amount: number) => string;
  readonly onOpen: ((group: Group) => void) | null;
}

function Bars({ groups, adds, show, onOpen }: GroupsProps & { adds: boolean }) {
  const { shown, other } = largestGroups(groups, mostGroups);
  const largest = Math.max(...shown.map((group) => group.amount), adds ? other : 0, 1);
  return (
    <ul className="dash-bars">
      {shown.map((group, i) => (
        <li key={String(group.value)}>
          <GroupButton group={group} onOpen={onOpen}>
            <span className="dash-bar-name">
              <span>{group.name}</span>
              <b>{show(group.amount)}</b>
            </span>
            <span className="dash-bar">
              <span data-quiet={i >= 3} style={{ inlineSize: `${Math.max(0, (group.amount / largest) * 100)}%` }} />
            </span>
          </GroupButton>
        </li>
      ))}
      {other > 0 && adds && (
        <li className="dash-other">
          <span>Others</span>
          <span>{show(other)}</span>
        </li>
      )}
    </ul>
  );
}

function GroupButton({ group, onOpen, children }: { group: Group; onOpen: GroupsProps['onOpen']; children: React.ReactNode }) {
  if (onOpen === null) return <div className="dash-group">{children}</div>;
  return (
    <button type="button" className="dash-group" title={`Show ${group.name} in the table`} onClick={() => onOpen(group)}>
      {children}
    </button>
  );
}

const shareHues = ['blue', 'amber', 'green', 'violet', 'teal', 'pink', 'red'] as const;

function Share({ groups, x, show, draws, onOpen }: GroupsProps & { x: Field; draws: boolean }) {
  const { shown, other } = largestGroups(
    groups.filter((group) => group.amount > 0),
    mostGroups,
  );
  const parts = other > 0 ? [...shown, { value: null, name: 'Others', amount: other }] : shown;
  const total = parts.reduce((sum, part) => sum + part.amount, 0);
  const hueOf = (group: Group, i: number) => {
    const choice = x.type === 'choice' || x.type === 'choices' ? x.choices.find(({ id }) => id === group.value) : undefined;
    return choice?.hue ?? shareHues[i % shareHues.length] ?? 'grey';
  };
  return (
    <div className="dash-share">
      <div aria-hidden="true">
        <ResponsiveContainer width="100%" height="100%">
          <PieChart accessibilityLayer={false}>
            <Pie
              data={parts.map((part) => ({ ...part }))}
              dataKey="amount"
              rootTabIndex={-1}
              nameKey="name"
              innerRadius="68%"
              outerRadius="100%"
              paddingAngle={2}
              startAngle={90}
              endAngle={-270}
              stroke="none"
              isAnimationActive={draws}
              animationDuration={400}
            >
              {parts.map((part, i) => (
                <Cell key={part.name} data-hue={hueOf(part, i)} fill="var(--dot)" />
              ))}
            </Pie>
          </PieChart>
        </ResponsiveContainer>
        <b>{show(total)}</b>
      </div>
      <ul>
        {parts.map((part, i) => (
          <li key={part.name}>
            <GroupButton group={part} onOpen={part.name === 'Others' ? null : onOpen}>
              <i className="dot" data-hue={hueOf(part, i)} />
              <span className="min-w-0 flex-1 truncate">{part.name}</span>
              <b>{Math.round((part.amount / total) * 100)} %</b>
            </GroupButton>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface ColumnsProps {
  readonly points: readonly Point[];
  readonly show: (amount: number) => string;
  readonly draws: boolean;
  readonly label: string;
  readonly onOpen: ((point: Point) => void) | null;
}

function Columns({ points, show, draws, label, onOpen }: ColumnsProps) {
  const ticks = axisTicks(Math.max(0, ...points.map((point) => point.value ?? 0)));
  const tick = { fontSize: 12, fill: 'var(--ink-3)' };
  return (
    <div className="dash-plot" role="img" aria-label={label} data-opens={onOpen !== null}>
      <ResponsiveContainer width="100%" height="100%">
        <BarChart data={[...points]} margin={{ top: 10, right: 12, bottom: 0, left: 0 }} accessibilityLayer={false}>
          <CartesianGrid vertical={false} stroke="var(--line)" strokeDasharray="2 4" />
          <XAxis
            dataKey="label"
            interval={Math.max(0, Math.ceil(points.length / 8) - 1)}
            tickLine={false}
            axisLine={{ stroke: 'var(--line)' }}
            tick={tick}
            tickMargin={8}
          />
          <YAxis
            ticks={ticks}
            domain={[0, ticks.at(-1) ?? 1]}
            tickFormatter={(amount: number) => show(amount)}
            tickLine={false}
            axisLine={false}
            width={56}
            tick={tick}
          />
          <Tooltip
            cursor={{ fill: 'var(--sunken)' }}
            isAnimationActive={false}
            content={({ active, payload }) => {
              const point: Point | undefined = payload[0]?.payload;
              if (!active || point === undefined) return null;
              return (
                <div className="dash-tip">
                  {point.title}
                  <b>{point.value === null ? 'Still to come' : show(point.value)}</b>
                </div>
              );
            }}
          />
          <Bar
            dataKey="value"
            fill="var(--accent)"
            radius={[4, 4, 0, 0]}
            maxBarSize={36}
            isAnimationActive={draws}
            animationDuration={400}
            onClick={(_, index) => {
              const point = points[index];
              if (point !== undefined) onOpen?.(point);
            }}
          />
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}

function progressContent({ chart, list }: ChartCardProps, x: Field, groups: readonly Group[], show: (amount: number) => string) {
  const { reached, goal, share } = progressOf(groups, x, chart.goal);
  const percent = Math.round(share * 100);
  const sentence = goal <= 0 ? `No ${list.one} yet.` : `${show(reached)} of ${show(goal)}, ${percent} %.`;
  const drawing = (
    <div className="dash-progress">
      <p>
        <b>{percent} %</b>
        <span>
          {show(reached)} of {show(goal)}
        </span>
      </p>
      <div role="progressbar" aria-label={chart.title} aria-valuenow={percent} aria-valuemin={0} aria-valuemax={100}>
        <span style={{ inlineSize: `${percent}%` }} />
      </div>
    </div>
  );
  return { sentence, drawing };
}

function NumbersTable({
  caption,
  columns,
  rows,
}: {
  caption: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which keys have to reach.
    <section className="dash-numbers" tabIndex={0} aria-label={caption}>
      <table>
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((cell, i) => (
                <td key={columns[i + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
