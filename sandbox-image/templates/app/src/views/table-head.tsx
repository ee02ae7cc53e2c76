// biome-ignore-all lint/a11y/useSemanticElements: see the grid.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active cell.
import { ArrowDown, ArrowUp } from 'lucide-react';
import { memo, type PointerEvent, useRef } from 'react';
import type { Field } from '../../model/document.ts';
import type { Sort } from '../../model/rows.ts';
import { fieldIcon } from '../fields/field-icon.ts';
import { Icon } from '../ui/icon.tsx';
import { type Columns, isNumeric } from './table-columns.ts';
import { setSorts } from './use-rows.ts';

/** Movement of the pointer from which on it drags, and does not click. */
const dragPx = 6;

const directionOf = (element: Element) => (getComputedStyle(element).direction === 'rtl' ? -1 : 1);

/** The column before whose cell the pointer would drop, counted from 0. The title stays first. */
function dropIndex(cells: readonly DOMRect[], clientX: number, direction: number): number {
  const passed = cells.filter(({ left, width }) => (clientX - (left + width / 2)) * direction > 0).length;
  return Math.max(1, passed);
}

interface TableHeadProps {
  readonly field: Field;
  readonly sorts: readonly Sort[];
  readonly columns: Columns;
}

/** The head of a column: a click sorts, dragging moves it, and dragging its edge sets its width. */
export const TableHead = memo(function TableHead({ field, sorts, columns }: TableHeadProps) {
  const cell = useRef<HTMLDivElement>(null);
  const isDragged = useRef(false);
  const [sort] = sorts;
  const isSorted = sort?.field === field.id;
  const isDown = isSorted && sort.descending === true;
  const isTitle = columns.fields[0] === field;

  function resize(event: PointerEvent<HTMLSpanElement>) {
    event.preventDefault();
    const start = event.clientX;
    const width = cell.current?.offsetWidth ?? 0;
    const direction = directionOf(event.currentTarget);
    const handle = event.currentTarget;
    handle.setPointerCapture(event.pointerId);
    handle.onpointermove = (move) => columns.resize(field.id, width + (move.clientX - start) * direction);
    handle.onpointerup = () => {
      handle.onpointermove = null;
    };
  }

  function drag(event: PointerEvent<HTMLButtonElement>) {
    isDragged.current = false;
    // A finger scrolls the table.
    if (isTitle || event.button !== 0 || event.pointerType === 'touch') return;
    const heads = [...(cell.current?.parentElement?.querySelectorAll<HTMLElement>('[data-column]') ?? [])];
    const places = heads.map((head) => head.getBoundingClientRect());
    const start = event.clientX;
    const button = event.currentTarget;
    const direction = directionOf(button);
    let to: number | null = null;
    const mark = (index: number | null) => {
      to = index;
      for (const [at, head] of heads.entries()) {
        head.toggleAttribute('data-drop-before', at === index);
        head.toggleAttribute('data-drop-after', index === heads.length && at === heads.length - 1);
      }
    };
    button.setPointerCapture(event.pointerId);
    button.onpointermove = ({ clientX }) => {
      isDragged.current ||= Math.abs(clientX - start) > dragPx;
      if (isDragged.current) mark(dropIndex(places, clientX, direction));
    };
    const end = () => {
      button.onpointermove = null;
      button.onpointerup = null;
      button.onpointercancel = null;
      const from = columns.fields.indexOf(field);
      // Without the column itself, the ones after it are one place further to the front.
      if (to !== null) columns.move(field.id, to > from ? to - 1 : to);
      mark(null);
      // A click follows at once, and is none.
      setTimeout(() => {
        isDragged.current = false;
      });
    };
    button.onpointerup = end;
    button.onpointercancel = () => {
      to = null;
      end();
    };
  }

  const sorted = isDown ? 'descending' : 'ascending';
  return (
    <div
      ref={cell}
      role="columnheader"
      aria-sort={isSorted ? sorted : 'none'}
      className={isNumeric(field) ? 'num' : ''}
      data-column={field.id}
    >
      <button
        type="button"
        tabIndex={-1}
        className="head-button"
        title={isTitle ? `Sort by ${field.name}` : `Sort by ${field.name}, drag to move (Alt Shift ← →)`}
        onPointerDown={drag}
        onClick={() => {
          if (!isDragged.current) setSorts(isDown ? [] : [{ field: field.id, descending: isSorted }]);
        }}
      >
        <Icon of={fieldIcon(field)} size={14} className="text-ink-3" />
        <span className="ellipsis">{field.name}</span>
        {isSorted && <Icon of={isDown ? ArrowDown : ArrowUp} size={14} />}
      </button>
      <span className="resize" onPointerDown={resize} aria-hidden="true" />
    </div>
  );
});
