import { createStore } from 'zustand/vanilla';
import { browserStorage, type KeptTexts } from '../browser-storage.ts';

const storageKey = 'koda:talk-width';
/** A message box with its buttons fits, and so does the desk of the live preview beside it. In CSS pixels. */
const leastTalk = 300;
const leastStage = 520;

/** The width as far as the page has room for both sides, in whole pixels. */
export function fittingWidth(wanted: number, pageWidth: number): number {
  return Math.round(Math.max(leastTalk, Math.min(wanted, pageWidth - leastStage)));
}

/** What was kept; null = the usual width, which depends on the page's. */
export function readWidth(kept: string | null): number | null {
  const width = kept === null ? Number.NaN : Number(kept);
  return Number.isFinite(width) && width >= leastTalk && width < 10_000 ? width : null;
}

/** The width that the user gave the conversation, in CSS pixels; null = none. */
export const talkWidth = createStore<{ readonly width: number | null }>(() => ({
  width: readWidth(browserStorage.read(storageKey)),
}));

/** `storage`: where it is kept for the next time. */
export function setTalkWidth(width: number | null, storage: Pick<KeptTexts, 'write'> = browserStorage): void {
  talkWidth.setState({ width });
  storage.write(storageKey, width === null ? null : String(width));
}

/** The column of the conversation; it gives way when the window has become too small for it. */
export function talkColumn(width: number | null): string | undefined {
  return width === null ? undefined : `max(${leastTalk}px, min(${width}px, 100vw - ${leastStage}px))`;
}
