import type { Frame } from '../drawing/frame.ts';
import { faceStyle } from '../drawing/lines.tsx';
import { type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { measure } from '../drawing/text.ts';
import { mix, readable } from '../kit/color.ts';
import { hash } from '../kit/random.ts';
import { splitGraphemes } from '../kit/text/layout.ts';
import type { Colors } from '../themes/colors.ts';
import type { Face, Rect } from '../themes/theme.ts';

interface TerminalProps {
  readonly windowTitle: string | null;
  readonly prompt: string;
  readonly blocks: readonly { readonly input: string; readonly output: readonly string[] }[];
}

interface Line {
  readonly text: string;
  readonly typed: boolean;
  /** Block that the line belongs to. The final prompt is a separate block. */
  readonly block: number;
  /** Number of input characters on the previous lines. */
  readonly before: number;
  readonly first: boolean;
  readonly y: number;
  readonly step: number;
}

interface Layout {
  readonly lines: readonly Line[];
  readonly input: number;
  readonly output: number;
  readonly window: Rect | null;
  readonly bar: Rect;
  readonly x: number;
  readonly promptWidth: number;
  readonly outputIndent: number;
  readonly top: number;
  readonly room: number;
  readonly railX: number | null;
}

const smallest = 34;
const inputWeight = 680;
const barHeight = 90;

/** Breaks a line at `width` em, preferably between words. Keeps inner spaces, because output is often a table. */
function wrap(text: string, face: Face, width: number): string[] {
  const lines = [''];
  for (const word of text.split(/(?<=\s)(?=\S)/u)) {
    const line = lines.at(-1) ?? '';
    if (measure(face, (line + word).trimEnd()) <= width) lines[lines.length - 1] = line + word;
    else if (measure(face, word.trimEnd()) <= width) lines.push(word);
    else
      for (const sign of splitGraphemes(word)) {
        const part = lines.at(-1) ?? '';
        if (measure(face, part + sign) <= width) lines[lines.length - 1] = part + sign;
        else lines.push(sign);
      }
  }
  return lines;
}

/** Extends the window beyond the frame, which makes its text large. In square frames, the whole frame is the screen. */
function placeWindow({ safe, width, height, shape, story }: Frame): { window: Rect | null; bar: Rect; content: Rect } {
  if (shape !== 'wide' && !story) {
    const bar = { x: 0, y: 0, width, height: barHeight + 44 };
    const top = bar.height + 44;
    return { window: null, bar, content: { x: safe.x, y: top, width: safe.width, height: safe.y + safe.height - top } };
  }
  const window = { x: safe.x, y: safe.y, width: story ? safe.width : width, height };
  const bar = { ...window, height: barHeight };
  const x = window.x + 104;
  const y = window.y + barHeight + 30;
  return { window, bar, content: { x, y, width: safe.x + safe.width - x - (story ? 44 : 0), height: safe.y + safe.height - y } };
}

function layOut({ prompt, blocks }: TerminalProps, { frame, theme }: LayoutSetting): Layout {
  const { window, bar, content } = placeWindow(frame);
  const silent = blocks.every(({ output }) => output.length === 0);
  const alone = silent && blocks.length === 1;
  const railed = window !== null && !alone;
  const face = theme.mono;
  // In scripts that the typeface lacks, heavier letters are wider.
  const heavy = { ...face, weight: inputWeight };
  const promptEm = measure(face, `${prompt} `);
  const longest = Math.max(1, ...blocks.flatMap(({ output }) => output.map((line) => measure(face, line))));
  const all = silent ? blocks : [...blocks, { input: '', output: [] }];
  const widest = promptEm + Math.max(1, ...blocks.map(({ input }) => measure(heavy, input)));
  const largest = alone ? 104 : Math.max(50, Math.min(64, content.width / widest));
  for (let input = largest; ; input *= 0.96) {
    const indent = railed || promptEm > 2 ? 0 : promptEm * input;
    // Output is reduced a little before its tables break.
    const least = Math.max(smallest, Math.min(40, input * 0.76));
    const output = Math.max(
      frame.shape === 'wide' ? smallest : least,
      Math.min(input * 0.76, (content.width - indent) / longest),
    );
    let y = 0;
    const lines = all.flatMap(({ input: command, output: printed }, block): Line[] => {
      if (block > 0) y += input * 0.62;
      let before = 0;
      const typed = wrap(command, heavy, content.width / input - promptEm).map((text, index): Line => {
        const line = { text, typed: true, block, before, first: index === 0, y, step: input * 1.26 };
        before += text.length;
        y += line.step;
        return line;
      });
      const answer = printed
        .flatMap((line) => wrap(line, face, (content.width - indent) / output))
        .map((text): Line => {
          const line = { text, typed: false, block, before: 0, first: false, y, step: output * 1.4 };
          y += line.step;
          return line;
        });
      return [...typed, ...answer];
    });
    if (y > content.height && input > smallest * 1.26) continue;
    const free = Math.max(0, content.height - y);
    const air = Math.min(input * 0.7, (free * 0.5) / all.length);
    return {
      lines: lines.map((line) => ({ ...line, y: line.y + line.block * air })),
      input,
      output,
      window,
      bar,
      x: content.x,
      promptWidth: promptEm * input,
      outputIndent: indent,
      top: content.y + (silent ? free * 0.4 : Math.min(free * 0.2, frame.shape === 'wide' ? 20 : 50)),
      room: content.height,
      railX: railed ? content.x - 48 : null,
    };
  }
}

/** Times at which a block is typed and answered, in seconds from the start of the scene. */
interface Turn {
  readonly typeFrom: number;
  readonly typeUntil: number;
  readonly answerAt: number;
  readonly until: number;
}

const first = 0.6;
const lineSeconds = 0.08;

/** Distributes typing and reading over the scene. */
function turnsOf(blocks: TerminalProps['blocks'], duration: number): Turn[] {
  const spans = blocks.map(({ input, output }) => {
    const read = Math.min(2.5, output.join(' ').length * 0.045 + 0.3);
    return { type: input.length / 20, answer: 0.4, read: output.length === 0 ? 0.3 : output.length * lineSeconds + read };
  });
  const natural = spans.reduce((sum, { type, answer, read }) => sum + type + answer + read, 0);
  const pace = Math.min(1.2, (duration - first - 1.2) / natural);
  let at = first;
  return spans.map(({ type, answer, read }) => {
    const typeFrom = at;
    const typeUntil = typeFrom + type * pace;
    const answerAt = typeUntil + answer * pace;
    at = answerAt + read * pace;
    return { typeFrom, typeUntil, answerAt, until: at };
  });
}

interface Screen {
  readonly ground: string;
  readonly text: string;
  readonly muted: string;
  readonly accent: string;
  readonly helper: string;
}

function screenOf(colors: Colors): Screen {
  const ground = colors.dark ? mix(colors.groundTop, '#000000', 0.5) : colors.ink;
  const text = colors.dark ? colors.ink : colors.onInk;
  return {
    ground,
    text,
    muted: readable(mix(text, ground, 0.3), ground),
    accent: readable(colors.accent, ground),
    helper: readable(colors.helper, ground),
  };
}

/** Returns when a line appears, in seconds from the start of the scene. */
function appearanceOf(line: Line, index: number, layout: Layout, turns: readonly Turn[]): number {
  const turn = turns[line.block];
  if (turn === undefined) return turns.at(-1)?.until ?? 0;
  if (line.first) return line.block === 0 ? 0 : (turns[line.block - 1]?.until ?? 0);
  if (line.typed) return turn.typeFrom;
  const answer = layout.lines.findIndex((other) => other.block === line.block && !other.typed);
  return turn.answerAt + (index - answer) * lineSeconds;
}

/** Returns the scroll position. Small blocks leave as a whole, tall ones line by line. */
function scrollOf(layout: Layout, appearances: readonly number[], seconds: number): number {
  const { lines, room } = layout;
  let [scroll, from, since] = [0, 0, Number.NEGATIVE_INFINITY];
  lines.forEach((line, index) => {
    const at = appearances[index] ?? 0;
    const needed = line.y + line.step - room;
    if (at > seconds || needed <= scroll) return;
    const places = lines.filter((other) => other.y >= needed && other.y <= line.y);
    const whole = places.find((other) => other.first && other.text !== '');
    const next = whole !== undefined && whole.y - needed < room * 0.4 ? whole : (places[0] ?? line);
    [from, scroll, since] = [scroll, next.y, at];
  });
  const passed = Math.min(1, Math.max(0, (seconds - since) / 0.3));
  return from + (scroll - from) * passed * (2 - passed);
}

/** Returns the number of typed characters, at an uneven pace. */
function typedAt(input: string, { typeFrom, typeUntil }: Turn, seconds: number): number {
  const share = ((seconds - typeFrom) / Math.max(0.01, typeUntil - typeFrom)) * input.length;
  let count = Math.min(input.length, Math.max(0, Math.floor(share)));
  if (count < input.length && count > 0 && share - count < hash(count, 3) * 0.6) count -= 1;
  // Does not split the surrogates of an emoji.
  return /[\uD800-\uDBFF]/.test(input[count - 1] ?? '') ? count - 1 : count;
}

interface Cursor {
  readonly line: Line | undefined;
  readonly visible: boolean;
}

function cursorAt(
  layout: Layout,
  appearances: readonly number[],
  turns: readonly Turn[],
  typed: (block: number) => number,
  seconds: number,
): Cursor {
  const started = layout.lines.findLast((line, index) => line.first && (appearances[index] ?? 0) <= seconds);
  const block = started?.block ?? 0;
  const turn = turns[block];
  const line = layout.lines.findLast((other) => other.typed && other.block === block && typed(block) >= other.before);
  if (turn !== undefined && seconds >= turn.typeFrom && seconds < turn.typeUntil) return { line, visible: true };
  const running = turn !== undefined && seconds >= turn.typeUntil + 0.15 && layout.lines.at(-1) !== line;
  return { line, visible: !running && seconds % 1.06 < 0.6 };
}

/** Commands that are typed and answered, in a window larger than the frame. A rail connects them. */
export function TerminalFormat(props: TerminalProps) {
  const { theme, colors, motion } = useScene();
  const layout = useLayout(layOut, props);
  const screen = screenOf(colors);
  const { seconds, duration } = motion;
  const turns = turnsOf(props.blocks, duration);
  const appearances = layout.lines.map((line, index) => appearanceOf(line, index, layout, turns));
  const scroll = scrollOf(layout, appearances, seconds);
  const typed = (block: number) => {
    const turn = turns[block];
    return turn === undefined ? 0 : typedAt(props.blocks[block]?.input ?? '', turn, seconds);
  };
  const cursor = cursorAt(layout, appearances, turns, typed, seconds);
  const cursorLine = cursor.visible ? cursor.line : null;
  const { window, bar } = layout;
  const opened = motion.enter(0);
  const leave = motion.leave();
  const drop = window === null ? 0 : (1 - opened) * 86 + leave * 54;
  const edge = mix(screen.ground, screen.text, 0.26);
  return (
    <div
      className="box"
      dir="ltr"
      style={{ inset: 0, opacity: opened * (1 - leave), transform: drop === 0 ? undefined : `translateY(${drop}px)` }}
    >
      {window === null ? (
        <div className="box" style={{ inset: 0, background: colors.dark ? undefined : screen.ground }} />
      ) : (
        <div
          className="box"
          style={{
            left: window.x,
            top: window.y,
            width: window.width,
            height: window.height,
            background: screen.ground,
            borderRadius: Math.min(28, theme.radius),
            boxShadow: `0 0 0 2px ${edge}, 0 40px 90px -30px rgb(0 0 0 / 0.4)`,
          }}
        />
      )}
      <TitleBar bar={bar} title={props.windowTitle} screen={screen} solid={window === null} />
      {layout.lines.map((line, index) => {
        const at = appearances[index] ?? 0;
        if (seconds < at) return null;
        const shown = typed(line.block) - line.before;
        return (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place.
            key={index}
            className="line"
            style={{
              ...faceStyle(theme.mono, line.typed ? layout.input : layout.output),
              fontWeight: line.typed ? inputWeight : theme.mono.weight,
              left: layout.x + (line.typed ? layout.promptWidth : layout.outputIndent),
              top: layout.top + line.y - scroll,
              lineHeight: `${line.step}px`,
              color: line.typed ? screen.text : screen.muted,
              opacity: Math.min(1, Math.max(0, 1 + (2 * (line.y - scroll)) / line.step)),
            }}
          >
            {line.first ? (
              <span style={{ position: 'absolute', right: '100%', width: layout.promptWidth, color: screen.accent }}>
                {props.prompt}
              </span>
            ) : null}
            {line.first && layout.railX !== null ? (
              <Stop
                line={line}
                next={nextStop(layout, appearances, line)}
                layout={layout}
                turn={turns[line.block]}
                screen={screen}
              />
            ) : null}
            {line.typed ? (
              line.text.slice(0, Math.max(0, shown))
            ) : (
              <Printed text={line.text} at={at} last={isLast(line, layout)} screen={screen} />
            )}
            {line === cursorLine ? (
              <span
                style={{
                  display: 'inline-block',
                  width: '0.56em',
                  height: '1.05em',
                  marginInlineStart: '0.04em',
                  verticalAlign: '-0.2em',
                  background: screen.accent,
                }}
              />
            ) : null}
          </div>
        );
      })}
    </div>
  );
}

function isLast(line: Line, { lines }: Layout): boolean {
  return line.block === lines.findLast(({ typed }) => !typed)?.block;
}

/** Returns the distance to the next prompt and the time at which it appears; `null` after the last. */
function nextStop({ lines }: Layout, appearances: readonly number[], line: Line): { distance: number; at: number } | null {
  const index = lines.findIndex((other) => other.first && other.block === line.block + 1);
  const next = lines[index];
  return next === undefined ? null : { distance: next.y - line.y, at: appearances[index] ?? 0 };
}

interface StopProps {
  readonly line: Line;
  readonly next: ReturnType<typeof nextStop>;
  readonly layout: Layout;
  readonly turn: Turn | undefined;
  readonly screen: Screen;
}

/** Draws a stop on the rail, filled once its command has run, and the line to the next one. */
function Stop({ line, next, layout, turn, screen }: StopProps) {
  const { theme, motion } = useScene();
  const size = 23;
  const filled = turn === undefined ? 0 : motion.spring(motion.when(turn.typeUntil + 0.15), 0.3);
  const drawn = next === null ? 0 : motion.draw(motion.when(next.at - 0.25), 0.35);
  const left = (layout.railX ?? 0) - layout.x - layout.promptWidth;
  const top = (line.step - size) / 2;
  const rounded = theme.radius === 0 ? 0 : '50%';
  return (
    <>
      {next === null ? null : (
        <span
          className="box"
          style={{
            left: left + size / 2 - 1.5,
            top: top + size + 12,
            width: 3,
            height: Math.max(0, next.distance - size - 24) * drawn,
            background: mix(screen.ground, screen.text, 0.24),
          }}
        />
      )}
      <span
        className="box"
        style={{
          left,
          top,
          width: size,
          height: size,
          boxSizing: 'border-box',
          border: `3px solid ${screen.accent}`,
          borderRadius: rounded,
        }}
      />
      <span
        className="box"
        style={{
          left,
          top,
          width: size,
          height: size,
          background: screen.accent,
          borderRadius: rounded,
          transform: `scale(${filled})`,
        }}
      />
    </>
  );
}

const good = /^(?:\d+ )?(?:ok|done|passed|success|ready|✓|✔)$/iu;
const bad = /^(?:\d+ )?(?:skipped|failed|warnings?|errors?|denied|✗|✘)$/iu;
const words =
  /((?<![\p{L}\d])(?:\d+ )?(?:ok|done|passed|success|ready|skipped|failed|warnings?|errors?|denied)(?![\p{L}\d])|[✓✔✗✘])/iu;
const address = /((?:https?:\/\/)?(?:[a-z0-9-]+\.)+[a-z][a-z0-9]+(?:[:/]\S*)?)/i;

/** Prints a line at once. The address that the last command prints is inverted. */
function Printed({
  text,
  at,
  last,
  screen,
}: {
  readonly text: string;
  readonly at: number;
  readonly last: boolean;
  readonly screen: Screen;
}) {
  const { motion } = useScene();
  const inverted = motion.draw(motion.when(at + 0.3), 0.35);
  return text.split(last && address.test(text) ? address : words).map((part, index) => {
    const key = `${index} ${part}`;
    if (last && address.test(part))
      return (
        <span
          key={key}
          style={{
            padding: '0.06em 0.3em',
            margin: '0 -0.3em',
            fontWeight: 700,
            color: inverted > 0.5 ? screen.ground : screen.text,
            background: `linear-gradient(${screen.accent} 0 0) 0 0 / ${inverted * 100}% 100% no-repeat`,
          }}
        >
          {part}
        </span>
      );
    if (!good.test(part) && !bad.test(part)) return part;
    return (
      <span key={key} style={{ color: good.test(part) ? screen.accent : screen.helper }}>
        {part}
      </span>
    );
  });
}

/** Draws three buttons and the title. Square frames have a solid bar. */
function TitleBar({
  bar,
  title,
  screen,
  solid,
}: {
  readonly bar: Rect;
  readonly title: string | null;
  readonly screen: Screen;
  readonly solid: boolean;
}) {
  const { theme, colors, frame } = useScene();
  const size = solid ? 26 : 21;
  const color = solid ? colors.onAccent : mix(screen.ground, screen.text, 0.45);
  const left = solid ? frame.safe.x : bar.x + 32;
  const room = frame.safe.x + frame.safe.width - left - 3 * size - (solid ? 52 : 92);
  const fitted = room / Math.max(1, measure(theme.mono, title ?? ''));
  const buttons = [0, 1, 2].map((button) => (
    <span
      key={button}
      style={{
        display: 'inline-block',
        width: size,
        height: size,
        boxSizing: 'border-box',
        flexShrink: 0,
        border: `3px solid ${color}`,
        background: solid && button === 2 ? color : undefined,
        borderRadius: solid || theme.radius === 0 ? 0 : '50%',
      }}
    />
  ));
  const label = title === null ? null : <span style={{ whiteSpace: 'pre' }}>{title}</span>;
  return (
    <div
      className="box"
      style={{
        ...faceStyle(theme.mono, Math.min(solid ? 40 : 36, fitted)),
        fontWeight: solid ? 700 : theme.mono.weight,
        left: bar.x,
        top: bar.y,
        width: bar.width,
        height: bar.height,
        paddingInlineStart: left - bar.x,
        paddingInlineEnd: solid ? frame.safe.x : 0,
        paddingTop: solid ? 28 : 0,
        boxSizing: 'border-box',
        display: 'flex',
        alignItems: 'center',
        justifyContent: solid ? 'space-between' : 'flex-start',
        gap: 14,
        background: solid ? colors.accent : undefined,
        color: solid ? colors.onAccent : screen.muted,
        borderBottom: solid ? undefined : `2px solid ${mix(screen.ground, screen.text, 0.16)}`,
      }}
    >
      {solid ? label : buttons}
      {solid ? (
        <span style={{ display: 'flex', gap: 14, marginInlineStart: 'auto' }}>{buttons}</span>
      ) : (
        <span style={{ width: 8 }} />
      )}
      {solid ? null : label}
    </div>
  );
}
