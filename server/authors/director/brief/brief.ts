import type {
  Aspect,
  DayTime,
  FilmScene,
  FilmText,
  Formation,
  MeetingVerb,
  MotionType,
  PlaceName,
  Relation,
  Style,
  TextManner,
  TextMeeting,
  Weather,
} from '../../../contract/film.ts';
import type { BarValue } from './lexemes.ts';
import type { ActWish, Camera, Direction, Language, StyleSource, SubjectRef, TextRole } from './sense.ts';
import type { BriefAsset } from './uploads.ts';

/** What the user asked of one thing. `null` everywhere = not said, the plan decides. */
export interface SubjectWish {
  readonly type: 'subject';
  ref: SubjectRef;
  color: string | null;
  /** The colour that it turns. */
  becomes: string | null;
  /** More than one colour was named, or a rainbow. */
  colors: string[];
  size: number | null;
  count: number | null;
  plural: boolean;
  /** "many", "a few": a factor of the usual number of particles. */
  amount: number | null;
  /** "a row of", "in a circle". */
  formation: Formation | null;
  motion: MotionWish | null;
  /** "the ball", "it": the one that was there before. */
  definite: boolean;
  /** The word that could not be drawn, when this ball stands in for it. */
  standsFor: string | null;
  bars: readonly BarValue[];
  unit: string;
  counter: CounterWish | null;
  /** Where it stands, when somebody said so. */
  placed: PlaceWish | null;
}

export interface PlaceWish {
  readonly relation: Relation;
  /** What it stands by; null = that side of the frame. */
  readonly to: SubjectWish | null;
  /** The second one of two it stands between. */
  readonly also: SubjectWish | null;
}

export interface MotionWish {
  type: MotionType;
  times: number | null;
  /** Where it travels to. */
  direction: Direction | null;
  height: number | null;
  turns: number | null;
  /** Of an `act`. */
  act: ActWish | null;
  /** "Twice a second". */
  rate: number | null;
}

export interface CounterWish {
  from: number | null;
  to: number | null;
  prefix: string;
  suffix: string;
  label: string;
  down: boolean;
}

/** What one thing does to another. */
export interface MeetingWish {
  readonly verb: MeetingVerb;
  who: SubjectWish[];
  /** Null until it is read, and where they do it to each other. */
  whom: SubjectWish | null;
  /** Where it is brought: "puts the ball into the box". */
  to: SubjectWish | null;
  /** The verb in its base form where `verb` is a wider one. */
  readonly said?: string;
  /** The program that `whom` runs from the contact on. */
  readonly effect?: string;
  /** What who does where nobody is there to do it to. */
  readonly alone?: MotionWish;
  /** "is chased by": who and whom stand the other way round. */
  readonly isPassive: boolean;
  /** As the user wrote the verb. */
  readonly text: string;
}

export interface TextWish {
  readonly type: 'text';
  text: string | null;
  role: TextRole | null;
  color: string | null;
  size: number | null;
  position: FilmText['position'] | null;
  /** How it comes, what it does and how it leaves, as far as somebody said. */
  manner: TextManner;
  /** The thing that it meets. */
  met: { readonly thing: SubjectWish; readonly how: TextMeeting; readonly effect?: string } | null;
  delaySeconds: number | null;
}

/** What waits for the text, or for the thing, that a verb is about. */
export interface TextDeedWish {
  readonly how: TextMeeting;
  readonly effect?: string;
  readonly thing: SubjectWish | null;
  readonly text: TextWish | null;
}

export interface BackgroundWish {
  readonly type: 'background';
  /** One exact colour, or two for a gradient from top to bottom. */
  colors: string[];
  /** "dark background", without a colour. */
  shade: 'dark' | 'light' | null;
}

/** Where and when it plays, and what that turns into. */
export interface SceneryWish {
  place: PlaceName | null;
  time: DayTime | null;
  weather: Weather | null;
  /** The hour that suits, where none is said. */
  mood: DayTime | null;
  toTime: DayTime | null;
  toWeather: Weather | null;
}

export interface Clause {
  subjects: SubjectWish[];
  texts: TextWish[];
  meetings: MeetingWish[];
  background: BackgroundWish | null;
  scenery: SceneryWish | null;
  durationSeconds: number | null;
  /** 1 = as designed. */
  speed: number;
  camera: Camera | null;
  /** What the user wants to stand still. */
  still: FilmScene['still'] | null;
  /** Set apart by "then", a list item or an arrow, not by a full stop alone. */
  sequenced: boolean;
  /** "one after another". */
  inTurn: boolean;
}

export interface Problem {
  readonly code: 'nothing_to_animate' | 'duration_too_short' | 'duration_too_long';
  /** One sentence for the user: what is wrong and what would do. */
  readonly message: string;
}

/** What was understood of a prompt. */
export interface Brief {
  readonly prompt: string;
  readonly language: Language;
  /** In the order of the story. */
  readonly clauses: readonly Clause[];
  readonly style: { readonly value: Style | null; readonly source: StyleSource | null };
  readonly aspect: Aspect | null;
  /** Within what a film may last; null = not said (or impossible, see `problems`). */
  readonly durationSeconds: number | null;
  readonly fps: 30 | 60 | null;
  /** For the whole film; a clause may have its own. */
  readonly background: BackgroundWish | null;
  readonly excluded: { readonly texts: boolean; readonly things: readonly string[] };
  /** Content words that no table knows, as written, without repeats. */
  readonly unknownWords: readonly string[];
  /** Decisions and limits to tell, each a full sentence. */
  readonly notes: readonly string[];
  readonly problems: readonly Problem[];
  readonly animatable: boolean;
  /** True once a question was answered: no second one is asked. */
  readonly answered: boolean;
  readonly assets: readonly BriefAsset[];
  /** The uploaded sound that the film has, as the page serves it; null = it is silent. */
  readonly music: string | null;
}
