import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const tint = (colour: string, percent: number) => `color-mix(in oklab, var(--${colour}) ${percent}%, transparent)`;

/** Underlines changed words, because a background would reduce contrast. */
const underline = (colour: string) => `linear-gradient(${tint(colour, 60)}, ${tint(colour, 60)}) bottom / 100% 2px no-repeat`;

const looks = EditorView.theme({
  '&': { height: '100%', fontSize: '12.5px', color: 'var(--ink)', backgroundColor: 'var(--panel)' },
  // The caret, its line and its line number show the focus.
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'inherit', lineHeight: '20px', fontVariantLigatures: 'none' },
  '.cm-content': { padding: '10px 0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 24px 0 8px' },
  '.cm-cursor, .cm-dropCursor': { borderLeft: '2px solid var(--accent)', marginLeft: '-1px' },
  '.cm-selectionBackground': { background: tint('ink', 10) },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': { background: tint('accent', 24) },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: tint('ink', 4) },
  '.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--ink-3)', border: 'none' },
  '.cm-gutters.cm-gutters-before': { borderRightWidth: '0' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 4px 0 14px', minWidth: '40px' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--ink)' },
  '.cm-foldGutter .cm-gutterElement': { color: 'transparent', padding: '0 4px' },
  '.cm-gutters:hover .cm-foldGutter .cm-gutterElement, &.cm-focused .cm-foldGutter .cm-activeLineGutter': {
    color: 'var(--ink-3)',
  },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--sunken)',
    border: '1px solid var(--line)',
    color: 'var(--ink-2)',
    borderRadius: '4px',
    padding: '0 5px',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: tint('accent', 20) },
  '.cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket': { backgroundColor: tint('bad', 20) },
  '.cm-selectionMatch': { backgroundColor: tint('ink', 9) },
  '.cm-searchMatch': { backgroundColor: tint('warn', 26), borderRadius: '2px' },
  '.cm-searchMatch-selected': { backgroundColor: tint('accent', 42) },
  '.cm-specialChar': { color: 'var(--bad)' },
});

const panels = EditorView.theme({
  '.cm-panels': { backgroundColor: 'var(--panel)', color: 'var(--ink)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '6px',
    padding: '8px 40px 8px 12px',
    fontFamily: '"Inter Variable", ui-sans-serif, system-ui, sans-serif',
    '& br': { flexBasis: '100%', width: '0', height: '0', content: '""' },
    '& input, & button, & label': { margin: '0' },
    '& label': { display: 'flex', alignItems: 'center', gap: '4px', fontSize: '12.5px', color: 'var(--ink-2)' },
    '& input[type=checkbox]': { accentColor: 'var(--accent)', margin: '0' },
    '& [name=close]': { top: '8px', right: '10px', width: '28px', height: '28px', fontSize: '18px', color: 'var(--ink-2)' },
  },
  '.cm-textfield': {
    height: '28px',
    width: '180px',
    border: '1px solid var(--line-strong)',
    borderRadius: '8px',
    padding: '0 8px',
    fontSize: '12.5px',
    color: 'var(--ink)',
    backgroundColor: 'var(--panel)',
  },
  '.cm-button': {
    height: '28px',
    border: '1px solid var(--line-strong)',
    borderRadius: '8px',
    padding: '0 10px',
    fontSize: '12.5px',
    color: 'var(--ink)',
    backgroundColor: 'var(--panel)',
    backgroundImage: 'none',
    '&:hover': { backgroundColor: 'var(--sunken)' },
    '&:active': { backgroundColor: 'var(--sunken)', backgroundImage: 'none' },
  },
});

const comparison = EditorView.theme({
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: 'var(--bad-soft)' },
  '&.cm-merge-b .cm-changedLine, .cm-inlineChangedLine': { backgroundColor: 'var(--ok-soft)' },
  '&.cm-merge-a .cm-changedText, & .cm-deletedChunk .cm-deletedText': { background: underline('bad') },
  '&.cm-merge-b .cm-changedText': { background: underline('ok') },
  '.cm-deletedChunk': { paddingLeft: '8px', position: 'relative' },
  // Placed at the right edge of the visible area, above the lines.
  '.cm-deletedChunk .cm-chunkButtons': {
    position: 'sticky',
    float: 'right',
    right: '8px',
    height: '0',
    marginTop: '1px',
    zIndex: '1',
  },
  '.cm-deletedChunk button': {
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    padding: '0 8px',
    margin: '0',
    height: '20px',
    lineHeight: '18px',
    fontSize: '11.5px',
    fontFamily: '"Inter Variable", ui-sans-serif, system-ui, sans-serif',
    color: 'var(--ink)',
    backgroundColor: 'var(--panel)',
    '&:hover': { backgroundColor: 'var(--sunken)' },
  },
  '& .cm-collapsedLines': {
    color: 'var(--ink-2)',
    background: 'var(--sunken)',
    padding: '4px 12px',
    fontSize: '12px',
    fontFamily: '"Inter Variable", ui-sans-serif, system-ui, sans-serif',
    '&:before, &:after': { content: '""', margin: '0' },
    '&:hover': { color: 'var(--ink)' },
  },
  '&.cm-merge-a .cm-changedLineGutter, & .cm-deletedLineGutter': { background: 'var(--bad)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--ok)' },
});

const colours = HighlightStyle.define([
  { tag: [tags.comment, tags.meta], color: 'var(--code-comment)', fontStyle: 'italic' },
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword, tags.self, tags.null, tags.atom], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp, tags.attributeValue], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.unit, tags.color], color: 'var(--code-number)' },
  {
    tag: [tags.function(tags.variableName), tags.function(tags.propertyName), tags.definition(tags.function(tags.variableName))],
    color: 'var(--code-name)',
  },
  { tag: [tags.typeName, tags.className, tags.namespace, tags.labelName], color: 'var(--code-name)' },
  { tag: [tags.tagName, tags.angleBracket], color: 'var(--code-tag)' },
  { tag: tags.heading, fontWeight: '600' },
  { tag: tags.invalid, color: 'var(--bad)' },
]);

export const editorTheme = [looks, panels, comparison, syntaxHighlighting(colours)];
