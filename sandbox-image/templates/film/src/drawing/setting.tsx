import { createContext, type ReactNode, useContext, useRef } from 'react';
import type { Colors } from '../themes/colors.ts';
import type { Rect, ThemeDesign } from '../themes/theme.ts';
import type { Frame } from './frame.ts';
import type { Motion } from './motion.ts';

/** Context of every format, in addition to its own fields. */
export interface SceneSetting {
  readonly frame: Frame;
  readonly theme: ThemeDesign;
  readonly colors: Colors;
  readonly motion: Motion;
  /** BCP 47 language tag of the film. */
  readonly language: string;
  readonly rightToLeft: boolean;
  readonly seed: number;
  readonly style: 'playful' | 'smooth' | 'cinematic';
  /** Incremented when fonts for additional characters have loaded, so that text is measured again. */
  readonly faces: number;
}

export const SettingContext = createContext<SceneSetting | null>(null);

export function useScene(): SceneSetting {
  const setting = useContext(SettingContext);
  if (setting === null) throw new Error('A format belongs inside <FormatScene>.');
  return setting;
}

/** Inputs of a layout, in addition to the format's fields. */
export type LayoutSetting = Pick<SceneSetting, 'frame' | 'theme' | 'language' | 'faces'>;

/** Recomputes a layout only if the fields, frame, theme, language or loaded fonts change, not on every frame. */
export function useLayout<Request, Layout>(
  layOut: (request: Request, setting: LayoutSetting) => Layout,
  request: Request,
): Layout {
  const { frame, theme, language, faces } = useScene();
  const key = JSON.stringify(request);
  const known = useRef<{ key: string; setting: LayoutSetting; layout: Layout } | null>(null);
  const before = known.current;
  if (
    before?.key === key &&
    before.setting.frame === frame &&
    before.setting.theme === theme &&
    before.setting.language === language &&
    before.setting.faces === faces
  )
    return before.layout;
  const setting = { frame, theme, language, faces };
  const layout = layOut(request, setting);
  known.current = { key, setting, layout };
  return layout;
}

/** Positions its children relative to a card's corner. */
export function Inset({
  width,
  height,
  children,
}: {
  readonly width: number;
  readonly height: number;
  readonly children: ReactNode;
}) {
  const setting = useScene();
  const { rightToLeft } = setting;
  const frame: Frame = {
    ...setting.frame,
    width,
    height,
    safe: { x: 0, y: 0, width, height },
    left: (x, itemWidth) => (rightToLeft ? width - x - itemWidth : x),
  };
  return <SettingContext value={{ ...setting, frame }}>{children}</SettingContext>;
}

/** An area of the frame, mirrored in right-to-left films. Everything that formats and themes draw is inside one. */
export function Box({
  x,
  y,
  width,
  height,
  opacity,
  transform,
  className,
  style,
  children,
}: Rect & {
  readonly opacity?: number;
  readonly transform?: string;
  readonly className?: string;
  readonly style?: React.CSSProperties;
  readonly children?: ReactNode;
}) {
  const { frame } = useScene();
  return (
    <div
      className={className === undefined ? 'box' : `box ${className}`}
      style={{ left: frame.left(x, width), top: y, width, height, opacity, transform, ...style }}
    >
      {children}
    </div>
  );
}
