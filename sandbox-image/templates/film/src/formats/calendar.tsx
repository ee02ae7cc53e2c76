import { Lines } from '../drawing/lines.tsx';
import { type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { cased, leftToRight, setText, setTexts, type TextSet } from '../drawing/text.ts';
import { isJoinedScript } from '../kit/text/layout.ts';

interface Entry {
  readonly from: string;
  readonly until: string | null;
  readonly text: string;
  readonly detail: string | null;
}

interface CalendarProps {
  readonly title: string | null;
  readonly date: string | null;
  readonly entries: readonly Entry[];
  readonly highlight: number | null;
}

interface Row {
  readonly y: number;
  /** Part of the thread beside the row, which represents the duration of the entry. */
  readonly stitch: { readonly from: number; readonly until: number };
  readonly time: TextSet;
  readonly until: TextSet | null;
  readonly text: TextSet;
  readonly detail: TextSet | null;
}

interface Layout {
  readonly title: TextSet | null;
  readonly titleY: number;
  readonly date: TextSet | null;
  readonly dateY: number;
  readonly x: number;
  readonly width: number;
  readonly bottom: number;
  readonly rows: readonly Row[];
  readonly timeX: number;
  readonly textX: number;
  readonly inset: number;
}

/** Returns the minutes since midnight; `null` if the text is not a time of day. */
function minutesOf(time: string | null): number | null {
  const found = /^(\d{1,2})(?:[:.h](\d{2}))?\s*([ap])?/iu.exec(time ?? '');
  if (found === null || (found[2] === undefined && !/[ap]\.?m|uhr|h\b/iu.test(time ?? ''))) return null;
  const hours = Number(found[1]) % (found[3] === undefined ? 25 : 12);
  return (hours + (/p/iu.test(found[3] ?? '') ? 12 : 0)) * 60 + Number(found[2] ?? 0);
}

/** Returns the duration of each entry in minutes, until its end or the next entry; `null` unless all times ascend. */
function durationsOf(entries: readonly Entry[]): number[] | null {
  const starts = entries.map(({ from }) => minutesOf(from));
  const durations = starts.map((start, index) => {
    const next = starts[index + 1];
    const end = minutesOf(entries[index]?.until ?? null) ?? next ?? null;
    if (start === null) return null;
    return end === null ? 60 : end - start;
  });
  return durations.every((minutes) => minutes !== null && minutes > 0) ? (durations as number[]) : null;
}

const threadInset = 50;

/** Sets the title and the date. `height` is the space that they take above the rows; 0 if they are beside the rows. */
function setHead(props: CalendarProps, column: number, { frame, theme, language }: LayoutSetting) {
  const wide = frame.shape === 'wide';
  const title =
    props.title === null
      ? null
      : setText({
          text: cased(theme, props.title, language),
          face: theme.display,
          size: wide ? 140 : 116,
          minSize: 52,
          width: column,
          height: frame.safe.height * (wide ? 0.7 : 0.2),
          maxCharacters: wide ? 13 : 22,
        });
  const date =
    props.date === null
      ? null
      : setText({ text: props.date, face: theme.strong, size: 44, width: column, height: 110, maxCharacters: 40 });
  if (wide || (title === null && date === null)) return { title, date, height: 0 };
  const height = (title === null ? 0 : title.height + 20) + (date === null ? 0 : date.height + 20) + 32;
  return { title, date, height };
}

/** Draws times to scale if every row is tall enough for its text; otherwise only the stitches are to scale. */
function layOut(props: CalendarProps, setting: LayoutSetting): Layout {
  const { frame, theme } = setting;
  const { safe } = frame;
  const { entries } = props;
  const wide = frame.shape === 'wide';
  const headed = props.title !== null || props.date !== null;
  const { title, date, height: head } = setHead(props, wide && headed ? safe.width * 0.36 : safe.width, setting);
  const top = safe.y + head;
  const height = safe.height - head;
  const x = wide && headed ? safe.x + safe.width * 0.42 : safe.x;
  const width = safe.x + safe.width - x;
  const inset = threadInset;
  const even = height / entries.length;
  const size = Math.min(entries.length <= 3 ? 84 : 60, even * 0.42);
  const times = setTexts(
    entries
      .flatMap(({ from, until }) => [from, ...(until === null ? [] : [until])])
      .map((text) => ({
        text: leftToRight(text),
        face: theme.figures,
        size: Math.min(56, size * 0.92),
        width: width * 0.26,
        height: even * 0.5,
        lineHeight: 1.1,
        maxCharacters: 14,
      })),
  );
  const timeWidth = Math.max(...times.map((set) => set.width));
  const timeX = x + inset;
  const textX = timeX + timeWidth + (wide ? 56 : 40);
  const textWidth = x + width - textX;
  const hasDetails = entries.some(({ detail }) => detail !== null);
  const texts = setTexts(
    entries.map(({ text }) => ({
      text,
      face: theme.display,
      size,
      minSize: 34,
      width: textWidth,
      height: even * (hasDetails ? 0.56 : 0.86),
      maxCharacters: 60,
      lineHeight: isJoinedScript(text) ? 1.3 : 1.1,
    })),
  );
  const details = entries.map(({ detail }) =>
    detail === null
      ? null
      : setText({
          text: detail,
          face: theme.text,
          size: 38,
          minSize: 33,
          width: textWidth,
          height: even * 0.37,
          maxCharacters: 60,
          lineHeight: isJoinedScript(detail) ? 1.2 : 1.12,
        }),
  );
  const needs = texts.map((set, index) => set.height + (details[index]?.height ?? 0) + 40);
  const tops = rowTops(entries, needs, height);
  let next = 0;
  const rows = entries.map((entry, index): Row => {
    const y = top + (tops.starts[index] ?? 0);
    const end = top + (tops.starts[index + 1] ?? height);
    const time = times[next++] as TextSet;
    const until = entry.until === null ? null : (times[next++] as TextSet);
    const length = (end - y - 30) * (tops.shares[index] ?? 1);
    return {
      y,
      stitch: { from: y + 15, until: y + 15 + length },
      time,
      until,
      text: texts[index] as TextSet,
      detail: details[index] ?? null,
    };
  });
  const titleHeight = title === null ? 0 : title.height + 20;
  return {
    title,
    titleY: safe.y - 8,
    date,
    dateY: wide ? safe.y + safe.height - (date?.height ?? 0) : safe.y + titleHeight,
    x,
    width,
    bottom: top + height,
    rows,
    timeX,
    textX,
    inset,
  };
}

/** Returns the top of each row, and the fraction of its height that the stitch takes. */
function rowTops(
  entries: readonly Entry[],
  needs: readonly number[],
  height: number,
): { readonly starts: readonly number[]; readonly shares: readonly number[] } {
  const durations = durationsOf(entries);
  const starts = (heights: readonly number[]) => {
    let at = 0;
    return heights.map((each) => {
      at += each;
      return at - each;
    });
  };
  const even = entries.map(() => height / entries.length);
  if (durations === null) return { starts: starts(even), shares: even.map(() => 1) };
  const sum = durations.reduce((total, minutes) => total + minutes, 0);
  const scaled = durations.map((minutes) => (minutes / sum) * height);
  // Gives very short entries the height of their text, and divides the rest in proportion.
  const short = scaled.map((each, index) => each < (needs[index] ?? 0));
  const taken = needs.reduce((total, need, index) => total + (short[index] === true ? need : 0), 0);
  const rest = durations.reduce((total, minutes, index) => total + (short[index] === true ? 0 : minutes), 0);
  const mixed = durations.map((minutes, index) =>
    short[index] === true ? (needs[index] ?? 0) : (minutes / rest) * (height - taken),
  );
  const fits = mixed.every((each, index) => each >= (needs[index] ?? 0) - 1);
  if (fits) return { starts: starts(mixed), shares: mixed.map(() => 1) };
  const longest = Math.max(...durations);
  return { starts: starts(even), shares: durations.map((minutes) => Math.max(0.16, minutes / longest)) };
}

/** Shows a day beside a thread. Each entry is one stitch, as long as the entry lasts. */
export function CalendarFormat(props: CalendarProps) {
  const { frame, theme, colors, motion } = useScene();
  const layout = useLayout(layOut, props);
  const { rows, x, width, inset } = layout;
  const leave = motion.leave();
  const beat = Math.min(0.5, Math.max(0.16, (motion.duration - 3) / rows.length));
  const arrival = (index: number) => 0.5 + index * beat;
  return (
    <>
      {layout.title === null ? null : (
        <Lines
          set={layout.title}
          x={frame.safe.x}
          y={layout.titleY}
          color={colors.ink}
          progress={(line) => motion.enter(line * 0.08, 0.55)}
          leave={leave}
        />
      )}
      {layout.date === null ? null : (
        <Lines
          set={layout.date}
          x={frame.safe.x}
          y={layout.dateY}
          color={colors.helper}
          entrance="fade"
          progress={() => motion.enter(0.35, 0.5)}
          leave={leave}
        />
      )}
      {rows.map((row, index) => {
        const isLit = index === props.highlight;
        const at = arrival(index);
        const { time, until, text, detail, y, stitch } = row;
        const breath = isLit ? 1 + 0.22 * Math.sin(motion.drift(3) * 2.1) : 1;
        const own = { entrance: 'fade' as const, leave: motion.leave(0.12 - (index / rows.length) * 0.12) };
        const ink = isLit ? colors.accent : colors.ink;
        const textY = y + 22;
        return (
          <div key={y}>
            <theme.Rule
              x={x + inset}
              y={y}
              length={(width - inset) * (1 - leave)}
              progress={motion.draw(0.15 + index * 0.05, 0.55)}
              tone="plain"
              seed={index}
            />
            <div className="box" style={{ inset: 0, opacity: 1 - leave }}>
              <theme.Path
                points={[
                  [x + 10, stitch.from],
                  [x + 10, (stitch.from + stitch.until) / 2],
                  [x + 10, stitch.until],
                ]}
                width={10 * breath}
                progress={motion.linear(at - 0.1, beat * 0.9)}
                tone={isLit ? 'helper' : 'accent'}
                seed={index + 2}
              />
            </div>
            <Lines
              {...own}
              set={time}
              x={layout.timeX}
              y={textY + (text.lineStep - time.lineStep) / 2}
              color={ink}
              progress={() => motion.enter(at, 0.4)}
            />
            {until === null ? null : (
              <Lines
                {...own}
                set={until}
                x={layout.timeX}
                y={textY + text.lineStep / 2 + time.lineStep / 2}
                color={colors.muted}
                progress={() => motion.enter(at + 0.12, 0.4)}
              />
            )}
            <Lines {...own} set={text} x={layout.textX} y={textY} color={ink} progress={() => motion.enter(at + 0.06, 0.4)} />
            {detail === null ? null : (
              <Lines
                {...own}
                set={detail}
                x={layout.textX}
                y={textY + text.height + 4}
                color={colors.muted}
                progress={() => motion.enter(at + 0.14, 0.4)}
              />
            )}
          </div>
        );
      })}
      <theme.Rule
        x={x + inset}
        y={layout.bottom}
        length={(width - inset) * (1 - leave)}
        progress={motion.draw(0.15 + rows.length * 0.05, 0.55)}
        tone="plain"
        seed={9}
      />
    </>
  );
}
