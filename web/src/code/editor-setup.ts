import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { css } from '@codemirror/lang-css';
import { html } from '@codemirror/lang-html';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  rectangularSelection,
  ViewPlugin,
} from '@codemirror/view';
import { createStore } from 'zustand/vanilla';
import { followsEnd } from '../ui/hooks.ts';
import { editorTheme } from './editor-theme.ts';
import { type Language, languageOf } from './file-kind.ts';

/** Labels of the editor's own parts. */
const phrases = {
  next: 'Next',
  previous: 'Previous',
  all: 'All',
  'match case': 'Match case',
  regexp: 'Pattern',
  'by word': 'Whole word',
  replace: 'Replace',
  'replace all': 'Replace all',
  close: 'Close',
  go: 'Go',
  'Revert this chunk': 'Put back',
};

const languages: Readonly<Record<Language, () => Extension>> = {
  typescript: () => javascript({ jsx: true, typescript: true }),
  javascript: () => javascript({ jsx: true }),
  css: () => css(),
  html: () => html(),
  json: () => json(),
};

interface SetupOptions {
  readonly path: string;
  /** The name of the editor for screen readers. */
  readonly label: string;
  readonly onSave: () => void;
}

/** The setup of every code editor. */
export function editorSetup({ path, label, onSave }: SetupOptions): Extension {
  const language = languageOf(path);
  return [
    lineNumbers(),
    foldGutter({ openText: '⌄', closedText: '›' }),
    highlightSpecialChars(),
    history(),
    drawSelection(),
    dropCursor(),
    rectangularSelection(),
    EditorState.allowMultipleSelections.of(true),
    EditorState.tabSize.of(2),
    EditorState.phrases.of(phrases),
    indentUnit.of('  '),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    search({ top: true }),
    keymap.of([
      {
        key: 'Mod-s',
        preventDefault: true,
        run: () => {
          onSave();
          return true;
        },
      },
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      indentWithTab,
      ...defaultKeymap,
    ]),
    EditorView.contentAttributes.of({
      tabindex: '0',
      'aria-label': label,
      'aria-description': 'Press Escape, then Tab to leave the editor.',
    }),
    language === null ? [] : languages[language](),
    editorTheme,
  ];
}

/** A text that can be read, searched and copied, and not changed. */
export const readOnlyText: Extension = [
  EditorState.readOnly.of(true),
  // No keyboard on a touch screen: nothing can be typed.
  EditorView.contentAttributes.of({ 'aria-readonly': 'true', inputmode: 'none' }),
];

/** The button at a change in a comparison: it only restores the original. */
export function putBackButton(type: 'reject' | 'accept', action: (event: MouseEvent) => void): HTMLElement {
  if (type === 'accept') return document.createElement('span');
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Put back';
  // The press must not move the caret; clicks also come from the keyboard.
  button.addEventListener('mousedown', (event) => event.preventDefault());
  button.addEventListener('click', action);
  return button;
}

/** The same between two editors side by side, where CodeMirror listens for mousedown. */
export function putBackArrow(): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = '→';
  button.title = 'Put back';
  button.setAttribute('aria-label', 'Put back');
  button.addEventListener('click', ({ detail }) => {
    // The keyboard presses no mouse button.
    if (detail === 0) button.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true }));
  });
  return button;
}

/** Keeps the end of a growing text in sight until the reader scrolls up, and again from the end on. */
export function followEnd() {
  const following = createStore(() => ({ following: true }));
  let lastTop = 0;
  const toEnd = (view: EditorView) =>
    view.requestMeasure({
      key: following,
      read: ({ scrollDOM }) => scrollDOM.scrollHeight,
      write: (height, { scrollDOM }) => {
        scrollDOM.scrollTop = height;
      },
    });
  const onScroll = (scroller: HTMLElement) => {
    following.setState({ following: followsEnd(following.getState().following, scroller, lastTop) });
    lastTop = scroller.scrollTop;
  };
  const extension = ViewPlugin.define((view) => {
    const { scrollDOM } = view;
    const listener = () => onScroll(scrollDOM);
    scrollDOM.addEventListener('scroll', listener, { passive: true });
    return { destroy: () => scrollDOM.removeEventListener('scroll', listener) };
  });
  return {
    store: following,
    extension,
    /** After the text grew. */
    follow(view: EditorView) {
      if (following.getState().following) toEnd(view);
    },
    /** Goes to the end, and follows again. */
    resume(view: EditorView) {
      following.setState({ following: true });
      toEnd(view);
    },
  };
}
