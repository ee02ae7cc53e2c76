import type {
  Aspect,
  DayTime,
  FilmScene,
  FilmText,
  MeetingVerb,
  MotionType,
  ParticlePreset,
  PlaceName,
  Relation,
  ShapeName,
  Style,
  TextManner,
  Weather,
} from '../../../contract/film.ts';
import type { Picture } from './uploads.ts';

/** Languages with tables of their own; everything else is reported as not understood. */
export type Language = 'en' | 'de' | 'fr' | 'es';
export const languages: readonly Language[] = ['en', 'de', 'fr', 'es'];

/** Which thing a noun stands for, before colour, size and count are known. */
export type SubjectRef =
  | { readonly kind: 'ball'; readonly color?: string }
  | { readonly kind: 'cube'; readonly color?: string }
  | {
      readonly kind: 'shape';
      readonly shape: ShapeName;
      readonly color?: string;
      /** Comes in many colours when there are several. */
      readonly festive?: true;
      /** Holds the place of a logo. */
      readonly mark?: true;
    }
  | {
      readonly kind: 'figure';
      readonly drawing: string;
      readonly noun: string;
      /** By nature; a silhouette has none. */
      readonly color?: string;
      /** The noun whose drawing stands in for it. */
      readonly relative: string | null;
    }
  | { readonly kind: 'particles'; readonly preset: ParticlePreset }
  | { readonly kind: 'loader'; readonly variant: 'ring' | 'dots' | 'bar' }
  | { readonly kind: 'orbit'; readonly color?: string /** How many go around when nobody says. */; readonly bodies?: number }
  | {
      readonly kind: 'logo';
      /** The upload that is meant; missing where a text says no more than "the logo". */
      readonly picture?: Picture;
    }
  | { readonly kind: 'bars'; readonly chart?: 'pie' | 'line' }
  | { readonly kind: 'counter'; readonly gauge?: 'bar' | 'ring' }
  | { readonly kind: 'wave' };

export type Camera = FilmScene['camera'];
export type Entrance = FilmText['entrance'];
export type TextRole = FilmText['role'];
export type Direction = 'left' | 'right' | 'up' | 'down';
export interface ActWish {
  readonly program: string;
  readonly verb: string;
}

export type Shade = 'dark' | 'light' | 'neon' | 'pastel' | 'pale' | 'bright' | 'deep';
export type Place = 'start' | 'end' | 'middle' | 'top' | 'bottom' | 'center';
export type StyleSource = 'stated' | 'implied' | 'specific';
export type Action = 'add' | 'remove' | 'change' | 'replace' | 'move';

/** What words say of where and when a film plays. */
export interface Scenery {
  readonly place?: PlaceName;
  readonly time?: DayTime;
  readonly weather?: Weather;
  /** An hour that suits, where none is said: "cosy". */
  readonly mood?: DayTime;
  /** "Day" is an hour beside another one alone. */
  readonly paired?: true;
  /** "It starts to snow": not from the beginning. */
  readonly begins?: true;
  /** Hours one after the other, by the colours of the sky. */
  readonly times?: readonly DayTime[];
}

/** What a word or a phrase means to the grammar. `compared` marks comparatives ("bigger"), which only feedback knows how to use as such. */
export type Sense =
  | { readonly kind: 'subject'; readonly ref: SubjectRef; readonly plural: boolean }
  | {
      readonly kind: 'motion';
      readonly motion: MotionType;
      readonly participle: boolean;
      readonly direction: Direction | null;
      /** Of an `act`: the program, and its verb in English. */
      readonly act?: ActWish;
    }
  | { readonly kind: 'meeting'; readonly verb: MeetingVerb }
  /** How a text comes, what it does, and how it leaves. */
  | { readonly kind: 'manner'; readonly manner: TextManner }
  | { readonly kind: 'color'; readonly hex: string }
  | { readonly kind: 'rainbow' }
  | { readonly kind: 'shade'; readonly shade: Shade; readonly compared: boolean }
  | { readonly kind: 'gradient' }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'scale'; readonly value: number }
  | { readonly kind: 'multiple'; readonly value: number }
  | { readonly kind: 'times' }
  | { readonly kind: 'half' }
  | { readonly kind: 'unit'; readonly seconds: number }
  | { readonly kind: 'fps' }
  | { readonly kind: 'degrees' }
  | { readonly kind: 'symbol'; readonly prefix: string; readonly suffix: string }
  | { readonly kind: 'size'; readonly factor: number; readonly compared: boolean }
  | { readonly kind: 'speed'; readonly factor: number; readonly compared: boolean }
  | { readonly kind: 'height'; readonly factor: number; readonly compared: boolean }
  | { readonly kind: 'length'; readonly factor: number; readonly compared: boolean }
  | { readonly kind: 'amount'; readonly factor: number }
  | { readonly kind: 'another' }
  | { readonly kind: 'style'; readonly style: Style; readonly source: StyleSource; readonly compared: boolean }
  | { readonly kind: 'technique'; readonly style: Style | null }
  | { readonly kind: 'aspect'; readonly aspect: Aspect }
  | {
      readonly kind: 'textNoun';
      readonly role: TextRole;
      readonly saying: boolean;
      /** Several texts may follow behind a colon, each with its turn: "kinetic text: think, make, share". */
      readonly many?: true;
    }
  | { readonly kind: 'background' }
  | ({ readonly kind: 'scenery' } & Scenery)
  | { readonly kind: 'direction'; readonly direction: Direction }
  /** "Beside it": by somebody who was named before. */
  | { readonly kind: 'standing'; readonly relation: Relation }
  | { readonly kind: 'place'; readonly place: Place }
  | { readonly kind: 'camera' }
  | { readonly kind: 'cameraMove'; readonly camera: Camera }
  /** "hold still": nothing is to stir. */
  | { readonly kind: 'still' }
  | { readonly kind: 'scene' }
  | { readonly kind: 'whole' }
  | { readonly kind: 'ordinal'; readonly value: number }
  | { readonly kind: 'action'; readonly action: Action }
  | { readonly kind: 'pronoun' }
  | { readonly kind: 'article'; readonly definite: boolean }
  | {
      readonly kind: 'then' | 'first' | 'and' | 'not' | 'on' | 'in' | 'from' | 'to' | 'for' | 'after' | 'too' | 'filler' | 'stop';
    }
  | { readonly kind: 'total' }
  | { readonly kind: 'greeting' }
  /** "birthday card": something to write, which says these words. */
  | { readonly kind: 'occasion'; readonly words: string }
  | { readonly kind: 'inTurn' }
  | { readonly kind: 'countdown' }
  | { readonly kind: 'unsupported'; readonly name: string };
