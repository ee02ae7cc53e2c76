import { type ReactNode, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { valueAt } from '#kinds/film/contract/edit.ts';
import type { Film, ThemeName } from '#kinds/film/contract/film.ts';
import { holdSeconds } from '#kinds/film/contract/still.ts';
import { useProject } from '../../../project/context.ts';
import { keyName, useShortcuts } from '../../../shortcuts/use-shortcuts.ts';
import { Button, cx } from '../../../ui/elements.tsx';
import { useHasSheet, useWindowEvent } from '../../../ui/hooks.ts';
import type { PreviewFrameProps } from '../preview/live-preview.tsx';
import { findText, onPageStart, onTextClick, sendSceneProps, type TextBox } from '../preview/preview-channel.ts';
import { useSceneEditors } from './actions.ts';
import { type DocumentStore, useEditor, useEditorState } from './document-store.ts';
import { labelOf } from './field-schema.ts';
import { fieldKey } from './film-state.ts';
import { FormatPicker, type PickerPurpose } from './format-picker.tsx';
import { Inspector } from './inspector.tsx';
import { SceneStrip } from './scene-strip.tsx';
import { ThemePanel } from './theme-panel.tsx';

/** Shows the film with its scene strip below and its inspector beside it. Without a document, shows only the film. */
export function FilmEditor({ active, playback, children }: PreviewFrameProps) {
  const film = useEditorState((state) => state.film?.film ?? null);
  const { workbench } = useProject();
  const editor = useEditor();
  const editors = useSceneEditors();
  const selected = useEditorState((state) => state.selected);
  const [picker, setPicker] = useState<PickerPurpose | null>(null);
  const [themesOpen, setThemesOpen] = useState(false);
  const [theme, setTheme] = useState<ThemeName | null>(null);
  const [news, setNews] = useState('');
  const [sheet, setSheet] = useState<Stop>('half');
  const opener = useRef<HTMLElement | null>(null);

  const select = useCallback(
    (sceneId: string) => {
      editor.select(sceneId);
      const now = editor.store.getState().film?.film;
      const seconds = now ? holdSeconds(now, sceneId) : null;
      if (seconds !== null) workbench.setState({ seekRequest: { seconds } });
    },
    [editor, workbench],
  );
  usePreviewLink(editor, select);
  const open = (purpose: PickerPurpose) => {
    opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    setPicker(purpose);
  };
  const close = () => {
    setPicker(null);
    opener.current?.focus();
  };
  const pickFormat = () => selected !== null && open({ kind: 'switch', sceneId: selected });
  const bindings = {
    n: () => open({ kind: 'add', after: selected }),
    d: () => selected !== null && editors.duplicate(selected),
    'Shift+f': pickFormat,
    'Shift+t': () => setThemesOpen(true),
  };
  useShortcuts(bindings, active && film !== null && picker === null);
  useUndoKeys(editor, active && picker === null);
  return (
    // Above a full sheet, only the frame has space.
    <div data-sheet={sheet} className="group/editor flex h-full min-h-0 flex-col pane:flex-row">
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <div className="min-h-0 flex-1 overflow-hidden">{children}</div>
        {film !== null && (
          <SceneStrip
            film={film}
            theme={theme}
            playback={playback}
            onSelect={select}
            onAdd={(after) => open({ kind: 'add', after })}
            announce={setNews}
          />
        )}
      </div>
      {film !== null && (
        <Sheet
          title={`Scene ${film.scenes.findIndex(({ id }) => id === selected) + 1} of ${film.scenes.length}`}
          stop={sheet}
          onStop={setSheet}
        >
          <ConflictNotice film={film} />
          {themesOpen ? (
            <ThemePanel film={film} onPreview={setTheme} onClose={() => setThemesOpen(false)} />
          ) : (
            <Inspector film={film} onPickFormat={pickFormat} onThemes={() => setThemesOpen(true)} announce={setNews} />
          )}
        </Sheet>
      )}
      {film !== null && <FormatPicker film={film} purpose={picker} onClose={close} />}
      <p aria-live="polite" className="sr-only">
        {news}
      </p>
    </div>
  );
}

const stops = ['name', 'half', 'full'] as const;
type Stop = (typeof stops)[number];
const heights = { name: 'max-pane:h-11', half: 'max-pane:h-[46%]', full: 'max-pane:h-[82%]' } as const;
/** Heights of the sheet as fractions of the height that film and sheet share. */
const shares = { name: 0, half: 0.46, full: 0.82 } as const;

/**
 * Panel beside the film. On screens narrower than 900 px it is a bottom sheet with three heights. Dragging its handle sets the
 * height, a click selects the next one, and arrow keys make it higher or lower.
 */
interface SheetProps {
  title: string;
  stop: Stop;
  onStop: (stop: Stop) => void;
  children: ReactNode;
}

function Sheet({ title, stop, onStop, children }: SheetProps) {
  const hasSheet = useHasSheet();
  const sheet = useRef<HTMLElement>(null);
  const press = useRef<{ readonly y: number; readonly height: number } | null>(null);
  const [dragged, setDragged] = useState<number | null>(null);
  // The button may be released before the last move is rendered.
  const newest = useRef<number | null>(null);
  const show = (height: number | null) => {
    newest.current = height;
    setDragged(height);
  };
  const next = { name: 'half', half: 'full', full: 'name' } as const;
  const onPointerDown = (event: React.PointerEvent) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    press.current = { y: event.clientY, height: sheet.current?.clientHeight ?? 0 };
  };
  const onPointerMove = ({ clientY }: React.PointerEvent) => {
    if (press.current === null || (newest.current === null && Math.abs(clientY - press.current.y) < 4)) return;
    show(Math.max(44, press.current.height + press.current.y - clientY));
  };
  const onPointerUp = () => {
    press.current = null;
    if (newest.current === null) return;
    const share = newest.current / (sheet.current?.parentElement?.clientHeight ?? 1);
    onStop(stops.toSorted((one, other) => Math.abs(shares[one] - share) - Math.abs(shares[other] - share))[0] ?? 'half');
  };
  const onClick = () => {
    // A drag ends with a click event, which must not change the height again.
    if (newest.current === null) onStop(next[stop]);
    show(null);
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    onStop(stops[Math.min(2, Math.max(0, stops.indexOf(stop) + by))] ?? stop);
  };
  const isClosed = stop === 'name' && dragged === null;
  return (
    <aside
      ref={sheet}
      aria-label="Inspector"
      // An on-screen keyboard needs the space.
      onFocus={({ target }) => hasSheet && target.matches('input, textarea') && onStop('full')}
      className={cx(
        'flex shrink-0 flex-col border-line bg-panel pane:w-[348px] pane:border-l max-pane:max-h-[82%] max-pane:rounded-t-2xl max-pane:border-t max-pane:shadow-lift',
        dragged === null && 'transition-[height] duration-200 motion-reduce:transition-none',
        heights[stop],
      )}
      style={dragged === null ? undefined : { height: dragged }}
    >
      <button
        type="button"
        aria-expanded={!isClosed}
        aria-label={`${title}. Make the fields ${stop === 'full' ? 'smaller' : 'larger'}`}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={onPointerUp}
        onClick={onClick}
        onKeyDown={onKeyDown}
        className={cx(
          'relative flex shrink-0 cursor-grab touch-none flex-col items-center gap-1 pt-2.5 text-ink-2 before:absolute before:inset-x-0 before:-top-2 before:h-2 text-xs outline-offset-[-4px] active:cursor-grabbing pane:hidden',
          isClosed ? 'h-11' : 'h-9',
        )}
      >
        <span aria-hidden="true" className="h-1 w-9 shrink-0 rounded-full bg-line-strong" />
        {isClosed && title}
      </button>
      <div className={cx('flex min-h-0 flex-1 flex-col overflow-hidden', isClosed && 'max-pane:hidden')}>{children}</div>
    </aside>
  );
}

/** Sends edits to the page in the frame, and handles clicks on its texts. */
function usePreviewLink(editor: DocumentStore, select: (sceneId: string) => void): void {
  useEffect(() => {
    const attach = () => editor.attachPreview({ showProps: sendSceneProps });
    attach();
    // A page that has just started has only the files.
    const stop = onPageStart(attach);
    return () => {
      stop();
      editor.attachPreview(null);
    };
  }, [editor]);
  const focusText = useEffectEvent((text: string) => {
    const { film, selected } = editor.store.getState();
    const scenes = film?.film.scenes ?? [];
    const ordered = [...scenes.filter(({ id }) => id === selected), ...scenes.filter(({ id }) => id !== selected)];
    for (const scene of ordered) {
      const path = 'code' in scene ? null : pathOfText(scene.props, text);
      if (path === null) continue;
      if (scene.id !== selected) select(scene.id);
      editor.focusField(fieldKey(path));
      return;
    }
  });
  useEffect(() => onTextClick(({ text }) => focusText(text)), []);
}

const plain = (text: string) => text.replace(/\s+/gu, '').toLowerCase();

/**
 * Returns the path of the value that equals a text in the frame, or otherwise of the longest value that the text contains.
 */
export function pathOfText(props: unknown, text: string): (string | number)[] | null {
  const wanted = plain(text);
  const found: { path: (string | number)[]; text: string }[] = [];
  const visit = (value: unknown, path: (string | number)[]) => {
    if (typeof value === 'string' || typeof value === 'number') found.push({ path, text: plain(String(value)) });
    else if (Array.isArray(value)) for (const [index, inner] of value.entries()) visit(inner, [...path, index]);
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) visit(inner, [...path, key]);
  };
  visit(props, []);
  const same = found.find((each) => each.text === wanted);
  const parts = found.filter(
    (each) => each.text !== '' && (wanted.includes(each.text) || (wanted.length > 2 && each.text.includes(wanted))),
  );
  return (same ?? parts.toSorted((one, other) => other.text.length - one.text.length)[0])?.path ?? null;
}

/** Handles undo and redo even if a field has the focus, because the browser's own undo would not affect the film. */
function useUndoKeys(editor: DocumentStore, enabled: boolean): void {
  const onKeyDown = (event: KeyboardEvent) => {
    const inOther =
      event.target instanceof Element &&
      event.target.closest('textarea, input, [contenteditable="true"]') &&
      !event.target.closest('[data-field], [data-strip]');
    if (event.defaultPrevented || inOther) return;
    const name = keyName(event);
    if (name !== 'Mod+z' && name !== 'Mod+y') return;
    event.preventDefault();
    if (name === 'Mod+y' || event.shiftKey) editor.redo();
    else editor.undo();
  };
  useWindowEvent('keydown', onKeyDown, { enabled, capture: true });
}

/** Outlines the focused field in the frame. It is drawn above the page, so renders do not contain it. */
export function FieldOutline() {
  const editor = useEditor();
  const focused = useEditorState((state) => state.focused);
  const film = useEditorState((state) => state.film?.film ?? null);
  const selected = useEditorState((state) => state.selected);
  const [boxes, setBoxes] = useState<readonly TextBox[]>([]);
  const scene = film?.scenes.find(({ id }) => id === selected);
  const value = focused === null || scene === undefined || 'code' in scene ? null : valueAt(scene.props, pathOf(focused));
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  useEffect(() => {
    if (text === '') {
      setBoxes([]);
      return;
    }
    let stopped = false;
    const look = async () => {
      const found = await findText(text);
      if (!stopped) setBoxes(found.slice(0, 1));
    };
    // The frame needs time to update the text and its layout.
    const timers = [60, 300, 900].map((ms) => setTimeout(() => void look(), ms));
    return () => {
      stopped = true;
      timers.forEach(clearTimeout);
    };
  }, [text]);
  if (focused === null || editor === null) return null;
  const label = labelOf(String(pathOf(focused).findLast((part) => typeof part === 'string') ?? ''));
  return boxes.map(({ x, y, width, height }) => (
    <span
      key={`${x} ${y}`}
      aria-hidden="true"
      className="pointer-events-none absolute rounded-[3px] border-[1.5px] border-accent"
      style={{
        left: `calc(${100 * x}% - 4px)`,
        top: `calc(${100 * y}% - 3px)`,
        width: `calc(${100 * width}% + 8px)`,
        height: `calc(${100 * height}% + 6px)`,
      }}
    >
      <span
        className={cx(
          'absolute left-[-1.5px] rounded bg-accent px-1.5 font-medium text-[11px] text-accent-ink leading-4.5',
          y > 0.08 ? 'bottom-full mb-[3px]' : 'top-full mt-[3px]',
        )}
      >
        {label}
      </span>
    </span>
  ));
}

const pathOf = (key: string) => key.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));

/** Asks whose value to keep if someone else has changed a value that the user has edited. */
function ConflictNotice({ film }: { film: Film }) {
  const editor = useEditor();
  const conflict = useEditorState((state) => state.film?.conflict ?? null);
  const changedBy = useEditorState((state) => state.changedBy);
  if (conflict === null) return null;
  const names = conflict.mine.map((edit) => {
    if (edit.type === 'look') return `the film’s ${edit.field}`;
    if (!('scene' in edit) || typeof edit.scene !== 'string') return 'a scene';
    const number = film.scenes.findIndex(({ id }) => id === edit.scene) + 1;
    const what = edit.type === 'field' ? labelOf(String(edit.path[0])).toLowerCase() : edit.type.replace('seconds', 'length');
    return `scene ${number}’s ${what}`;
  });
  return (
    <div role="alert" className="mx-4 mt-3 rounded-[10px] bg-warn-soft px-3 py-2.5 text-[13px] text-warn">
      <p className="leading-5">{`${changedBy} has changed ${[...new Set(names)].join(' and ')} in the meantime. Your text is still here.`}</p>
      <div className="mt-2 flex gap-2">
        <Button size="sm" onClick={() => editor.keepLocal()}>
          Use mine
        </Button>
        <Button size="sm" onClick={() => editor.acceptServer()}>
          Use theirs
        </Button>
      </div>
    </div>
  );
}
