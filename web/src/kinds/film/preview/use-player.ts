import { type RefObject, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { previewOrigin } from '../../../preview/page-messages.ts';
import { usePageMessages } from '../../../preview/use-page-messages.ts';
import { useWorkbench } from '../../../project/context.ts';
import { wantsReducedMotion } from '../../../ui/appearance.ts';
import type { FilmLength } from './film-time.ts';
import { Player, type PlayerState } from './player.ts';
import { editChannel, readFromPreview, type ToPreview } from './preview-channel.ts';

const checkIntervalMs = 250;

interface UsePlayerOptions {
  readonly url: string;
  readonly planned: FilmLength;
  /** Whether the preview is visible. Its time stops otherwise. */
  readonly active: boolean;
}

/** Returns a player for the page in the frame. It lives as long as the component. */
export function usePlayer(frame: RefObject<HTMLIFrameElement | null>, options: UsePlayerOptions): Player {
  const { url, planned, active } = options;
  const origin = previewOrigin(url);
  const [post] = useState(() => (message: ToPreview) => {
    if (origin !== null) frame.current?.contentWindow?.postMessage(message, origin);
  });
  const [player] = useState(() => {
    const reducedMotion = wantsReducedMotion();
    return new Player({ post, planned, reducedMotion, nowMs: performance.now() });
  });
  const playing = useStore(player.store, (state) => state.playing);

  useEffect(() => editChannel.connect(post), [post]);

  useEffect(() => {
    player.planned = planned;
  }, [player, planned]);

  usePageMessages(frame, origin, {
    flooded: (nowMs) => player.flooded(nowMs),
    missed: () => player.missed(),
    read: (data, budget, nowMs) => {
      const message = readFromPreview(data);
      const isFilm = message?.type === 'koda:ready' || message?.type === 'koda:film';
      if (message === null || (isFilm && !budget.takeCostly())) return;
      player.receive(message, nowMs);
      editChannel.receive(message);
    },
  });

  useEffect(() => {
    const timer = setInterval(() => {
      player.check(performance.now());
      player.flushLines();
    }, checkIntervalMs);
    return () => clearInterval(timer);
  }, [player]);

  useEffect(() => {
    if (!playing || !active) return;
    let request = 0;
    const tick = (nowMs: number) => {
      request = requestAnimationFrame(tick);
      player.tick(nowMs);
    };
    request = requestAnimationFrame(tick);
    return () => cancelAnimationFrame(request);
  }, [player, playing, active]);

  return player;
}

export function usePlayerState<T>(player: Player, select: (state: PlayerState) => T): T {
  return useStore(player.store, select);
}

/** Seeks to a time that another part of the studio requested, once the preview is ready. */
export function useSeekRequests(show: (seconds: number) => void, ready: boolean): void {
  const request = useWorkbench((workbench) => workbench.seekRequest);
  const answered = useRef<typeof request>(null);
  useEffect(() => {
    if (request === null || request === answered.current || !ready) return;
    answered.current = request;
    show(request.seconds);
  }, [request, ready, show]);
}
