import { useEffect, useState } from 'react';

export interface PlayMoment {
  readonly scene: number;
  readonly seconds: number;
}

/** Plays scenes one after another, from a clock. `moment` is `null` while nothing plays. */
export function usePlay(lengths: readonly number[]) {
  const [moment, setMoment] = useState<PlayMoment | null>(null);
  const isPlaying = moment !== null;
  const key = lengths.join();
  useEffect(() => {
    if (!isPlaying) return;
    const seconds = key.split(',').map(Number);
    let before = performance.now();
    let frame = requestAnimationFrame(function draw(now) {
      const passed = (now - before) / 1000;
      before = now;
      setMoment((old) => {
        if (old === null) return null;
        const next = old.seconds + passed;
        if (next < (seconds[old.scene] ?? 0)) return { scene: old.scene, seconds: next };
        return old.scene + 1 < seconds.length ? { scene: old.scene + 1, seconds: 0 } : null;
      });
      frame = requestAnimationFrame(draw);
    });
    return () => cancelAnimationFrame(frame);
  }, [isPlaying, key]);
  return {
    moment,
    toggle: (scene = 0) => setMoment(isPlaying ? null : { scene, seconds: 0 }),
  };
}
