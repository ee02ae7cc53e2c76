/** Formats a length for people: `7.5 s`, `1:07.5 min`. */
export function formatSeconds(seconds: number): string {
  const tenths = Math.round(seconds * 10);
  const minutes = Math.floor(tenths / 600);
  const rest = (tenths - minutes * 600) / 10;
  if (minutes === 0) return `${trimZero(rest)} s`;
  return `${minutes}:${rest.toFixed(rest % 1 === 0 ? 0 : 1).padStart(rest % 1 === 0 ? 2 : 4, '0')} min`;
}

function trimZero(value: number): string {
  return value.toFixed(value % 1 === 0 ? 0 : 1);
}

/** Formats seconds to the millisecond, for reports and messages: `2.4 s`, `3.125 s`. */
export function formatExactSeconds(seconds: number): string {
  return `${roundedToMs(seconds)} s`;
}

/** Formats a time range to the millisecond: `3.2–8.6 s`. */
export function formatSpan(fromSeconds: number, toSeconds: number): string {
  return `${roundedToMs(fromSeconds)}–${formatExactSeconds(toSeconds)}`;
}

/** Rounds to milliseconds, because sums of floating-point numbers have spurious digits: 3.2 + 5.4 is 8.600000000000001. */
function roundedToMs(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

/** Formats minutes, seconds and frames as editing tools do: `00:03:12`. `fps` in frames per second. */
export function formatTimecode(seconds: number, fps: number): string {
  const frames = Math.max(0, Math.round(seconds * fps));
  const two = (value: number) => String(value).padStart(2, '0');
  const wholeSeconds = Math.floor(frames / fps);
  return `${two(Math.floor(wholeSeconds / 60))}:${two(wholeSeconds % 60)}:${two(frames - wholeSeconds * fps)}`;
}

/** Formats a duration: `340 ms`, `4.2 s`, `2 min 05 s`. */
export function formatDurationMs(durationMs: number): string {
  if (durationMs < 1000) return `${Math.round(durationMs)} ms`;
  if (durationMs < 60_000) return `${(durationMs / 1000).toFixed(1)} s`;
  const seconds = Math.round(durationMs / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** Formats remaining time in coarse steps, so that the text does not flicker. */
export function formatSecondsLeft(seconds: number): string {
  if (seconds < 10) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 90) return `${Math.round(seconds / 5) * 5} s`;
  return `${Math.round(seconds / 60)} min`;
}

/** Formats decimal units as file managers do: `812 B`, `3.4 MB`. */
export function formatBytes(sizeBytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = sizeBytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** Formats an age: `just now`, `5 min ago`, `3 h ago`, then the date. */
export function formatAgo(iso: string, nowMs: number): string {
  const minutes = Math.floor((nowMs - Date.parse(iso)) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`;
  return new Date(iso).toLocaleDateString('en', { day: 'numeric', month: 'short', year: 'numeric' });
}

/** Formats a time in the reader's time zone: `22 Nov 2026, 14:40`. */
export function formatTimestamp(iso: string): string {
  const at = new Date(iso);
  const day = `${at.getDate()} ${at.toLocaleDateString('en', { month: 'short' })} ${at.getFullYear()}`;
  return `${day}, ${at.toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })}`;
}

/** Formats US dollars to the cent: `$0.08`, `<$0.01`, `$1,204.50`. */
export function formatDollars(dollars: number): string {
  if (dollars > 0 && dollars < 0.01) return '<$0.01';
  return `$${dollars.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

/** Formats a count: `1 file`, `1,204 files`. `one` is the singular. */
export function formatCount(count: number, one: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : `${one}s`}`;
}
