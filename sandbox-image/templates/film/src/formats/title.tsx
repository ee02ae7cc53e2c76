import type { Frame } from '../drawing/frame.ts';
import { Icon } from '../drawing/icon.tsx';
import { type Entrance, KineticLines, pieceCount } from '../drawing/kinetic-lines.tsx';
import { Lines } from '../drawing/lines.tsx';
import { type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { cased, setText, type TextSet } from '../drawing/text.ts';
import type { ThemeDesign } from '../themes/theme.ts';

interface TitleProps {
  readonly text: string;
  readonly emphasis: readonly string[];
  readonly kicker: string | null;
  readonly subtitle: string | null;
  /** `null` means that the text rises. */
  readonly entrance: 'rise' | Entrance | null;
  readonly icons: readonly string[];
}

/** A part of the title on separate lines, plain or emphasised. */
interface Part {
  readonly set: TextSet;
  readonly emphasised: boolean;
  readonly x: number;
  readonly y: number;
}

/** Maximum characters of an emphasis that gets its own lines. A longer one stays in the line and only changes colour. */
const longestBlock = 14;

/**
 * Splits the text at its first emphasised phrase, if that phrase is short enough to become the largest element in the frame.
 */
function partsOf(text: string, emphasis: readonly string[]): { text: string; emphasised: boolean }[] {
  const phrase = emphasis.find((candidate) => candidate.length <= longestBlock);
  const from = phrase === undefined ? -1 : text.toLowerCase().indexOf(phrase.toLowerCase());
  if (phrase === undefined || from < 0) return [{ text, emphasised: false }];
  const cut = [
    { text: text.slice(0, from).trim(), emphasised: false },
    { text: text.slice(from, from + phrase.length).trim(), emphasised: true },
    { text: text.slice(from + phrase.length).trim(), emphasised: false },
  ];
  // Punctuation stays with the words before it.
  const [, phrasePart, rest] = cut;
  const marks = /^[^\p{L}\p{N}\s(“"«¿¡]+(?=\s|$)/u.exec(rest?.text ?? '')?.[0] ?? '';
  if (phrasePart !== undefined && rest !== undefined) {
    cut[1] = { ...phrasePart, text: phrasePart.text + marks.replace(/^[,;]$/u, '') };
    cut[2] = { ...rest, text: rest.text.slice(marks.length).trim() };
  }
  return cut.filter((part) => part.text !== '');
}

interface Layout {
  readonly parts: readonly Part[];
  readonly kicker: TextSet | null;
  readonly subtitle: TextSet | null;
  readonly kickerY: number;
  readonly subtitleY: number;
  readonly ruleY: number;
  readonly iconY: number;
  readonly iconSize: number;
}

function layOut(props: TitleProps, { frame, theme, language }: LayoutSetting): Layout {
  const { safe } = frame;
  const iconSize = props.icons.length === 0 ? 0 : Math.min(220, safe.height * 0.24);
  const iconSpace = iconSize === 0 ? 0 : iconSize + 48;
  const kicker = smallText(props.kicker, theme, frame, 42);
  const subtitle = smallText(props.subtitle, theme, frame, 68);
  const above = iconSpace + (kicker === null ? 0 : kicker.height + 44);
  const below = 48 + (subtitle === null ? 0 : subtitle.height + 52);
  const parts = partsOf(cased(theme, props.text, language), props.emphasis);
  const sets = fitParts(parts, { theme, width: safe.width, height: safe.height - above - below });
  const blockHeight = sets.reduce((sum, set) => sum + set.height, 0);
  const free = safe.height - above - below - blockHeight;
  const top = safe.y + Math.max(0, free * 0.46);
  let y = top + above;
  const placed = sets.map((set, index): Part => {
    const part = { set, emphasised: parts[index]?.emphasised ?? false, x: safe.x, y };
    y += set.height;
    return part;
  });
  // Below the descenders, which extend beyond the line in most display faces.
  const descent = (sets.at(-1)?.size ?? 0) * 0.15;
  return {
    parts: placed,
    kicker,
    subtitle,
    kickerY: top + iconSpace,
    subtitleY: y + descent + 40,
    ruleY: y + descent,
    iconY: top,
    iconSize,
  };
}

/** Sets plain words at half the size of the emphasis or less. Without an emphasis, all words have the same size. */
function fitParts(
  parts: readonly { text: string; emphasised: boolean }[],
  { theme, width, height }: { readonly theme: ThemeDesign; readonly width: number; readonly height: number },
): TextSet[] {
  const single = parts.length === 1;
  for (let scale = 1; ; scale *= 0.94) {
    const sets = parts.map(({ text, emphasised }) => {
      const words = text.split(/\s+/u).length;
      const largest = largestSize(words, { single, emphasised });
      return setText({
        text,
        face: emphasised && !single ? theme.emphasis : theme.display,
        size: largest * scale,
        width,
        height: height * 1.4,
        maxCharacters: emphasised ? 15 : 22,
      });
    });
    if (sets.reduce((sum, set) => sum + set.height, 0) <= height || scale < 0.12) return sets;
  }
}

/** A few words fill the frame. Plain words beside an emphasis are much smaller. */
function largestSize(words: number, { single, emphasised }: { readonly single: boolean; readonly emphasised: boolean }): number {
  if (!single) return emphasised ? 470 : 178;
  if (words === 1) return 560;
  if (words <= 3) return 380;
  return words <= 6 ? 320 : 230;
}

function smallText(text: string | null, theme: ThemeDesign, frame: Frame, size: number): TextSet | null {
  if (text === null) return null;
  return setText({
    text,
    face: theme.text,
    size,
    width: frame.safe.width * (frame.shape === 'wide' ? 0.6 : 1),
    height: 200,
    maxCharacters: 44,
  });
}

/** Shows kinetic type. Emphasised words are two to three times as large as the rest. */
export function TitleFormat(props: TitleProps) {
  const { frame, theme, colors, motion, language } = useScene();
  const layout = useLayout(layOut, props);
  const { safe } = frame;
  const leave = motion.leave();
  const step = motion.stagger(sum(layout.parts.map(({ set }) => set.lines.length)));
  const hasBlock = layout.parts.some(({ emphasised }) => emphasised);
  const phrases = hasBlock ? [] : props.emphasis.map((phrase) => cased(theme, phrase, language));
  const entrance = props.entrance === 'rise' ? null : props.entrance;
  const pieces = layout.parts.map(({ set }) => (entrance === null ? 0 : pieceCount(set, entrance)));
  const grow = 1 + 0.012 * (motion.drift(2) / motion.duration);
  return (
    <>
      {layout.iconSize === 0 ? null : <Icons names={props.icons} y={layout.iconY} size={layout.iconSize} />}
      {layout.kicker === null ? null : (
        <Lines
          set={layout.kicker}
          x={safe.x + 4}
          y={layout.kickerY}
          color={colors.accent}
          entrance="fade"
          progress={() => motion.enter(0)}
          leave={leave}
        />
      )}
      {hasBlock ? (
        <theme.Rule x={safe.x} y={layout.ruleY} length={safe.width * (1 - leave)} progress={motion.draw(0, 0.55)} tone="plain" />
      ) : null}
      {layout.parts.map((part, index) => {
        const words = (
          <Words
            key={part.y}
            part={part}
            entrance={entrance}
            before={sum(pieces.slice(0, index))}
            count={sum(pieces)}
            at={0.1 + index * step}
            step={step}
            phrases={part.emphasised ? [] : phrases}
          />
        );
        return part.emphasised ? (
          <div
            key={part.y}
            className="box"
            style={{ inset: 0, transform: `scale(${grow})`, transformOrigin: `${part.x}px ${part.y + part.set.height}px` }}
          >
            {words}
          </div>
        ) : (
          words
        );
      })}
      {layout.subtitle === null ? null : (
        <Lines
          set={layout.subtitle}
          x={safe.x + 4}
          y={layout.subtitleY}
          color={colors.muted}
          entrance="fade"
          progress={(line) => motion.enter(0.8 + line * 0.08, 0.45)}
          leave={leave}
        />
      )}
    </>
  );
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

interface WordsProps {
  readonly part: Part;
  readonly entrance: Entrance | null;
  readonly before: number;
  readonly count: number;
  /** Time at which plain words start, and the time between their lines. */
  readonly at: number;
  readonly step: number;
  readonly phrases: readonly string[];
}

/** Draws part of the title. It enters as the film requests, or rises line by line. */
function Words({ part: { set, emphasised, x, y }, entrance, before, count, at, step, phrases }: WordsProps) {
  const { colors, motion } = useScene();
  const shared = {
    set,
    x,
    y,
    color: emphasised ? colors.accent : colors.ink,
    emphasis: phrases,
    emphasisColor: colors.accent,
    leave: motion.leave(),
  };
  if (entrance !== null) return <KineticLines {...shared} entrance={entrance} before={before} count={count} />;
  return (
    <Lines
      {...shared}
      room={emphasised ? 0.32 : undefined}
      progress={(line) => (emphasised ? motion.enter(0.45 + line * 0.1, 0.7) : motion.enter(at + line * step))}
    />
  );
}

function Icons({ names, y, size }: { readonly names: readonly string[]; readonly y: number; readonly size: number }) {
  const { frame, motion, colors } = useScene();
  return names.map((name, index) => (
    <div
      key={name}
      className="box"
      style={{
        left: frame.left(frame.safe.x + index * (size + 32), size),
        top: y,
        opacity: 1 - motion.leave(),
        transform: `scale(${motion.spring(0.1 + index * 0.12)}) rotate(${(1 - motion.spring(0.1 + index * 0.12)) * -18}deg)`,
      }}
    >
      <Icon name={name} size={size} color={colors.accent} stroke={1.6} />
    </div>
  ));
}
