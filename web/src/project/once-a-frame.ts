/** A tab that is not seen gets no frames; then work is done after this time. */
const withoutFramesMs = 250;

/**
 * A function that asks for `work` to be done with the next frame, once however often it is called. A tab may be hidden
 * while it waits for its frame, which then comes only when it is shown again: the work is done all the same.
 */
export function onceAFrame(work: () => void): () => void {
  let waiting: { readonly frame: number; readonly timer: ReturnType<typeof setTimeout> } | null = null;
  const run = () => {
    if (waiting === null) return;
    cancelAnimationFrame(waiting.frame);
    clearTimeout(waiting.timer);
    waiting = null;
    work();
  };
  return () => {
    waiting ??= { frame: requestAnimationFrame(run), timer: setTimeout(run, withoutFramesMs) };
  };
}
