import { Lines } from './lines.tsx';
import { type LayoutSetting, useScene } from './setting.tsx';
import { setText, type TextSet } from './text.ts';

/** Source of a chart's values: small print at the bottom of the safe area. */
export interface Source {
  readonly set: TextSet;
  readonly y: number;
}

/** Lays out the source line at the bottom of the safe area, and returns a setting whose safe area ends above it. */
export function withSource(text: string | null, setting: LayoutSetting): { source: Source | null; setting: LayoutSetting } {
  if (text === null) return { source: null, setting };
  const { safe } = setting.frame;
  const set = setText({ text, face: setting.theme.text, size: 34, width: safe.width, height: 90, maxCharacters: 80 });
  const inner = { ...safe, height: safe.height - set.height - 28 };
  return {
    source: { set, y: safe.y + safe.height - set.height },
    setting: { ...setting, frame: { ...setting.frame, safe: inner } },
  };
}

export function SourceLine({ source }: { readonly source: Source }) {
  const { frame, colors, motion } = useScene();
  return (
    <Lines
      set={source.set}
      x={frame.safe.x}
      y={source.y}
      color={colors.muted}
      entrance="fade"
      progress={() => motion.enter(1.4, 0.5)}
      leave={motion.leave(0.05)}
    />
  );
}
