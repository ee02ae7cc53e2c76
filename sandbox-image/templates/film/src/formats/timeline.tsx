import { arrivals, drawnTo, type Point, sharesOf } from '../drawing/curve.ts';
import { Icon } from '../drawing/icon.tsx';
import { Lines } from '../drawing/lines.tsx';
import { type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { cased, setText, setTexts, type TextRequest, type TextSet } from '../drawing/text.ts';

interface TimelineProps {
  readonly title: string | null;
  readonly entries: readonly { readonly date: string; readonly label: string; readonly icon: string | null }[];
  readonly highlight: number | null;
}

interface Entry {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly textX: number;
  readonly textY: number;
  readonly date: TextSet;
  readonly label: TextSet;
  /** Fraction of the line at which it reaches the mark. */
  readonly share: number;
}

interface Layout {
  readonly title: TextSet | null;
  readonly titleY: number;
  readonly line: readonly Point[];
  readonly entries: readonly Entry[];
}

const gap = 40;

function layOut(props: TimelineProps, setting: LayoutSetting): Layout {
  const { frame } = setting;
  const climbing = frame.shape === 'wide' ? rising(props, setting) : null;
  if (climbing !== null) return climbing;
  const longWords = props.title?.split(/\s+/u).some((word) => word.length > 16) ?? true;
  const left = frame.shape === 'wide' && !longWords ? frame.safe.width * 0.38 : 0;
  const roomy = hanging(props, { left, dense: false }, setting);
  const tight = roomy.entries.some(({ date, label }) => label.size < 36 || date.size < 44);
  return tight ? hanging(props, { left, dense: true }, setting) : roomy;
}

function setTitle(
  { title }: TimelineProps,
  { theme, language }: LayoutSetting,
  { width, height }: { readonly width: number; readonly height: number },
): TextSet | null {
  if (title === null) return null;
  return setText({
    text: cased(theme, title, language),
    face: theme.display,
    size: 136,
    minSize: 54,
    width,
    height,
    maxCharacters: 22,
  });
}

function setEntries(
  { entries }: TimelineProps,
  { theme }: LayoutSetting,
  {
    width,
    height,
    size,
    labelShare,
  }: { readonly width: number; readonly height: number; readonly size: number; readonly labelShare: number },
): { dates: TextSet[]; labels: TextSet[]; heights: number[] } {
  const dates = setTexts(
    entries.map(
      ({ date }): TextRequest => ({
        text: date,
        face: theme.display,
        size,
        minSize: 36,
        width,
        height: Math.min(size * 2.4, height * 0.5),
        maxCharacters: 18,
        lineHeight: 1.02,
      }),
    ),
  );
  const tallest = Math.max(...dates.map((date) => date.height));
  const labels = setTexts(
    entries.map(
      ({ label }): TextRequest => ({
        text: label,
        face: theme.text,
        size: Math.max(34, size * labelShare),
        width,
        height: height - tallest - 8,
        maxCharacters: 60,
        lineHeight: 1.15,
      }),
    ),
  );
  const heights = dates.map((date, index) => date.height + 8 + (labels[index]?.height ?? 0));
  return { dates, labels, heights };
}

/** Returns the diameters of the marks, in ascending order. */
function markSizes({ entries }: TimelineProps, largest: number): number[] {
  const smallest = largest * (entries.some(({ icon }) => icon !== null) ? 0.62 : 0.3);
  return entries.map((_, index) => smallest + ((largest - smallest) * index) / Math.max(1, entries.length - 1));
}

/**
 * Lays out a line that climbs from the lower corner, with texts below it. Returns `null` if the texts are too long for
 * columns.
 */
function rising(props: TimelineProps, setting: LayoutSetting): Layout | null {
  const { frame } = setting;
  const { safe } = frame;
  const count = props.entries.length;
  const pitch = (safe.width + gap) / count;
  const texts = setEntries(props, setting, { width: pitch - gap, height: 330, size: 78, labelShare: 0.54 });
  const calm =
    texts.labels.every(({ lines, size }) => lines.length <= 4 && size >= 34) &&
    texts.dates.every(({ lines }) => lines.length === 1);
  const longest = Math.max(...props.entries.flatMap(({ label }) => label.split(/\s+/u).map((word) => word.length)));
  if (!calm || longest * 18 > pitch - gap) return null;

  const sizes = markSizes(props, 150);
  const low = Math.min(740, safe.y + safe.height - Math.max(...texts.heights) - 60);
  const title = setTitle(props, setting, { width: safe.width * 0.66, height: 280 });
  const titleShare = title === null ? 0.5 : (safe.x + title.width) / frame.width;
  const rise = Math.min(330, (low - safe.y - (title?.height ?? 0) - 110) / titleShare ** 1.7);
  const lineAt = (x: number) => low - rise * Math.max(0, x / frame.width) ** 1.7;
  const line = Array.from({ length: 65 }, (_, index): Point => {
    const x = -20 + (index * (frame.width + 40)) / 64;
    return [x, lineAt(x)];
  });
  const shares = sharesOf(line);
  const entries = texts.dates.map((date, index): Entry => {
    const size = sizes[index] ?? 0;
    const left = safe.x + index * pitch;
    const x = left + size / 2;
    return {
      x,
      y: lineAt(x),
      size,
      textX: left,
      textY: lineAt(left) + Math.max(size / 2, 30) + 26,
      date,
      label: texts.labels[index] as TextSet,
      share: shares[Math.round(((x + 20) / (frame.width + 40)) * 64)] ?? 0,
    };
  });
  return { title, titleY: safe.y, line, entries };
}

/** Lays out a vertical line from the frame's edge, with all texts left-aligned. */
function hanging(
  props: TimelineProps,
  { left, dense }: { readonly left: number; readonly dense: boolean },
  setting: LayoutSetting,
): Layout {
  const { frame } = setting;
  const { safe } = frame;
  const count = props.entries.length;
  const title = setTitle(props, setting, {
    width: left > 0 ? left - 80 : safe.width,
    height: left > 0 ? safe.height : safe.height * (dense ? 0.125 : 0.24),
  });
  const head = title === null || left > 0 ? 0 : title.height + (dense ? 24 : 44);
  const pitch = Math.min(count <= 3 ? 330 : 250, (safe.height - head) / count);
  const sizes = markSizes(props, Math.min(124, pitch * 0.62));
  const largest = sizes.at(-1) ?? 0;
  const centre = safe.x + left + largest / 2;
  const textX = centre + largest / 2 + 44;
  const texts = setEntries(props, setting, {
    width: safe.x + safe.width - textX,
    height: pitch * 0.98,
    size: Math.min(96, pitch * (dense ? 0.3 : 0.42)),
    labelShare: 0.72,
  });

  const top = safe.y + Math.max(0, (safe.height - head - pitch * count) * 0.4);
  const places = texts.heights.map((height, index) => {
    const middle = top + head + pitch * (index + 0.5);
    return { x: centre + (index % 2 === 0 ? -8 : 10), y: middle, textY: middle - height / 2 };
  });
  const first = places[0] ?? { x: centre, y: top };
  const last = places.at(-1) ?? first;
  // The line starts at the frame's edge if there is no text on its left.
  const start: Point[] =
    left > 0
      ? [[first.x + 6, Math.max(0, first.y - pitch * 0.5)]]
      : [
          [-20, first.y - pitch * 0.5 + 10],
          [safe.x * 0.4, first.y - pitch * 0.5 + 6],
          [first.x - 18, first.y - pitch * 0.36],
        ];
  const knots: Point[] = [
    ...start,
    ...places.map(({ x, y }): Point => [x, y]),
    [last.x + 4, Math.min(last.y + pitch * 0.5, safe.y + safe.height)],
  ];
  const line = knots.flatMap((to, index): Point[] => {
    const from = knots[index - 1];
    if (from === undefined) return [to];
    return Array.from({ length: 10 }, (_, step): Point => {
      const share = (step + 1) / 10;
      const bend = index < start.length ? 0 : Math.sin(share * Math.PI * 2) * 5;
      return [from[0] + (to[0] - from[0]) * share + bend, from[1] + (to[1] - from[1]) * share];
    });
  });
  const shares = sharesOf(line);
  const entries = texts.dates.map((date, index): Entry => {
    const { x, y, textY } = places[index] ?? { x: 0, y: 0, textY: 0 };
    const share = shares[(start.length - 1 + index + 1) * 10] ?? 1;
    return { x, y, size: sizes[index] ?? 0, textX, textY, date, label: texts.labels[index] as TextSet, share };
  });
  return { title, titleY: left > 0 ? top + head + pitch * 0.5 - (texts.heights[0] ?? 0) / 2 : top, line, entries };
}

/** Shows dates on a line that becomes thinner towards today, with growing marks. Each entry appears when the line reaches it. */
export function TimelineFormat(props: TimelineProps) {
  const { frame, theme, colors, motion } = useScene();
  const layout = useLayout(layOut, props);
  const { entries, line, title } = layout;
  const at = arrivals(entries.length, motion.duration, props.title === null ? 0.3 : 0.65);
  const leave = motion.leave();
  const drawn = drawnTo(
    entries.map(({ share }) => share),
    at,
    motion,
  );
  return (
    <>
      {title === null ? null : (
        <Lines
          set={title}
          x={frame.safe.x}
          y={layout.titleY}
          color={colors.ink}
          progress={(row) => motion.enter(row * 0.08)}
          leave={leave}
        />
      )}
      <theme.Path
        points={line}
        width={theme.stroke * 4.5}
        endWidth={theme.stroke * 1.4}
        progress={drawn * (1 - leave)}
        tone="ink"
        seed={8}
      />
      {entries.map((entry, index) => {
        const standsOut = index === (props.highlight ?? entries.length - 1);
        const name = props.entries[index]?.icon ?? null;
        const breath = 1 + (standsOut ? 0.05 : 0.02) * Math.sin(motion.drift(6) * 2.2 + index);
        return (
          <div key={`${entry.x} ${entry.y}`} className="box" style={{ inset: 0 }}>
            <theme.Badge
              x={entry.x - entry.size / 2}
              y={entry.y - entry.size / 2}
              size={entry.size}
              index={index}
              progress={motion.spring(at(index), 0.55) * breath * (1 - leave)}
              tone={standsOut ? 'accent' : 'ink'}
            >
              {name === null ? null : <Icon name={name} size={entry.size * 0.56} />}
            </theme.Badge>
            <Lines
              set={entry.date}
              x={entry.textX}
              y={entry.textY}
              color={standsOut ? colors.accent : colors.ink}
              progress={() => motion.enter(at(index) + 0.08, 0.5)}
              leave={leave}
            />
            <Lines
              set={entry.label}
              x={entry.textX}
              y={entry.textY + entry.date.height + 8}
              color={colors.ink}
              entrance="fade"
              progress={() => motion.enter(at(index) + 0.2, 0.45)}
              leave={leave}
            />
          </div>
        );
      })}
    </>
  );
}
