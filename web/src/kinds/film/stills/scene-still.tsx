import { type ComponentType, memo, startTransition, useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { frameSize } from '#contract/render.ts';
import type { Film, FormatScene, Palette } from '#kinds/film/contract/film.ts';
import { frameOf } from '../../../../../sandbox-image/templates/film/src/drawing/frame.ts';
import { motionAt } from '../../../../../sandbox-image/templates/film/src/drawing/motion.ts';
import { SettingContext } from '../../../../../sandbox-image/templates/film/src/drawing/setting.tsx';
import { facesLoaded, loadFaces } from '../../../../../sandbox-image/templates/film/src/drawing/text.ts';
import sceneCss from '../../../../../sandbox-image/templates/film/src/formats/format-scene.css?inline';
import { icons as drawings } from '../../../../../sandbox-image/templates/film/src/icons.ts';
import { colorsOf } from '../../../../../sandbox-image/templates/film/src/themes/colors.ts';
import { themeNamed } from '../../../../../sandbox-image/templates/film/src/themes/themes.ts';

type Format = ComponentType<Record<string, unknown>>;

const modules = import.meta.glob<Record<string, Format>>('../../../../../sandbox-image/templates/film/src/formats/*.tsx');
const formats = new Map<string, Format>();

/** Loads a format's component, for example `BarChartFormat` of `bar-chart.tsx` for `bar-chart`. */
async function loadFormat(id: string): Promise<Format | null> {
  const load = modules[`../../../../../sandbox-image/templates/film/src/formats/${id}.tsx`];
  const name = `${id.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase())}Format`;
  const format = load === undefined ? undefined : (await load())[name];
  if (format !== undefined) formats.set(id, format);
  return format ?? null;
}

/** The page's own styles end at the shadow root, so a still looks as it does in the film. */
const ownCss = `:host { all: initial; display: block; overflow: hidden; position: relative; contain: content; pointer-events: none; }
*, *::before, *::after { box-sizing: border-box; }
${sceneCss}`;
const rightToLeftLanguages = /^(ar|fa|he|ur|ps|yi|dv|ckb|sd)\b/;
/** Share of a scene's length at which everything has entered and nothing leaves yet. */
const holdShare = 0.65;

export interface StillFilm extends Pick<Film, 'style' | 'theme' | 'aspect' | 'seed' | 'language'> {
  readonly palette: Palette;
  readonly icons: Readonly<Record<string, { readonly viewBox: string; readonly body: string }>>;
}

interface SceneStillProps {
  readonly film: StillFilm;
  readonly scene: Pick<FormatScene, 'format' | 'props' | 'seconds'>;
  readonly isLast: boolean;
  /** Size in CSS pixels. The frame is drawn whole and centred, and the theme's ground fills the rest. */
  readonly width: number;
  readonly height: number;
  /** Time in the scene, in seconds. The default shows it complete. */
  readonly seconds?: number;
}

/** Draws one moment of a scene with the film template's own component. The scene before stays until the next can be drawn. */
export function SceneStill({ film, scene, isLast, width, height, seconds }: SceneStillProps) {
  const host = useRef<HTMLDivElement>(null);
  const [root, setRoot] = useState<ShadowRoot | null>(null);
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const shadow = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(ownCss);
    shadow.adoptedStyleSheets = [sheet];
    setRoot(shadow);
  }, []);
  const loaded = useLoaded(scene, film);
  return (
    <div ref={host} style={{ width, height }}>
      {root !== null &&
        loaded !== null &&
        createPortal(<Drawn {...loaded} width={width} height={height} isLast={isLast} seconds={seconds} />, root)}
    </div>
  );
}

type Scene = SceneStillProps['scene'];

interface Loaded {
  readonly film: StillFilm;
  readonly scene: Scene;
  readonly Format: Format;
  /** Incremented when fonts for additional characters have loaded, so that text is measured again. */
  readonly faces: number;
}

/** Returns the newest scene whose component and fonts are loaded, or `null` before the first. */
function useLoaded(scene: Scene, film: StillFilm): Loaded | null {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const theme = themeNamed(film.theme);
    const letters = lettersIn(scene.props);
    const hasFaces = facesLoaded(theme, letters);
    void Promise.all([formats.get(scene.format) ?? loadFormat(scene.format), loadFaces(theme, letters)]).then(([Format]) => {
      if (!isCurrent || Format === null) return;
      // A picture takes long to lay out, so it gives way to typing.
      startTransition(() =>
        setLoaded((before) => {
          const faces = before?.faces ?? 0;
          return { film, scene, Format, faces: hasFaces ? faces : faces + 1 };
        }),
      );
    });
    return () => {
      isCurrent = false;
    };
  }, [scene, film]);
  return loaded;
}

interface DrawnProps extends Loaded {
  readonly width: number;
  readonly height: number;
  readonly isLast: boolean;
  readonly seconds: number | undefined;
}

const Drawn = memo(({ film, scene, Format, faces, width, height, isLast, seconds = scene.seconds * holdShare }: DrawnProps) => {
  const { language, theme: themeName, aspect, palette, icons, style, seed } = film;
  Object.assign(drawings, icons);
  const setting = useMemo(() => {
    const rightToLeft = rightToLeftLanguages.test(language);
    const frame = frameOf(frameSize(aspect, '1080p'), rightToLeft);
    return { frame, theme: themeNamed(themeName), colors: colorsOf(palette), language, rightToLeft, seed, style, faces };
  }, [themeName, aspect, palette, language, seed, style, faces]);
  const { frame, theme, colors, rightToLeft } = setting;
  const motion = motionAt(style, seconds, { duration: scene.seconds, last: isLast, loops: false });
  const scale = Math.min(width / frame.width, height / frame.height);
  const ground = frameOf({ width, height }, rightToLeft);
  const place = { position: 'absolute', top: 0, left: 0, transformOrigin: '0 0' } as const;
  const left = (width - frame.width * scale) / 2;
  const top = (height - frame.height * scale) / 2;
  return (
    <div dir={rightToLeft ? 'rtl' : 'ltr'} lang={language} style={{ color: colors.ink }}>
      <div
        className="frame"
        style={{ ...place, width: ground.width, height: ground.height, transform: `scale(${width / ground.width})` }}
      >
        <SettingContext value={{ ...setting, motion, frame: ground }}>
          <theme.Ground />
        </SettingContext>
      </div>
      <div
        className="frame"
        style={{
          ...place,
          width: frame.width,
          height: frame.height,
          transform: `translate(${left}px, ${top}px) scale(${scale})`,
        }}
      >
        <SettingContext value={{ ...setting, motion }}>
          <Format {...scene.props} />
        </SettingContext>
      </div>
    </div>
  );
});

/** Returns all characters in a scene's fields, which determine the font subsets. */
function lettersIn(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value).map(lettersIn).join('');
}
