import { figure } from '../drawing/figures.ts';
import { Icon } from '../drawing/icon.tsx';
import { Lines } from '../drawing/lines.tsx';
import { Box, type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { cased, measure, setOptional, setText, setTexts, type TextRequest, type TextSet } from '../drawing/text.ts';
import type { Tone } from '../themes/theme.ts';

interface ListItem {
  readonly text: string;
  readonly detail: string | null;
  readonly value: string | null;
  readonly icon: string | null;
}

interface ListProps {
  readonly title: string | null;
  readonly items: readonly ListItem[];
  readonly numbered: boolean;
  /** Number of the first item. Missing in films from before this field existed. */
  readonly start?: number;
  readonly highlight: number | null;
}

interface Entry {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly number: TextSet | null;
  /** Width and height of the number or icon in front. */
  readonly lead: number;
  readonly text: TextSet;
  readonly textX: number;
  readonly textY: number;
  readonly detail: TextSet | null;
  readonly value: TextSet | null;
  readonly icon: number;
}

interface Layout {
  readonly title: TextSet | null;
  readonly titleY: number;
  /** Whether each item is a column below a poster-sized number. */
  readonly posters: boolean;
  readonly entries: readonly Entry[];
}

/** Returns whether every item is a term with its meaning, which appears after the term. */
const isPaired = ({ items }: ListProps): boolean =>
  items.length > 1 && items.every(({ detail, value }) => detail !== null && value === null);

const hasLead = ({ items, numbered }: ListProps): boolean => numbered || items.some(({ icon }) => icon !== null);

/** If items would be smaller than this, the title shrinks to leave space for them. */
const comfortable = 46;

function layOut(props: ListProps, setting: LayoutSetting): Layout {
  const { frame, theme } = setting;
  const { safe, shape } = frame;
  const isShort = ({ text, value }: ListItem) => text.length <= 40 && value === null;
  if (shape === 'wide') {
    const posters = props.items.length <= 3 && props.items.every(isShort) && hasLead(props) && !theme.plate.drawn;
    if (posters) return columns(props, setTitle(props, setting, { width: safe.width, height: 140 }), setting);
    const narrow = setTitle(props, setting, { width: safe.width * 0.38, height: safe.height });
    const beside = rows(props, { title: narrow, left: safe.width * 0.45 }, setting);
    const calm = beside.entries.every(({ text }) => text.lines.length === 1);
    if (narrow !== null && calm && textSize(beside) >= comfortable * 1.1) return beside;
  }
  const above = (height: number) =>
    rows(props, { title: setTitle(props, setting, { width: safe.width, height }), left: 0 }, setting);
  const roomy = above(shape === 'wide' ? 130 : safe.height * 0.24);
  return textSize(roomy) >= comfortable ? roomy : above(safe.height * 0.125);
}

const textSize = ({ entries }: Layout): number => entries[0]?.text.size ?? 0;

function setTitle(
  { title }: ListProps,
  { frame, theme, language }: LayoutSetting,
  { width, height }: { readonly width: number; readonly height: number },
): TextSet | null {
  if (title === null) return null;
  return setText({
    text: cased(theme, title, language),
    face: theme.display,
    size: width < frame.safe.width ? 136 : 124,
    minSize: 54,
    width,
    height,
    maxCharacters: width > 1100 ? 40 : 22,
  });
}

/** Lays out two or three items beside each other, each below its rank. */
function columns(
  { items, numbered, start = 1 }: ListProps,
  title: TextSet | null,
  { frame, theme, language }: LayoutSetting,
): Layout {
  const { safe } = frame;
  const gap = 84;
  const width = (safe.width - gap * 2) / Math.max(2, items.length);
  const fit = (text: string | null, size: number, height: number): TextRequest => ({
    text: text ?? '',
    face: text === null ? theme.text : theme.strong,
    size,
    width,
    height,
    maxCharacters: 26,
    lineHeight: 1.16,
  });
  const texts = setTexts(items.map(({ text }) => fit(text, 62, 220)));
  const details = setTexts(items.map(({ detail }) => ({ ...fit(detail, 42, 150), face: theme.text })));
  const hasDetail = items.some(({ detail }) => detail !== null);
  const below =
    Math.max(...texts.map(({ height }) => height)) + (hasDetail ? Math.max(...details.map(({ height }) => height)) + 14 : 0);
  const head = title === null ? 0 : title.height + 30;
  const lead = Math.min(470, safe.height - head - below - 110);
  const block = head + lead + 110 + below;
  const top = safe.y + Math.max(0, (safe.height - block) * 0.45);
  const entries = items.map((item, index): Entry => {
    const x = safe.x + index * (width + gap);
    return {
      x,
      y: top + head,
      width,
      height: block - head,
      number: numbered
        ? setText({
            text: figure(index + start, 0, language),
            face: theme.display,
            size: lead,
            width,
            height: lead * 2,
            lineHeight: 1,
          })
        : null,
      lead,
      text: texts[index] as TextSet,
      textX: x,
      textY: top + head + lead + 110,
      detail: item.detail === null ? null : (details[index] ?? null),
      value: null,
      icon: numbered && item.icon !== null ? lead * 0.34 : 0,
    };
  });
  return { title, titleY: top, posters: true, entries };
}

/** Returns the maximum space between rows, as a multiple of the text size. Few rows stand further apart, to fill the frame. */
function looseness(count: number, { theme }: LayoutSetting): number {
  if (theme.plate.drawn) return 0.25;
  return count <= 3 ? 1.7 : 0.9;
}

/** Lays out rows at the largest size that fits, in two columns if there are many short ones. */
function rows(
  props: ListProps,
  { title, left }: { readonly title: TextSet | null; readonly left: number },
  setting: LayoutSetting,
): Layout {
  const { safe, shape } = setting.frame;
  const { items } = props;
  const head = title === null || left > 0 ? 0 : title.height + 38;
  const width = safe.width - left;
  const room = safe.height - head;
  const isShort = ({ text, detail, value }: ListItem) => text.length <= 32 && detail === null && value === null;
  const columnCount = shape === 'wide' && left === 0 && items.length >= 6 && items.every(isShort) ? 2 : 1;
  const perColumn = Math.ceil(items.length / columnCount);
  const base = { wide: 82, square: 74, tall: 78 }[shape];
  const largest = perColumn <= 3 ? base * 1.2 : base;
  // One line per item reads best, but several lines are better than small letters.
  const singleFrom = Math.max(comfortable, largest * 0.66);
  for (let size = largest, single = true; ; size *= 0.96) {
    if (single && size < singleFrom) {
      single = false;
      size = largest;
    }
    const set = setRows(props, { size, width: (width - (columnCount - 1) * 96) / columnCount }, setting);
    if (single && set.some(({ text }) => text.lines.length > 1)) continue;
    const heights = set.map(({ height }) => height);
    const used = Array.from({ length: columnCount }, (_, column) =>
      heights.slice(column * perColumn, (column + 1) * perColumn).reduce((sum, height) => sum + height, 0),
    );
    const tallest = Math.max(...used);
    if (tallest > room && size > 22) continue;
    const spare = Math.min(size * looseness(perColumn, setting), Math.max(0, room - tallest) / perColumn);
    const top = safe.y + Math.max(0, (room - tallest - spare * perColumn) * 0.42);
    const entries = set.map((entry, index): Entry => {
      const column = Math.floor(index / perColumn);
      const above = heights.slice(column * perColumn, index).reduce((sum, height) => sum + height + spare, 0);
      const x = entry.x + left + column * ((width + 96) / columnCount);
      const y = top + head + above;
      const block = entry.text.height + (entry.detail === null ? 0 : entry.detail.height + 4);
      const height = entry.height + spare;
      return { ...entry, x, y, height, textX: x + entry.textX, textY: y + (height - block) / 2 };
    });
    return { title, titleY: left > 0 ? top + size * 0.3 : top, posters: false, entries };
  }
}

/** Returns the total space above and below the text on a strip, as a multiple of its size. */
const platePadding = (text: TextSet, detail: TextSet | null): number => (text.lines.length > 1 || detail !== null ? 0.5 : 0.8);

/** Sets the rows at one text size, without positioning them. */
function setRows(
  props: ListProps,
  { size, width }: { readonly size: number; readonly width: number },
  { frame, theme, language }: LayoutSetting,
): Entry[] {
  const { items, numbered, start = 1 } = props;
  const { drawn, padding } = theme.plate;
  const minSize = Math.min(size, 34);
  const lead = hasLead(props) ? size * (drawn ? 2.05 : 1.85) : 0;
  const valueSize = Math.max(minSize, size * 0.94);
  const values = items.map(({ value }) =>
    value === null
      ? null
      : setText({ text: value, face: theme.figures, size: valueSize, width: width * 0.34, height: valueSize * 1.3 }),
  );
  const valueSpace = Math.max(0, ...values.map((value) => (value === null ? 0 : value.width + size * 0.7)));
  const icon = numbered && items.some((item) => item.icon !== null) ? size * 1.2 : 0;
  // Indents every second sticker if its text leaves space.
  const indent = drawn ? frame.safe.width * (frame.shape === 'wide' ? 0.05 : 0.1) : 0;
  const margin = drawn ? padding : 0;
  const textX = lead === 0 ? margin : lead + size * (drawn ? 0.55 : 0.42);
  const space = width - textX - valueSpace - (icon === 0 ? 0 : icon + size * 0.4) - margin;
  const request = (text: string, maxWidth: number): TextRequest => ({
    text,
    face: theme.strong,
    size,
    minSize,
    width: maxWidth,
    height: size * 4.7,
    maxCharacters: 64,
    lineHeight: 1.14,
  });
  const indented = setTexts(items.map(({ text }, index) => request(text, space - (index % 2) * indent)));
  const fits = indented.every(({ lines }) => lines.length === 1);
  const texts = fits ? indented : setTexts(items.map(({ text }) => request(text, space)));
  return items.map((item, index): Entry => {
    const text = texts[index] as TextSet;
    const detail = setOptional(item.detail, {
      face: theme.text,
      size: Math.max(minSize, size * 0.64),
      minSize,
      width: space,
      height: size * 4,
      maxCharacters: 70,
      lineHeight: 1.2,
    });
    const block = text.height + (detail === null ? 0 : detail.height + 4);
    const shift = fits && index % 2 === 1 ? indent : 0;
    // Strips are tilted, so longer ones need more space.
    const pad = drawn ? platePadding(text, detail) + (text.width / size) * 0.012 : 0.3;
    return {
      x: frame.safe.x + shift,
      y: 0,
      width: width - shift,
      height: Math.max(block + size * pad, lead * (drawn ? 0.94 : 0.92)) + size * (drawn ? 0.12 : 0.2),
      number: setOptional(numbered ? figure(index + start, 0, language) : null, {
        face: theme.display,
        size: lead,
        width: lead * 2,
        height: lead * 2,
        lineHeight: 1,
      }),
      lead,
      text,
      textX,
      textY: 0,
      detail,
      value: values[index] ?? null,
      icon: numbered && item.icon !== null ? icon : 0,
    };
  });
}

function emphasisOf(index: number, highlight: number | null): EntryProps['emphasis'] {
  if (highlight === null) return 'even';
  return index === highlight ? 'strong' : 'quiet';
}

/** Items that enter in sequence, each with a number or icon larger than its text. */
export function ListFormat(props: ListProps) {
  const { frame, colors, motion } = useScene();
  const layout = useLayout(layOut, props);
  const first = props.title === null ? 0.1 : 0.35;
  const longest = isPaired(props) ? 1.3 : 0.75;
  const beat = Math.min(longest, Math.max(0.12, (motion.duration - first - 2.2) / props.items.length));
  const detailDelay = isPaired(props) ? Math.max(0.3, beat * 0.6) : 0.3;
  return (
    <>
      {layout.title === null ? null : (
        <Lines
          set={layout.title}
          x={frame.safe.x}
          y={layout.titleY}
          color={colors.ink}
          progress={(line) => motion.enter(line * 0.08)}
          leave={motion.leave()}
        />
      )}
      {layout.entries.map((entry, index) => {
        const item = props.items[index];
        if (item === undefined) return null;
        const leave = motion.leave(index * 0.03);
        const side = frame.rightToLeft ? -1 : 1;
        const emphasis = emphasisOf(index, props.highlight);
        const own = { entry, item, index, at: first + index * beat, detailDelay, emphasis } as const;
        return (
          <div
            key={`${entry.x} ${entry.y}`}
            className="box"
            style={{ inset: 0, opacity: 1 - leave, transform: leave === 0 ? undefined : `translateX(${-60 * leave * side}px)` }}
          >
            {layout.posters ? <Poster {...own} /> : <ListRow {...own} />}
          </div>
        );
      })}
    </>
  );
}

interface EntryProps {
  readonly entry: Entry;
  readonly item: ListItem;
  readonly index: number;
  /** Entrance time in seconds from the start of the scene. */
  readonly at: number;
  /** Time in seconds from the item's entrance to that of its detail. */
  readonly detailDelay: number;
  readonly emphasis: 'even' | 'strong' | 'quiet';
}

function Highlight({ set, x, y, at }: { readonly set: TextSet; readonly x: number; readonly y: number; readonly at: number }) {
  const { theme, motion } = useScene();
  const reach = set.size * 0.2;
  return set.lines.map((line, index) => (
    <theme.Marker
      key={line}
      x={x - reach}
      y={y + index * set.lineStep + (set.lineStep - set.size * 1.06) / 2}
      width={measure(set.face, line) * set.size + 2 * reach}
      height={set.size * 1.06}
      progress={motion.draw(at + index * 0.25, 0.5)}
      seed={index + 40}
    />
  ));
}

function Poster({ entry, item, index, at, detailDelay, emphasis }: EntryProps) {
  const { theme, colors, motion } = useScene();
  const { x, y, width, number, lead, text, detail } = entry;
  const sway = Math.sin(motion.drift(4) * 1.1 + index * 1.7) * 3;
  return (
    <>
      {number === null ? null : (
        <div className="box" style={{ inset: 0, transform: `translateY(${sway}px)` }}>
          <Lines
            set={number}
            x={x - lead * 0.02}
            y={y}
            color={emphasis === 'quiet' ? colors.muted : colors.accent}
            room={0.1}
            progress={() => motion.enter(at, 0.7)}
          />
        </div>
      )}
      {number === null || entry.icon > 0 ? (
        <EntryIcon
          name={item.icon}
          x={number === null ? x : x + number.width + 30}
          y={number === null ? y + lead * 0.12 : y + lead * 0.56}
          size={number === null ? lead * 0.8 : entry.icon}
          progress={motion.spring(at + 0.1)}
          color={emphasis === 'quiet' ? colors.muted : colors.accent}
        />
      ) : null}
      <theme.Underline
        x={x}
        y={y + lead + 50}
        width={width}
        height={14}
        progress={motion.draw(at + 0.15, 0.55)}
        seed={index + 30}
      />
      {emphasis === 'strong' ? <Highlight set={text} x={x} y={entry.textY} at={at + 0.4} /> : null}
      <Lines set={text} x={x} y={entry.textY} color={colors.ink} entrance="fade" progress={() => motion.enter(at + 0.22, 0.45)} />
      {detail === null ? null : (
        <Lines
          set={detail}
          x={x}
          y={entry.textY + text.height + 14}
          color={colors.muted}
          entrance="fade"
          progress={() => motion.enter(at + detailDelay + 0.02, 0.45)}
        />
      )}
    </>
  );
}

function ListRow({ entry, item, index, at, detailDelay, emphasis }: EntryProps) {
  const { theme, colors, motion } = useScene();
  const { x, y, width, height, lead, text, textX, textY, detail, value } = entry;
  const { plate } = theme;
  const even = index % 2 === 0 ? 'accent' : 'helper';
  const tone = ({ even, strong: 'accent', quiet: 'helper' } as const)[emphasis];
  const mark = emphasis === 'quiet' ? colors.muted : colors.accent;
  const ink = plate.ink(colors, tone);
  const shown = motion.enter(at + 0.2, 0.45);
  const middle = y + height / 2;
  const block = text.height + (detail === null ? 0 : detail.height + 4);
  const textEnd = textX + Math.max(text.width + entry.icon * 1.4, detail?.width ?? 0);
  const plateHeight = block + text.size * platePadding(text, detail);
  const plateX = x + lead * 0.4;
  const plateEnd = value === null ? textEnd + plate.padding : x + width;
  return (
    <>
      {plate.drawn ? (
        <theme.Plate
          x={plateX}
          y={middle - plateHeight / 2}
          width={plateEnd - plateX}
          height={plateHeight}
          index={index}
          tone={tone}
          progress={motion.spring(at + 0.1, 0.5)}
        />
      ) : (
        <theme.Rule x={x} y={y} length={width} progress={motion.draw(at, 0.6)} tone="plain" seed={index + 20} />
      )}
      {plate.drawn ? (
        <LeadBadge entry={entry} icon={item.icon} index={index} at={at} tone={tone} />
      ) : (
        <Lead entry={entry} icon={item.icon} index={index} at={at} color={mark} />
      )}
      {emphasis === 'strong' && !plate.drawn ? <Highlight set={text} x={textX} y={textY} at={at + 0.4} /> : null}
      <Lines set={text} x={textX} y={textY} color={ink} entrance="fade" progress={() => shown} />
      {entry.icon === 0 ? null : (
        <EntryIcon
          name={item.icon}
          x={textX + text.width + entry.icon * 0.35}
          y={middle - entry.icon / 2}
          size={entry.icon}
          progress={motion.spring(at + 0.3)}
          color={plate.drawn ? ink : colors.helper}
        />
      )}
      {detail === null ? null : (
        <Lines
          set={detail}
          x={textX}
          y={textY + text.height + 4}
          color={plate.drawn ? ink : colors.muted}
          entrance="fade"
          progress={() => motion.enter(at + detailDelay, 0.45)}
        />
      )}
      {value === null ? null : (
        <Lines
          set={value}
          x={x + width - value.width - (plate.drawn ? plate.padding : 0)}
          y={middle - value.height / 2}
          color={plate.drawn ? ink : mark}
          entrance="fade"
          progress={() => motion.enter(at + 0.35, 0.45)}
        />
      )}
    </>
  );
}

type LeadProps = Pick<EntryProps, 'entry' | 'index' | 'at'> & { readonly icon: string | null };

/** Draws a row's number or icon as the theme's badge. */
function LeadBadge({ entry, icon, index, at, tone }: LeadProps & { readonly tone: Tone }) {
  const { theme, motion } = useScene();
  const { x, y, height, lead, number } = entry;
  if (lead <= 0 || (number === null && icon === null)) return null;
  return (
    <theme.Badge x={x} y={y + height / 2 - lead / 2} size={lead} index={index} tone={tone} progress={motion.spring(at, 0.55)}>
      {number === null ? <Icon name={icon ?? ''} size={lead * 0.6} /> : number.lines.join('')}
    </theme.Badge>
  );
}

/** Draws a row's number or icon without a badge. */
function Lead({ entry, icon, index, at, color }: LeadProps & { readonly color: string }) {
  const { motion } = useScene();
  const { x, y, height, lead, number } = entry;
  const middle = y + height / 2;
  const sway = Math.sin(motion.drift(2) * 1.2 + index * 1.9) * 1.5;
  if (number === null && lead === 0) return null;
  return (
    <div className="box" style={{ inset: 0, transform: `translateY(${sway}px)` }}>
      {number === null ? (
        <EntryIcon
          name={icon}
          x={x}
          y={middle - lead * 0.4}
          size={lead * 0.8}
          progress={motion.spring(at + 0.05)}
          color={color}
        />
      ) : (
        <Lines
          set={number}
          x={x}
          y={middle - number.height / 2}
          color={color}
          room={0.1}
          progress={() => motion.enter(at, 0.6)}
        />
      )}
    </div>
  );
}

function EntryIcon({
  name,
  x,
  y,
  size,
  progress,
  color,
}: {
  readonly name: string | null;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly progress: number;
  readonly color: string;
}) {
  return name === null ? null : (
    <Box x={x} y={y} width={size} height={size} opacity={Math.min(1, progress * 1.5)} transform={`scale(${progress})`}>
      <Icon name={name} size={size} color={color} stroke={1.7} />
    </Box>
  );
}
