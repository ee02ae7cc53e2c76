import { type CSSProperties, type ReactNode, useContext, useLayoutEffect, useMemo, useRef } from 'react';
import { type Frame, type FrameShape, frameOf } from '../drawing/frame.ts';
import { motionAt } from '../drawing/motion.ts';
import { SettingContext, useScene } from '../drawing/setting.tsx';
import { loadFaces } from '../drawing/text.ts';
import { useMoment, useSceneTime } from '../stage/clock.ts';
import { SceneContext, useFilm } from '../stage/contexts.ts';
import { holdReady } from '../stage/loading.ts';
import { transparent } from '../stage/mode.ts';
import { SceneOverlay } from '../stage/scene-frame.tsx';
import type { Track } from '../stage/tracks.ts';
import { type Colors, colorsOf } from '../themes/colors.ts';
import { Gradient } from '../themes/plain.tsx';
import type { Face } from '../themes/theme.ts';
import { themeNamed } from '../themes/themes.ts';
import { transform } from './transform.ts';
import '../formats/format-scene.css';
import './text.css';

const rightToLeftLanguages = /^(ar|fa|he|ur|ps|yi|dv|ckb|sd)\b/;
const latin = 'abcdefghijklmnopqrstuvwxyz';

interface ThemedOverlayProps {
  readonly id: string;
  /** `theme` has the theme's decoration, `clean` only its colours, `none` shows the scene's 3D world. */
  readonly ground?: 'theme' | 'clean' | 'none';
  readonly children: ReactNode;
}

/** The HTML of a code scene, with the ground, typefaces and colours of the film's theme, as format scenes have them. */
export function ThemedOverlay({ id, ground = 'theme', children }: ThemedOverlayProps) {
  const film = useFilm();
  const { style, seed, palette, language = 'en', name = 'studio' } = film.theme;
  const theme = themeNamed(name);
  const rightToLeft = rightToLeftLanguages.test(language);
  // Independent of the time, so that a seek redraws only the ground.
  const setting = useMemo(() => {
    const motion = motionAt(style, 0, { duration: film.durationSeconds, last: true, loops: false });
    const frame = frameOf(film, rightToLeft);
    return { frame, theme, colors: colorsOf(palette), language, rightToLeft, seed, style, faces: 0, motion };
  }, [film, theme, palette, language, rightToLeft, seed, style]);
  useLayoutEffect(() => {
    void holdReady(loadFaces(theme, latin));
  }, [theme]);
  return (
    <SettingContext value={setting}>
      <SceneOverlay id={id}>
        {ground === 'none' || transparent ? null : <Ground isClean={ground === 'clean'} />}
        {children}
      </SceneOverlay>
    </SettingContext>
  );
}

function Ground({ isClean }: { readonly isClean: boolean }) {
  const setting = useScene();
  const place = useContext(SceneContext);
  const seconds = useSceneTime();
  const { frame, theme, style, rightToLeft } = setting;
  const motion = motionAt(style, seconds, { duration: place?.durationSeconds ?? 0, last: place?.last ?? true, loops: false });
  return (
    <div className="frame" dir={rightToLeft ? 'rtl' : 'ltr'} style={{ width: frame.width, height: frame.height }}>
      <SettingContext value={{ ...setting, motion }}>{isClean ? <Gradient /> : <theme.Ground />}</SettingContext>
    </div>
  );
}

/** Type sizes in per cent of the frame's height, the unit of `Text` and `Count`. */
const sizes: Readonly<Record<FrameShape, { readonly title: number; readonly body: number; readonly label: number }>> = {
  wide: { title: 9, body: 5, label: 4 },
  square: { title: 8, body: 4.6, label: 3.8 },
  tall: { title: 6, body: 3.8, label: 3.5 },
};

const styleOf = ({ family, weight, italic, stretch, tracking, variations }: Face): CSSProperties => ({
  fontFamily: family,
  fontWeight: weight,
  fontStyle: italic ? 'italic' : 'normal',
  fontStretch: stretch,
  fontVariationSettings: variations,
  letterSpacing: `${tracking}em`,
});

export type TypeName = 'title' | 'body' | 'strong' | 'figures' | 'mono';

export interface FilmLook {
  readonly colors: Colors;
  /** Typefaces for text of your own, in HTML or in a `Drawing`. */
  readonly type: Readonly<Record<TypeName, CSSProperties>>;
  readonly size: (typeof sizes)[FrameShape];
  /** In design pixels: the shorter side is 1080. */
  readonly frame: Frame;
}

/** Returns the colours, typefaces and sizes of the film's theme. */
export function useFilmLook(): FilmLook {
  const { colors, theme, frame } = useScene();
  return useMemo(() => {
    const { display, text, strong, figures, mono } = theme;
    const type = {
      title: styleOf(display),
      body: styleOf(text),
      strong: styleOf(strong),
      figures: { ...styleOf(figures), fontVariantNumeric: 'tabular-nums lining-nums' },
      mono: styleOf(mono),
    };
    return { colors, type, size: sizes[frame.shape], frame };
  }, [colors, theme, frame]);
}

/** An SVG over the whole frame, in design pixels: 1920 × 1080 in 16:9, 1080 × 1920 in 9:16. */
export function Drawing({ children }: { readonly children: ReactNode }) {
  const { frame } = useScene();
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${frame.width} ${frame.height}`}
      style={{ position: 'absolute', inset: 0, width: '100%', height: '100%', overflow: 'hidden' }}
    >
      {children}
    </svg>
  );
}

interface CountProps {
  readonly track: Track<'value' | 'opacity'>;
  /** Left edge and middle of the digits, in per cent of the frame's width and height. */
  readonly x: number;
  readonly y: number;
  /** Font size in per cent of the frame's height. */
  readonly size: number;
  readonly prefix?: string;
  readonly suffix?: string;
  readonly decimals?: number;
  readonly color?: string;
}

/** A number that counts. Its left edge stays, and its digits have equal widths, so that nothing jitters. */
export function Count({ track, x, y, size, prefix = '', suffix = '', decimals = 0, color }: CountProps) {
  const { language } = useScene();
  const { type, colors } = useFilmLook();
  const number = useRef<HTMLDivElement>(null);
  const format = useMemo(
    () => new Intl.NumberFormat(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
    [language, decimals],
  );
  useMoment(() => {
    const { value = 0, opacity = 1 } = track.now;
    if (!number.current) return;
    number.current.textContent = `${prefix}${format.format(value).replace('-', '−')}${suffix}`;
    number.current.style.opacity = String(opacity);
  }, 'overlay');
  return (
    <div
      ref={number}
      dir="ltr"
      style={{
        ...type.figures,
        position: 'absolute',
        left: `${x}cqw`,
        top: `${y}cqh`,
        fontSize: `${size}cqh`,
        lineHeight: 1,
        whiteSpace: 'pre',
        color: color ?? colors.ink,
        transform: transform({ y: '-50%' }),
        transformOrigin: '0 50%',
      }}
    />
  );
}
