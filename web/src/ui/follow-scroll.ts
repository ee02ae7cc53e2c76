/** How far above the end still counts as the end, in px: about two lines. */
const nearPx = 48;

type Scroller = Pick<HTMLElement, 'scrollTop' | 'scrollHeight' | 'clientHeight'>;

/**
 * Whether a list that shows its end while it grows goes on doing so after it was scrolled: until its reader scrolls up, and
 * again from the end on. What grows scrolls nothing: upwards goes the reader alone.
 */
export function followsEnd(following: boolean, scroller: Scroller, lastTop: number): boolean {
  const { scrollTop, scrollHeight, clientHeight } = scroller;
  const near = scrollHeight - scrollTop - clientHeight < nearPx;
  return near || scrollTop < lastTop ? near : following;
}
