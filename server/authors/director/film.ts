import type { Aspect, Style } from '../../contract/project.ts';

/**
 * A film as data: what the director understood and decided, before a line of code exists. It is also
 * written into the project (`src/film.json`), so that feedback can change it and only the files that
 * depend on the change are written again. Colours are lower-case `#rrggbb`, times are seconds.
 */
export interface Film {
  readonly version: 1;
  readonly title: string;
  readonly prompt: string;
  /** Seeds every random-looking thing; the same film always gives the same frames. */
  readonly seed: number;
  readonly style: Style;
  readonly aspect: Aspect;
  readonly fps: 30 | 60;
  readonly durationSeconds: number;
  readonly palette: Palette;
  /** Plays through the whole film, as the page serves it: `/assets/music.mp3`; null = the film is silent. */
  readonly music: string | null;
  readonly scenes: readonly FilmScene[];
  /** The last change that the user asked for and the film has; missing before the first. */
  readonly lastChange?: FilmChange | undefined;
}

export interface FilmChange {
  /** Of the user's message. */
  readonly messageId: string;
  /** What was done about it, in words for the user. */
  readonly summary: string;
}

export interface Palette {
  readonly backgroundTop: string;
  readonly backgroundBottom: string;
  readonly ink: string;
  readonly accent: string;
  readonly helper: string;
}

export interface FilmScene {
  readonly id: `scene-${number}`;
  readonly number: number;
  readonly title: string;
  readonly description: string;
  readonly animationNotes: string;
  readonly startSeconds: number;
  readonly durationSeconds: number;
  /** Multiplies how fast things move inside the scene; 1 = as designed. */
  readonly speed: number;
  /** Overrides of the film's palette for this scene alone. */
  readonly background: { readonly top: string; readonly bottom: string } | null;
  readonly camera: 'static' | 'push-in' | 'orbit' | 'dolly' | 'follow';
  /** What the user wants to stand still: the camera, or all that was not asked to move; missing everywhere else. */
  readonly still?: 'camera' | 'everything' | undefined;
  readonly subjects: readonly Subject[];
  readonly texts: readonly FilmText[];
}

/** Where one thing stands, seen from another. */
export type Relation =
  | 'beside'
  | 'left'
  | 'right'
  | 'above'
  | 'below'
  | 'on'
  | 'behind'
  | 'front'
  | 'between'
  | 'around'
  | 'inside';

export interface Arrangement {
  readonly relation: Relation;
  /** Id of the subject it stands by; null = the side of the frame. */
  readonly of: string | null;
  /** The second one of two it stands between. */
  readonly also?: string | undefined;
}

interface SubjectBase {
  /** Unique in the film: `ball-1`. */
  readonly id: string;
  readonly color: string;
  /** 1 = the size that fits the frame well. */
  readonly size: number;
  readonly motion: Motion;
  /** Missing where nobody said where it stands. */
  readonly arranged?: Arrangement | undefined;
}

export type Subject =
  | (SubjectBase & {
      readonly kind: 'ball';
      readonly count: number;
      /** True for what has no band around it: the sun, a snowball. */
      readonly plain?: boolean | undefined;
    })
  | (SubjectBase & { readonly kind: 'cube'; readonly count: number })
  | (SubjectBase & { readonly kind: 'shape'; readonly shape: ShapeName; readonly count: number })
  | (SubjectBase & {
      readonly kind: 'logo';
      /** As the page serves it, e.g. `/assets/logo.png`. */
      readonly src: string;
      readonly aspectRatio: number;
    })
  | (SubjectBase & {
      readonly kind: 'bars';
      readonly bars: readonly { readonly label: string; readonly value: number }[];
      readonly unit: string;
    })
  | (SubjectBase & {
      readonly kind: 'counter';
      readonly from: number;
      readonly to: number;
      readonly prefix: string;
      readonly suffix: string;
      readonly label: string;
    })
  | (SubjectBase & {
      readonly kind: 'particles';
      readonly preset: ParticlePreset;
      readonly count: number;
      readonly colors: readonly string[];
    })
  | (SubjectBase & { readonly kind: 'wave'; readonly lines: number })
  | (SubjectBase & { readonly kind: 'orbit'; readonly bodies: number; readonly bodyColors: readonly string[] })
  | (SubjectBase & { readonly kind: 'loader'; readonly variant: 'ring' | 'dots' | 'bar' });

export type ShapeName =
  | 'circle'
  | 'square'
  | 'triangle'
  | 'star'
  | 'heart'
  | 'hexagon'
  | 'ring'
  | 'cylinder'
  | 'cone'
  | 'pyramid'
  | 'diamond'
  | 'capsule'
  | 'balloon'
  | 'cloud';
export type ParticlePreset = 'confetti' | 'snow' | 'stars' | 'sparkles' | 'rain' | 'bubbles' | 'fireworks' | 'leaves';

export type Motion =
  | {
      readonly type: 'bounce' /** how often it touches the ground */;
      readonly times: number /** 1 = the height that fits the frame */;
      readonly height: number;
    }
  | { readonly type: 'roll'; readonly direction: 'left' | 'right' }
  | { readonly type: 'slide'; readonly direction: 'left' | 'right' | 'up' | 'down' }
  | { readonly type: 'spin'; readonly turns: number }
  | { readonly type: 'float' }
  | { readonly type: 'pulse'; readonly times: number }
  | { readonly type: 'grow' }
  | { readonly type: 'shrink' }
  | { readonly type: 'drop' }
  | { readonly type: 'jump'; readonly times: number; readonly height: number }
  | { readonly type: 'swing' }
  | { readonly type: 'explode' }
  | { readonly type: 'fly' }
  | { readonly type: 'appear' };

export type MotionType = Motion['type'];

export interface FilmText {
  readonly id: string;
  readonly text: string;
  readonly role: 'title' | 'subtitle' | 'caption';
  readonly position: 'center' | 'top' | 'bottom';
  readonly entrance: 'rise' | 'pop' | 'letters' | 'fade' | 'typewriter' | 'slide';
  /** null = the palette's ink. */
  readonly color: string | null;
  /** 1 = the size that the role has by default. */
  readonly scale: number;
  /** Seconds after the start of the scene. */
  readonly delaySeconds: number;
}
