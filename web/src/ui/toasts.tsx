import { X } from 'lucide-react';
import { Toast } from 'radix-ui';
import { useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { Button, IconButton } from './button.tsx';
import { cx } from './class-names.ts';

interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

interface ToastMessage {
  readonly id: number;
  readonly text: string;
  /** What can be done about it while it is shown. */
  readonly action: ToastAction | null;
  readonly otherAction: ToastAction | null;
  readonly durationMs: number;
  /** It went away by itself or was dismissed; not after its action was taken. */
  readonly onGone: (() => void) | null;
}

const shown = createStore<{ readonly messages: readonly ToastMessage[] }>(() => ({ messages: [] }));
let count = 0;

/** Says something in passing, at the edge of the page; a screen reader says it, too. */
export function toast(
  text: string,
  options: Partial<Pick<ToastMessage, 'action' | 'otherAction' | 'durationMs' | 'onGone'>> = {},
): void {
  const message = { id: ++count, text, action: null, otherAction: null, durationMs: 6000, onGone: null, ...options };
  shown.setState(({ messages }) => ({ messages: [...messages, message] }));
}

function remove({ id }: ToastMessage): void {
  shown.setState(({ messages }) => ({ messages: messages.filter((message) => message.id !== id) }));
}

/** Where toasts appear; once in the page. On a phone and in full screen at the top: what one works with is at the bottom. */
export function Toasts() {
  const messages = useStore(shown, (state) => state.messages);
  // What is not within it can neither be seen nor pressed.
  const fullScreen = useSyncExternalStore(onFullScreen, () => document.fullscreenElement);
  const viewport = (
    <Toast.Viewport
      className={cx(
        'pointer-events-none fixed right-0 z-60 flex w-[min(100vw,400px)] flex-col gap-2 p-4 outline-none max-md:p-2',
        fullScreen ? 'top-0' : 'max-md:top-0 md:bottom-0',
      )}
    />
  );
  return (
    <Toast.Provider label="News">
      {messages.map((message) => (
        <ToastItem key={message.id} message={message} />
      ))}
      {fullScreen ? createPortal(viewport, fullScreen) : viewport}
    </Toast.Provider>
  );
}

function onFullScreen(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener);
  return () => document.removeEventListener('fullscreenchange', listener);
}

function ToastItem({ message }: { message: ToastMessage }) {
  const actions = [message.action, message.otherAction].filter((action) => action !== null);
  return (
    <Toast.Root
      duration={message.durationMs}
      onOpenChange={(open) => {
        if (open) return;
        remove(message);
        message.onGone?.();
      }}
      className="pointer-events-auto flex animate-rise items-center gap-3 rounded-xl border border-line-strong bg-panel py-2.5 pr-2 pl-4 shadow-lift"
    >
      <Toast.Description className="min-w-0 flex-1 wrap-anywhere text-[13px] leading-5">{message.text}</Toast.Description>
      {actions.map((action) => (
        <Toast.Action key={action.label} asChild altText={action.label}>
          <Button
            size="sm"
            onClick={(event) => {
              // Radix would close it, which is what tells that nobody took the action.
              event.preventDefault();
              remove(message);
              action.run();
            }}
          >
            {action.label}
          </Button>
        </Toast.Action>
      ))}
      <Toast.Close asChild>
        <IconButton label="Dismiss" className="size-7">
          <X className="size-4" />
        </IconButton>
      </Toast.Close>
    </Toast.Root>
  );
}
