import { useEffect, useMemo, useState } from 'react';
import { loadTokens, plainTokens, type Token, type TokenKind } from '../drawing/highlight.ts';
import { faceStyle, Lines } from '../drawing/lines.tsx';
import { Box, type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { measure, setText, type TextSet } from '../drawing/text.ts';
import { contrast, mix, readable } from '../kit/color.ts';
import { redrawEvent } from '../stage/clock.ts';
import type { Colors } from '../themes/colors.ts';

interface CodeProps {
  readonly language: string | null;
  readonly fileName: string | null;
  readonly code: string;
  readonly highlight: readonly number[];
  readonly diff: boolean;
  readonly typed: boolean;
}

type Change = '+' | '-' | ' ';

interface CodeLine {
  /** Line number in the source, from 1; `null` for continuation lines. */
  readonly number: number | null;
  readonly tokens: readonly Token[];
  readonly marked: boolean;
  readonly change: Change;
  readonly y: number;
  readonly size: number;
  readonly step: number;
}

interface Layout {
  readonly lines: readonly CodeLine[];
  readonly codeX: number;
  readonly top: number;
  readonly nameY: number;
  readonly rest: number;
  readonly numbered: boolean;
  readonly plainSize: number;
  readonly name: TextSet | null;
}

const hangingIndent = '    ';
/** Minimum size of code in design pixels. */
const smallest = 32.4;

/** Breaks a line of tokens at `columns` characters, with a hanging indent. */
function wrap(tokens: readonly Token[], columns: number): Token[][] {
  const lines: Token[][] = [[]];
  let used = 0;
  for (const token of tokens) {
    let rest = token.text;
    while (used + rest.length > columns && rest.length > 0) {
      const room = Math.max(0, columns - used);
      const space = rest.lastIndexOf(' ', room);
      const cutInWord = used > hangingIndent.length ? 0 : Math.max(1, room);
      const cut = space > 0 ? space + 1 : cutInWord;
      if (cut > 0) lines.at(-1)?.push({ ...token, text: rest.slice(0, cut) });
      rest = rest.slice(cut).trimStart();
      lines.push([{ text: hangingIndent, kind: 'plain' }]);
      used = hangingIndent.length;
    }
    if (rest !== '') lines.at(-1)?.push({ ...token, text: rest });
    used += rest.length;
  }
  return lines;
}

interface LayoutRequest {
  readonly props: CodeProps;
  readonly tokens: readonly (readonly Token[])[];
}

function layOut({ props, tokens }: LayoutRequest, { frame, theme }: LayoutSetting): Layout {
  const { safe } = frame;
  const source = props.code.split('\n');
  const numbered = !props.diff && (frame.shape === 'wide' || (frame.shape === 'square' && source.length <= 12));
  const em = measure(theme.mono, '0'.repeat(20)) / 20;
  const nameSpace = props.fileName === null ? 0 : { wide: 110, square: 110, tall: 150 }[frame.shape];
  const height = safe.height - nameSpace;
  const longest = Math.max(12, ...source.map((line) => line.length));
  const gutter = props.diff ? 70 : 0;
  const width = safe.width - gutter;
  const largest = frame.shape === 'wide' ? 62 : 54;
  const marked = new Set(props.highlight);
  const lineHeight = source.length > 14 ? 1.3 : 1.42;

  for (let size = Math.min(largest, Math.max(smallest, width / (longest * em))); ; size *= 0.95) {
    const columns = Math.floor(width / (size * em));
    const grown = Math.min(
      1.45,
      width / (Math.max(1, ...source.filter((_, index) => marked.has(index + 1)).map((line) => line.length)) * em * size),
    );
    const lines = tokens.flatMap((line, index): Omit<CodeLine, 'y'>[] => {
      const isMarked = marked.has(index + 1);
      const change: Change =
        props.diff && (source[index]?.[0] === '+' || source[index]?.[0] === '-') ? (source[index]?.[0] as Change) : ' ';
      const changedSize = {
        '+': Math.min(size * 1.2, width / (Math.max(1, source[index]?.length ?? 1) * em)),
        '-': size * 0.84,
        ' ': size,
      }[change];
      const lineSize = isMarked ? size * Math.max(1, grown) : changedSize;
      return wrap(line, columns).map((part, piece) => ({
        number: piece === 0 ? index + 1 : null,
        tokens: part,
        marked: isMarked,
        change,
        size: lineSize,
        step: lineSize * lineHeight,
      }));
    });
    const block = lines.reduce((sum, { step }) => sum + step, 0) + (marked.size > 0 ? 44 : 0);
    if (block > height && size > 22) continue;
    const top = safe.y + nameSpace + Math.max(0, (height - block) * (frame.shape === 'tall' ? 0.2 : 0.42));
    let y = top;
    let before = false;
    const placed = lines.map((line): CodeLine => {
      if (line.marked !== before && marked.size > 0) y += 22;
      before = line.marked;
      const result = { ...line, y };
      y += line.step;
      return result;
    });
    return {
      lines: placed,
      codeX: safe.x + gutter,
      top,
      nameY: Math.max(safe.y, top - nameSpace),
      rest: size,
      numbered,
      plainSize: size,
      name: fileNameSet(props.fileName, { frame, theme }),
    };
  }
}

/** In tall frames the file name is the title. */
function fileNameSet(fileName: string | null, { frame, theme }: Pick<LayoutSetting, 'frame' | 'theme'>): TextSet | null {
  if (fileName === null) return null;
  const isTitle = frame.shape === 'tall';
  return setText({
    text: fileName,
    face: isTitle ? theme.display : theme.mono,
    size: isTitle ? 92 : 42,
    minSize: 34,
    width: frame.safe.width * 0.7,
    height: 110,
    maxCharacters: 44,
  });
}

function bandColor({ accent, groundTop, groundBottom }: Colors): string {
  return mix(mix(groundTop, groundBottom, 0.5), accent, 0.1);
}

/** Returns the palette's syntax colours, each readable on the background and on the band. */
function syntaxColors(colors: Colors): Readonly<Record<TokenKind, string>> {
  const grounds = [colors.groundTop, colors.groundBottom, bandColor(colors)];
  const ground = grounds.toSorted((one, other) => contrast(colors.ink, one) - contrast(colors.ink, other))[0] ?? colors.groundTop;
  const shade = (color: string) => readable(color, ground, 4.7);
  return {
    plain: colors.ink,
    keyword: shade(colors.accent),
    string: shade(colors.helper),
    number: shade(mix(colors.helper, colors.accent, 0.5)),
    comment: shade(colors.muted),
    name: shade(mix(colors.ink, colors.accent, 0.35)),
    type: shade(mix(colors.ink, colors.helper, 0.5)),
  };
}

/** Code whose marked lines grow in a band while the others turn grey. In a diff, the added lines are large. */
export function CodeFormat(props: CodeProps) {
  const { frame, theme, colors, motion } = useScene();
  const tokens = useTokens(props);
  const layout = useLayout(layOut, { props, tokens });
  const palette = useMemo(() => syntaxColors(colors), [colors]);
  const { safe } = frame;
  const leave = motion.leave();
  const { name } = layout;
  const characters = props.code.length;
  const written = props.typed ? characters * motion.linear(0.3, characters / 36) : Number.POSITIVE_INFINITY;
  const typedUntil = props.typed ? 0.3 + characters / 36 : 0;
  const focus = props.highlight.length === 0 ? 0 : motion.draw(Math.max(1.4, typedUntil + 0.3), 0.5);
  const step = Math.min(0.03, 0.45 / layout.lines.length);
  const marked = layout.lines.filter((line) => line.marked);
  let before = 0;
  return (
    <div className="box" style={{ inset: 0, opacity: 1 - leave }} dir="ltr">
      {name === null ? null : (
        <Lines
          set={name}
          x={safe.x}
          y={layout.nameY}
          color={frame.shape === 'tall' ? colors.ink : colors.muted}
          entrance="fade"
          progress={() => motion.enter(0, 0.4)}
        />
      )}
      {marked.length === 0 ? null : <Band lines={marked} progress={focus} />}
      {props.diff ? <Bands layout={layout} /> : null}
      {layout.lines.map((line, index) => {
        const entered = props.typed ? 1 : motion.enter(0.1 + index * step, 0.4);
        const start = before;
        before += line.tokens.reduce((sum, { text }) => sum + text.length, 0) + (line.number === null ? 0 : 1);
        const small = layout.plainSize;
        const size = line.marked ? small + (line.size - small) * focus : line.size;
        return (
          <div
            key={line.y}
            className="line"
            style={{
              ...faceStyle(theme.mono, size),
              fontWeight: line.marked && focus > 0.5 ? 700 : theme.mono.weight,
              left: layout.codeX + (1 - entered) * -16,
              top: line.y,
              lineHeight: `${line.step}px`,
              height: line.step,
              opacity: entered,
            }}
          >
            {layout.numbered ? <LineNumber line={line} /> : null}
            <ChangeSign line={line} />
            <LineTokens
              tokens={line.tokens}
              shown={written - start}
              dimmed={!line.marked && focus > 0.5}
              palette={palette}
              muted={colors.muted}
              removed={line.change === '-'}
              isDiff={props.diff}
            />
          </div>
        );
      })}
    </div>
  );
}

function LineNumber({ line }: { readonly line: CodeLine }) {
  const { colors } = useScene();
  if (line.number === null) return null;
  const color = line.marked ? colors.ink : colors.muted;
  return (
    <span style={{ position: 'absolute', right: '100%', marginRight: 36, color, fontSize: 34, fontWeight: 400 }}>
      {line.number}
    </span>
  );
}

function ChangeSign({ line }: { readonly line: CodeLine }) {
  const { colors } = useScene();
  if (line.change === ' ' || line.number === null) return null;
  const isAdded = line.change === '+';
  return (
    <span style={{ position: 'absolute', right: '100%', marginRight: 28, color: isAdded ? colors.accent : colors.muted }}>
      {isAdded ? '+' : '−'}
    </span>
  );
}

function LineTokens({
  tokens,
  shown,
  dimmed,
  palette,
  muted,
  removed,
  isDiff,
}: {
  readonly tokens: readonly Token[];
  readonly shown: number;
  readonly dimmed: boolean;
  readonly palette: Readonly<Record<TokenKind, string>>;
  readonly muted: string;
  readonly removed: boolean;
  readonly isDiff: boolean;
}) {
  let left = Math.max(0, Math.floor(shown));
  return tokens.map(({ text, kind }, index) => {
    const own = isDiff && index === 0 ? ` ${text.slice(1)}` : text;
    const visible = own.slice(0, Math.min(own.length, left));
    left -= visible.length;
    const color = dimmed || removed ? muted : palette[kind];
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: tokens are places in a line.
      <span key={index} style={{ color, textDecoration: removed ? 'line-through' : undefined }}>
        {visible}
      </span>
    );
  });
}

/** Draws a full-width band behind each run of marked lines. */
function Band({ lines, progress }: { readonly lines: readonly CodeLine[]; readonly progress: number }) {
  const { colors, frame } = useScene();
  return runsOfLines(lines).map(({ from, until }) => (
    <Box
      key={from}
      x={0}
      y={from - 14}
      width={frame.width * progress}
      height={until - from + 28}
      style={{ background: bandColor(colors), borderInlineStart: `10px solid ${colors.accent}` }}
    />
  ));
}

/** Draws a diff's bands: the accent for added lines, a pale ink for removed ones. */
function Bands({ layout }: { readonly layout: Layout }) {
  const { colors, frame, motion } = useScene();
  const added = layout.lines.filter(({ change }) => change === '+');
  const removed = layout.lines.filter(({ change }) => change === '-');
  const shown = motion.enter(0.9, 0.5);
  return (
    <>
      {runsOfLines(removed).map(({ from, until }) => (
        <Box
          key={from}
          x={0}
          y={from - 8}
          width={frame.width}
          height={until - from + 16}
          opacity={shown}
          style={{ background: `${colors.ink}12` }}
        />
      ))}
      {runsOfLines(added).map(({ from, until }) => (
        <Box
          key={from}
          x={0}
          y={from - 8}
          width={frame.width * shown}
          height={until - from + 16}
          style={{ background: bandColor(colors), borderInlineStart: `10px solid ${colors.accent}` }}
        />
      ))}
    </>
  );
}

function runsOfLines(lines: readonly CodeLine[]): { from: number; until: number }[] {
  const runs: { from: number; until: number }[] = [];
  for (const { y, step } of lines) {
    const last = runs.at(-1);
    if (last !== undefined && Math.abs(last.until - y) < 2) last.until = y + step;
    else runs.push({ from: y, until: y + step });
  }
  return runs;
}

function useTokens({ code, language }: CodeProps): readonly (readonly Token[])[] {
  const [loaded, setLoaded] = useState<{ code: string; language: string | null; tokens: Token[][] } | null>(null);
  useEffect(() => {
    let current = true;
    void loadTokens(code, language).then((tokens) => {
      if (!current) return;
      setLoaded({ code, language, tokens });
      window.dispatchEvent(new Event(redrawEvent));
    });
    return () => {
      current = false;
    };
  }, [code, language]);
  return loaded?.code === code && loaded.language === language ? loaded.tokens : plainTokens(code);
}
