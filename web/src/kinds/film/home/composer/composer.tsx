import { type FormEvent, type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { maxPromptCharacters } from '#contract/project.ts';
import { AttachmentList } from '../../../../home/attachment-list.tsx';
import { startNotice, useHealth } from '../../../../home/health-line.tsx';
import type { StartProps } from '../../../../home/start-props.ts';
import { cx } from '../../../../ui/elements.tsx';
import { useIsPhone, useSettled } from '../../../../ui/hooks.ts';
import { FilePicker } from '../../../../uploads/file-input.tsx';
import { acceptedFiles } from '../../../../uploads/upload.ts';
import { useFormats } from '../../editor/formats.tsx';
import { DropSheet } from '../drop-sheet.tsx';
import { FormatGallery } from '../format-gallery.tsx';
import { ideaOf, useDraft } from '../idea.ts';
import { Problems } from '../problems.tsx';
import { requestText } from '../request-text.ts';
import './composer.css';
import { BoxFooter, CreateButton } from './box-footer.tsx';
import { ExampleCards } from './example-cards.tsx';
import { FilmBelow, ReadingFailed } from './film-below.tsx';
import { hintOf } from './hint.ts';
import { LookChips } from './look-chips.tsx';
import { Legend } from './mark-layer.tsx';
import { Notice } from './notice.tsx';
import { PhoneBar } from './phone-bar.tsx';
import { describeReading } from './rows.ts';
import { TextField } from './text-field.tsx';
import { TextPane } from './text-pane.tsx';
import { useCorrections } from './use-corrections.ts';
import { useCreate } from './use-create.ts';
import { useDraftActions } from './use-draft-actions.ts';
import { sceneIn, useReadDraft } from './use-read-draft.ts';
import { useStarting } from './use-starting.ts';
import { useWords } from './use-words.ts';
import { OpenedWords, ReadingPane, ReadingSheet } from './words-layer.tsx';

const placeholders = {
  empty: 'Type or paste here, and watch how Koda reads it.',
  pasted: 'What should the film say about it?',
};

/** Starts a film from a text whose reading and film are shown while it is typed. */
export function Composer({ rows: galleryRows, handedOver, onTaken, onRows }: StartProps) {
  const { draft, change, addPaste, removePaste, clear } = useDraft();
  const take = useEffectEvent((rows: string) => {
    addPaste(rows);
    onTaken();
  });
  useEffect(() => {
    if (handedOver !== null) take(handedOver);
  }, [handedOver]);
  const starting = useStarting(clear);
  const { attached, busy } = starting;
  const isPhone = useIsPhone();
  const formats = useFormats();
  const titleOf = (id: string) => formats.find((info) => info.id === id)?.title ?? id;
  const textbox = useRef<HTMLTextAreaElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const noFormat = useRef<HTMLElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const hintId = useId();
  const statusId = useId();
  const notice = startNotice(useHealth());
  const block = notice?.block ?? null;
  const [isComposing, setIsComposing] = useState(false);
  const [isListOpen, setIsListOpen] = useState(false);

  const read = useReadDraft(draft, isComposing);
  const { reading, seen, hasFailed, isStopped } = read;
  const edit = useCorrections({ draft, onChange: change, isRead: read.isRead, scenes: seen?.scenes.length ?? 0 });
  const text = requestText(draft);
  const formatOfScene = (scene: number) => titleOf(sceneIn(seen, scene)?.scene.format ?? '');
  const places = { box, layer, textbox, list };
  const words = useWords({ reading, of: read.of, text, typed: draft.prompt, edit, formatOfScene, isPhone, ...places });

  const idea = ideaOf(draft);
  const isTooLong = text.length > maxPromptCharacters;
  const obstacles = [idea === null, text === '', isTooLong, busy, block !== null, isStopped, hasFailed];
  const isReady = !obstacles.includes(true);
  const create = useCreate({
    film: seen?.film ?? null,
    isCurrent: read.isCurrent,
    hasFailed,
    onCreate: (film) => {
      if (idea === null) return;
      starting.begin(film === null ? idea : { ...idea, hints: { film, corrections: draft.corrections } }, 'box');
    },
  });
  const actions = useDraftActions({
    ...{ draft, change, textbox, onReplaced: read.hurry, canStart: block === null },
    onRows: (pasted) => onRows(pasted, () => removePaste(pasted)),
    onStart: (example) => starting.begin(example, 'example'),
  });
  const summary = describeReading(words.rows, seen, read.isLengthChosen);
  const spoken = useSettled(read.isRead && !isComposing ? summary : '', 1000);

  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (isStopped) noFormat.current?.focus();
    if (isReady) create.press();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || !(event.metaKey || event.ctrlKey)) return;
    const key = event.key.toLowerCase();
    if (key === 'enter') {
      event.preventDefault();
      submit();
    } else if (key === 'z' && (event.shiftKey ? edit.redo() : edit.undo())) event.preventDefault();
  };
  const status = [busy && starting.progress, create.news, actions.news].find(Boolean);
  const attach = () => picker.current?.click();
  const chips = <LookChips draft={draft} seen={seen} chosen={reading?.chosen ?? []} onChange={change} />;
  const createButton = (
    <CreateButton
      label={create.label}
      pending={busy ? starting.progress : create.isWaiting && 'Reading…'}
      isReady={isReady}
      hintId={hintId}
      className={isPhone ? 'h-12! flex-4 text-base!' : ''}
    />
  );
  return (
    <>
      <form onSubmit={submit} onKeyDown={onKeyDown}>
        {starting.isDragging && <DropSheet />}
        <span role="status" className="sr-only">
          {status}
        </span>
        <span aria-live="polite" className="sr-only">
          {spoken}
        </span>
        <Notice notice={notice} />
        <div
          ref={box}
          className={cx(
            'relative rounded-2xl border bg-panel shadow-card transition-colors focus-within:border-ink-3 lg:grid lg:grid-cols-[minmax(0,1fr)_364px]',
            isTooLong ? 'border-bad!' : 'border-line-strong',
          )}
        >
          <TextPane
            draft={draft}
            count={text.length}
            scenesIn={words.scenesIn}
            onFocusText={words.focusText}
            onRemoveFormat={actions.removeFormat}
            onRemovePaste={actions.removePaste}
            onShowAsText={actions.showAsText}
            onRemoveEnd={actions.removeEnd}
            field={
              <TextField
                textbox={textbox}
                layer={layer}
                value={draft.prompt}
                offset={-words.spaces}
                spans={words.spans}
                lit={words.lit}
                isDense={actions.isLong || isPhone}
                isInvalid={isTooLong}
                placeholder={placeholders[draft.pasted.length === 0 ? 'empty' : 'pasted']}
                describedBy={`${statusId} ${hintId}`}
                formatOfScene={formatOfScene}
                onChange={actions.type}
                onPaste={actions.paste}
                onKeyDown={words.onKeyDown}
                onCompose={setIsComposing}
                onPoint={words.onPoint}
                onSelect={words.onSelect}
                onTap={words.onTap}
              />
            }
          >
            {attached.length > 0 && <AttachmentList attached={attached} onRemove={starting.remove} onRetry={starting.retry} />}
            <Legend rows={words.rows} />
          </TextPane>
          {!isPhone && (
            <div className="border-line max-lg:border-t lg:border-l">
              <ReadingPane words={words} edit={edit} list={list} />
            </div>
          )}
          <OpenedWords words={words} seen={seen} />
          <FilePicker ref={picker} accept={acceptedFiles} onFiles={starting.add} />
          <BoxFooter
            hint={{ id: hintId, ...hintOf({ count: text.length, block, isStopped, hasFailed, isChanged: create.isChanged }) }}
            isBusy={busy}
            isPhone={isPhone}
            chips={chips}
            createButton={createButton}
            onAttach={attach}
            onCancel={starting.cancel}
          />
        </div>
        <p id={statusId} className="sr-only">
          {summary}
        </p>
        <Problems refused={starting.refused} error={starting.error} attached={attached} onDismiss={starting.dismiss} />
        <ReadingFailed read={read} />
        {isPhone && <div className="-mx-4 mt-2.5 flex gap-2 overflow-x-auto px-4 pb-1">{chips}</div>}
        {text === '' && <ExampleCards disabled={busy} onUse={actions.fillExample} />}
        <FilmBelow {...{ read, words, edit, noFormat, isTooLong, titleOf }} hasFiles={attached.length > 0} />
        {isPhone && (
          <PhoneBar readings={words.rows.length} isBusy={busy} onAttach={attach} onReading={() => setIsListOpen(true)}>
            {createButton}
          </PhoneBar>
        )}
      </form>
      {isPhone && <ReadingSheet words={words} seen={seen} isListOpen={isListOpen} onClose={() => setIsListOpen(false)} />}
      <div className="mt-8">
        <FormatGallery rows={galleryRows} disabled={busy} onUse={actions.selectFormat} onStart={actions.startFormat} />
      </div>
    </>
  );
}
