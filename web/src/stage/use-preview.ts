import { type RefObject, useCallback, useEffect, useState } from 'react';
import { previewOrigin, readFromPreview, type ToPreview } from './preview-channel.ts';

export interface PreviewState {
  readonly ready: boolean;
  readonly seconds: number;
  readonly durationSeconds: number | null;
  readonly playing: boolean;
  readonly width: number | null;
  readonly height: number | null;
  readonly fps: number | null;
  readonly errors: readonly string[];
}

const silent: PreviewState = {
  ready: false,
  seconds: 0,
  durationSeconds: null,
  playing: false,
  width: null,
  height: null,
  fps: null,
  errors: [],
};
const maxErrors = 100;

/** Talks with the page in the frame. `generation` changes when the frame loads anew: then nothing is known of it yet. */
export function usePreview(frame: RefObject<HTMLIFrameElement | null>, url: string, generation: string) {
  const [state, setState] = useState<PreviewState>(silent);
  const origin = previewOrigin(url);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new generation is what the reset is for.
  useEffect(() => setState(silent), [generation]);

  useEffect(() => {
    if (origin === null) return;
    const receive = (event: MessageEvent<unknown>) => {
      const message = readFromPreview(event, { origin, source: frame.current?.contentWindow ?? null });
      if (!message) return;
      switch (message.type) {
        case 'koda:ready':
          setState((old) => ({ ...old, ...message.info, ready: true, errors: [] }));
          return;
        case 'koda:time':
          setState((old) => ({
            ...old,
            ready: true,
            seconds: message.seconds,
            durationSeconds: message.durationSeconds,
            playing: message.playing,
          }));
          return;
        case 'koda:error':
          setState((old) => ({ ...old, errors: [...old.errors.slice(1 - maxErrors), message.message] }));
          return;
      }
    };
    window.addEventListener('message', receive);
    return () => window.removeEventListener('message', receive);
  }, [frame, origin]);

  const tell = useCallback(
    (message: ToPreview) => {
      if (origin !== null) frame.current?.contentWindow?.postMessage(message, origin);
    },
    [frame, origin],
  );

  const seek = useCallback(
    (seconds: number) => {
      setState((old) => ({ ...old, seconds }));
      tell({ type: 'koda:seek', seconds });
    },
    [tell],
  );

  return { state, tell, seek };
}
