import { Copy, GripVertical, Plus, Trash2 } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { formatSeconds } from '#contract/display.ts';
import { applyFilmEdits } from '#kinds/film/contract/edit.ts';
import { type Film, type FilmScene, maxScenes, type ThemeName } from '#kinds/film/contract/film.ts';
import type { FormatInfo } from '#kinds/film/contract/format-list.ts';
import { startsOf } from '#kinds/film/contract/still.ts';
import { cx, IconButton } from '../../../ui/elements.tsx';
import type { Playback } from '../preview/live-preview.tsx';
import { lengthEdits, type SceneEditors, titleOf, useSceneEditors } from './actions.ts';
import { useEditor, useEditorState } from './document-store.ts';
import { useFormats } from './formats.tsx';
import { type Block, StripRuler } from './strip-ruler.tsx';
import { Thumbnail } from './thumbnail.tsx';

interface SceneStripProps {
  film: Film;
  theme: ThemeName | null;
  /** `null` while no preview is running, or it fills the screen. */
  playback: Playback | null;
  onSelect: (sceneId: string) => void;
  /** Opens the picker for a new scene. `after` is `null` for the start. */
  onAdd: (after: string | null) => void;
  announce: (text: string) => void;
}

const gap = 12;
const minWidth = 76;
const cardHeight = 88;
const hint =
  'Arrow up and down select a scene, left and right change its length, Alt with left and right moves it, Enter goes to its fields.';

/** Returns the scene blocks in pixels. Widths represent lengths, but even a short scene has space for its name. */
export function layOutStrip(film: Film, available: number): Block[] {
  const starts = startsOf(film);
  const total = film.scenes.reduce((sum, { seconds }) => sum + seconds, 0);
  const space = Math.max(available - gap * film.scenes.length - 40, minWidth * film.scenes.length);
  const isShort = ({ seconds }: FilmScene) => (space * seconds) / total < minWidth;
  const shorts = film.scenes.filter(isShort);
  const rest = total - shorts.reduce((sum, { seconds }) => sum + seconds, 0);
  const pixels = rest === 0 ? 0 : (space - shorts.length * minWidth) / rest;
  let left = 0;
  return film.scenes.map((scene, index) => {
    const width = Math.max(minWidth, isShort(scene) ? minWidth : scene.seconds * pixels);
    const block = { scene, left, width, start: starts[index] ?? 0 };
    left += width + gap;
    return block;
  });
}

/** Shows the film's scenes on a time ruler. They can be selected, moved, lengthened, added and removed. */
export function SceneStrip({ film, theme, playback, onSelect, onAdd, announce }: SceneStripProps) {
  const editor = useEditor();
  const selected = useEditorState((state) => state.selected);
  const formats = useFormats();
  const editors = useSceneEditors();
  const scroller = useRef<HTMLDivElement>(null);
  const width = useWidth(scroller);
  const list = useRef<HTMLUListElement>(null);
  const holdTotal = useEditorState((state) => state.holdTotal);
  const { drag, handlers } = useStripDrag(film, { editors, holdTotal });
  const shownFilm = drag?.film ?? film;
  const blocks = layOutStrip(shownFilm, width);
  const scale = drag === null ? blocks : layOutStrip(film, width);
  const total = shownFilm.scenes.reduce((sum, { seconds }) => sum + seconds, 0);
  const last = blocks.at(-1);
  const full = (last?.left ?? 0) + (last?.width ?? 0);
  const focus = (index: number) => {
    const scene = film.scenes[Math.min(film.scenes.length - 1, Math.max(0, index))];
    if (scene === undefined) return;
    onSelect(scene.id);
    list.current?.querySelector<HTMLElement>(`[data-scene="${scene.id}"]`)?.focus();
  };
  const moveTo = (scene: FilmScene, to: number) => {
    if (to < 0 || to >= film.scenes.length) return;
    editors.move(scene.id, to);
    announce(`${titleOf(scene, formats)} is now ${to + 1} of ${film.scenes.length}`);
  };
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const scene = film.scenes[index];
    if (scene === undefined || event.ctrlKey || event.metaKey) return;
    const remove = () => {
      editors.remove(scene.id);
      focus(index === film.scenes.length - 1 ? index - 1 : index + 1);
    };
    const shift = (direction: -1 | 1) => {
      if (event.altKey) moveTo(scene, index + direction);
      else editors.setSeconds(scene.id, scene.seconds + direction * (event.shiftKey ? 1 / film.fps : 0.1), `${scene.id} length`);
    };
    const action = new Map([
      ['ArrowLeft', () => shift(-1)],
      ['ArrowRight', () => shift(1)],
      ['ArrowUp', () => focus(index - 1)],
      ['ArrowDown', () => focus(index + 1)],
      ['Home', () => focus(0)],
      ['End', () => focus(film.scenes.length - 1)],
      ['Enter', () => editor.focusField(null)],
      ['Delete', remove],
      ['Backspace', remove],
    ]).get(event.key);
    if (action === undefined) return;
    action();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section
      aria-label="Scenes"
      data-strip=""
      className="shrink-0 bg-panel px-4 pb-2 max-pane:group-data-[sheet=full]/editor:hidden"
    >
      <p id="strip-hint" className="sr-only">
        {hint}
      </p>
      <div ref={scroller} className="overflow-x-auto overflow-y-hidden [scrollbar-width:thin]">
        <div className="relative select-none" style={{ width: full + gap + 40, height: 22 + cardHeight + 30 }}>
          <StripRuler blocks={blocks} total={total} playback={playback} />
          <ul ref={list} className="absolute inset-x-0 top-5.5">
            {scale.map(({ scene, left }, index) => {
              const block = blocks.find((each) => each.scene.id === scene.id);
              if (block === undefined) return null;
              const isSelected = scene.id === selected;
              return (
                <SceneBlock
                  key={scene.id}
                  block={block}
                  number={shownFilm.scenes.findIndex(({ id }) => id === scene.id) + 1}
                  film={film}
                  formats={formats}
                  theme={theme}
                  selected={isSelected}
                  liftedTo={drag?.kind === 'move' && drag.sceneId === scene.id ? left + drag.dx : null}
                  onSelect={() => onSelect(scene.id)}
                  onKeyDown={(event) => onKeyDown(event, index)}
                  handlers={(kind) => handlers(kind, scene.id, blocks)}
                  onDuplicate={() => editors.duplicate(scene.id)}
                  onRemove={() => editors.remove(scene.id)}
                />
              );
            })}
          </ul>
          {drag === null &&
            blocks.slice(0, -1).map(({ scene, left, width: blockWidth }, index) => (
              <button
                key={scene.id}
                type="button"
                tabIndex={scene.id === selected ? 0 : -1}
                aria-label={`Add a scene after scene ${index + 1}`}
                title="Add a scene here"
                disabled={film.scenes.length >= maxScenes}
                onClick={() => onAdd(scene.id)}
                className="absolute top-7 z-10 flex size-5.5 items-center justify-center rounded-full border border-line-strong bg-panel text-ink-2 shadow-card transition-colors before:absolute before:-inset-2.5 hover:border-accent hover:bg-accent hover:text-accent-ink focus-visible:border-accent"
                style={{ left: left + blockWidth + gap / 2 - 11 }}
              >
                <Plus className="size-3.5" />
              </button>
            ))}
          <button
            type="button"
            aria-label={`Add a scene after scene ${film.scenes.length}`}
            title={
              film.scenes.length < maxScenes
                ? 'Add a scene at the end (N adds one after the selected scene)'
                : `A film can have at most ${maxScenes} scenes.`
            }
            disabled={film.scenes.length >= maxScenes}
            onClick={() => onAdd(film.scenes.at(-1)?.id ?? null)}
            className="absolute top-5.5 flex w-9 items-center justify-center rounded-lg border border-line-strong border-dashed text-ink-2 hover:bg-sunken hover:text-ink disabled:opacity-40"
            style={{ left: full + gap, height: cardHeight }}
          >
            <Plus className="size-4" />
          </button>
        </div>
      </div>
    </section>
  );
}

interface SceneBlockProps {
  block: Block;
  number: number;
  film: Film;
  formats: readonly FormatInfo[];
  theme: ThemeName | null;
  selected: boolean;
  /** Position to which the block is dragged, in pixels; `null` if it is not being dragged. */
  liftedTo: number | null;
  onSelect: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  handlers: (kind: DragKind) => object;
  onDuplicate: () => void;
  onRemove: () => void;
}

function SceneBlock(props: SceneBlockProps) {
  const { block, number, film, formats, theme, selected, liftedTo, onSelect, onKeyDown, handlers, onDuplicate, onRemove } = props;
  const { scene, left, width } = block;
  const title = titleOf(scene, formats);
  return (
    <li
      className={cx(
        'group absolute top-0',
        liftedTo === null ? 'transition-[left,width] duration-150 motion-reduce:transition-none' : 'z-20',
      )}
      style={{ left: liftedTo ?? left, width }}
    >
      <button
        type="button"
        data-scene={scene.id}
        tabIndex={selected ? 0 : -1}
        aria-current={selected ? 'true' : undefined}
        aria-describedby="strip-hint"
        onClick={onSelect}
        onKeyDown={onKeyDown}
        className={cx(
          'block w-full overflow-hidden rounded-lg border bg-panel',
          selected ? 'border-accent ring-1 ring-accent' : 'border-line-strong hover:border-ink-3',
          liftedTo !== null && 'shadow-lift',
        )}
        style={{ height: cardHeight }}
      >
        <span className="sr-only">{`Scene ${number}, ${title}, ${formatSeconds(scene.seconds)}`}</span>
        <Thumbnail scene={scene} film={film} formats={formats} theme={theme} />
      </button>
      {selected && (
        <>
          <span
            aria-hidden="true"
            {...handlers('start')}
            className="absolute top-0 -left-2.5 z-10 flex w-5 cursor-ew-resize touch-none items-center justify-center"
            style={{ height: cardHeight }}
          >
            <span className="h-9 w-2 rounded-full border border-panel bg-accent" />
          </span>
          <span
            aria-hidden="true"
            {...handlers('end')}
            className="absolute top-0 -right-2.5 z-10 flex w-5 cursor-ew-resize touch-none items-center justify-center"
            style={{ height: cardHeight }}
          >
            <span className="h-9 w-2 rounded-full border border-panel bg-accent" />
          </span>
        </>
      )}
      <div
        className={cx(
          'flex h-7 items-center gap-0.5 overflow-hidden whitespace-nowrap text-xs',
          selected ? 'font-medium text-ink' : 'text-ink-2',
        )}
      >
        <span
          aria-hidden="true"
          title="Drag to move the scene"
          {...handlers('move')}
          className="-ml-1 flex h-7 w-4 shrink-0 cursor-grab touch-none items-center justify-center text-ink-3 hover:text-ink"
        >
          <GripVertical className="size-3.5" />
        </span>
        <span className="min-w-0 truncate">{`${number} ${title}`}</span>
        <span className="ml-auto flex shrink-0 items-center pl-1">
          {width > 130 && (
            <span className={cx('items-center', selected ? 'flex' : 'hidden group-hover:flex')}>
              <IconButton
                icon={Copy}
                label={`Duplicate scene ${number}`}
                tabIndex={-1}
                onClick={onDuplicate}
                className="size-6 [&_svg]:size-3.5"
              />
              <IconButton
                icon={Trash2}
                label={`Remove scene ${number}`}
                tabIndex={-1}
                disabled={film.scenes.length === 1}
                onClick={onRemove}
                className="size-6 [&_svg]:size-3.5"
              />
            </span>
          )}
          {width > 96 && <span className="pr-0.5 font-normal text-ink-3 tabular-nums">{formatSeconds(scene.seconds)}</span>}
        </span>
      </div>
    </li>
  );
}

function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(600);
  useLayoutEffect(() => {
    if (element.current === null) return;
    const measured = element.current;
    const measure = () => measured.clientWidth > 0 && setWidth(measured.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

type DragKind = 'move' | 'start' | 'end';

interface StripDrag {
  readonly kind: DragKind;
  readonly sceneId: string;
  readonly film: Film;
  readonly dx: number;
}

interface Press {
  readonly kind: DragKind;
  readonly sceneId: string;
  readonly startX: number;
  readonly blocks: readonly Block[];
}

/** Drags scenes by their handles and edges. The film changes on drop. */
function useStripDrag(film: Film, { editors, holdTotal }: { editors: SceneEditors; holdTotal: boolean }) {
  const press = useRef<Press | null>(null);
  const [drag, setDrag] = useState<StripDrag | null>(null);
  // The button may be released before the last move is rendered.
  const newest = useRef<StripDrag | null>(null);
  const show = (next: StripDrag | null) => {
    newest.current = next;
    setDrag(next);
  };
  const end = () => {
    press.current = null;
    show(null);
  };
  const handlers = (kind: DragKind, sceneId: string, blocks: readonly Block[]) => ({
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      press.current = { kind, sceneId, startX: event.clientX, blocks };
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const now = press.current;
      if (now === null) return;
      const dx = event.clientX - now.startX;
      if (newest.current === null && Math.abs(dx) < 4) return;
      show({ kind, sceneId, ...draggedFilm(film, now, { dx, byFrames: event.shiftKey, holdTotal }) });
    },
    onPointerUp() {
      const dropped = newest.current;
      const scene = dropped?.film.scenes.find(({ id }) => id === sceneId);
      if (dropped !== null && scene !== undefined) {
        if (kind === 'move') editors.move(sceneId, dropped.film.scenes.indexOf(scene));
        else editors.setSeconds(sceneId, scene.seconds);
      }
      end();
    },
    onPointerCancel: end,
  });
  return { drag, handlers };
}

interface DragOptions {
  readonly dx: number;
  readonly byFrames: boolean;
  readonly holdTotal: boolean;
}

function draggedFilm(film: Film, press: Press, { dx, byFrames, holdTotal }: DragOptions): { film: Film; dx: number } {
  const at = film.scenes.findIndex(({ id }) => id === press.sceneId);
  const scene = film.scenes[at];
  const block = press.blocks.find((each) => each.scene.id === press.sceneId);
  if (scene === undefined || block === undefined) return { film, dx };
  if (press.kind !== 'move') {
    const perSecond = block.width / scene.seconds;
    const step = byFrames ? 1 / film.fps : 0.1;
    const wanted = scene.seconds + (press.kind === 'end' ? dx : -dx) / perSecond;
    const edits = lengthEdits(film, scene.id, Math.round(wanted / step) * step, { holdTotal });
    return { film: applyFilmEdits(film, edits), dx: 0 };
  }
  const center = block.left + block.width / 2 + dx;
  const others = press.blocks.filter((each) => each !== block);
  const to = others.filter((each) => center > each.left + each.width / 2).length;
  const scenes = film.scenes.toSpliced(at, 1).toSpliced(to, 0, scene);
  // The dragged block stays below the pointer, wherever it is in the new order.
  return { film: { ...film, scenes }, dx };
}
