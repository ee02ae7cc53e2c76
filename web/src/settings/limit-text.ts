import { formatDollars } from '../../../server/contract/format.ts';
import type { Limit } from '../../../server/contract/settings.ts';
import { texts } from '../texts.ts';

/** A limit in words, in the unit in which its variable counts. Pure. */
export function limitText({ id, value, unit }: Pick<Limit, 'id' | 'value' | 'unit'>): string {
  const { units, none, noneOther } = texts.settings.limits;
  if (value === null) return id === 'data-size' ? none : noneOther;
  const count = (amount: number) => amount.toLocaleString('en', { maximumFractionDigits: 2 });
  if (unit === 'usd') return formatDollars(value);
  return unit === 'bytes' ? units.megabytes(count(value / 1024 ** 2)) : units[unit](count(value));
}
