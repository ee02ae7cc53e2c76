import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from 'recharts';
import type { Period } from './periods.ts';
import { axisTicks, type Point } from './series.ts';

interface LineChartProps {
  readonly points: readonly Point[];
  readonly period: Period | null;
  readonly show: (amount: number) => string;
  /** Whether it is the first visit, on which charts draw themselves. */
  readonly draws: boolean;
}

/** Values of the period as a line, and those of the one before as dashes. Future days are left empty. */
export function LineChart({ points, period, show, draws }: LineChartProps) {
  const ticks = axisTicks(Math.max(0, ...points.map((point) => Math.max(point.value ?? 0, point.previous ?? 0))));
  const every = Math.max(1, Math.ceil(points.length / 6));
  const shared = { type: 'monotone', dot: false, isAnimationActive: draws, animationDuration: 400 } as const;
  return (
    <ResponsiveContainer width="100%" height="100%">
      <ComposedChart data={[...points]} margin={{ top: 10, right: 12, bottom: 0, left: 0 }} accessibilityLayer={false}>
        <defs>
          <linearGradient id="dash-fill" x1="0" x2="0" y1="0" y2="1">
            <stop offset="0" stopColor="var(--accent)" stopOpacity={0.22} />
            <stop offset="1" stopColor="var(--accent)" stopOpacity={0} />
          </linearGradient>
        </defs>
        <CartesianGrid vertical={false} stroke="var(--line)" strokeDasharray="2 4" />
        <XAxis
          dataKey="label"
          interval={every - 1}
          tickLine={false}
          axisLine={{ stroke: 'var(--line)' }}
          tick={{ fontSize: 12, fill: 'var(--ink-3)' }}
          tickMargin={8}
        />
        <YAxis
          ticks={ticks}
          domain={[0, ticks.at(-1) ?? 1]}
          tickFormatter={(amount: number) => show(amount)}
          tickLine={false}
          axisLine={false}
          width={56}
          tick={{ fontSize: 12, fill: 'var(--ink-3)' }}
        />
        <Tooltip
          content={(props: TooltipContentProps) => <PointTip {...props} period={period} show={show} />}
          cursor={{ stroke: 'var(--accent)', strokeOpacity: 0.4 }}
          offset={16}
          isAnimationActive={false}
        />
        <Line {...shared} dataKey="previous" stroke="var(--ink-3)" strokeWidth={1.5} strokeDasharray="4 4" strokeOpacity={0.75} />
        <Area
          {...shared}
          dataKey="value"
          stroke="var(--accent)"
          strokeWidth={2.25}
          strokeLinecap="round"
          fill="url(#dash-fill)"
          activeDot={{ r: 5, fill: 'var(--accent)', stroke: 'var(--panel)', strokeWidth: 2.5 }}
        />
      </ComposedChart>
    </ResponsiveContainer>
  );
}

type TipProps = TooltipContentProps & Pick<LineChartProps, 'period' | 'show'>;

/** Names the day, its value, and the difference to the period before. */
function PointTip({ active, payload, period, show }: TipProps) {
  const point: Point | undefined = payload[0]?.payload;
  if (!active || point === undefined) return null;
  const { value, previous } = point;
  const difference = value === null || previous === null ? null : value - previous;
  const compared = difference === null || period === null ? null : compareWords(difference, show, period.previousName);
  return (
    <div className="dash-tip">
      {point.title}
      <b>{value === null ? 'Still to come' : show(value)}</b>
      {compared}
    </div>
  );
}

function compareWords(difference: number, show: (amount: number) => string, previousName: string): string {
  if (difference === 0) return `As in ${previousName}`;
  return `${show(Math.abs(difference))} ${difference > 0 ? 'more' : 'less'} than in ${previousName}`;
}
