import {
  createElement,
  isValidElement,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { frameOf } from '../drawing/frame.ts';
import { motionAt } from '../drawing/motion.ts';
import { SettingContext } from '../drawing/setting.tsx';
import { facesLoaded, loadFaces } from '../drawing/text.ts';
import { currentTime, isActive, onSeek, redrawEvent } from '../stage/clock.ts';
import { useFilm } from '../stage/contexts.ts';
import { EditBoundary } from '../stage/errors.tsx';
import { declareFormatScene } from '../stage/format-scenes.ts';
import { holdReady } from '../stage/loading.ts';
import { transparent } from '../stage/mode.ts';
import { choiceFields, editedProps } from '../stage/scene-props.ts';
import { colorsOf } from '../themes/colors.ts';
import type { ThemeDesign } from '../themes/theme.ts';
import { themeNamed } from '../themes/themes.ts';
import './format-scene.css';

/**
 * Returns whether a format has a property, such as `LoaderFormat.seamless = true`. `seamless`: the last frame leads into the first.
 * `composited`: a canvas draws the format differently, so its frames must be captured from the page.
 */
function declares(content: ReactNode, what: 'seamless' | 'composited'): boolean {
  return isValidElement(content) && typeof content.type === 'function' && Reflect.get(content.type, what) === true;
}

const rightToLeftLanguages = /^(ar|fa|he|ur|ps|yi|dv|ckb|sd)\b/;
const rightToLeftLetters = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thaana}\p{Script=Syriac}\p{Script=Nko}]/gu;

/** Returns whether a scene reads from right to left: by the film's language, or by most letters of its own texts. */
function readsRightToLeft(content: ReactNode, language: string): boolean {
  if (rightToLeftLanguages.test(language)) return true;
  const texts = lettersIn(content, choiceFields);
  const count = (pattern: RegExp) => texts.match(pattern)?.length ?? 0;
  return count(rightToLeftLetters) > count(/\p{L}/gu) / 2;
}

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
  // Anything but a single component means that the scene was edited by hand.
  const isFormat = isValidElement(children) && typeof children.type === 'function' && !declares(children, 'composited');
  useLayoutEffect(() => (isFormat ? declareFormatScene(id) : undefined), [id, isFormat]);

  const setting = useMemo(() => {
    const rightToLeft = readsRightToLeft(edited ?? children, language);
    return { frame: frameOf(film, rightToLeft), theme, colors: colorsOf(palette), language, rightToLeft, seed, style, faces };
  }, [film, theme, palette, language, seed, style, faces, edited, children]);
  const times = { duration: durationSeconds, last, loops: film.scenes.length === 1 && declares(children, 'seamless') };
  const motion = motionAt(style, local ?? 0, times);
  // The background's own motion has another period, so it is static in a loop.
  const groundMotion = times.loops ? motionAt(style, 0, times) : motion;

  if (!ready) return null;
  return (
    <div className="layer" data-scene={id} style={{ visibility: local === null ? 'hidden' : 'visible' }} lang={language}>
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

const noFields: ReadonlySet<string> = new Set();

/** Returns all characters in an element's fields, except those `without`. They determine the font subsets. */
function lettersIn(value: unknown, without = noFields, depth = 0): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null || depth > 6) return '';
  if (Array.isArray(value)) return value.map((part) => lettersIn(part, without, depth + 1)).join('');
  if ('props' in value) return lettersIn(value.props, without, depth + 1);
  return Object.entries(value)
    .map(([field, part]) => (without.has(field) ? '' : lettersIn(part, without, depth + 1)))
    .join('');
}
