import { useState } from 'react';
import { resolved, textIn } from '#contract/surface/drawing.ts';
import { isPicture } from '#contract/surface/picture.ts';
import type { ComponentOf } from '#contract/surface/surface.ts';
import { addressOf } from '../address.ts';
import { cx } from '../ui/elements.tsx';
import { useScope } from './surface-context.ts';

interface Props<Name extends 'Image' | 'Chart' | 'Progress'> {
  of: ComponentOf<Name>;
  row: string;
}

export function SurfaceImage({ of, row }: Props<'Image'>) {
  const scope = useScope(row);
  const path = textIn(of.url, scope);
  const [missing, setMissing] = useState<string | null>(null);
  const about = textIn(of.description ?? of.accessibility?.label, scope);
  // The data model may supply the path, and the parser checks literal paths only.
  if (!isPicture(path) || missing === path) {
    const reason =
      missing === path ? 'This picture is no longer there.' : 'This picture is not one of Koda’s own, so it is not shown.';
    return (
      <p className="rounded-lg bg-sunken px-3 py-2.5 text-[13px] text-ink-2">{about === '' ? reason : `${about}: ${reason}`}</p>
    );
  }
  return (
    <img
      src={addressOf(path)}
      alt={about}
      loading="lazy"
      onError={() => setMissing(path)}
      className="max-h-80 max-w-full rounded-lg border border-line bg-sunken object-contain"
    />
  );
}

const colors = ['bg-accent', 'bg-warn', 'bg-ok', 'bg-ink', 'bg-ink-3'];
const percent = (value: number, whole: number): string => `${whole > 0 ? Math.min(100, (value / whole) * 100) : 0}%`;

/** The bars repeat what the words beside them say. */
export function SurfaceChart({ of, row }: Props<'Chart'>) {
  const scope = useScope(row);
  const bars = of.bars.map(({ label, value, text }, index) => {
    const number = resolved(value, scope);
    const length = typeof number === 'number' ? Math.max(0, number) : 0;
    const words = text === undefined ? length.toLocaleString('en') : textIn(text, scope);
    return { id: `${index}`, label: textIn(label, scope), length, words, color: colors[index % colors.length] };
  });
  const isOne = of.shape === 'bar';
  const whole = isOne ? bars.reduce((sum, { length }) => sum + length, 0) : Math.max(...bars.map(({ length }) => length));
  return (
    <figure className="min-w-0 rounded-xl border border-line bg-panel p-3.5 text-[13px]">
      <figcaption className="mb-2.5 font-medium">{textIn(of.label, scope)}</figcaption>
      {isOne && (
        <div aria-hidden="true" className="mb-3 flex h-3 gap-0.5 overflow-hidden rounded-full bg-line">
          {bars.map(({ id, length, color }) => (
            <span key={id} className={color} style={{ width: percent(length, whole) }} />
          ))}
        </div>
      )}
      <ul className={cx('grid gap-x-5', isOne ? 'gap-y-1 sm:grid-cols-2' : 'gap-y-2.5')}>
        {bars.map(({ id, label, words, length, color }) => (
          <li key={id} className="min-w-0">
            <div className="flex items-baseline gap-2">
              {isOne && <span aria-hidden="true" className={cx('size-2.5 shrink-0 rounded-sm', color)} />}
              <span className="min-w-0 flex-1 wrap-anywhere">{label}</span>
              <span className="text-ink-2 tabular-nums">{words}</span>
            </div>
            {!isOne && (
              <div aria-hidden="true" className="mt-1 h-1.5 overflow-hidden rounded-full bg-line">
                <div className="h-full rounded-full bg-accent" style={{ width: percent(length, whole) }} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </figure>
  );
}

export function SurfaceProgress({ of, row }: Props<'Progress'>) {
  const scope = useScope(row);
  const label = textIn(of.label, scope);
  const value = resolved(of.value, scope);
  const done = typeof value === 'number' ? Math.round(Math.min(100, Math.max(0, value))) : 0;
  const left = resolved(of.secondsLeft, scope);
  const words = `${done} %${typeof left === 'number' && left > 0 ? `, ${clock(left)} left` : ''}`;
  return (
    <div className="min-w-0 text-[13px]">
      <p className="mb-1 wrap-anywhere font-medium">{label}</p>
      <div className="flex items-center gap-3">
        <div
          role="progressbar"
          aria-label={label}
          aria-valuenow={done}
          aria-valuetext={words}
          className="h-1.5 min-w-0 flex-1 overflow-hidden rounded-full bg-line"
        >
          <div
            className="h-full rounded-full bg-accent transition-[width] duration-300 ease-linear"
            style={{ width: `${done}%` }}
          />
        </div>
        <span aria-hidden="true" className="shrink-0 tabular-nums">
          {words}
        </span>
      </div>
    </div>
  );
}

/** Returns seconds as minutes and seconds: “0:40”. */
function clock(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
