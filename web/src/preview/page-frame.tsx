import { RotateCw } from 'lucide-react';
import {
  type ComponentProps,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { type StoreApi, useStore } from 'zustand';
import { Button, Spinner } from '../ui/elements.tsx';
import { type FrameState, freshStartInMs, type PageHealth, type PageLoad } from './page-health.ts';

interface PageState {
  readonly health: PageHealth;
  /** When the page started loading or became unresponsive, on the clock of `performance.now()`. */
  readonly healthSinceMs: number;
  /** `null` until a page has started. */
  readonly load: PageLoad | null;
}

/** What the studio knows of the page in a frame. */
export interface FramedPage {
  readonly store: Pick<StoreApi<PageState>, 'getState' | 'getInitialState' | 'subscribe'>;
  /** Time of the last message, or of the start of loading. */
  readonly lastMessageMs: number;
  /** Where a page that navigates is now. It is loaded again there. */
  readonly currentAddress?: string;
  /** Called when the frame reloads. */
  loading(nowMs: number): void;
}

/** Wait before a stuck page gets a new frame. Browsers keep a removed frame's process for a while and would reuse it. */
const endingMs = 4000;

/**
 * Time that a page may be unresponsive before the frame reloads it, once. The reload recovers a page whose process has
 * crashed, and does not affect one that is merely stuck.
 */
const reloadAfterMs = 8000;

/** Maximum number of remembered code changes. */
const maxChanges = 100;

interface FrameControl {
  readonly frame: FrameState;
  /** A new number creates a new frame. */
  readonly generation: number;
  reload(): void;
  stop(): void;
}

interface PageOptions {
  readonly address: string;
  /** Incremented when the page's server has started. */
  readonly version: number;
  /** Incremented when the project's code has changed. */
  readonly codeVersion: number;
  /** Whether the sandbox is suspended and this page is idle. */
  readonly asleep: boolean;
}

export function usePageFrame(page: FramedPage, ref: RefObject<HTMLIFrameElement | null>, options: PageOptions): FrameControl {
  const { address, version, codeVersion, asleep } = options;
  const [frame, setFrame] = useState<FrameState>('shown');
  const [generation, setGeneration] = useState(0);
  const health = useStore(page.store, (state) => state.health);
  const load = useStore(page.store, (state) => state.load);

  const takenAwayMs = useRef(0);
  const takeAway = useCallback((next: FrameState) => {
    takenAwayMs.current = performance.now();
    setFrame(next);
  }, []);

  /** Navigates the same frame again, because a page whose frame is removed cannot clean up. */
  const reloadFrame = useCallback(() => {
    page.loading(performance.now());
    ref.current?.contentWindow?.location.replace(page.currentAddress ?? address);
  }, [page, ref, address]);

  const reload = useCallback(() => {
    const { health } = page.store.getState();
    // A page that may be stuck would not release the frame.
    const hangs = health === 'unresponsive' || health === 'late';
    if (ref.current && !hangs) {
      reloadFrame();
      return;
    }
    if (ref.current) takeAway('ending');
    else setFrame('ending');
    page.loading(performance.now());
    setGeneration((count) => count + 1);
  }, [page, ref, reloadFrame, takeAway]);

  const stop = useCallback(() => takeAway('stopped'), [takeAway]);

  // A page that stays loaded would keep reconnecting to its server. The next one continues at the same time of the film.
  useEffect(() => {
    if (asleep && frame === 'shown') takeAway('asleep');
    if (asleep || frame !== 'asleep') return;
    page.loading(performance.now());
    setFrame('shown');
  }, [page, asleep, frame, takeAway]);

  useEffect(() => {
    if (frame !== 'ending') return;
    const timer = setTimeout(
      () => {
        page.loading(performance.now());
        setFrame('shown');
      },
      takenAwayMs.current + endingMs - performance.now(),
    );
    return () => clearTimeout(timer);
  }, [page, frame]);

  useEffect(() => {
    if (frame !== 'shown' || health !== 'unresponsive') return;
    const timer = setTimeout(() => ref.current?.contentWindow?.location.replace(page.currentAddress ?? address), reloadAfterMs);
    return () => clearTimeout(timer);
  }, [page, ref, address, frame, health]);

  // A flood of messages can be stopped only by removing the page. An effect would run after the messages that have queued up
  // by now, and the queue grows faster than a slow machine empties it; a layout effect runs before the next message.
  useLayoutEffect(() => {
    if (health === 'flooding') takeAway('flooded');
  }, [health, takeAway]);

  // The frame itself has navigated to the new address.
  const addressShown = useRef(address);
  useEffect(() => {
    if (addressShown.current === address) return;
    addressShown.current = address;
    page.loading(performance.now());
  }, [page, address]);

  // The dev server has started. A responsive page reconnects by itself.
  const versionShown = useRef(version);
  useEffect(() => {
    if (versionShown.current === version) return;
    versionShown.current = version;
    const { health } = page.store.getState();
    if (frame !== 'shown' || health === 'responsive') return;
    // A late page was most likely waiting for the server.
    if (health === 'late') reloadFrame();
    else reload();
  }, [page, version, frame, reload, reloadFrame]);

  const codeShown = useRef(codeVersion);
  const changesMs = useRef<readonly number[]>([]);
  useEffect(() => {
    if (codeShown.current !== codeVersion) changesMs.current = [...changesMs.current.slice(-maxChanges), performance.now()];
    codeShown.current = codeVersion;
    const life = { frame, health, load, lastMessageMs: page.lastMessageMs, changesMs: changesMs.current };
    const waitMs = freshStartInMs(life, performance.now());
    if (waitMs === null) return;
    const timer = setTimeout(reload, waitMs);
    return () => clearTimeout(timer);
  }, [page, frame, health, load, codeVersion, reload]);

  return { frame, generation, reload, stop };
}

interface PageFrameProps extends Pick<ComponentProps<'iframe'>, 'title' | 'sandbox' | 'allow' | 'tabIndex' | 'style'> {
  ref: RefObject<HTMLIFrameElement | null>;
  address: string;
}

/** Frame for a project's page. A new address replaces the old one without an entry in the browser's history. */
export function PageFrame({ ref, address, ...props }: PageFrameProps) {
  const [first] = useState(address);
  const shown = useRef(address);
  useEffect(() => {
    if (shown.current === address) return;
    shown.current = address;
    ref.current?.contentWindow?.location.replace(address);
  }, [ref, address]);
  return <iframe ref={ref} src={first} referrerPolicy="no-referrer" {...props} className="absolute inset-0 size-full" />;
}

interface PageStatusProps {
  page: FramedPage;
  frame: FrameState;
  /** Position of a project that waits for its sandbox, or `null`. */
  waiting: string | null;
  onReload: () => void;
  onStop: () => void;
}

/** Overlays a status on the frame until the page in it responds. */
export function PageStatus({ page, frame, waiting, onReload, onStop }: PageStatusProps) {
  const health = useStore(page.store, (state) => state.health);
  const reload = (label: string) => (
    <Button size="sm" onClick={onReload}>
      <RotateCw className="size-3.5" />
      {label}
    </Button>
  );
  const stop = (
    <Button size="sm" variant="quiet" onClick={onStop}>
      Stop preview
    </Button>
  );
  if (frame === 'ending') return <Cover busy title="Restarting the page…" />;
  if (frame === 'stopped') {
    return (
      <Cover
        title="The live preview has stopped."
        text="Your project is safe. Show the preview again after its code has changed."
      >
        {reload('Show preview')}
      </Cover>
    );
  }
  if (frame === 'asleep') {
    return (
      <Cover
        title="The preview is asleep."
        text="Nobody has used this page for a while. Your project is saved; move the pointer or press a key to continue."
      />
    );
  }
  if (frame === 'flooded') {
    return (
      <Cover title="Koda stopped the preview because its page kept sending messages." text="It restarts when its code changes.">
        {reload('Show preview')}
      </Cover>
    );
  }
  if (waiting !== null) return <Cover busy title={waiting} text={waitingText} />;
  switch (health) {
    // Shows nothing, because the page is removed immediately.
    case 'flooding':
    case 'responsive':
      return null;
    case 'loading':
      return <Cover busy title="Starting the live preview…" />;
    case 'late':
      return (
        <Cover
          title="The preview has not responded yet."
          text={`Its page may be empty, or stuck in an endless loop. It restarts when its code changes.`}
        >
          {reload('Reload')}
          {stop}
        </Cover>
      );
    case 'failed':
      return (
        <Cover title="The preview reported an error and did not start." text="It restarts when its code changes.">
          {reload('Reload')}
        </Cover>
      );
    case 'unresponsive':
      return (
        <Cover
          title={<UnresponsiveFor page={page} />}
          text={`Its code may be stuck in an endless loop, use too much memory, or take very long for each frame. It restarts when its code changes.`}
        >
          {reload('Reload')}
          {stop}
        </Cover>
      );
  }
}

/** Shown below the position. */
export const waitingText = 'Other projects use all sandboxes. Yours starts as soon as one is free.';

function UnresponsiveFor({ page }: { page: FramedPage }) {
  const sinceMs = useStore(page.store, (state) => state.healthSinceMs);
  const [nowMs, setNowMs] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(performance.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className="tabular-nums">{`The preview has not responded for ${Math.max(1, Math.round((nowMs - sinceMs) / 1000))} s.`}</span>
  );
}

interface CoverProps {
  title: ReactNode;
  text?: string;
  busy?: boolean;
  children?: ReactNode;
}

function Cover({ title, text, busy = false, children }: CoverProps) {
  return (
    <div
      role="status"
      // Covers the comparison's divider, and the browser's own error page for an address that is not ready yet.
      className="absolute inset-0 z-20 flex animate-fade flex-col items-center justify-center gap-1 overflow-auto bg-panel p-4 text-center text-[13px] text-ink-2"
    >
      {busy && <Spinner className="mb-2" />}
      <p className="font-medium text-ink">{title}</p>
      {text && <p className="max-w-90 text-balance">{text}</p>}
      {children && <div className="mt-2 flex flex-wrap justify-center gap-2">{children}</div>}
    </div>
  );
}
