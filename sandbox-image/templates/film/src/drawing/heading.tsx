import { Lines } from './lines.tsx';
import { type LayoutSetting, useScene } from './setting.tsx';
import { cased, setText, type TextRequest, type TextSet } from './text.ts';

/** Sets a scene's title in the theme's display face and case. */
export function setHeading(
  title: string | null,
  request: Pick<TextRequest, 'size' | 'width' | 'height' | 'maxCharacters'>,
  { theme, language }: LayoutSetting,
): TextSet | null {
  return title === null
    ? null
    : setText({ text: cased(theme, title, language), face: theme.display, minSize: Math.min(52, request.size), ...request });
}

/** Draws a scene's title, whose lines rise one after the other. Draws nothing if there is no title. */
export function Heading({ set, x, y }: { readonly set: TextSet | null; readonly x?: number; readonly y: number }) {
  const { frame, colors, motion } = useScene();
  return set === null ? null : (
    <Lines
      set={set}
      x={x ?? frame.safe.x}
      y={y}
      color={colors.ink}
      progress={(line) => motion.enter(line * 0.08, 0.55)}
      leave={motion.leave()}
    />
  );
}
