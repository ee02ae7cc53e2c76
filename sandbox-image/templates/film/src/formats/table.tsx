import type { Frame } from '../drawing/frame.ts';
import { Heading, setHeading } from '../drawing/heading.tsx';
import { Lines } from '../drawing/lines.tsx';
import { type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { type Source, SourceLine, withSource } from '../drawing/source.tsx';
import { isNumberColumn, tailsOf } from '../drawing/table-columns.ts';
import { leftToRight, measure, setOptional, setText, type TextSet } from '../drawing/text.ts';
import { isJoinedScript } from '../kit/text/layout.ts';
import type { Face } from '../themes/theme.ts';

interface TableProps {
  readonly title: string | null;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly highlight: number | null;
  readonly note: string | null;
}

interface Cell {
  readonly set: TextSet;
  readonly x: number;
  /** Distance from the top of its row. */
  readonly y: number;
  /** Width of the box that the text is aligned in. */
  readonly width: number;
  readonly align: 'start' | 'end';
  readonly isHead: boolean;
  readonly isNumber: boolean;
  /** Order of the cell's entrance in its row. */
  readonly turn: number;
}

interface Row {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly cells: readonly Cell[];
}

interface Layout {
  readonly title: TextSet | null;
  readonly titleY: number;
  /** Row of the column heads; `null` if each cell has its head in front. */
  readonly heads: Row | null;
  readonly rows: readonly Row[];
  readonly source: Source | null;
}

/** A table's rows in an area, without their positions. */
interface Body {
  readonly size: number;
  readonly heads: Omit<Row, 'y'> | null;
  readonly rows: readonly Omit<Row, 'y'>[];
  /** Number of rows above each other; further rows are beside them. */
  readonly perColumn: number;
  readonly height: number;
}

interface Area {
  readonly x: number;
  readonly width: number;
  readonly height: number;
}

/** A column's texts and their widths in em. */
interface Column {
  /** Whether the cells are numbers. */
  readonly isDigits: boolean;
  /** Whether the cells are aligned as numbers, which those of the first column are not. */
  readonly isNumber: boolean;
  readonly face: Face;
  readonly head: string;
  readonly headWidth: number;
  /** Width of the head if it may have two lines. */
  readonly headLeast: number;
  readonly cells: readonly string[];
  readonly widths: readonly number[];
  /** Widths of the parts after the integer digits. */
  readonly tails: readonly number[];
  readonly width: number;
  readonly widestTail: number;
  /** Width of the longest word. */
  readonly least: number;
  /** Index of the highlighted row, which is stronger. */
  readonly highlight: number | null;
}

const smallest = 34;
const headShare = 0.74;

function layOut(props: TableProps, whole: LayoutSetting): Layout {
  const { source, setting } = withSource(props.note, whole);
  const { safe, shape } = setting.frame;
  const columns = columnsIn(props, setting);
  const titled = (width: number, height: number, size: number) =>
    setHeading(props.title, { size, width, height, maxCharacters: width > 1100 ? 44 : 24 }, setting);

  // In a wide frame, a short table stands beside its title, so that the eye has a short way from column to column.
  if (shape === 'wide' && props.title !== null && props.rows.length >= 4) {
    const area = { x: safe.x + safe.width * 0.4, width: safe.width * 0.6, height: safe.height };
    const title = titled(safe.width * 0.34, safe.height, 104);
    const body = grid(columns, area, { wraps: false, largest: 52 }, setting);
    if (body !== null && body.size >= 44) return placed(title, body, { isBeside: true }, source, setting);
  }
  const bodyBelow = (title: TextSet | null): Body => {
    const head = title === null ? 0 : title.height + titleGap(setting);
    const area = { x: safe.x, width: safe.width, height: safe.height - head };
    const largest = (shape === 'wide' ? 58 : 52) * (props.rows.length <= 4 ? 1.15 : 1);
    const single = grid(columns, area, { wraps: false, largest }, setting);
    const wrapped = grid(columns, area, { wraps: true, largest }, setting);
    // A row of one line reads better than one of several, even if it is a little smaller, and numbers most of all.
    const least = columns.filter(({ isDigits }) => !isDigits).length === 1 ? 0.65 : 0.82;
    const best = single !== null && single.size >= (wrapped?.size ?? 0) * least ? single : wrapped;
    return best ?? stack(columns, area, setting);
  };
  const roomy = titled(safe.width, shape === 'wide' ? 130 : safe.height * 0.2, shape === 'wide' ? 100 : 92);
  const body = bodyBelow(roomy);
  if (body.size >= 44) return placed(roomy, body, { isBeside: false }, source, setting);
  const tight = titled(safe.width, safe.height * 0.125, 72);
  return placed(tight, bodyBelow(tight), { isBeside: false }, source, setting);
}

const titleGap = ({ frame }: LayoutSetting): number => (frame.story ? 56 : 38);

const widestWord = (face: Face, text: string): number => Math.max(0, ...text.split(/\s+/u).map((word) => measure(face, word)));
/** Returns a width that fits a number with digits of equal width. */
const figuresWidth = (face: Face, text: string): number => measure(face, text.replace(/\p{Nd}/gu, '0'));

function columnsIn(props: TableProps, { theme }: LayoutSetting): Column[] {
  const { rows, highlight } = props;
  // While a column is added or removed by hand, the rows have fewer or more cells than heads.
  const width = Math.max(props.columns.length, ...rows.map((row) => row.length));
  const columns = Array.from({ length: width }, (_, at) => props.columns[at] ?? '');
  const kinds = columns.map((_, at) => isNumberColumn(rows.map((row) => row[at] ?? '')));
  const named = labelAt(kinds);
  return columns.map((head, at): Column => {
    const cells = rows.map((row) => row[at] ?? '');
    const isDigits = kinds[at] === true;
    const isNumber = at > 0 && isDigits;
    const face = at === named ? theme.strong : theme.text;
    // The highlighted row is stronger, and must fit as well.
    const widthOf = (text: string) => (isNumber ? figuresWidth(theme.strong, text) : measure(theme.strong, text));
    const tails = isNumber
      ? tailsOf(cells).map((tail) => (tail === '' ? 0 : figuresWidth(theme.strong, tail)))
      : cells.map(() => 0);
    const widths = cells.map(widthOf);
    const widestTail = Math.max(0, ...tails);
    const width = Math.max(0, ...widths.map((own, row) => own - (tails[row] ?? 0) + widestTail));
    const headWidth = measure(theme.text, head);
    return {
      ...{ isDigits, isNumber, face, head, cells, widths, tails, width, widestTail, headWidth, highlight },
      headLeast: Math.max(widestWord(theme.text, head), headWidth * 0.58),
      least: isNumber
        ? width
        : Math.max(0, ...cells.map((text) => Math.min(measure(theme.strong, text), Math.max(widestWord(theme.strong, text), 5)))),
    };
  });
}

/** Returns the column that names the rows: the second if the first one numbers them. */
const labelAt = (kinds: readonly boolean[]): number => (kinds[0] === true && kinds[1] === false ? 1 : 0);

const lineHeightOf = (columns: readonly Column[]): number =>
  columns.some(({ head, cells }) => [head, ...cells].some(isJoinedScript)) ? 1.42 : 1.24;

/** Sets the table with one line per row, or with several if `wraps`, at the largest readable size. Returns `null` if it does not fit. */
function grid(
  columns: readonly Column[],
  area: Area,
  { wraps, largest }: { readonly wraps: boolean; readonly largest: number },
  setting: LayoutSetting,
): Body | null {
  for (let size = largest; size >= smallest; size = size > smallest && size * 0.95 < smallest ? smallest : size * 0.95) {
    const widths = columnWidths(columns, { size, wraps, width: area.width });
    const body = widths === null ? null : gridAt(columns, widths, { size, area }, setting);
    if (body !== null && body.height <= area.height) return body;
  }
  return null;
}

const headSizeAt = (size: number): number => Math.max(smallest, size * headShare);
const gapAt = (size: number): number => Math.max(26, size * 0.85);

/** Returns the columns' widths at a text size, or `null` if they do not fit beside each other. */
function columnWidths(
  columns: readonly Column[],
  { size, wraps, width }: { readonly size: number; readonly wraps: boolean; readonly width: number },
): number[] | null {
  const space = width - gapAt(size) * (columns.length - 1);
  const headSize = headSizeAt(size);
  // Text is set with a small margin.
  const air = 1.03;
  const most = columns.map((column) => Math.max(column.width * size, column.headLeast * headSize) * air);
  const least = columns.map((column) => Math.max(column.least * size, column.headLeast * headSize) * air);
  const sum = (all: readonly number[]) => all.reduce((total, own) => total + own, 0);
  const spare = space - sum(most);
  if (spare >= 0) {
    // Heads of two lines become one line while there is space.
    const wish = columns.map((column, at) => Math.max(0, column.headWidth * headSize * air - (most[at] ?? 0)));
    const share = Math.min(1, spare / Math.max(1, sum(wish)));
    return most.map((own, at) => own + (wish[at] ?? 0) * (share === 1 ? 1 : 0));
  }
  if (!wraps || sum(least) > space) return null;
  // The widest columns give way first.
  let [low, high] = [0, Math.max(...most)];
  for (let step = 0; step < 24; step += 1) {
    const cap = (low + high) / 2;
    const fits = sum(most.map((own, at) => Math.max(least[at] ?? 0, Math.min(own, cap)))) <= space;
    if (fits) low = cap;
    else high = cap;
  }
  return most.map((own, at) => Math.max(least[at] ?? 0, Math.min(own, low)));
}

/** Keeps the signs of a number in place in right-to-left films. */
function shownText(text: string, isNumber: boolean, { rightToLeft }: Frame): string {
  return isNumber && rightToLeft && text !== '' ? leftToRight(text) : text;
}

function gridAt(
  columns: readonly Column[],
  widths: readonly number[],
  { size, area }: { readonly size: number; readonly area: Area },
  { theme, frame }: LayoutSetting,
): Body | null {
  const rows = columns[0]?.cells ?? [];
  const lineHeight = lineHeightOf(columns);
  const used = widths.reduce((sum, own) => sum + own, 0);
  // A leading number column stays close to the names.
  const tight = labelAt(columns.map(({ isDigits }) => isDigits)) === 1 ? gapAt(size) : null;
  const gaps = columns.length - 1 - (tight === null ? 0 : 1);
  const gap = (area.width - used - (tight ?? 0)) / Math.max(1, gaps);
  const starts = widths.map(
    (_, at) => area.x + widths.slice(0, at).reduce((sum, own, before) => sum + own + (before === 0 ? (tight ?? gap) : gap), 0),
  );
  const fit = (text: string, face: Face, own: number, fontSize: number) =>
    setText({
      text,
      face,
      size: fontSize,
      minSize: fontSize,
      width: own * 1.02,
      height: fontSize * 8,
      maxCharacters: 60,
      lineHeight,
    });
  const headSize = headSizeAt(size);
  const heads = columns.map(({ head }, at) => (head === '' ? null : fit(head, theme.text, widths[at] ?? 0, headSize)));
  const headHeight = Math.max(0, ...heads.map((set) => set?.height ?? 0));
  const padding = size * (size > 40 ? 0.44 : 0.3);
  const set = rows.map((_, row) => {
    const sets = columns.map(({ cells, face, isNumber, highlight }, at) => {
      const text = cells[row] ?? '';
      return text === ''
        ? null
        : fit(shownText(text, isNumber, frame), row === highlight ? theme.strong : face, widths[at] ?? 0, size);
    });
    const tallest = Math.max(size * lineHeight, ...sets.map((each) => each?.height ?? 0));
    const cells = sets.flatMap((each, at): Cell[] => {
      const [column, width, x] = [columns[at], widths[at], starts[at]];
      if (each === null || column === undefined || width === undefined || x === undefined) return [];
      const { isNumber } = column;
      const after = (column.widestTail - (column.tails[row] ?? 0)) * size;
      // Digits are aligned at their right in right-to-left films, too, where `x` is the distance from the right edge.
      const numberX = frame.rightToLeft ? x + width - column.width * size + after : x - after;
      const align = isNumber && !frame.rightToLeft ? 'end' : 'start';
      return [{ set: each, x: isNumber ? numberX : x, y: 0, width, align, isHead: false, isNumber, turn: at }];
    });
    return { x: area.x, width: area.width, height: tallest + padding, cells };
  });
  if (set.some(({ cells }) => cells.some(({ set: each }) => each.size < size - 0.5))) return null;
  if (heads.some((each) => each !== null && (each.size < headSize - 0.5 || each.lines.length > 2))) return null;
  const hasHeads = headHeight > 0;
  const headRow = {
    ...{ x: area.x, width: area.width, height: headHeight + padding * 0.7 },
    cells: heads.flatMap((each, at): Cell[] => {
      const [width, x] = [widths[at], starts[at]];
      if (each === null || width === undefined || x === undefined) return [];
      const align = columns[at]?.isNumber === true ? 'end' : 'start';
      return [{ set: each, x, y: headHeight - each.height, width, align, isHead: true, isNumber: false, turn: at }];
    }),
  };
  const height = set.reduce((sum, row) => sum + row.height, hasHeads ? headRow.height : 0);
  return { size, heads: hasHeads ? headRow : null, rows: set, perColumn: set.length, height };
}

/** Sets each row's cells as “head: value” below its name, in two columns in a wide frame. */
function stack(columns: readonly Column[], area: Area, setting: LayoutSetting): Body {
  const count = columns[0]?.cells.length ?? 0;
  const isWide = setting.frame.shape === 'wide';
  const width = isWide ? (area.width - stackGap) / 2 : area.width;
  const perColumn = isWide ? Math.ceil(count / 2) : count;
  const stackAt = (size: number, flows: boolean): Body => {
    const rows = Array.from({ length: count }, (_, row) => {
      const x = area.x + (row < perColumn ? 0 : width + stackGap);
      return stackedRow(columns, row, { x, width, size, flows }, setting);
    });
    const heightOf = (part: typeof rows) => part.reduce((sum, { height }) => sum + height, 0);
    const height = Math.max(heightOf(rows.slice(0, perColumn)), heightOf(rows.slice(perColumn)));
    return { size, heads: null, rows, perColumn, height };
  };
  const sizes = [46, 43, 40, 37, smallest];
  const calm = sizes.map((size) => stackAt(size, false)).find(({ height }) => height <= area.height);
  if (calm !== undefined) return calm;
  for (const size of [...sizes, 31, 28, 25]) {
    const body = stackAt(size, true);
    if (body.height <= area.height) return body;
  }
  return stackAt(22, true);
}

const stackGap = 90;

interface StackPlace {
  readonly x: number;
  readonly width: number;
  readonly size: number;
  /** Whether a line may have several cells. */
  readonly flows: boolean;
}

/** A cell with its head in front. */
interface Pair {
  readonly head: TextSet | null;
  readonly text: string;
  readonly face: Face;
  readonly width: number;
  /** Whether the next cell starts a line. */
  readonly ends: boolean;
}

const stackedText = (columns: readonly Column[], size: number) => ({
  ...{ size, minSize: Math.min(size, smallest), height: size * 12, maxCharacters: 80 },
  lineHeight: lineHeightOf(columns),
});

function pairsIn(columns: readonly Column[], row: number, { width, size, flows }: StackPlace, setting: LayoutSetting): Pair[] {
  const { theme, frame } = setting;
  const named = labelAt(columns.map(({ isDigits }) => isDigits));
  return columns.flatMap(({ head, cells, isDigits }, at): Pair[] => {
    const text = shownText(cells[row] ?? '', isDigits, frame);
    if (text === '') return [];
    const label = head === '' ? null : `${head}:`;
    return [
      {
        head: setOptional(label, { ...stackedText(columns, size), face: theme.text, width }),
        text,
        face: at <= named ? theme.strong : theme.text,
        width: measure(theme.strong, text) * size * 1.04,
        ends: at === named || (at > named && !flows),
      },
    ];
  });
}

/** Sets the cells of a row from the start, below each other or with as many in a line as fit. */
function stackedRow(columns: readonly Column[], row: number, place: StackPlace, setting: LayoutSetting): Omit<Row, 'y'> {
  const { x, width, size } = place;
  const cells: Cell[] = [];
  let [at, top, bottom] = [0, 0, 0];
  const add = (set: TextSet, isHead: boolean) => {
    cells.push({ set, x: x + at, y: top, width: set.width, align: 'start', isHead, isNumber: false, turn: cells.length });
    at += set.width;
    bottom = Math.max(bottom, top + set.height);
  };
  const newLine = () => {
    top = bottom;
    at = 0;
  };
  for (const { head, text, face, width: own, ends } of pairsIn(columns, row, place, setting)) {
    if (at > 0 && at + size * 1.22 + (head?.width ?? 0) + own > width) newLine();
    if (at > 0) at += size * 0.9;
    if (head !== null) {
      add(head, true);
      at += size * 0.32;
    }
    // A value that is longer than the rest of the line has several lines, below its head if there is little space beside it.
    const isLong = at + own > width;
    if (isLong && at > width * 0.5) newLine();
    add(setText({ ...stackedText(columns, size), text, face, width: isLong ? width - at : own }), false);
    if (isLong || ends) newLine();
  }
  return { x, width, height: bottom + size * 0.4, cells };
}

/** Returns the maximum space that is added to a row, as a multiple of the text size. */
function looseness(count: number, { frame }: LayoutSetting): number {
  if (frame.shape === 'tall') return count <= 8 ? 1.5 : 0.9;
  return count <= 5 ? 1.15 : 0.7;
}

/** Positions the title and the rows. Rows stand further apart if there is space. */
function placed(
  title: TextSet | null,
  body: Body,
  { isBeside }: { readonly isBeside: boolean },
  source: Source | null,
  setting: LayoutSetting,
): Layout {
  const { safe } = setting.frame;
  const head = title === null || isBeside ? 0 : title.height + titleGap(setting);
  const free = Math.max(0, safe.height - head - body.height);
  const count = body.perColumn + (body.heads === null ? 0 : 0.5);
  const spare = Math.min(body.size * looseness(body.perColumn, setting), free / count);
  const top = safe.y + Math.max(0, (free - spare * count) * 0.42);
  const headRow = body.heads === null ? null : { ...body.heads, y: top + head, height: body.heads.height + spare * 0.5 };
  const first = top + head + (headRow?.height ?? 0);
  const rows = body.rows.map((row, index): Row => {
    const before = body.rows.slice(index < body.perColumn ? 0 : body.perColumn, index);
    const y = first + before.reduce((sum, { height }) => sum + height + spare, 0);
    const block = Math.max(0, ...row.cells.map(({ set, y: cellY }) => cellY + set.height));
    const height = row.height + spare;
    return { ...row, y, height, cells: row.cells.map((cell) => ({ ...cell, y: cell.y + (height - block) / 2 })) };
  });
  return { title, titleY: isBeside ? top : top - 8, heads: headRow, rows, source };
}

/** Rows that fill one after another below the column heads. The highlighted row is marked when all are there. */
export function TableFormat(props: TableProps) {
  const { colors, motion, theme } = useScene();
  const layout = useLayout(layOut, props);
  const { heads, rows, source } = layout;
  const leave = motion.leave();
  const first = props.title === null ? 0.35 : 0.6;
  const hold = props.highlight === null ? 2.1 : 2.7;
  const beat = Math.min(0.6, Math.max(0.08, (motion.duration - first - hold) / rows.length));
  const startOf = (index: number) => motion.when(first + index * beat);
  const marked = props.highlight === null ? undefined : rows[props.highlight];
  const markAt = startOf(rows.length) + 0.35;
  const lowest = rows.filter(({ x }, index) => rows[index + 1]?.x !== x);
  return (
    <>
      <Heading set={layout.title} y={layout.titleY} />
      <div className="box" style={{ inset: 0, opacity: 1 - leave }}>
        {rows.map(({ x, y, width }, index) => (
          <theme.Rule
            key={`${x} ${y}`}
            x={x}
            length={width}
            y={y - theme.stroke / 2}
            progress={index === 0 && heads !== null ? motion.draw(0.15, 0.7) : motion.draw(startOf(index), 0.55)}
            tone={index === 0 && heads !== null ? 'ink' : 'plain'}
            seed={index + 20}
          />
        ))}
        {lowest.map(({ x, y, width, height }) => (
          <theme.Rule
            key={`${x} end`}
            x={x}
            y={y + height - theme.stroke / 2}
            length={width}
            progress={motion.draw(startOf(rows.length), 0.55)}
            tone="plain"
            seed={60}
          />
        ))}
        {marked === undefined ? null : <Mark row={marked} progress={motion.draw(markAt, 0.6)} />}
        {heads?.cells.map((cell) => (
          <CellText key={cell.turn} cell={cell} row={heads} color={colors.muted} at={0.2 + cell.turn * 0.05} />
        ))}
        {rows.map((row, index) =>
          row.cells.map((cell) => (
            <CellText
              key={`${row.x} ${row.y} ${cell.x} ${cell.y}`}
              cell={cell}
              row={row}
              color={cell.isHead && row !== marked ? colors.muted : colors.ink}
              at={startOf(index) + cell.turn * 0.045}
            />
          )),
        )}
      </div>
      {source === null ? null : <SourceLine source={source} />}
    </>
  );
}

interface CellTextProps {
  readonly cell: Cell;
  readonly row: Pick<Row, 'y'>;
  readonly color: string;
  readonly at: number;
}

function CellText({ cell, row, color, at }: CellTextProps) {
  const { motion } = useScene();
  return (
    <div style={cell.isNumber ? { fontVariantNumeric: 'tabular-nums' } : undefined}>
      <Lines
        set={cell.set}
        x={cell.x}
        y={row.y + cell.y}
        color={color}
        width={cell.width}
        align={cell.align}
        entrance="fade"
        progress={() => motion.enter(at, 0.45)}
      />
    </div>
  );
}

/** Marks the highlighted row from edge to edge. */
function Mark({ row, progress }: { readonly row: Row; readonly progress: number }) {
  const { theme } = useScene();
  const reach = 22;
  const inset = theme.stroke + 3;
  return progress <= 0 ? null : (
    <theme.Marker
      x={row.x - reach}
      y={row.y + inset}
      width={row.width + 2 * reach}
      height={row.height - 2 * inset}
      progress={progress}
      seed={44}
    />
  );
}
