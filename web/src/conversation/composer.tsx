import { useMutation } from '@tanstack/react-query';
import { ArrowUp, Paperclip } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef } from 'react';
import type { Approval } from '../../../server/contract/project.ts';
import { api } from '../api/client.ts';
import { useProject, useView } from '../project/context.ts';
import { texts } from '../texts.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { maxCharacters, recall } from './composer-text.ts';
import { useDraft } from './use-draft.ts';

/** Words go to whatever waits for them: the question, the plan, the preview; else they are a message. */
function say(projectId: string, gate: Approval['type'] | null, text: string): Promise<void> {
  switch (gate) {
    case 'question':
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
  const gate = useView((view) => view.approval?.type ?? null);
  const phase = useView((view) => view.project.phase);
  const messages = useView((view) => view.messages);
  const [text, setText] = useDraft(projectId);
  const textbox = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const sending = useMutation({
    mutationFn: (words: string) => say(projectId, gate, words),
    onSuccess: () => setText(''),
  });
  const uploading = useMutation({
    mutationFn: async (files: readonly File[]) => {
      for (const file of files) {
        const asset = await api.uploadAsset(projectId, file);
        handle.addAsset(asset);
        setText((old) => `${old}${old === '' || old.endsWith(' ') ? '' : ' '}${asset.name} `);
      }
      textbox.current?.focus();
    },
  });
  useEffect(() => {
    if (focusRequest > 0) textbox.current?.focus();
  }, [focusRequest]);

  const limit = maxCharacters(gate);
  const tooLong = text.trim().length > limit;
  const limitId = useId();
  const ready = text.trim() !== '' && !tooLong && !sending.isPending;
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
  const failed = sending.isError ? sending : uploading.isError ? uploading : null;
  return (
    <form onSubmit={submit} className="flex flex-col gap-2">
      {tooLong && (
        <p id={limitId} role="status" className="text-bad text-xs">
          {texts.home.tooLong(text.trim().length, limit)}
        </p>
      )}
      {failed && <ErrorNotice error={failed.error} onDismiss={() => failed.reset()} />}
      <div className="flex items-end gap-1 rounded-2xl border border-line-strong bg-panel p-1.5 transition-colors focus-within:border-ink-3">
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          accept="image/*,audio/*,.ttf,.otf,.woff,.woff2"
          onChange={(event) => {
            uploading.mutate([...(event.target.files ?? [])]);
            event.target.value = '';
          }}
        />
        <IconButton label={texts.composer.attach} disabled={uploading.isPending} onClick={() => picker.current?.click()}>
          {uploading.isPending ? <Spinner /> : <Paperclip className="size-4" />}
        </IconButton>
        <textarea
          ref={textbox}
          rows={1}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={(event) => event.clipboardData.files.length > 0 && uploading.mutate([...event.clipboardData.files])}
          aria-label={texts.composer.label}
          aria-invalid={tooLong}
          aria-describedby={tooLong ? limitId : undefined}
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
      </div>
    </form>
  );
}
