import { useMutation } from '@tanstack/react-query';
import { ArrowUp, Paperclip, X } from 'lucide-react';
import {
  type Dispatch,
  type FormEvent,
  type KeyboardEvent,
  type SetStateAction,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { type Approval, maxPromptCharacters, type Phase } from '#contract/project.ts';
import { api } from '../api/client.ts';
import { browserStorage, projectTextName } from '../browser-storage.ts';
import { messagePrefix, useKindPage } from '../kind-page.ts';
import { useProject, useView } from '../project/context.ts';
import { appendText, onInsertion, withoutSent } from '../project/workbench.ts';
import { Button, ErrorNotice, IconButton, Spinner } from '../ui/elements.tsx';
import { FileDrop, FilePicker, onPasteFiles, useNoStrayDrops } from '../uploads/file-input.tsx';
import { acceptedFiles, useUploads } from '../uploads/upload.ts';
import { UploadRows } from '../uploads/upload-rows.tsx';
import { MessageMarks } from './message-marks.tsx';

const maxAnswerCharacters = 2000;

/** Returns the maximum length, in characters, of a reply to this approval. Pass `null` for a plain message. */
export function maxCharacters(approval: Approval['type'] | null): number {
  return approval === 'question' || approval === 'permission' ? maxAnswerCharacters : maxPromptCharacters;
}

const recallDirections = new Map<string, -1 | 1>([
  ['ArrowUp', -1],
  ['ArrowDown', 1],
]);

/**
 * Returns the previous (`-1`) or next (`1`) of the user's messages in `sent`, oldest first. Returns `null` if the box contains
 * other text, in which the arrow key moves the caret.
 */
export function recall(sent: readonly string[], text: string, direction: -1 | 1): string | null {
  const at = text === '' ? sent.length : sent.lastIndexOf(text);
  if (at === -1 || (text === '' && direction === 1)) return null;
  const next = at + direction;
  if (next < 0) return null;
  return sent[next] ?? '';
}

/** Returns the unsent text, which survives a reload. */
function useDraft(projectId: string): [string, Dispatch<SetStateAction<string>>] {
  const name = projectTextName('message', projectId);
  const [text, setText] = useState(() => browserStorage.read(name) ?? '');
  useEffect(() => browserStorage.write(name, text === '' ? null : text), [name, text]);
  return [text, setText];
}

const hints: Record<Exclude<Phase, 'idle'>, string> = {
  question: 'Answer in your own words…',
  plan: 'What should change in the plan?',
  executing: 'Anything for the next step?',
  preview: 'What should be different?',
  complete: 'Describe a change…',
  conversation: 'Write a message…',
  error: 'Say what to do instead…',
};

interface OutgoingText {
  readonly text: string;
  /** The approval that the text replies to; `null` for a plain message. */
  readonly approval: Approval['type'] | null;
}

/** Sends text as the reply to a pending question, plan or preview, or otherwise as a plain message. */
export function sendText(projectId: string, { text, approval }: OutgoingText): Promise<unknown> {
  switch (approval) {
    case 'question':
    case 'permission':
      return api.answer(projectId, { text });
    case 'plan':
      return api.decidePlan(projectId, { action: 'changes', feedback: text });
    case 'preview':
      return api.decidePreview(projectId, { action: 'feedback', feedback: text });
    case null:
      return api.sendMessage(projectId, text);
  }
}

export function Composer({ focusRequest }: { focusRequest: number }) {
  const { projectId, handle } = useProject();
  const { useMessageAddition, ideaHint } = useKindPage();
  const { queue, items } = useUploads();
  const approval = useView((view) => view.approval?.type ?? null);
  const phase = useView((view) => view.project.phase);
  // A question can be open in any phase.
  const shownPhase = approval === 'question' ? 'question' : phase;
  const messages = useView((view) => view.messages);
  const [text, setText] = useDraft(projectId);
  const addition = useMessageAddition(text);
  const { about } = addition;
  const prefix = about === null ? '' : messagePrefix(about.label);
  const textbox = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const sending = useMutation({
    mutationFn: async (text: string) => {
      await addition.prepare();
      return await sendText(projectId, { text: `${prefix}${text}`, approval });
    },
    onSuccess: (_, words) => setText((old) => withoutSent(old, words)),
  });
  const [arrived, setArrived] = useState('');
  const heldCaret = useRef<readonly [number, number] | null>(null);
  useNoStrayDrops();
  // The message box is always mounted, so it receives uploads from every view.
  useEffect(
    () =>
      queue.listen((asset, origin) => {
        handle.addAsset(asset);
        setArrived(`${asset.name} is added.`);
        if (origin !== 'message') return;
        const box = textbox.current;
        const isWriting = box !== null && document.activeElement === box && box.selectionStart < box.value.length;
        heldCaret.current = isWriting ? [box.selectionStart, box.selectionEnd] : null;
        setText((old) => appendText(old, asset.name));
      }),
    [queue, handle, setText],
  );
  // Appending words must not move the cursor, which the browser would move to the end.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the browser moves it whenever the text is another.
  useLayoutEffect(() => {
    if (heldCaret.current) textbox.current?.setSelectionRange(...heldCaret.current);
    heldCaret.current = null;
  }, [text]);
  useEffect(
    () =>
      onInsertion((words) => {
        setText((old) => appendText(old, words));
        textbox.current?.focus();
      }),
    [setText],
  );
  useEffect(() => {
    if (focusRequest > 0) textbox.current?.focus();
  }, [focusRequest]);

  const limit = maxCharacters(approval);
  const characters = prefix.length + text.trim().length;
  const tooLong = characters > limit;
  const problemId = useId();
  let problem: string | null = null;
  if (tooLong)
    problem = `The message has ${characters.toLocaleString('en')} of ${limit.toLocaleString('en')} characters. Shorten it to send it.`;
  else if (text.trim() !== '') problem = addition.problem;
  const ready = text.trim() !== '' && problem === null && !sending.isPending;
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (ready) sending.mutate(text.trim());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') textbox.current?.blur();
    const direction = recallDirections.get(event.key);
    if (direction !== undefined) {
      const sent = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
      const recalled = recall(sent, text, direction);
      if (recalled === null) return;
      event.preventDefault();
      setText(recalled);
    }
    // Enter sends and Shift+Enter starts a new line, as in other chats. During composition, Enter belongs to the input
    // method.
    const sends = event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing;
    if (!sends) return;
    event.preventDefault();
    submit();
  };
  const attach = (files: File[]) => queue.add(files, 'message');
  return (
    <form onSubmit={submit} className="flex flex-col gap-2">
      {problem !== null && (
        <p id={problemId} role="status" className="text-bad text-xs">
          {problem}
        </p>
      )}
      {sending.isError && <ErrorNotice error={sending.error} onDismiss={() => sending.reset()} />}
      <UploadRows items={items.filter(({ origin }) => origin === 'message')} queue={queue} className="max-h-40 overflow-y-auto" />
      <p role="status" className="sr-only">
        {arrived}
      </p>
      <FileDrop
        onFiles={attach}
        className="flex flex-wrap items-end gap-1 rounded-2xl border border-line-strong bg-panel p-1.5 transition-colors focus-within:border-ink-3"
      >
        {about !== null && (
          <span className="flex w-full">
            <span className="flex h-6.5 items-center rounded-full border border-line-strong pl-2.5 text-xs">
              {about.label}
              <IconButton icon={X} label={about.clearLabel} onClick={about.clear} className="size-6.5 [&_svg]:size-3" />
            </span>
          </span>
        )}
        <FilePicker ref={picker} accept={acceptedFiles} onFiles={attach} />
        <IconButton icon={Paperclip} label="Add files" onClick={() => picker.current?.click()} />
        <div className="isolate grid max-h-48 min-w-0 flex-1 overflow-y-auto">
          <MessageMarks text={text} marks={addition.marks} />
          <textarea
            ref={textbox}
            rows={1}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={onKeyDown}
            onPaste={(event) => onPasteFiles(event, attach)}
            aria-label="Message"
            aria-invalid={tooLong}
            aria-describedby={problem === null ? undefined : problemId}
            placeholder={shownPhase === 'idle' ? ideaHint : hints[shownPhase]}
            className="field-sizing-content min-h-8 min-w-0 resize-none overflow-hidden bg-transparent px-1 py-1.5 leading-5 outline-none [grid-area:1/1] placeholder:text-ink-3"
          />
        </div>
        <Button variant="primary" type="submit" disabled={!ready} aria-label="Send" title="Send" size="sm" className="w-8 px-0">
          {sending.isPending ? <Spinner /> : <ArrowUp className="size-4" />}
        </Button>
      </FileDrop>
      {addition.effect}
    </form>
  );
}
