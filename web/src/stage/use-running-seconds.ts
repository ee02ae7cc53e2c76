import { useEffect, useState } from 'react';

/**
 * The time of a film that tells its time about ten times a second: between two reports it runs on by the
 * page's own clock, so that the playhead glides. Loops at the end, as the film does.
 */
export function useRunningSeconds(reported: number, options: { playing: boolean; durationSeconds: number }): number {
  const { playing, durationSeconds } = options;
  const [seconds, setSeconds] = useState(reported);
  useEffect(() => {
    setSeconds(reported);
    if (!playing) return;
    const startedAtMs = performance.now();
    let frame = 0;
    const tick = (nowMs: number) => {
      setSeconds((reported + Math.max(0, nowMs - startedAtMs) / 1000) % durationSeconds);
      frame = requestAnimationFrame(tick);
    };
    frame = requestAnimationFrame(tick);
    return () => cancelAnimationFrame(frame);
  }, [reported, playing, durationSeconds]);
  return seconds;
}
