import type { Style } from '../stage/film-definition.ts';
import './fonts.css';

/** A style's appearance: type, light, materials, backdrop. The film's palette provides the colours. */
export interface Look {
  /** The first family, then fallbacks for scripts and symbols that it lacks. */
  readonly fontFamily: string;
  readonly titleWeight: number;
  readonly textWeight: number;
  readonly titleTracking: number;
  readonly captionTracking: number;
  /** Key light from the upper left, its fill and its rim. Intensities are in three.js units. */
  readonly key: { readonly color: string; readonly intensity: number };
  readonly fill: number;
  readonly rim: { readonly color: string; readonly intensity: number };
  readonly studio: number;
  /** Exposure at which a surface in the key light has the lightness of its requested colour. */
  readonly exposure: number;
  readonly roughness: number;
  /** Corner radius of boxes, as a fraction of their size. */
  readonly edgeRadius: number;
  readonly castShadow: number;
  readonly contactShadow: number;
  readonly backdrop: {
    /** Darkening of the corners, 0 to 0.15. */
    readonly vignette: number;
    /** Brightness of the light behind the subject. */
    readonly glow: number;
    /** Size of that light; 1 covers most of the frame. */
    readonly spread: number;
    /** Strength and edge (0 is sharp, 1 is blurred) of the large shapes that drift in the background. */
    readonly shapes: number;
    readonly shapeEdge: number;
    /** Difference in lightness between floor and wall; negative is darker. */
    readonly floor: number;
  };
}

const scripts = "'Noto Sans', 'Noto Sans CJK SC', 'Noto Sans CJK JP', 'Noto Color Emoji', sans-serif";

/** Typefaces that are the same in every style, for typed and handwritten text. */
export const faces = {
  mono: {
    fontFamily: `'JetBrains Mono Variable', 'Noto Sans Mono', 'Noto Sans Mono CJK SC', ${scripts}`,
    weight: 500,
    tracking: -0.02,
  },
  hand: { fontFamily: `'Caveat Variable', ${scripts}`, weight: 600, tracking: 0 },
} as const;
export type Face = keyof typeof faces;

export const looks: Readonly<Record<Style, Look>> = {
  playful: {
    fontFamily: `'Fredoka Variable', 'Nunito Variable', ${scripts}`,
    titleWeight: 600,
    textWeight: 500,
    titleTracking: -0.01,
    captionTracking: 0.01,
    key: { color: '#fff4e2', intensity: 2.3 },
    fill: 0.75,
    rim: { color: '#ffffff', intensity: 0.9 },
    studio: 0.55,
    exposure: 1.08,
    roughness: 0.36,
    edgeRadius: 0.16,
    castShadow: 0.26,
    contactShadow: 0.42,
    backdrop: { vignette: 0.07, glow: 0.16, spread: 1, shapes: 0.13, shapeEdge: 0.7, floor: 0.1 },
  },
  smooth: {
    fontFamily: `'Manrope Variable', ${scripts}`,
    titleWeight: 650,
    textWeight: 450,
    titleTracking: -0.028,
    captionTracking: 0,
    key: { color: '#fffaf4', intensity: 2 },
    fill: 0.85,
    rim: { color: '#eaf1ff', intensity: 0.8 },
    studio: 0.5,
    exposure: 1.08,
    roughness: 0.48,
    edgeRadius: 0.1,
    castShadow: 0.2,
    contactShadow: 0.34,
    backdrop: { vignette: 0.06, glow: 0.14, spread: 1, shapes: 0.1, shapeEdge: 1, floor: 0.05 },
  },
  cinematic: {
    fontFamily: `'Playfair Display Variable', 'Noto Serif', 'Noto Serif CJK SC', ${scripts}`,
    titleWeight: 600,
    textWeight: 450,
    titleTracking: -0.008,
    captionTracking: 0.04,
    key: { color: '#fff1e0', intensity: 3.6 },
    fill: 0.3,
    rim: { color: '#bcd4ff', intensity: 4.5 },
    studio: 0.42,
    exposure: 1.22,
    roughness: 0.38,
    edgeRadius: 0.06,
    castShadow: 0.6,
    contactShadow: 0.62,
    backdrop: { vignette: 0.15, glow: 0.3, spread: 0.62, shapes: 0.06, shapeEdge: 1, floor: -0.3 },
  },
};
