import { describe, expect, it } from 'vitest';
import { timesOf } from './times.ts';

const berlin = 'Europe/Berlin';
const at = (iso: string) => Date.parse(iso);

function following(cron: string, from: string, count: number, timeZone = berlin): string[] {
  const times = timesOf({ cron, timeZone }, at(from));
  const found: string[] = [];
  for (let after = at(from); found.length < count; ) {
    const next = times.next(after);
    if (next === null) break;
    found.push(new Date(next).toISOString().slice(0, 16));
    after = next;
  }
  return found;
}

const refusal = (cron: string, timeZone = berlin) => {
  try {
    timesOf({ cron, timeZone }, at('2027-01-01T00:00Z'));
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('the times of a schedule', () => {
  it('T10: follow the clock of their time zone in summer and in winter', () => {
    expect(following('0 17 * * *', '2027-03-27T00:00Z', 2)).toEqual(['2027-03-27T16:00', '2027-03-28T15:00']);
    expect(following('0 17 * * *', '2027-07-01T00:00Z', 1, 'America/New_York')).toEqual(['2027-07-01T21:00']);
  });

  it('T10: come at the next minute that exists, once, where summer time skips the hour', () => {
    expect(following('30 2 * * *', '2027-03-27T12:00Z', 2)).toEqual(['2027-03-28T01:00', '2027-03-29T00:30']);
    expect(following('*/20 2 * * *', '2027-03-27T12:00Z', 2)).toEqual(['2027-03-28T01:00', '2027-03-29T00:00']);
    expect(following('*/20 2-3 * * *', '2027-03-27T12:00Z', 3)).toEqual([
      '2027-03-28T01:00',
      '2027-03-28T01:20',
      '2027-03-28T01:40',
    ]);
  });

  it('T10: come once where an hour comes twice', () => {
    expect(following('30 2 * * *', '2027-10-30T12:00Z', 2)).toEqual(['2027-10-31T00:30', '2027-11-01T01:30']);
    expect(following('*/30 1-3 * * *', '2027-10-30T22:00Z', 6)).toEqual([
      '2027-10-30T23:00',
      '2027-10-30T23:30',
      '2027-10-31T00:00',
      '2027-10-31T00:30',
      '2027-10-31T02:00',
      '2027-10-31T02:30',
    ]);
    // From within the second of the two hours.
    expect(following('*/30 * * * *', '2027-10-31T01:10Z', 1)).toEqual(['2027-10-31T02:00']);
  });

  it('T10: are refused if they never come', () => {
    expect(refusal('0 6 30 2 *')).toBe('February has no 30th.');
    expect(refusal('0 6 31 feb *')).toBe('February has no 31st.');
    expect(refusal('0 6 31 6 *')).toBe('June has no 31st.');
    expect(refusal('0 6 31 2,4,6 *')).toBe('This never happens. Check the day and month.');
    expect(refusal('0 6 29 2 *')).toBeNull();
    expect(following('0 6 L * *', '2027-02-01T00:00Z', 1, 'UTC')).toEqual(['2027-02-28T06:00']);
  });

  it('T10: are refused if they have seconds, cannot be read or have no time zone', () => {
    expect(refusal('* * * * * *')).toBe('Once a minute at most.');
    expect(refusal('*/5 0 17 * * *')).toBe('Once a minute at most.');
    expect(refusal('@daily')).toContain('five fields');
    expect(refusal('0 17 * * ?')).toContain('five fields');
    expect(refusal('61 0 * * *')).toContain('cannot be read');
    expect(refusal('0 17 * * *', 'Europe/Atlantis')).toContain('no time zone');
    expect(refusal('0 17 * * *', '+02:00')).toContain('no time zone');
  });

  it('T10: of a long absence are found quickly', () => {
    const each = timesOf({ cron: '* * * * *', timeZone: berlin }, at('2027-01-01T00:00Z'));
    expect(each.last(at('2027-01-01T00:00Z'), at('2029-05-01T10:20:40Z'))).toBe(at('2029-05-01T10:20Z'));
    const yearly = timesOf({ cron: '0 0 1 1 *', timeZone: 'UTC' }, at('2027-01-01T00:00Z'));
    expect(yearly.last(at('2027-01-01T00:00Z'), at('2029-05-01T10:20Z'))).toBe(at('2029-01-01T00:00Z'));
    expect(yearly.last(at('2027-01-01T00:00Z'), at('2027-05-01T10:20Z'))).toBeNull();
  });
});
