import {
  createContext,
  createElement,
  isValidElement,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { currentTime, isActive, onSeek, redrawEvent } from '../stage/clock.ts';
import { useFilm } from '../stage/contexts.ts';
import { EditBoundary } from '../stage/errors.tsx';
import { holdReady } from '../stage/loading.ts';
import { transparent } from '../stage/mode.ts';
import { editedProps } from '../stage/scene-props.ts';
import { type Colors, colorsOf } from '../themes/colors.ts';
import type { Rect, ThemeDesign } from '../themes/theme.ts';
import { themeNamed } from '../themes/themes.ts';
import { type Frame, frameOf } from './frame.ts';
import { type Motion, motionAt } from './motion.ts';
import { facesLoaded, loadFaces } from './text.ts';
import './format-scene.css';

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

const SettingContext = createContext<SceneSetting | null>(null);

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

/** Returns whether a format declares that its last frame leads into its first: `LoaderFormat.seamless = true`. */
function isSeamless(content: ReactNode): boolean {
  return (
    isValidElement(content) && typeof content.type === 'function' && 'seamless' in content.type && content.type.seamless === true
  );
}

const rightToLeftLanguages = /^(ar|fa|he|ur|ps|yi|dv|ckb|sd)\b/;

/** Draws a scene with a format: the theme's background and the format's content, visible during the scene. */
export function FormatScene({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  const film = useFilm();
  const scene = film.scenes.find((candidate) => candidate.id === id);
  if (scene === undefined) throw new Error(`The film has no scene "${id}"; see src/film.ts.`);
  const { startSeconds, durationSeconds } = scene;
  const last = film.scenes.at(-1) === scene;
  const place = useMemo(() => ({ startSeconds, durationSeconds, last }), [startSeconds, durationSeconds, last]);
  // The value is constant while the scene is hidden, so that it is not rendered again.
  const local = useSyncExternalStore(onSeek, () => (isActive(place, currentTime()) ? currentTime() - startSeconds : null));
  const { style, seed, palette, language = 'en', name = 'studio' } = film.theme;
  const theme = themeNamed(name);
  const edit = useSyncExternalStore(onSeek, () => editedProps(id));
  const edited = useMemo(
    () => (edit === null || !isValidElement(children) ? null : createElement(children.type, edit)),
    [edit, children],
  );
  const lastGood = useRef<ReactNode>(null);
  const { ready, faces } = useFaces(theme, edited ?? children);

  const setting = useMemo(() => {
    const rightToLeft = rightToLeftLanguages.test(language);
    return { frame: frameOf(film, rightToLeft), theme, colors: colorsOf(palette), language, rightToLeft, seed, style, faces };
  }, [film, theme, palette, language, seed, style, faces]);
  const times = { duration: durationSeconds, last, loops: film.scenes.length === 1 && isSeamless(children) };
  const motion = motionAt(style, local ?? 0, times);
  // The background's own motion has another period, so it is static in a loop.
  const groundMotion = times.loops ? motionAt(style, 0, times) : motion;

  if (!ready) return null;
  return (
    <div className="layer" style={{ visibility: local === null ? 'hidden' : 'visible' }} lang={language}>
      <div
        className="frame"
        dir={setting.rightToLeft ? 'rtl' : 'ltr'}
        style={{ width: setting.frame.width, height: setting.frame.height, color: setting.colors.ink }}
      >
        {transparent ? null : (
          <SettingContext value={{ ...setting, motion: groundMotion }}>
            <theme.Ground />
          </SettingContext>
        )}
        <SettingContext value={{ ...setting, motion }}>
          <EditBoundary edited={edited} lastGood={lastGood}>
            {children}
          </EditBoundary>
        </SettingContext>
      </div>
    </div>
  );
}

/** Loads the theme's fonts before text is measured. Edited or reloaded text loads the subsets that it needs. */
function useFaces(theme: ThemeDesign, content: ReactNode): { ready: boolean; faces: number } {
  const [loaded, setLoaded] = useState<ThemeDesign | null>(null);
  const [faces, setFaces] = useState(0);
  useEffect(() => {
    let current = true;
    const letters = lettersIn(content);
    const complete = facesLoaded(theme, letters);
    const done = () => {
      if (!current) return;
      setLoaded(theme);
      if (!complete) setFaces((count) => count + 1);
      window.dispatchEvent(new Event(redrawEvent));
    };
    void holdReady(loadFaces(theme, letters).then(done));
    return () => {
      current = false;
    };
  }, [theme, content]);
  return { ready: loaded === theme, faces };
}

/** Returns all characters in an element's fields. They determine the font subsets. */
function lettersIn(value: unknown, depth = 0): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null || depth > 6) return '';
  if (Array.isArray(value)) return value.map((part) => lettersIn(part, depth + 1)).join('');
  if ('props' in value) return lettersIn(value.props, depth + 1);
  return Object.values(value)
    .map((part) => lettersIn(part, depth + 1))
    .join('');
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
