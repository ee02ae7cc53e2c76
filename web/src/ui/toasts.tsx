import { X } from 'lucide-react';
import { Toast } from 'radix-ui';
import { createPortal } from 'react-dom';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { toApiError } from '../api/client.ts';
import { Button, cx, IconButton } from './elements.tsx';
import { useFullScreenElement } from './hooks.ts';

interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

interface ToastMessage {
  readonly id: number;
  readonly text: string;
  readonly action: ToastAction | null;
  readonly otherAction: ToastAction | null;
  readonly durationMs: number;
  /** Called when the toast expires or is dismissed, but not after its action. */
  readonly onClosed: (() => void) | null;
}

const shown = createStore<{ readonly messages: readonly ToastMessage[] }>(() => ({ messages: [] }));
let count = 0;

/** Shows a toast. Returns a function that removes it, for example because a newer one replaces it. */
export function toast(
  text: string,
  options: Partial<Pick<ToastMessage, 'action' | 'otherAction' | 'durationMs' | 'onClosed'>> = {},
): () => void {
  // A toast that offers something stays until people have read it and reached its button.
  const durationMs = options.action ? 10_000 : 6000;
  const message = { id: ++count, text, action: null, otherAction: null, durationMs, onClosed: null, ...options };
  shown.setState(({ messages }) => ({ messages: [...messages, message] }));
  return () => remove(message);
}

function remove({ id }: ToastMessage): void {
  shown.setState(({ messages }) => ({ messages: messages.filter((message) => message.id !== id) }));
}

/** Container for toasts; mount once. On phones and in full screen it is at the top, because controls are at the bottom. */
export function Toasts() {
  const messages = useStore(shown, (state) => state.messages);
  // In full screen, only descendants of the full-screen element are visible.
  const fullScreen = useFullScreenElement();
  const viewport = (
    <Toast.Viewport
      className={cx(
        'pointer-events-none fixed right-0 z-60 flex w-[min(100vw,400px)] flex-col gap-2 p-4 outline-none max-md:p-2',
        fullScreen ? 'top-0' : 'max-md:top-0 md:bottom-0',
      )}
    />
  );
  return (
    <Toast.Provider label="Notifications">
      {messages.map((message) => (
        <ToastItem key={message.id} message={message} />
      ))}
      {fullScreen ? createPortal(viewport, fullScreen) : viewport}
    </Toast.Provider>
  );
}

function ToastItem({ message }: { message: ToastMessage }) {
  const actions = [message.action, message.otherAction].filter((action) => action !== null);
  return (
    <Toast.Root
      duration={message.durationMs}
      onOpenChange={(open) => {
        if (open) return;
        remove(message);
        message.onClosed?.();
      }}
      className="pointer-events-auto flex animate-rise items-center gap-3 rounded-xl border border-line-strong bg-panel py-2.5 pr-2 pl-4 shadow-lift"
    >
      <Toast.Description className="min-w-0 flex-1 wrap-anywhere text-[13px] leading-5">{message.text}</Toast.Description>
      {actions.map((action) => (
        <Toast.Action key={action.label} asChild altText={action.label}>
          <Button
            size="sm"
            onClick={(event) => {
              // Closing the toast here would count as a dismissal.
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
        <IconButton icon={X} label="Dismiss" className="size-7" />
      </Toast.Close>
    </Toast.Root>
  );
}

interface Deletion {
  readonly name: string;
  /** Deletes the item on the server. `leaving`: the page is closing, and the request must outlive it. */
  readonly run: (options: { leaving: boolean }) => Promise<unknown>;
  /** Called when the server has deleted the item. */
  readonly onDeleted: () => void;
}

/** Items by id that are hidden but not deleted on the server yet. */
const pending = createStore<{ readonly deletions: ReadonlyMap<string, Deletion> }>(() => ({ deletions: new Map() }));

const show = (id: string) =>
  pending.setState(({ deletions }) => ({ deletions: new Map([...deletions].filter(([other]) => other !== id)) }));

/** Returns the ids of items that are hidden because the user has just deleted them. */
export const usePendingDeletes = () => useStore(pending, ({ deletions }) => deletions);

/** Hides an item immediately. Deletes it when the undo offer expires or the user leaves the page. */
export function deleteWithUndo(id: string, deletion: Deletion): void {
  const { name, run, onDeleted } = deletion;
  pending.setState(({ deletions }) => ({ deletions: new Map(deletions).set(id, deletion) }));
  window.addEventListener('pagehide', deleteAll);
  const finish = async () => {
    if (!pending.getState().deletions.has(id)) return;
    try {
      await run({ leaving: false });
      onDeleted();
    } catch (error) {
      const { code, message } = toApiError(error);
      // Another tab may already have deleted it.
      if (code === 'NOT_FOUND') onDeleted();
      else toast(`${name} was not deleted: ${message}`);
    }
    show(id);
  };
  toast(`${name} was deleted.`, { action: { label: 'Undo', run: () => show(id) }, onClosed: () => void finish() });
}

/** A closing page cannot offer an undo. */
function deleteAll(): void {
  for (const [id, { run }] of pending.getState().deletions) {
    run({ leaving: true }).catch(() => undefined);
    show(id);
  }
}
