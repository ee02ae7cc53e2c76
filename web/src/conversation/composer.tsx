import { useMutation } from '@tanstack/react-query';
import { ArrowUp, Paperclip } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { PlanDraft } from '../../../server/contract/film.ts';
import type { Approval } from '../../../server/contract/project.ts';
import { api } from '../api/client.ts';
import { hasFaults } from '../plan/faults.ts';
import { usePlanEditor, usePlanEdits } from '../plan/plan-context.ts';
import { editedDraft } from '../plan/plan-editor.ts';
import { useProject, useView } from '../project/context.ts';
import { onInsertion, withoutSent, withWords } from '../project/draft.ts';
import { texts } from '../texts.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { FileDrop, FilePicker, useNoStrayDrops } from '../uploads/file-drop.tsx';
import { onPasteFiles } from '../uploads/pasted-files.ts';
import { useUploads } from '../uploads/upload.ts';
import { acceptedFiles } from '../uploads/upload-check.ts';
import { UploadRows } from '../uploads/upload-rows.tsx';
import { maxCharacters, recall } from './composer-text.ts';
import { useDraft } from './use-draft.ts';

interface Words {
  readonly text: string;
  /** What waits for them; null = nothing, they are a message. */
  readonly gate: Approval['type'] | null;
  /** The plan as the user edited it, which goes along with a wish about it; null = it was not edited. */
  readonly edited: PlanDraft | null;
}

/** Words go to whatever waits for them: the question, the plan, the preview; else they are a message. */
function say(projectId: string, { text, gate, edited }: Words): Promise<unknown> {
  switch (gate) {
    case 'question':
      return api.answer(projectId, { text });
    case 'plan':
      return api.decidePlan(projectId, { action: 'changes', feedback: text, ...(edited && { plan: edited }) });
    case 'preview':
      return api.decidePreview(projectId, { action: 'feedback', feedback: text });
    case null:
      return api.sendMessage(projectId, text);
  }
}

export function Composer({ focusRequest }: { focusRequest: number }) {
  const { projectId, handle } = useProject();
  const planEditor = usePlanEditor();
  const { queue, items } = useUploads();
  const gate = useView((view) => view.approval?.type ?? null);
  const phase = useView((view) => view.project.phase);
  const messages = useView((view) => view.messages);
  const [text, setText] = useDraft(projectId);
  const textbox = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const sending = useMutation({
    mutationFn: (text: string) => {
      const edited = editedDraft(planEditor.store.getState());
      planEditor.send(gate === 'plan' ? edited : null);
      return say(projectId, { text, gate, edited });
    },
    onError: () => planEditor.send(null),
    onSuccess: (_, words) => setText((old) => withoutSent(old, words)),
  });
  const [arrived, setArrived] = useState('');
  const heldCaret = useRef<readonly [number, number] | null>(null);
  useNoStrayDrops();
  // The message box is always there, so here is where uploads of every view arrive.
  useEffect(
    () =>
      queue.listen((asset, origin) => {
        handle.addAsset(asset);
        setArrived(texts.assets.added(asset.name));
        if (origin !== 'message') return;
        const box = textbox.current;
        const isWriting = box !== null && document.activeElement === box && box.selectionStart < box.value.length;
        heldCaret.current = isWriting ? [box.selectionStart, box.selectionEnd] : null;
        setText((old) => withWords(old, asset.name));
      }),
    [queue, handle, setText],
  );
  // Words that are added behind the text leave a writer's cursor where it is; the browser moves it to the end.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the browser moves it whenever the text is another.
  useLayoutEffect(() => {
    if (heldCaret.current) textbox.current?.setSelectionRange(...heldCaret.current);
    heldCaret.current = null;
  }, [text]);
  useEffect(
    () =>
      onInsertion((words) => {
        setText((old) => withWords(old, words));
        textbox.current?.focus();
      }),
    [setText],
  );
  useEffect(() => {
    if (focusRequest > 0) textbox.current?.focus();
  }, [focusRequest]);

  const limit = maxCharacters(gate);
  const tooLong = text.trim().length > limit;
  const problemId = useId();
  // Edits that cannot be made like this cannot go along, and to leave them behind would surprise.
  const unmended = usePlanEdits(hasFaults) && gate === 'plan' && text.trim() !== '';
  const problem = tooLong ? texts.composer.tooLong(text.trim().length, limit) : unmended ? texts.composer.unmended : null;
  const ready = text.trim() !== '' && problem === null && !sending.isPending;
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (ready) sending.mutate(text.trim());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') textbox.current?.blur();
    const direction = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : null;
    if (direction !== null) {
      const said = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
      const recalled = recall(said, text, direction);
      if (recalled === null) return;
      event.preventDefault();
      setText(recalled);
    }
    // Enter alone sends, as in every chat; a new line is Shift + Enter. While letters are composed, Enter belongs to the input method.
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
        className="flex items-end gap-1 rounded-2xl border border-line-strong bg-panel p-1.5 transition-colors focus-within:border-ink-3"
      >
        <FilePicker ref={picker} accept={acceptedFiles} onFiles={attach} />
        <IconButton label={texts.composer.attach} onClick={() => picker.current?.click()}>
          <Paperclip className="size-4" />
        </IconButton>
        <textarea
          ref={textbox}
          rows={1}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={(event) => onPasteFiles(event, attach)}
          aria-label={texts.composer.label}
          aria-invalid={tooLong}
          aria-describedby={problem === null ? undefined : problemId}
          placeholder={texts.composer.hints[phase]}
          className="field-sizing-content max-h-48 min-h-8 min-w-0 flex-1 resize-none bg-transparent px-1 py-1.5 leading-5 outline-none placeholder:text-ink-3"
        />
        <Button
          variant="primary"
          type="submit"
          disabled={!ready}
          aria-label={texts.composer.send}
          title={texts.composer.send}
          size="sm"
          className="w-8 px-0"
        >
          {sending.isPending ? <Spinner /> : <ArrowUp aria-hidden="true" className="size-4" />}
        </Button>
      </FileDrop>
    </form>
  );
}
