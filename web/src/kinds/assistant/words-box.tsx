import { useMutation } from '@tanstack/react-query';
import { ArrowUp } from 'lucide-react';
import { type KeyboardEvent, type Ref, useEffect, useState } from 'react';
import type { Approval } from '#contract/project.ts';
import { browserStorage, projectTextName } from '../../browser-storage.ts';
import { maxCharacters, sendText } from '../../conversation/composer.tsx';
import { useProject, useView } from '../../project/context.ts';
import { Button, ErrorNotice, Spinner } from '../../ui/elements.tsx';
import { FileDrop, onPasteFiles, useNoStrayDrops } from '../../uploads/file-input.tsx';
import { AttachButton, AttachedFiles, dropHint, useAttached } from './attached-files.tsx';
import { noteAct } from './person-acts.ts';
import { ConversationTools } from './tool-choice.tsx';

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
  const most = maxCharacters(approval);
  const [text, setText] = useState(() => browserStorage.read(name) ?? '');
  useEffect(() => browserStorage.write(name, text === '' ? null : text), [name, text]);
  const attached = useAttached({ keptAs: projectTextName('files', projectId), words: text, maxCharacters: most });
  useNoStrayDrops();
  const sending = useMutation({
    mutationFn: (content: string) => {
      noteAct(projectId);
      return sendText(projectId, { text: content, approval });
    },
    onSuccess() {
      setText('');
      attached.clear();
    },
  });
  const isReady = text.trim() !== '' && !attached.isTooLong && !sending.isPending;
  const send = () => isReady && sending.mutate(attached.content);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <div className="flex flex-col gap-2">
      {sending.isError && <ErrorNotice error={sending.error} onDismiss={() => sending.reset()} />}
      <FileDrop
        onFiles={attached.add}
        hint={dropHint}
        className="flex flex-wrap items-end gap-1 rounded-[14px] border border-line-strong bg-panel p-1.5 focus-within:border-ink-3"
      >
        <AttachedFiles attached={attached} className="px-1 pt-1 pb-1" />
        <AttachButton attached={attached} />
        <textarea
          ref={ref}
          rows={1}
          value={text}
          maxLength={most}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={(event) => onPasteFiles(event, attached.add)}
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
          className="w-8 px-0 max-pane:size-11 max-pane:flex-none!"
        >
          {sending.isPending ? <Spinner /> : <ArrowUp className="size-4" />}
        </Button>
      </FileDrop>
      <div className="flex items-center pl-1.5">
        <ConversationTools />
      </div>
    </div>
  );
}
