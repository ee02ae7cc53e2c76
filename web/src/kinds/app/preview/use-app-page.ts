import { type RefObject, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { previewOrigin } from '../../../preview/page-messages.ts';
import { usePageMessages } from '../../../preview/use-page-messages.ts';
import { readFromApp } from './app-channel.ts';
import { AppPage, type AppPageState, type ViewPlace } from './app-page.ts';

const checkIntervalMs = 250;

interface UseAppPageOptions {
  readonly url: string;
  /** Path that the page starts with. */
  readonly path: string;
  /** Called when the user has clicked a view in the page. */
  readonly onSelected?: (place: ViewPlace) => void;
}

/** Follows the app's page in the frame. It lives as long as the component. */
export function useAppPage(frame: RefObject<HTMLIFrameElement | null>, { url, path, onSelected }: UseAppPageOptions): AppPage {
  const origin = previewOrigin(url);
  const [page] = useState(
    () =>
      new AppPage({
        post: (message) => {
          if (origin !== null) frame.current?.contentWindow?.postMessage(message, origin);
        },
        url,
        nowMs: performance.now(),
        path,
      }),
  );

  usePageMessages(frame, origin, {
    flooded: (nowMs) => page.flooded(nowMs),
    missed: () => page.missed(),
    read: (data, budget, nowMs) => {
      const message = readFromApp(data);
      const isCheap = message?.type === 'koda:console' || message?.type === 'koda:network';
      if (message === null || !(isCheap || budget.takeCostly())) return;
      page.receive(message, nowMs);
      if (message.type === 'koda:selected') onSelected?.({ page: message.page, view: message.view });
    },
  });

  useEffect(() => {
    const timer = setInterval(() => {
      page.check(performance.now());
      page.flush();
    }, checkIntervalMs);
    return () => clearInterval(timer);
  }, [page]);

  return page;
}

export function useAppPageState<T>(page: AppPage, select: (state: AppPageState) => T): T {
  return useStore(page.store, select);
}
