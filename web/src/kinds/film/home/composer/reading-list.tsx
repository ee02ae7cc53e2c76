import {
  Ban,
  Brush,
  CircleQuestionMark,
  Clapperboard,
  Clock,
  Eye,
  EyeOff,
  type LucideIcon,
  Palette,
  RectangleHorizontal,
  SlidersHorizontal,
  Table,
  Undo2,
  WandSparkles,
} from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type RefObject, useState } from 'react';
import { Button, cx } from '../../../../ui/elements.tsx';
import { reasonOf } from './names.ts';
import { isOnScreen, type ReadingRow, summaryOf } from './rows.ts';
import { SceneNumber } from './scene-number.tsx';

export type RowUse = 'show' | 'leave-out' | 'follow' | 'title';

interface ReadingListProps {
  readonly list: RefObject<HTMLUListElement | null>;
  readonly rows: readonly ReadingRow[];
  /** Row that Tab goes to. */
  readonly current: number;
  readonly lit: number | null;
  readonly aside: ReactNode;
  readonly onCurrent: (row: number) => void;
  readonly onLight: (row: number | null) => void;
  readonly onUse: (row: ReadingRow, use: RowUse) => void;
  readonly onOpen: (row: ReadingRow) => void;
  readonly onGo: (row: ReadingRow) => void;
  readonly onLeave: () => void;
}

const lookIcons: Readonly<Record<string, LucideIcon>> = {
  ...{ Style: WandSparkles, Theme: Palette, Frame: RectangleHorizontal, Length: Clock, Background: Palette },
  ...{ 'Text colour': Palette, Accent: Palette, Format: Clapperboard, 'For Koda': SlidersHorizontal },
};

function iconOf({ state, isData, name }: ReadingRow): LucideIcon {
  if (state === 'instruction') return lookIcons[name] ?? Ban;
  if (state === 'left-out') return EyeOff;
  if (state === 'question') return CircleQuestionMark;
  if (state === 'needs-drawing') return Brush;
  return isData ? Table : Eye;
}

const stateNames = {
  ...{ shown: 'Shown', question: 'Shown', instruction: 'Instruction, not shown' },
  ...{ 'left-out': 'Left out', 'needs-drawing': 'Needs a drawing' },
};

/** Shows how Koda reads the text, row by row. It is one tab stop, in which arrow keys move. */
export function ReadingList(props: ReadingListProps) {
  const { list, rows, current, lit, onCurrent, onLight, onUse, onOpen, onGo, onLeave } = props;
  const focus = (at: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, at));
    onCurrent(next);
    list.current?.querySelectorAll<HTMLElement>('[data-row]')[next]?.focus();
  };
  const [isNew, setIsNew] = useState(true);
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[current];
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const acts = new Map([
      ['arrowdown', () => focus(current + 1)],
      ['arrowup', () => focus(current - 1)],
      ['home', () => focus(0)],
      ['end', () => focus(rows.length - 1)],
      ['escape', onLeave],
      ['l', () => onUse(row, 'leave-out')],
      ['s', () => onUse(row, 'show')],
      ['f', () => onUse(row, 'follow')],
      ['t', () => onUse(row, 'title')],
      ['u', () => onOpen(row)],
      ['?', () => onOpen(row)],
    ]);
    const run = acts.get(event.key.toLowerCase());
    if (run === undefined) return;
    event.preventDefault();
    run();
  };
  return (
    <section aria-label="How Koda reads it" className="flex min-w-0 flex-col px-2.5 pt-3 pb-2">
      <div className="mb-0.5 flex h-7 items-center gap-2 px-2">
        <h2 className="font-semibold text-[13px]">How Koda reads it</h2>
        <span className="ml-auto text-ink-3 text-xs">{props.aside}</span>
      </div>
      <ul
        ref={list}
        aria-label="How Koda reads it"
        onKeyDown={onKeyDown}
        onFocus={() => isNew && setIsNew(false)}
        className="max-h-[50vh] overflow-y-auto lg:max-h-[calc(50vh-5rem)]"
      >
        {rows.map((row, at) => (
          <Row
            key={row.key}
            row={row}
            isCurrent={at === current}
            isLit={at === lit}
            saysKeys={isNew || at === current}
            onFocus={() => onCurrent(at)}
            onLight={(isLit) => onLight(isLit ? at : null)}
            onUse={(use) => onUse(row, use)}
            onOpen={() => onOpen(row)}
            onGo={() => onGo(row)}
          />
        ))}
      </ul>
      <p className="mt-auto px-2 pt-1.5 pb-1 text-ink-3 text-xs">{summaryOf(rows)}</p>
    </section>
  );
}

interface RowProps {
  readonly row: ReadingRow;
  readonly isCurrent: boolean;
  readonly isLit: boolean;
  readonly saysKeys: boolean;
  readonly onFocus: () => void;
  readonly onLight: (isLit: boolean) => void;
  readonly onUse: (use: RowUse) => void;
  readonly onOpen: () => void;
  readonly onGo: () => void;
}

function Row({ row, isCurrent, isLit, saysKeys, onFocus, onLight, onUse, onOpen, onGo }: RowProps) {
  const { state, scene, swatch } = row;
  const Icon = iconOf(row);
  const isShown = isOnScreen(row);
  const keys = saysKeys ? ` Press ${isShown ? 'L to leave out' : 'S to show'}, U for other uses.` : '';
  return (
    <li
      className={cx(
        'group relative flex min-h-8.25 items-center rounded-lg text-[13px] leading-4.5 has-[[data-row]:focus-visible]:bg-sunken has-[[data-row]:focus-visible]:outline-2 has-[[data-row]:focus-visible]:-outline-offset-2 has-[[data-row]:focus-visible]:outline-accent',
        isLit && 'bg-sunken',
      )}
      onMouseEnter={() => onLight(true)}
      onMouseLeave={() => onLight(false)}
    >
      <button
        type="button"
        data-row=""
        tabIndex={isCurrent ? 0 : -1}
        onFocus={onFocus}
        onClick={onGo}
        onDoubleClick={onOpen}
        className="flex min-h-8.25 min-w-0 flex-1 items-center gap-2.25 rounded-lg px-2 text-left outline-none"
      >
        <Icon aria-hidden="true" className={cx('size-4 shrink-0', state === 'question' ? 'text-warn' : 'text-ink-2')} />
        <RowWords row={row} keys={keys} />
      </button>
      <RowButton isShown={isShown} isLit={isLit} onUse={onUse} />
      {(scene !== null || swatch !== null) && (
        <span aria-hidden="true" className={cx('shrink-0 pr-2', isLit && 'hidden', 'group-focus-within:hidden')}>
          {scene !== null ? <SceneNumber number={scene} /> : <span className="swatch" style={{ background: swatch ?? '' }} />}
        </span>
      )}
    </li>
  );
}

/** The role and the words, and for screen readers also their state, the reason and the keys. */
function RowWords({ row: { name, words, state, scene, spans }, keys }: { row: ReadingRow; keys: string }) {
  const isLong = state === 'question' || state === 'left-out';
  const isDoubtful = state === 'question' || state === 'needs-drawing';
  const reason = spans[0] === undefined ? '' : reasonOf(spans[0]);
  return (
    <span className={cx('min-w-0', isLong ? 'line-clamp-2 py-1 wrap-anywhere' : 'truncate')}>
      {state !== 'left-out' && <span className={cx('mr-2 font-medium', isDoubtful && 'text-warn')}>{name}</span>}
      <span className="sr-only">{scene === null ? '. ' : `, scene ${scene}. `}</span>
      <span className={cx('text-ink-2', state === 'left-out' && 'line-through decoration-ink-3')}>{words}</span>
      <span className="sr-only">{` ${stateNames[state]}. ${reason}${keys}`}</span>
    </span>
  );
}

/** The one correction that is next. Its key is shown while the row has the focus. */
function RowButton({ isShown, isLit, onUse }: { isShown: boolean; isLit: boolean; onUse: (use: RowUse) => void }) {
  return (
    <span className={cx('shrink-0 pr-2', !isLit && 'hidden group-focus-within:inline')}>
      <button
        type="button"
        tabIndex={-1}
        onClick={() => onUse(isShown ? 'leave-out' : 'show')}
        className="flex h-7 items-center gap-1.5 rounded-md border border-line-strong bg-panel px-2 text-xs hover:border-ink-3"
      >
        {isShown ? 'Leave out' : 'Show'}
        <kbd className="hidden rounded border border-line-strong px-1 font-sans text-[11px] text-ink-2 leading-4 group-focus-within:inline">
          {isShown ? 'L' : 'S'}
        </kbd>
      </button>
    </span>
  );
}

interface ListAsideProps {
  readonly questions: number;
  readonly canUndo: boolean;
  readonly isCorrected: boolean;
  readonly onUndo: () => void;
  readonly onForget: () => void;
}

/** Shows beside the list's heading what is worth doing next. */
export function ListAside({ questions, canUndo, isCorrected, onUndo, onForget }: ListAsideProps) {
  if (canUndo)
    return (
      <Button variant="quiet" size="sm" icon={Undo2} onClick={onUndo} className="h-7! text-xs!">
        Undo
      </Button>
    );
  if (questions > 0) return <span className="rounded-md bg-warn-soft px-2 py-1 text-warn">{`${questions} to check`}</span>;
  if (isCorrected)
    return (
      <Button variant="quiet" size="sm" onClick={onForget} className="h-7! text-xs!">
        Forget my corrections
      </Button>
    );
  return <>Tab to correct</>;
}
