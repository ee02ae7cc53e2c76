import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { FrameState } from './page-status.tsx';
import type { Player } from './player.ts';

/**
 * How long a page that hangs is left without a frame. A browser keeps the process of a frame that was taken away for a
 * while, and would give it to the new one at once.
 */
const endingMs = 4000;

interface Page {
  readonly frame: FrameState;
  /** Another number is another frame. */
  readonly generation: number;
  reload(): void;
  stop(): void;
}

/** Loads the page in the frame, anew when it is asked to, and takes it away. `version` rises when its server came up. */
export function usePage(
  player: Player,
  ref: RefObject<HTMLIFrameElement | null>,
  { address, version }: { address: string; version: number },
): Page {
  const [frame, setFrame] = useState<FrameState>('shown');
  const [generation, setGeneration] = useState(0);

  const takenAwayMs = useRef(0);

  const reload = useCallback(() => {
    const { health } = player.store.getState();
    player.loading(performance.now());
    const page = ref.current?.contentWindow;
    if (page && health !== 'silent') {
      // The frame is sent there again, not made anew: a page whose frame is taken away cannot tidy up.
      page.location.replace(address);
      return;
    }
    if (page) takenAwayMs.current = performance.now();
    setFrame('ending');
    setGeneration((count) => count + 1);
  }, [player, ref, address]);

  const stop = useCallback(() => {
    takenAwayMs.current = performance.now();
    setFrame('stopped');
  }, []);

  useEffect(() => {
    if (frame !== 'ending') return;
    const timer = setTimeout(
      () => {
        player.loading(performance.now());
        setFrame('shown');
      },
      takenAwayMs.current + endingMs - performance.now(),
    );
    return () => clearTimeout(timer);
  }, [player, frame]);

  // The frame goes to another address by itself.
  const addressShown = useRef(address);
  useEffect(() => {
    if (addressShown.current === address) return;
    addressShown.current = address;
    player.loading(performance.now());
  }, [player, address]);

  // The dev server came up. A page that is alive finds its way back to it by itself, without a blink.
  const versionShown = useRef(version);
  useEffect(() => {
    if (versionShown.current === version) return;
    versionShown.current = version;
    if (frame === 'shown' && player.store.getState().health !== 'alive') reload();
  }, [player, version, frame, reload]);

  return { frame, generation, reload, stop };
}
