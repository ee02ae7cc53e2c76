import { ChevronDown, GripVertical } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { cx } from '../../../../ui/elements.tsx';
import type { StillFilm } from '../../stills/scene-still.tsx';
import { type SeenScene, secondsText } from './film-time.ts';
import { FormatMenu } from './format-menu.tsx';
import { SceneNumber } from './scene-number.tsx';
import { ScenePicture } from './scene-picture.tsx';
import type { PlayMoment } from './use-play.ts';

interface SceneTileProps {
  readonly film: StillFilm;
  readonly seen: SeenScene;
  readonly count: number;
  readonly width: number;
  readonly height: number;
  readonly pixelsPerSecond: number;
  readonly isLit: boolean;
  readonly isQuestion: boolean;
  readonly moment: PlayMoment | null;
  /** Pixels by which the tile is drawn beside its place while one is dragged. */
  readonly shift: number;
  readonly isDragged: boolean;
  readonly titleOf: (format: string) => string;
  readonly onFormat: (format: string) => void;
  readonly onSeconds: (seconds: number) => void;
  readonly onMove: (to: number) => void;
  readonly onDrag: (dx: number | null, isDone: boolean) => void;
  readonly onLight: (isLit: boolean) => void;
  readonly onGo: () => void;
  readonly onPlay: () => void;
  readonly onLeaveOut: () => void;
}

const shortest = 1;
const longest = 60;

/** A scene of the strip: its picture, number, format and length. */
export function SceneTile(props: SceneTileProps) {
  const { film, seen, count, width, height, isLit, isQuestion, moment, shift, isDragged, titleOf } = props;
  const { scene, number } = seen;
  const title = titleOf(scene.format);
  const menu = useRef<HTMLButtonElement>(null);
  const grip = useRef<number | null>(null);
  const [pulled, setPulled] = useState<number | null>(null);
  const pull = useRef(0);
  const secondsAt = (x: number) =>
    Math.min(longest, Math.max(shortest, Math.round((scene.seconds + (x - pull.current) / props.pixelsPerSecond) * 10) / 10));

  // A menu's button opens it when it is pressed or gets a key, not when it is clicked.
  const openFormats = () => {
    menu.current?.focus();
    menu.current?.dispatchEvent(new window.KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    if (event.ctrlKey || event.metaKey) return;
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0;
    const tiles = [...(event.currentTarget.closest('ol')?.querySelectorAll<HTMLElement>('[data-scene]') ?? [])];
    const lengthen = (by: number) => props.onSeconds(Math.max(shortest, Math.round((scene.seconds + by) * 10) / 10));
    const acts = new Map([
      [']', () => tiles[number]?.focus()],
      ['[', () => tiles[number - 2]?.focus()],
      ['F', openFormats],
      [' ', props.onPlay],
      ['Enter', props.onGo],
      ['Delete', props.onLeaveOut],
    ]);
    if (step !== 0) acts.set(event.key, () => (event.altKey ? props.onMove(number - 1 + step) : lengthen(step / 10)));
    const act = acts.get(event.key);
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  const onGripDown = (event: PointerEvent<HTMLElement>) => {
    grip.current = event.clientX;
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onGripMove = (event: PointerEvent<HTMLElement>) => {
    if (grip.current !== null) props.onDrag(event.clientX - grip.current, false);
  };
  const onGripUp = (event: PointerEvent<HTMLElement>) => {
    if (grip.current !== null) props.onDrag(event.clientX - grip.current, event.type === 'pointerup');
    grip.current = null;
  };
  return (
    <li
      className={cx('relative shrink-0 transition-[width,transform] duration-150 ease-out', isDragged && 'z-10 transition-none')}
      style={{ width, ...(shift !== 0 && { transform: `translateX(${shift}px)${isDragged ? ' rotate(-1.5deg)' : ''}` }) }}
      onMouseEnter={() => props.onLight(true)}
      onMouseLeave={() => props.onLight(false)}
    >
      <div
        className={cx(
          'relative rounded-[10px]',
          isDragged && 'shadow-lift',
          isQuestion ? 'outline-2 outline-warn outline-dashed' : 'ring-1 ring-line-strong',
          isLit && !isQuestion && 'ring-2 ring-accent',
        )}
      >
        <ScenePicture
          film={film}
          scene={scene}
          isLast={number === count}
          width={width}
          height={height}
          seconds={moment?.scene === number - 1 ? moment.seconds : undefined}
        />
        <button
          type="button"
          data-scene={number}
          onKeyDown={onKeyDown}
          onClick={props.onGo}
          aria-label={`Scene ${number} of ${count}, ${title}, ${secondsText(scene.seconds)}`}
          aria-keyshortcuts="Alt+ArrowLeft Alt+ArrowRight ArrowLeft ArrowRight Shift+F Delete"
          className="absolute inset-0 rounded-[10px]"
        />
      </div>
      <span
        aria-hidden="true"
        title="Drag to change the length"
        onPointerDown={(event) => {
          pull.current = event.clientX;
          event.currentTarget.setPointerCapture(event.pointerId);
          setPulled(scene.seconds);
        }}
        onPointerMove={(event) => pulled !== null && setPulled(secondsAt(event.clientX))}
        onPointerUp={(event) => {
          if (pulled !== null) props.onSeconds(secondsAt(event.clientX));
          setPulled(null);
        }}
        onPointerCancel={() => setPulled(null)}
        className="group absolute -right-2.75 z-1 flex w-4 cursor-ew-resize touch-none items-center justify-center"
        style={{ top: 0, height }}
      >
        <span className={cx('h-8 w-1.5 rounded-full bg-accent group-hover:opacity-100', pulled === null && 'opacity-0')} />
        {pulled !== null && (
          <span className="absolute top-2 rounded-md bg-ink px-2 text-ground text-xs leading-6">{`${pulled.toFixed(1)} s`}</span>
        )}
      </span>
      {moment?.scene === number - 1 && (
        <span aria-hidden="true" className="mt-1 block h-0.75 rounded-full bg-line">
          <span className="block h-full rounded-full bg-accent" style={{ width: `${(moment.seconds / scene.seconds) * 100}%` }} />
        </span>
      )}
      <div className="mt-1.5 flex h-8 items-center gap-1 whitespace-nowrap text-[13px]">
        {count > 1 && (
          <span
            aria-hidden="true"
            title="Drag to move the scene"
            onPointerDown={onGripDown}
            onPointerMove={onGripMove}
            onPointerUp={onGripUp}
            onPointerCancel={onGripUp}
            className="-ml-1 cursor-grab touch-none text-ink-3 hover:text-ink"
          >
            <GripVertical className="size-4" />
          </span>
        )}
        <SceneNumber number={number} />
        <FormatMenu
          film={film}
          seen={seen}
          titleOf={titleOf}
          onChoose={props.onFormat}
          trigger={
            <button
              ref={menu}
              type="button"
              aria-label={`Format of scene ${number}: ${title}`}
              className="flex h-7 min-w-0 items-center gap-1 rounded-md px-1 font-medium hover:bg-sunken pointer-coarse:h-11"
            >
              <span className="truncate">{title}</span>
              <ChevronDown className="size-3.5 shrink-0 text-ink-3" />
            </button>
          }
        />
        {isQuestion && width > 190 && <span className="text-warn text-xs">for Koda?</span>}
        <span className="ml-auto text-ink-3 tabular-nums">
          {moment?.scene === number - 1
            ? `${moment.seconds.toFixed(1)} / ${secondsText(scene.seconds)}`
            : secondsText(scene.seconds)}
        </span>
      </div>
    </li>
  );
}
