import { useMutation } from '@tanstack/react-query';
import { ArrowUp } from 'lucide-react';
import { type KeyboardEvent, type Ref, useEffect, useState } from 'react';
import type { Approval } from '#contract/project.ts';
import { browserStorage, projectTextName } from '../../browser-storage.ts';
import { maxCharacters, sendText } from '../../conversation/composer.tsx';
import { useProject, useView } from '../../project/context.ts';
import { Button, ErrorNotice, Spinner } from '../../ui/elements.tsx';
import { noteAct } from './person-acts.ts';

const placeholders: Readonly<Record<Approval['type'], string>> = {
  question: 'Answer in words, or use the form',
  permission: 'Say what to do instead',
  plan: 'Say what to do instead',
  preview: 'Say what to do instead',
};

/** Says a form's answer, or the next request, in words. */
export function WordsBox({ ref }: { ref: Ref<HTMLTextAreaElement> }) {
  const { projectId } = useProject();
  const approval = useView((view) => view.approval?.type ?? null);
  const name = projectTextName('message', projectId);
  const [text, setText] = useState(() => browserStorage.read(name) ?? '');
  useEffect(() => browserStorage.write(name, text === '' ? null : text), [name, text]);
  const sending = useMutation({
    mutationFn: (words: string) => {
      noteAct(projectId);
      return sendText(projectId, { text: words, approval });
    },
    onSuccess: () => setText(''),
  });
  const isReady = text.trim() !== '' && !sending.isPending;
  const send = () => isReady && sending.mutate(text.trim());
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <div className="flex flex-col gap-2">
      {sending.isError && <ErrorNotice error={sending.error} onDismiss={() => sending.reset()} />}
      <div className="flex items-end gap-2 rounded-[14px] border border-line-strong bg-panel p-1.5 pl-3 focus-within:border-ink-3">
        <textarea
          ref={ref}
          rows={1}
          value={text}
          maxLength={maxCharacters(approval)}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          aria-label="Answer in words"
          placeholder={approval === null ? 'Ask for a change' : placeholders[approval]}
          className="field-sizing-content max-h-40 min-h-8 min-w-0 flex-1 resize-none bg-transparent py-1.5 leading-5 outline-none placeholder:text-ink-3 max-pane:min-h-11 max-pane:py-3 max-pane:text-base"
        />
        <Button
          variant="primary"
          size="sm"
          disabled={!isReady}
          onClick={send}
          aria-label="Send"
          title="Send"
          className="w-8 px-0 max-pane:size-11"
        >
          {sending.isPending ? <Spinner /> : <ArrowUp className="size-4" />}
        </Button>
      </div>
    </div>
  );
}
