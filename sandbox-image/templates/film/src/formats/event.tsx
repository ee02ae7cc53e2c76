import type { Point } from '../drawing/curve.ts';
import { faceStyle, Lines } from '../drawing/lines.tsx';
import { Box, Inset, type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { capitalBounds, cased, measure, setOptional, setText, setTexts, type TextSet } from '../drawing/text.ts';
import type { Rect } from '../themes/theme.ts';

interface EventProps {
  readonly kicker: string | null;
  readonly title: string;
  readonly day: string | null;
  readonly weekday: string | null;
  readonly month: string | null;
  readonly time: string | null;
  readonly place: readonly string[];
  readonly people: readonly string[];
  readonly action: string | null;
}

interface Placed {
  readonly set: TextSet;
  readonly x: number;
  readonly y: number;
}

/** The day in large figures, with the rest of the date around it. Positions are relative to the block. */
interface DateBlock {
  readonly rect: Rect;
  /** Corner radius of an arch; `null` if the block is one of the theme's cards. */
  readonly crown: number | null;
  readonly day: {
    readonly text: string;
    readonly size: number;
    /** Top and height of the figures in the block. */
    readonly y: number;
    readonly height: number;
    /** Distance from the top of the line to the top of the figures. */
    readonly lift: number;
  };
  readonly lines: readonly { readonly set: TextSet; readonly y: number }[];
  readonly outline: readonly Point[];
}

interface Layout {
  readonly kicker: Placed | null;
  readonly title: Placed;
  readonly block: DateBlock | null;
  /** Columns for location and people, with a rule above each. */
  readonly columns: readonly {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly texts: readonly Placed[];
  }[];
  readonly action: Placed | null;
}

/** Minimum card radius of a theme with arches. */
const roundFrom = 24;
const gap = 56;

function layOut(props: EventProps, setting: LayoutSetting): Layout {
  const roomy = arrange(props, setting, false);
  const texts = [...roomy.columns.flatMap((column) => column.texts), ...(roomy.block?.lines ?? [])];
  const tight = texts.some(({ set }) => set.size < 34);
  return tight ? arrange(props, setting, true) : roomy;
}

/** Sizes for much and for little text. `block` is the width of the block as a fraction of the frame. */
const denseSizes = { block: 0.4, aboveBlock: 44, action: 84 };
const roomySizes = { block: 0.46, aboveBlock: 64, action: 110 };

const placed = (set: TextSet | null, x: number, y: number): Placed | null => (set === null ? null : { set, x, y });

/** Positions everything. `dense` keeps the title and the block small if there is much text. */
function arrange(props: EventProps, setting: LayoutSetting, dense: boolean): Layout {
  const { frame, theme, language } = setting;
  const { safe } = frame;
  const isWide = frame.shape === 'wide';
  const hasBlock = [props.day, props.weekday, props.month, props.time].some((part) => part !== null);
  const sizes = dense ? denseSizes : roomySizes;
  const blockWidth = isWide ? 552 : safe.width * sizes.block;
  const left = hasBlock && isWide ? safe.width - blockWidth - 84 : safe.width;
  const kicker = setOptional(props.kicker, { face: theme.strong, size: 44, width: left, height: 96, maxCharacters: 44 });
  const head = kicker === null ? 0 : kicker.height + 22;
  const hasFacts = props.place.length + props.people.length > 0;
  const hasMore = hasFacts || props.action !== null;
  const isAlone = !hasBlock && !hasMore;
  const share = dense ? 0.26 : titleShare(isWide, hasMore);
  const title = setText({
    text: cased(theme, props.title, language),
    face: theme.display,
    size: titleSize(hasFacts, isAlone),
    minSize: 64,
    width: left,
    height: safe.height * share - head,
    maxCharacters: 22,
  });
  const top = isAlone ? safe.y + (safe.height - head - title.height) * 0.42 : safe.y;
  const titleY = top + head;
  const under = titleY + title.height;

  const blockTop = isWide ? safe.y + 40 : under + sizes.aboveBlock;
  const block = hasBlock
    ? dateBlock(props, { x: isWide ? safe.x + safe.width - blockWidth : safe.x, y: blockTop, width: blockWidth }, setting)
    : null;
  const beside = block !== null && !isWide;
  const bottom = safe.y + safe.height;
  const area = beside
    ? { x: safe.x + blockWidth + gap, width: safe.width - blockWidth - gap, top: blockTop + 8, bottom }
    : { x: safe.x, width: left, top: under + (isWide ? 64 : 56), bottom };
  const action = setOptional(props.action, {
    face: theme.strong,
    size: 48,
    width: area.width,
    height: sizes.action,
    maxCharacters: 44,
    lineHeight: 1.1,
  });
  const columns = setColumns(
    props,
    { ...area, bottom: area.bottom - (action === null ? 0 : action.height + 52) },
    setting,
    !beside,
  );
  const end = Math.max(area.top, ...columns.flatMap(({ texts }) => texts.map(({ set, y }) => y + set.height)));
  const lowestY = area.bottom - (action?.height ?? 0) - 20;
  const actionY = beside ? Math.min(end + 60, lowestY) : lowestY;
  return {
    kicker: placed(kicker, safe.x + 4, top),
    title: { set: title, x: safe.x, y: titleY },
    block,
    columns,
    action: placed(action, area.x, actionY),
  };
}

function titleSize(hasFacts: boolean, isAlone: boolean): number {
  if (isAlone) return 340;
  return hasFacts ? 168 : 220;
}

function titleShare(isWide: boolean, hasMore: boolean): number {
  if (isWide) return hasMore ? 0.46 : 0.8;
  return hasMore ? 0.36 : 0.44;
}

/** Sets location and people in columns, or one below the other, at the largest size that fits. */
function setColumns(
  { place, people }: EventProps,
  area: { readonly x: number; readonly width: number; readonly top: number; readonly bottom: number },
  { theme }: LayoutSetting,
  abreast: boolean,
): Layout['columns'] {
  const names = people.length > 3 ? [people.join(' · ')] : people;
  const groups = [place, names].filter((group) => group.length > 0);
  const isSplit = abreast && groups.length > 1;
  const width = isSplit ? (area.width - gap) / 2 : area.width;
  for (let size = 46; ; size *= 0.95) {
    const sets = groups.map((group) =>
      setTexts(
        group.map((text, index) => ({
          text,
          face: index === 0 || group === names ? theme.strong : theme.text,
          size,
          minSize: Math.min(34, size),
          width,
          height: size * 14,
          maxCharacters: 44,
          lineHeight: 1.2,
        })),
      ),
    );
    const heights = sets.map((texts) => 30 + texts.reduce((sum, { height }) => sum + height + 4, 0));
    const used = isSplit ? Math.max(...heights) : heights.reduce((sum, height) => sum + height + 40, -40);
    if (used > area.bottom - area.top && size > 20) continue;
    let top = area.top;
    return sets.map((texts, index) => {
      const x = isSplit ? area.x + index * (width + gap) : area.x;
      const y = isSplit ? area.top : top;
      top += (heights[index] ?? 0) + 40;
      let textY = y + 30;
      const placed = texts.map((set): Placed => {
        const own = { set, x, y: textY };
        textY += set.height + 4;
        return own;
      });
      return { x, y, width, texts: placed };
    });
  }
}

/** Returns a block that extends beyond the bottom of the frame. Its top is as round as the theme's cards. */
function dateBlock(
  { day, weekday, month, time }: EventProps,
  corner: { readonly x: number; readonly y: number; readonly width: number },
  { frame, theme, language }: LayoutSetting,
): DateBlock {
  const { safe } = frame;
  const { width } = corner;
  const crown = theme.radius >= roundFrom ? Math.min(width / 2, theme.radius * 7) : null;
  const inner = width - 72;
  const candidates = [day, time, month, weekday].filter((part) => part !== null);
  const large = cased(theme, candidates.find((part) => part.length <= 10) ?? candidates[0] ?? '', language);
  const small = (text: string | null, size: number, isName: boolean, lineCount: number): TextSet | null =>
    text === null || cased(theme, text, language) === large
      ? null
      : setText({
          text: isName ? cased(theme, text, language) : text,
          face: isName ? theme.display : theme.text,
          size,
          minSize: 34,
          width: inner,
          height: size * 1.3 * lineCount,
          maxCharacters: 20,
        });
  const setRest = (lineCount: number, share: number) => {
    const scale = frame.shape === 'wide' ? share : share * 0.88;
    const plain = Math.max(36, 54 * scale);
    const above = small(weekday, plain, false, lineCount);
    const below = [small(month, Math.max(36, 88 * scale), true, lineCount), small(time, plain, false, lineCount)];
    const shown = below.filter((set) => set !== null);
    const all = [above, ...shown].filter((set) => set !== null);
    return {
      above,
      below: shown,
      height: all.reduce((sum, set) => sum + set.height + 18, 0),
      readable: all.every(({ size }) => size >= 34),
    };
  };
  const { top, bottom } = capitalBounds(theme.display);
  const room = safe.y + safe.height - corner.y - 40;
  const lead = crown === null ? 56 : Math.min(crown * 0.5, room * 0.2);
  const fitting = [setRest(2, 1), setRest(1, 1), setRest(2, 0.75), setRest(2, 0.5)].find(
    ({ height, readable }) => readable && height + 170 <= room - lead,
  );
  const { above, below, height: rest } = fitting ?? setRest(2, 0.5);
  const size = Math.min(
    (inner * 0.97) / measure(theme.display, large),
    520,
    Math.max(90, room - lead - rest - 30) / (bottom - top),
  );
  const height = size * (bottom - top);
  const block = rest + height;
  let y = lead + Math.max(0, (room - lead - block) * 0.42);
  const lines: { set: TextSet; y: number }[] = [];
  if (above !== null) {
    lines.push({ set: above, y });
    y += above.height + 24;
  }
  const dayY = y;
  y += height + 24;
  for (const set of below) {
    lines.push({ set, y });
    y += set.height + 12;
  }
  const rect = { ...corner, height: frame.height - corner.y + 80 };
  return {
    rect,
    crown,
    day: { text: large, size, y: dayY, height, lift: top * size },
    lines,
    outline: outlineOf(rect, crown ?? 0),
  };
}

/** Returns a line around the block at a distance, from one bottom corner over the top to the other. */
function outlineOf({ x, y, width, height }: Rect, crown: number): Point[] {
  const space = 26;
  const radius = crown + (crown > 0 ? space : 0);
  const [left, right, top, foot] = [x - space, x + width + space, y - space, y + height];
  const arc = (centre: number, from: number) =>
    Array.from({ length: 13 }, (_, index): Point => {
      const angle = from + (index / 12) * (Math.PI / 2);
      return [centre + radius * Math.cos(angle), top + radius + radius * Math.sin(angle)];
    });
  return [
    [left, foot],
    [left, (foot + top) / 2],
    ...arc(left + radius, Math.PI),
    ...arc(right - radius, Math.PI * 1.5),
    [right, (foot + top) / 2],
    [right, foot],
  ];
}

/** An invitation with the day in large figures, to which all other text is a caption. */
export function EventFormat(props: EventProps) {
  const { frame, theme, colors, motion } = useScene();
  const layout = useLayout(layOut, props);
  const { kicker, title, block, columns, action } = layout;
  const leave = motion.leave(0.1);
  return (
    <>
      {block === null ? null : <DateBlockView block={block} />}
      {kicker === null ? null : (
        <Lines {...kicker} color={colors.accent} entrance="fade" progress={() => motion.enter(0.1)} leave={leave} />
      )}
      <Lines {...title} color={colors.ink} progress={(line) => motion.enter(0.15 + line * 0.07)} leave={leave} />
      {columns.map(({ x, y, width, texts }, column) => (
        <div key={`${x} ${y}`} className="box" style={{ inset: 0 }}>
          <theme.Rule
            x={x}
            y={y}
            length={width}
            progress={motion.draw(0.75 + column * 0.08, 0.5) * (1 - leave)}
            tone="plain"
            seed={column + 2}
          />
          {texts.map((text, index) => (
            <Lines
              key={text.y}
              {...text}
              color={text.set.face === theme.strong ? colors.ink : colors.muted}
              entrance="fade"
              progress={() => motion.enter(0.85 + column * 0.08 + index * 0.05, 0.45)}
              leave={leave}
            />
          ))}
        </div>
      ))}
      {action === null ? null : (
        <>
          <Lines {...action} color={colors.accent} entrance="fade" progress={() => motion.enter(1.2, 0.4)} leave={leave} />
          <theme.Underline
            x={action.x}
            y={action.y + action.set.height + 6}
            width={Math.min(action.set.width, frame.safe.width)}
            height={theme.stroke + 1}
            progress={motion.draw(1.25, 0.5) * (1 - leave)}
          />
        </>
      )}
    </>
  );
}

function DateBlockView({ block }: { readonly block: DateBlock }) {
  const { frame, theme, colors, motion } = useScene();
  const { rect, crown, outline } = block;
  const hidden = 1 - motion.enter(0, 0.75) + motion.leave();
  const content = <DateTexts block={block} />;
  return (
    <div className="box" style={{ inset: 0, transform: `translateY(${hidden * (frame.height - rect.y + 40)}px)` }}>
      {crown === null ? (
        <theme.Card {...rect} tone="accent" seed={4} progress={1}>
          {content}
        </theme.Card>
      ) : (
        <>
          <Box
            {...rect}
            style={{ background: colors.accentFill, color: colors.onAccent, borderRadius: `${crown}px ${crown}px 0 0` }}
          >
            <Inset width={rect.width} height={rect.height}>
              {content}
            </Inset>
          </Box>
          <theme.Path points={outline} width={theme.stroke * 0.8} progress={motion.draw(0.3, 0.8)} tone="accent" />
        </>
      )}
    </div>
  );
}

/** Rolls the days up, starting two days before. Other texts enter with their block. */
function DateTexts({ block }: { readonly block: DateBlock }) {
  const { theme, motion } = useScene();
  const { day, lines, rect } = block;
  const number = /^\d{1,2}$/.test(day.text) ? Number(day.text) : 0;
  const before = number > 2 ? [number - 2, number - 1] : [];
  const rolled = motion.draw(0.45, 0.75);
  const steps = rolled >= 1 ? [day.text] : [...before.map(String), day.text];
  const offset = rolled >= 1 ? 0 : rolled * before.length;
  const room = day.height * 0.04;
  const step = day.height * 1.25;
  const float = Math.sin(motion.drift(3) * 1.1) * 2;
  return (
    <>
      <Box
        x={0}
        y={day.y - room}
        width={rect.width}
        height={day.height + 2 * room}
        style={{ overflow: steps.length > 1 ? 'hidden' : 'visible' }}
      >
        {steps.map((text, index) => (
          <div
            key={text}
            className="line"
            style={{
              ...faceStyle(theme.display, day.size),
              lineHeight: `${day.size}px`,
              textAlign: 'center',
              left: 0,
              width: rect.width,
              top: room - day.lift + (index - offset) * step,
              transform: `translateY(${float}px)`,
            }}
          >
            {text}
          </div>
        ))}
      </Box>
      {lines.map(({ set, y }, index) => (
        <Lines
          key={y}
          set={set}
          x={0}
          width={rect.width}
          y={y}
          align="center"
          color="inherit"
          entrance="fade"
          progress={() => motion.enter(0.65 + index * 0.08, 0.45)}
        />
      ))}
    </>
  );
}
