import { type ClipboardEvent, type RefObject, useState } from 'react';
import { flushSync } from 'react-dom';
import type { FormatInfo } from '#kinds/film/contract/format-list.ts';
import { describePaste } from '../../../../home/paste.ts';
import type { Idea } from '../../../../home/start-project.ts';
import { toast } from '../../../../ui/toasts.tsx';
import { type Draft, ideaOf, shortened } from '../idea.ts';
import { exampleOf, isExample, textExamples } from '../request-text.ts';
import { noCorrections } from './corrections.ts';

/** Text with more lines than these, unless they were typed, is drawn with less space between them. */
const airyLines = 12;
const isLongText = (text: string) => text.split('\n').length > airyLines;

interface UseDraftActionsOptions {
  readonly draft: Draft;
  readonly change: (part: Partial<Draft>) => void;
  readonly textbox: RefObject<HTMLTextAreaElement | null>;
  /** Called when the text changes at once, so that it is read without waiting for a pause in typing. */
  readonly onReplaced: () => void;
  readonly canStart: boolean;
  /** Called when rows were pasted, which other kinds of projects could use too. */
  readonly onRows: (text: string) => void;
  readonly onStart: (idea: Idea) => void;
}

/** Everything that changes the text other than typing: pastes, examples, formats. All can be undone. */
export function useDraftActions({ draft, change, textbox, onReplaced, canStart, onRows, onStart }: UseDraftActionsOptions) {
  const [isLong, setIsLong] = useState(() => isLongText(draft.prompt));
  const [news, setNews] = useState('');
  const changeWithUndo = (part: Partial<Draft>, said: string) => {
    const before = draft;
    change(part);
    textbox.current?.focus();
    toast(said, { action: { label: 'Undo', run: () => change(before) } });
  };
  /** Changes the draft and selects the text, so that typing replaces it. */
  const fill = (part: Partial<Draft>) => {
    const before = draft;
    onReplaced();
    setIsLong(isLongText(part.prompt ?? draft.prompt));
    const { corrections, choices, order } = noCorrections;
    const own = { corrections: [...corrections], choices: [...choices], order: [...order] };
    flushSync(() => change(part.prompt === undefined ? part : { ...part, ...own }));
    textbox.current?.focus();
    textbox.current?.select();
    if (part.prompt !== undefined && before.prompt.trim() !== '' && !isExample(before.prompt))
      toast('Your text was replaced by the example.', { action: { label: 'Undo', run: () => change(before) } });
  };
  const selectFormat = ({ id, title }: FormatInfo) => {
    const format = { id, title };
    const example = exampleOf(id);
    // The user has pasted content for this format, so the example must not replace it.
    const keepsText = example === '' || draft.pasted.length > 0;
    fill(keepsText ? { format } : { format, prompt: example });
  };
  return {
    isLong,
    /** What a screen reader is told after a paste. */
    news,
    selectFormat,
    type(prompt: string) {
      if (prompt.trim() === '') setIsLong(false);
      change({ prompt });
    },
    fillExample: (name: keyof typeof textExamples) => fill({ prompt: textExamples[name], format: null }),
    startFormat(info: FormatInfo) {
      const prompt = exampleOf(info.id);
      const own = { ...draft, prompt, pasted: [], format: info, corrections: [], choices: [], order: [] };
      const example = ideaOf(own) ?? ideaOf({ ...own, duration: 'auto' });
      if (prompt === '' || example === null || !canStart) selectFormat(info);
      else onStart(example);
    },
    paste(event: ClipboardEvent<HTMLTextAreaElement>) {
      const text = event.clipboardData.getData('text/plain');
      const info = describePaste(text);
      const { value, selectionStart, selectionEnd } = event.currentTarget;
      onReplaced();
      if (info === null) {
        setIsLong(isLongText(value + text));
        return;
      }
      event.preventDefault();
      change({ prompt: value.slice(0, selectionStart) + value.slice(selectionEnd), pasted: [...draft.pasted, text] });
      setNews(info.label);
      if (info.kind === 'table' || info.kind === 'checklist') onRows(text);
    },
    removePaste: (at: number) =>
      changeWithUndo({ pasted: draft.pasted.filter((_, index) => index !== at) }, 'The pasted content was removed.'),
    showAsText(at: number) {
      const prompt = [draft.prompt.trimEnd(), draft.pasted[at]?.trimEnd() ?? ''].filter(Boolean).join('\n\n');
      setIsLong(isLongText(prompt));
      change({ prompt, pasted: draft.pasted.filter((_, index) => index !== at) });
      textbox.current?.focus();
    },
    removeFormat() {
      change({ format: null });
      textbox.current?.focus();
    },
    removeEnd: () => changeWithUndo(shortened(draft), 'The end of your text was removed.'),
  };
}
