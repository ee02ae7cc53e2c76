import type { Frame } from '../drawing/frame.ts';
import { faceStyle, Lines } from '../drawing/lines.tsx';
import { Box, type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { cased, isIdeographic, measure, runsOf, setOptional, setText, type TextSet } from '../drawing/text.ts';
import { readable } from '../kit/color.ts';
import { isJoinedScript } from '../kit/text/layout.ts';
import type { Face, Rect } from '../themes/theme.ts';

interface HeadlineProps {
  readonly outlet: string | null;
  readonly date: string | null;
  readonly headline: string;
  readonly passage: string | null;
  readonly emphasis: string | null;
}

interface Run {
  readonly text: string;
  /** Distance from the start of the line. */
  readonly x: number;
  readonly width: number;
  /** Position of a marked run along the marker's path; `null` for other runs. */
  readonly markedFrom: number | null;
}

/** Text whose marked phrase has a heavier face, and space for the marker's ends. */
interface MarkedText {
  readonly set: TextSet;
  readonly marked: Face;
  readonly lines: readonly (readonly Run[])[];
  readonly y: number;
}

interface Layout {
  readonly outlet: TextSet | null;
  readonly date: (TextSet & { readonly x: number; readonly y: number }) | null;
  readonly x: number;
  readonly bandY: number;
  readonly outletY: number;
  readonly ruleY: number | null;
  readonly headline: MarkedText;
  readonly passage: MarkedText | null;
  /** Length of the marked phrase over all lines. */
  readonly markedLength: number;
  /** Centre of the marked phrase, which the camera approaches. */
  readonly focus: { readonly x: number; readonly y: number };
}

/** Overhang of the marker before and after the phrase, in em. */
const lead = 0.13;
const tail = 0.11;

/** Positions the runs of each line. Returns the length of the marked ones as well. */
function mark(set: TextSet, marked: Face, emphasis: string | null): { lines: Run[][]; length: number } {
  let length = 0;
  const lines = runsOf(set.lines, emphasis === null ? [] : [emphasis]).map((runs) => {
    let x = 0;
    return runs.map(({ text, emphasised }, index): Run => {
      const [before, after] = [runs[index - 1]?.text ?? ' ', runs[index + 1]?.text ?? ' '];
      const width = Math.max(measure(set.face, text), emphasised ? measure(marked, text) : 0) * set.size;
      // The overhang of the marker covers the spaces around the phrase, but no letter and no comma.
      if (emphasised && !before.endsWith(' ')) x += lead * set.size;
      const run = { text, x, width, markedFrom: emphasised ? length : null };
      x += width + (emphasised && !after.startsWith(' ') ? tail * set.size : 0);
      if (emphasised) length += width;
      return run;
    });
  });
  return { lines, length };
}

interface Request {
  readonly text: string;
  readonly face: Face;
  readonly marked: Face;
  readonly size: number;
  readonly width: number;
  readonly height: number;
  readonly maxCharacters: number;
  readonly lineHeight: number | undefined;
}

/** Sets text at the largest size at which the heavier phrase fits as well. */
function setMarked(
  { marked, ...request }: Request,
  emphasis: string | null,
  y: number,
): MarkedText & { readonly length: number } {
  let size = request.size;
  for (;;) {
    const set = setText({ ...request, size });
    const { lines, length } = mark(set, marked, emphasis);
    const widest = Math.max(...lines.map((runs) => (runs.at(-1)?.x ?? 0) + (runs.at(-1)?.width ?? 0)));
    if (widest <= request.width || set.size <= 34) return { set, marked, lines, length, y };
    size = Math.max(34, Math.min(set.size - 1, set.size * 0.96));
  }
}

/** Returns the safe area, reduced by the tilt and the movement of the camera. */
function areaOf({ safe, shape }: Frame) {
  const y = shape === 'wide' ? 40 : 24;
  return { x: safe.x + 14, y: safe.y + y, width: safe.width - 28, height: safe.height - 2 * y };
}

const tiltOf = ({ shape }: Frame) => (shape === 'wide' ? -2.4 : -1.6);

function layOut(props: HeadlineProps, setting: LayoutSetting): Layout {
  const { frame } = setting;
  const { passage, emphasis } = props;
  const wide = frame.shape === 'wide';
  const area = areaOf(frame);
  const { outlet, date, height: mastHeight } = setMasthead(props, setting);
  const ruleY = mastHeight === 0 ? null : area.y + mastHeight + 22;
  const top = ruleY === null ? area.y : ruleY + (wide ? 40 : 54);
  const bottom = area.y + area.height;
  const headline = setHeadline(props, { x: area.x, y: top, width: area.width, height: bottom - top }, setting);
  const below = top + headline.set.height + (wide ? 44 : 60);
  const box = { x: area.x, y: below, width: area.width, height: bottom - below };
  const text = passage === null ? null : setPassage(passage, emphasis, box, setting);
  const end = text === null ? top + headline.set.height : below + text.set.height;
  // Divides the remaining space above and below the text, with more of it below.
  const shift = Math.max(0, bottom - end) * 0.3;
  const shifted = <T extends MarkedText>(one: T): T => ({ ...one, y: one.y + shift });
  const host = text ?? headline;
  return {
    outlet,
    date,
    x: area.x,
    bandY: area.y - (wide ? 112 : 76),
    outletY: area.y,
    ruleY,
    headline: shifted(headline),
    passage: text && shifted(text),
    markedLength: host.length,
    focus: focusOf(shifted(host), area.x, frame),
  };
}

/** Sets the headline, in which the phrase is marked if there is no passage. */
function setHeadline({ headline, passage, emphasis }: HeadlineProps, box: Rect, { frame, theme, language }: LayoutSetting) {
  const isAlone = passage === null;
  const text = cased(theme, headline, language);
  // The marker needs space between the lines.
  const isMarked = isAlone && emphasis !== null;
  const lineHeight = isIdeographic(text) || isMarked ? 1.28 : theme.display.lineHeight;
  const request = {
    text,
    face: theme.display,
    marked: theme.display,
    size: headlineSize(isAlone, frame),
    width: box.width,
    height: box.height * (isAlone ? 0.94 : 0.46),
    maxCharacters: frame.shape === 'wide' ? 26 : 18,
    lineHeight: isJoinedScript(text) ? undefined : lineHeight,
  };
  return setMarked(request, isAlone ? emphasis : null, box.y);
}

function setPassage(text: string, emphasis: string | null, box: Rect, { frame, theme }: LayoutSetting) {
  const wide = frame.shape === 'wide';
  const request = {
    text,
    face: theme.text,
    marked: { ...theme.text, weight: Math.min(800, theme.text.weight + 180) },
    size: wide ? 74 : 66,
    width: box.width * (wide ? 0.9 : 1),
    height: box.height,
    maxCharacters: wide ? 44 : 26,
    lineHeight: isJoinedScript(text) ? 1.6 : 1.46,
  };
  return setMarked(request, emphasis, box.y);
}

function headlineSize(isAlone: boolean, { shape }: Frame): number {
  if (shape === 'wide') return isAlone ? 260 : 150;
  return isAlone ? 200 : 124;
}

function setMasthead(props: HeadlineProps, { frame, theme }: LayoutSetting) {
  const area = areaOf(frame);
  const wide = frame.shape === 'wide';
  const box = { width: area.width, height: 120, maxCharacters: 40 };
  const outlet = setOptional(props.outlet, { face: theme.strong, size: 56, ...box });
  const date = setOptional(props.date, { face: theme.text, size: 40, ...box });
  if (outlet === null || date === null) {
    const only = outlet ?? date;
    return { outlet, date: date && { ...date, x: area.x, y: area.y }, height: only?.height ?? 0 };
  }
  const isBeside = outlet.width + date.width + 60 <= area.width && outlet.lines.length === 1;
  const columnX = wide ? Math.max(area.x + outlet.width + 60, frame.width * 0.53) : area.x + area.width;
  const besideX = Math.min(columnX, area.x + area.width - date.width);
  const place = isBeside
    ? { x: besideX, y: area.y + (outlet.height - date.height) / 2 }
    : { x: area.x, y: area.y + outlet.height };
  return { outlet, date: { ...date, ...place }, height: isBeside ? outlet.height : outlet.height + date.height };
}

/** Returns the centre of the marked runs, or of the frame if there are none. */
function focusOf({ set, lines, y }: MarkedText, left: number, { width, height }: Frame): Layout['focus'] {
  const marked = lines.flatMap((runs, line) =>
    runs
      .filter(({ markedFrom }) => markedFrom !== null)
      .map((run) => ({ x: left + run.x + run.width / 2, y: y + (line + 0.5) * set.lineStep })),
  );
  if (marked.length === 0) return { x: width / 2, y: height / 2 };
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return { x: mean(marked.map(({ x }) => x)), y: mean(marked.map((point) => point.y)) };
}

/** Shows a printed, slightly tilted page. At the end, a marker highlights a phrase while the camera approaches it. */
export function HeadlineFormat(props: HeadlineProps) {
  const { frame, theme, colors, motion, style } = useScene();
  const layout = useLayout(layOut, props);
  const { outlet, date, x, focus } = layout;
  const entered = motion.enter(0, 0.9);
  const leave = motion.leave();
  const markAt = Math.max(1.3, Math.min(motion.duration * 0.55, motion.duration - 2.2));
  const seconds = Math.max(0.5, layout.markedLength / (style === 'cinematic' ? 700 : 900));
  const marked = motion.draw(motion.when(markAt), seconds);
  const approachSeconds = Math.max(1, Math.min(3, motion.duration - markAt - 0.9));
  const approach = motion.draw(motion.when(markAt - 0.25), motion.when(approachSeconds));
  const zoom = 1 + (layout.markedLength === 0 ? 0.015 : 0.045) * approach;
  const tilt = tiltOf(frame) * (1 + 0.9 * (1 - entered)) * (frame.rightToLeft ? -1 : 1);
  const page = colors.surface;
  const muted = readable(colors.muted, page, 8.5);
  const length = frame.width * 1.3;
  return (
    <div className="box" style={{ inset: 0, opacity: Math.min(1, entered * 2) * (1 - leave) }}>
      <div
        className="box"
        style={{
          inset: 0,
          transform: `translateY(${(1 - entered) * 80 - leave * 120}px) scale(${0.86 + 0.14 * entered}) rotate(${tilt}deg)`,
        }}
      >
        <div
          className="box"
          style={{ inset: 0, transform: `scale(${zoom})`, transformOrigin: `${frame.left(focus.x, 0)}px ${focus.y}px` }}
        >
          <Box
            x={-frame.width * 0.15}
            y={-frame.height * 0.15}
            width={length}
            height={frame.height * 1.3}
            style={{ background: page }}
          />
          <theme.Bar
            x={-frame.width * 0.15}
            y={layout.bandY}
            width={length * motion.draw(0, 0.7)}
            height={12}
            tone="accent"
            vertical={false}
            index={0}
          />
          {outlet === null ? null : (
            <Lines
              set={outlet}
              x={x}
              y={layout.outletY}
              color={readable(colors.helper, page)}
              entrance="fade"
              progress={() => motion.enter(0.2, 0.4)}
            />
          )}
          {date === null ? null : (
            <Lines set={date} x={date.x} y={date.y} color={muted} entrance="fade" progress={() => motion.enter(0.26, 0.4)} />
          )}
          {layout.ruleY === null ? null : (
            <theme.Rule x={x} y={layout.ruleY} length={length} progress={motion.draw(0.25, 0.8)} tone="ink" />
          )}
          <Marked
            text={layout.headline}
            x={x}
            color={readable(colors.ink, page)}
            at={0.35}
            marked={marked}
            length={layout.markedLength}
          />
          {layout.passage === null ? null : (
            <Marked text={layout.passage} x={x} color={muted} at={0.8} marked={marked} length={layout.markedLength} />
          )}
        </div>
      </div>
    </div>
  );
}

HeadlineFormat.composited = true;

interface MarkedProps {
  readonly text: MarkedText;
  readonly x: number;
  readonly color: string;
  readonly at: number;
  /** Fraction of the phrase that the marker has passed, 0 to 1. */
  readonly marked: number;
  readonly length: number;
}

function Marked({ text, x, color, at, marked, length }: MarkedProps) {
  const { motion } = useScene();
  const { set, lines, y } = text;
  return lines.map((runs, line) => {
    const lineY = y + line * set.lineStep;
    const shown = motion.enter(at + line * 0.08, 0.55);
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change their order.
      <div key={line} className="box" style={{ inset: 0, opacity: shown, transform: `translateY(${(1 - shown) * 40}px)` }}>
        {runs.map((run) => (
          <RunAt
            key={run.x}
            run={run}
            text={text}
            x={x + run.x}
            y={lineY}
            color={color}
            share={run.markedFrom === null ? 0 : Math.min(1, Math.max(0, (marked * length - run.markedFrom) / run.width))}
          />
        ))}
      </div>
    );
  });
}

/** Spreads the words of a phrase over its width, because its marked letters are wider. */
const spread = { textAlignLast: 'justify', whiteSpace: 'nowrap' } as const;

interface RunAtProps {
  readonly run: Run;
  readonly text: MarkedText;
  readonly x: number;
  readonly y: number;
  readonly color: string;
  /** Fraction of the run that the marker covers. */
  readonly share: number;
}

/** Draws words that change weight and colour at the edge of the marker, without a cross-fade. */
function RunAt({ run, text, x, y, color, share }: RunAtProps) {
  const { frame, theme, colors, rightToLeft } = useScene();
  const { set, marked } = text;
  const { size, lineStep } = set;
  const height = Math.min(size * 1.3, lineStep * 0.98);
  const extent = run.width + (lead + tail) * size;
  const mark = { x: x - lead * size, y: y + (lineStep - height) / 2, height };
  const covered = (extent * share - lead * size) / run.width;
  const line = {
    left: frame.left(x, run.width),
    top: y,
    width: run.width,
    lineHeight: `${lineStep}px`,
    textAlign: rightToLeft ? ('right' as const) : ('left' as const),
  };
  const clip = (from: number, until: number) => {
    const [left, right] = rightToLeft ? [1 - until, from] : [from, 1 - until];
    return `inset(-20% ${right <= 0 ? -20 : right * 100}% -20% ${left <= 0 ? -20 : left * 100}%)`;
  };
  return (
    <>
      {share <= 0 ? null : <Stroke {...mark} width={extent} share={share} />}
      <div
        className="line"
        style={{
          ...faceStyle(set.face, size, set.tracking),
          ...line,
          ...(run.markedFrom === null ? {} : spread),
          color,
          clipPath: share <= 0 ? undefined : clip(covered, 1),
        }}
      >
        {run.text}
      </div>
      {share <= 0 ? null : (
        <div
          className="line"
          aria-hidden
          style={{
            ...faceStyle(marked, size, set.tracking),
            ...line,
            color: theme.solidBars ? theme.barInk(colors, 'accent') : colors.ink,
            clipPath: clip(0, covered),
          }}
        >
          {run.text}
        </div>
      )}
    </>
  );
}

interface StrokeProps {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly share: number;
}

/** Draws a solid block if text is readable on it, otherwise the theme's marker. */
function Stroke({ share, ...rect }: StrokeProps) {
  const { theme } = useScene();
  if (!theme.solidBars) return <theme.Marker {...rect} progress={share} seed={3} />;
  return <theme.Bar {...rect} width={rect.width * share} tone="accent" vertical={false} index={0} />;
}
