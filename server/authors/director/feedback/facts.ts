import type { Aspect, MotionType, Style, TextManner } from '../../../contract/film.ts';
import type { Lexeme } from '../brief/lexemes.ts';
import type {
  Action,
  ActWish,
  Camera,
  Direction,
  Language,
  Place,
  Scenery,
  Shade,
  SubjectRef,
  TextRole,
} from '../brief/sense.ts';
import type { BriefAsset } from '../brief/uploads.ts';

export interface NamedSubject {
  readonly ref: SubjectRef;
  readonly plural: boolean;
  readonly count: number | null;
  /** Colours right in front: they pick one ("the red ball") or describe a new one. */
  readonly colors: readonly string[];
  readonly another: boolean;
  readonly at: number;
}

/** A change of size, speed, height or length. Compared: a step from where it is; otherwise a level. */
export interface Step {
  readonly factor: number;
  readonly compared: boolean;
}

/** Everything that one clause of feedback says, before it is known what it is about. */
export interface Facts {
  readonly lexemes: readonly Lexeme[];
  readonly language: Language;
  readonly words: ReadonlySet<string>;
  actions: Action[];
  subjects: NamedSubject[];
  textNoun: { readonly role: TextRole; readonly exact: boolean } | null;
  quotes: string[];
  wording: string | null;
  background: boolean;
  gradient: boolean;
  camera: boolean;
  whole: boolean;
  pronoun: boolean;
  /** Scene numbers as said; −1 = the last. */
  scenes: number[];
  /** "scene" without a number. */
  sceneNoun: boolean;
  colors: string[];
  rainbow: boolean;
  shade: { readonly shade: Shade; readonly compared: boolean } | null;
  size: Step | null;
  speed: Step | null;
  height: Step | null;
  length: Step | null;
  style: { readonly style: Style; readonly compared: boolean; readonly text: string } | null;
  aspect: Aspect | null;
  fps: number | null;
  seconds: number | null;
  repeat: number | null;
  number: number | null;
  percent: number | null;
  figure: { readonly value: number; readonly prefix: string; readonly suffix: string } | null;
  bars: readonly { readonly label: string; readonly value: number }[] | null;
  turns: number | null;
  motions: MotionType[];
  /** What the first of them is, where it is one of the many verbs. */
  act: ActWish | null;
  cameraMove: Camera | null;
  /** How a text is to come, what it is to do, and how it is to leave. */
  manner: TextManner;
  direction: Direction | null;
  place: Place | null;
  /** Where and when it is to play. */
  scenery: Scenery | null;
  negated: boolean;
  /** "too fast" asks for the opposite. */
  too: boolean;
  another: boolean;
  /** 1 = more, −1 = fewer. */
  more: -1 | 0 | 1;
  /** "a bit" 0.5, "much" 2. */
  intensity: number;
  /** The uploaded sound that is named. */
  sound: BriefAsset | null;
  unsupported: string[];
  unknown: string[];
}
