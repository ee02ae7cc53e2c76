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

/** Translations of CodeMirror's own labels. */
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
  'Revert this chunk': 'Restore',
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
  readonly label: string;
  readonly onSave: () => void;
}

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

/** Makes the text read-only, but searchable and selectable. */
export const readOnlyText: Extension = [
  EditorState.readOnly.of(true),
  // Hides the on-screen keyboard on touch devices.
  EditorView.contentAttributes.of({ 'aria-readonly': 'true', inputmode: 'none' }),
];

/** Creates a button that restores a change's original text. */
export function restoreButton(type: 'reject' | 'accept', action: (event: MouseEvent) => void): HTMLElement {
  if (type === 'accept') return document.createElement('span');
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Restore';
  // The press must not move the caret. `click` also covers the keyboard.
  button.addEventListener('mousedown', (event) => event.preventDefault());
  button.addEventListener('click', action);
  return button;
}

/** Creates the restore button for side-by-side editors, in which CodeMirror listens for `mousedown`. */
export function restoreArrow(): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = '→';
  button.title = 'Restore';
  button.setAttribute('aria-label', 'Restore');
  button.addEventListener('click', ({ detail }) => {
    // A keyboard click fires no `mousedown`.
    if (detail === 0) button.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true }));
  });
  return button;
}

/** Keeps the end of growing text in view until the user scrolls up, and again once they scroll back to the end. */
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
    /** Call after the text has grown. */
    follow(view: EditorView) {
      if (following.getState().following) toEnd(view);
    },
    /** Scrolls to the end and resumes following. */
    resume(view: EditorView) {
      following.setState({ following: true });
      toEnd(view);
    },
  };
}
