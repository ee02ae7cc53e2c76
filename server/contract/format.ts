/** `0:07.5`: minutes, seconds and tenths; for lengths that a person reads. */
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

/** `2.4 s`, `3.125 s`: to the millisecond, for reports and messages. */
export function formatExactSeconds(seconds: number): string {
  return `${roundedToMs(seconds)} s`;
}

/** `3.2–8.6 s`: from one moment to another, to the millisecond. */
export function formatSpan(fromSeconds: number, toSeconds: number): string {
  return `${roundedToMs(fromSeconds)}–${formatExactSeconds(toSeconds)}`;
}

/** Sums of binary fractions end in digits that nobody meant: 3.2 + 5.4 is 8.600000000000001. */
function roundedToMs(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

/** `00:03:12`: minutes, seconds and frames, as editing tools show it. `fps` in frames a second. */
export function formatTimecode(seconds: number, fps: number): string {
  const frames = Math.max(0, Math.round(seconds * fps));
  const two = (value: number) => String(value).padStart(2, '0');
  const wholeSeconds = Math.floor(frames / fps);
  return `${two(Math.floor(wholeSeconds / 60))}:${two(wholeSeconds % 60)}:${two(frames - wholeSeconds * fps)}`;
}

/** `340 ms`, `4.2 s`, `2 min 05 s`. */
export function formatDurationMs(durationMs: number): string {
  if (durationMs < 1000) return `${Math.round(durationMs)} ms`;
  if (durationMs < 60_000) return `${(durationMs / 1000).toFixed(1)} s`;
  const seconds = Math.round(durationMs / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** `about 40 s left`, in steps that do not flicker. */
export function formatSecondsLeft(seconds: number): string {
  if (seconds < 10) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 90) return `${Math.round(seconds / 5) * 5} s`;
  return `${Math.round(seconds / 60)} min`;
}

/** `812 B`, `3.4 MB`: decimal units, as file managers show them. */
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

/** `just now`, `5 min ago`, `3 h ago`, then the date. `nowMs` as of `Date.now()`. */
export function formatAgo(iso: string, nowMs: number): string {
  const minutes = Math.floor((nowMs - Date.parse(iso)) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`;
  return new Date(iso).toLocaleDateString('en', { day: 'numeric', month: 'short', year: 'numeric' });
}

/** `22 Nov 2026, 14:40`, in the reader's own time zone. */
export function formatMoment(iso: string): string {
  const at = new Date(iso);
  const day = `${at.getDate()} ${at.toLocaleDateString('en', { month: 'short' })} ${at.getFullYear()}`;
  return `${day}, ${at.toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })}`;
}

/** `$0.08`, `<$0.01`, `$1,204.50`: US dollars to the cent. */
export function formatDollars(dollars: number): string {
  if (dollars > 0 && dollars < 0.01) return '<$0.01';
  return `$${dollars.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}
