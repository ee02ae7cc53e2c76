import { type RefObject, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useWorkbench } from '../../../project/context.ts';
import { wantsReducedMotion } from '../../../ui/appearance.ts';
import type { FilmLength } from './film-time.ts';
import { Player, type PlayerState } from './player.ts';
import {
  editChannel,
  isConsoleLine,
  isFromPreview,
  MessageBudget,
  previewOrigin,
  readFromPreview,
  type ToPreview,
} from './preview-channel.ts';

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

  useEffect(() => {
    if (origin === null) return;
    const budget = new MessageBudget();
    const receive = (event: MessageEvent<unknown>) => {
      if (!isFromPreview(event, { origin, source: frame.current?.contentWindow ?? null })) return;
      const nowMs = performance.now();
      const fate = budget.take(nowMs, isConsoleLine(event.data));
      if (fate === 'flood') player.flooded(nowMs);
      else if (fate === 'drop') player.missed();
      if (fate !== 'read') return;
      const message = readFromPreview(event.data);
      const isFilm = message?.type === 'koda:ready' || message?.type === 'koda:film';
      if (message && (!isFilm || budget.takeFilm())) {
        player.receive(message, nowMs);
        editChannel.receive(message);
      }
      // React renders an update of the player in a microtask that was queued before this one, so its time counts, too.
      queueMicrotask(() => budget.spent(performance.now() - nowMs));
    };
    window.addEventListener('message', receive);
    return () => window.removeEventListener('message', receive);
  }, [player, frame, origin]);

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
