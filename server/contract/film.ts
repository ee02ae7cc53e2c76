import { z } from 'zod';

/**
 * A film: the one description that the plan, the storyboard, the import, the kit's props and both authors share. It lives
 * in the project as `src/film.json`. The file comes out of a sandbox, where hostile code may have written it, so each bound
 * keeps what is computed from it small. Colours are lower-case `#rrggbb`, times are seconds.
 */

export const styleSchema = z.enum(['playful', 'smooth', 'cinematic']);
export type Style = z.infer<typeof styleSchema>;

export const aspectSchema = z.enum(['16:9', '9:16', '1:1', '4:5']);
export type Aspect = z.infer<typeof aspectSchema>;

export const maxDurationSeconds = 600;
export const minSceneSeconds = 1.5;
export const maxParameters = 200;
/** Subjects, and texts, that a scene may have. */
export const maxInScene = 50;

const id = z.string().regex(/^[a-z][a-z0-9-]{0,60}$/);

/** A scene in outline, as a plan shows it. */
export const sceneSchema = z.object({
  /** Missing where it is `scene-<number>` (`sceneIdOf`). */
  id: id.optional(),
  number: z.int().min(1),
  title: z.string().min(1).max(80),
  startSeconds: z.number().min(0),
  durationSeconds: z.number().positive(),
  description: z.string().min(1).max(1000),
  animationNotes: z.string().min(1).max(1000),
});
export type Scene = z.infer<typeof sceneSchema>;

/** A film in outline. */
const outlineSchema = z.object({
  title: z.string().min(1).max(80),
  style: styleSchema,
  aspect: aspectSchema,
  durationSeconds: z.number().positive().max(maxDurationSeconds),
  fps: z.union([z.literal(30), z.literal(60)]),
  scenes: z.array(sceneSchema).min(1).max(15),
});

/** The plan of a film: its outline, and what could not be read from the prompt, in one sentence (null = all was understood). */
export const planDraftSchema = outlineSchema.extend({ caveat: z.string().max(500).nullable() });
export type PlanDraft = z.infer<typeof planDraftSchema>;

const color = z.string().regex(/^#[0-9a-f]{6}$/);
const seconds = z.number().min(0).max(maxDurationSeconds);
const factor = z.number().min(0.01).max(100);
const words = z.string().max(2000);
const count = z.int().min(1).max(2000);
const times = z.number().min(0).max(100);
/** As the page serves it: `/assets/logo.png`. */
const asset = z.string().regex(/^\/assets\/[^/]{1,200}$/);

export const paletteSchema = z.object({
  backgroundTop: color,
  backgroundBottom: color,
  ink: color,
  accent: color,
  helper: color,
});

const motionSchema = z.discriminatedUnion('type', [
  /** `times`: how often it touches the ground; `height` 1 = the height that fits the frame. */
  z.object({ type: z.literal('bounce'), times, height: factor }),
  z.object({ type: z.literal('roll'), direction: z.enum(['left', 'right']) }),
  z.object({ type: z.literal('slide'), direction: z.enum(['left', 'right', 'up', 'down']) }),
  z.object({ type: z.literal('spin'), turns: z.number().min(-100).max(100) }),
  z.object({ type: z.literal('pulse'), times }),
  z.object({ type: z.literal('jump'), times, height: factor }),
  /**
   * One of the director's programs (`emit/motion/programs.ts`), by the verb that the user wrote. `times`: how often; `rate`:
   * how often a second; both missing where nobody said. `direction`: where to.
   */
  z.object({
    type: z.literal('act'),
    program: z.string().regex(/^[a-z][a-z-]{1,30}$/),
    verb: z.string().min(1).max(40),
    times: z.int().min(1).max(100).optional(),
    rate: z.number().min(0.05).max(12).optional(),
    direction: z.enum(['left', 'right', 'up', 'down']).optional(),
  }),
  z.object({ type: z.enum(['float', 'grow', 'shrink', 'drop', 'swing', 'explode', 'fly', 'appear']) }),
]);

/** Where one thing can stand, seen from another. */
export const relations = [
  ...(['beside', 'left', 'right', 'above', 'below', 'on', 'behind', 'front', 'between', 'around', 'inside'] as const),
] as const;
const arrangementSchema = z.object({
  relation: z.enum(relations),
  /** Id of the subject it stands by; null = the side of the frame. */
  of: id.nullable(),
  /** The second one of two it stands between. */
  also: id.optional(),
});

/** What one subject does to another. */
export const meetingVerbs = [
  ...(['chase', 'follow', 'push', 'pull', 'hit', 'knock', 'bounce-off', 'collide', 'kick', 'jump-over', 'land-on'] as const),
  ...(['catch', 'throw', 'carry', 'eat', 'embrace', 'swap', 'merge', 'circle'] as const),
  ...(['do', 'reach', 'into', 'out-of', 'off', 'past', 'ride', 'juggle', 'watch', 'lift', 'pour', 'become'] as const),
] as const;
/**
 * `who` and `whom` are ids of subjects of the scene; a meeting takes the place of their own motions. `said`: the verb where it
 * is another ("open"); `effect`: the program of a motion that `whom` runs from the contact on; `to`: where it is brought.
 */
const meetingSchema = z.object({
  verb: z.enum(meetingVerbs),
  who: id,
  whom: id,
  said: z.string().min(1).max(40).optional(),
  effect: z.string().min(1).max(40).optional(),
  to: id.optional(),
});

export const shapeNames = [
  ...(['circle', 'square', 'triangle', 'star', 'heart', 'hexagon', 'ring'] as const),
  ...(['cylinder', 'cone', 'pyramid', 'diamond', 'capsule', 'balloon', 'cloud'] as const),
] as const;
/** How several of a kind stand together. */
export const formations = ['row', 'column', 'grid', 'circle', 'pile', 'pyramid'] as const;
export type Formation = (typeof formations)[number];
export const particlePresets = ['confetti', 'snow', 'stars', 'sparkles', 'rain', 'bubbles', 'fireworks', 'leaves'] as const;

const anySubject = {
  /** Unique in the film: `ball-1`. */
  id,
  color,
  /** 1 = the size that fits the frame well. */
  size: factor,
  motion: motionSchema,
  /** Missing where nobody said where it stands. */
  arranged: arrangementSchema.optional(),
  /** Who it is in the scene before: it goes on from where that one ended. Missing where it enters. */
  was: id.optional(),
};
/** `formation`: missing where nobody said how they stand; `becomes`: the colour that it turns, missing where it keeps its own. */
const countable = { ...anySubject, count, formation: z.enum(formations).optional(), becomes: color.optional() };
const subjectSchema = z.discriminatedUnion('kind', [
  /** `plain`: true for what has no band around it, such as the sun or a snowball. */
  z.object({ ...countable, kind: z.literal('ball'), plain: z.boolean().optional() }),
  z.object({ ...countable, kind: z.literal('cube') }),
  z.object({ ...countable, kind: z.literal('shape'), shape: z.enum(shapeNames) }),
  /** A drawing by name, with the noun that it was asked for by. */
  z.object({
    ...countable,
    kind: z.literal('figure'),
    drawing: z.string().regex(/^[a-z0-9][a-z0-9-]{0,80}$/),
    noun: z.string().min(1).max(60),
  }),
  z.object({ ...anySubject, kind: z.literal('logo'), src: asset, aspectRatio: factor }),
  z.object({
    ...anySubject,
    kind: z.literal('bars'),
    /** Missing = bars. */
    chart: z.enum(['pie', 'line']).optional(),
    bars: z.array(z.object({ label: words, value: z.number() })).max(50),
    unit: words,
  }),
  z.object({
    ...anySubject,
    kind: z.literal('counter'),
    from: z.number(),
    to: z.number(),
    prefix: words,
    suffix: words,
    label: words,
    /** What fills while it counts; missing = what suits its length. */
    gauge: z.enum(['bar', 'ring']).optional(),
  }),
  z.object({
    ...anySubject,
    kind: z.literal('particles'),
    preset: z.enum(particlePresets),
    count,
    colors: z.array(color).max(20),
  }),
  z.object({ ...anySubject, kind: z.literal('wave'), lines: count }),
  z.object({ ...anySubject, kind: z.literal('orbit'), bodies: count, bodyColors: z.array(color).max(50) }),
  z.object({ ...anySubject, kind: z.literal('loader'), variant: z.enum(['ring', 'dots', 'bar']) }),
]);

/** Where a scene plays. */
export const placeNames = [
  ...(['sky', 'sea', 'beach', 'mountains', 'city', 'street', 'road', 'forest', 'meadow', 'garden', 'desert', 'snow'] as const),
  ...(['cornfield', 'vineyard', 'lavender field', 'pond', 'river', 'hills', 'village', 'station', 'ice', 'bedroom'] as const),
  ...(['underwater', 'space', 'room', 'window', 'kitchen', 'classroom', 'table', 'stage'] as const),
] as const;
export const dayTimes = ['dawn', 'day', 'dusk', 'night'] as const;
export const weathers = ['clear', 'cloudy', 'rain', 'snow', 'storm', 'fog'] as const;
const placeSchema = z.object({
  name: z.enum(placeNames),
  time: z.enum(dayTimes),
  /** Missing where nobody said. */
  weather: z.enum(weathers).optional(),
  /** What it turns into during the scene. */
  change: z.object({ time: z.enum(dayTimes).optional(), weather: z.enum(weathers).optional() }).optional(),
});

/** Ways for words to come in; played backwards, they are ways to leave. */
export const textPrograms = [
  ...(['rise', 'pop', 'letters', 'fade', 'typewriter', 'slide', 'drop'] as const),
  ...(['decode', 'write', 'flip', 'flicker', 'glitch', 'particles', 'wind'] as const),
  ...(['stamp', 'pieces', 'wipe'] as const),
] as const;
const textProgram = z.enum(textPrograms);
export const emphases = [
  ...(['underline', 'strike', 'mark', 'pulse', 'shake', 'glow', 'glitch', 'wave'] as const),
  ...(['blink', 'grow', 'shrink', 'stretch', 'spin'] as const),
] as const;

/** What a subject does with a text; `lands`: the text falls on it. */
const textMeetings = ['written', 'wiped', 'made', 'stamped', 'pushed', 'pulled', 'carried', 'lands'] as const;

/** Entrance, emphasis and exit are slots of one text; what nobody asked for is missing. */
const textSchema = z.object({
  id,
  text: words,
  role: z.enum(['title', 'subtitle', 'caption']),
  position: z.enum(['center', 'top', 'bottom']),
  entrance: textProgram,
  /** What enters one after another; missing = as the entrance does it by itself. */
  by: z.enum(['words', 'letters']).optional(),
  /** The side of the frame that it comes from. */
  from: z.enum(['left', 'right', 'top', 'bottom']).optional(),
  emphasis: z.enum(emphases).optional(),
  /** How often it is emphasised so; missing = as the emphasis does it by itself. */
  times: z.int().min(1).max(10).optional(),
  exit: textProgram.optional(),
  /** The words that it turns into. */
  becomes: words.optional(),
  /** The subject that it meets; `effect`: the program that the subject runs from the contact on. */
  met: z.object({ id, how: z.enum(textMeetings), effect: z.string().min(1).max(40).optional() }).optional(),
  /** Its face, where it is not the style's: typed into a machine, or written by hand. */
  face: z.enum(['mono', 'hand']).optional(),
  /** Its numbers are counted up to. */
  counts: z.literal(true).optional(),
  /** null = the palette's ink. */
  color: color.nullable(),
  /** 1 = the size that the role has by default. */
  scale: factor,
  /** After the start of the scene. */
  delaySeconds: seconds,
});

/**
 * Where a scene is written. `document`: its file says what the document says, and the director can write it again. `code`:
 * only its file knows what is to be seen; the document has its id, its words, its time and its ground.
 */
const sourceSchema = z.enum(['document', 'code']);

export const filmSceneSchema = sceneSchema.extend({
  /** Names its file (`src/scenes/<id>.tsx`), and stays when a scene in code gets another number. */
  id,
  number: sceneSchema.shape.number.max(99),
  startSeconds: seconds,
  durationSeconds: seconds,
  source: sourceSchema.default('document'),
  /** Of the file that the director wrote last; missing where there is none, and in films of version 1. */
  codeHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  /** Multiplies how fast things move inside the scene; 1 = as designed. */
  speed: factor,
  /** Overrides of the film's palette for this scene alone. */
  background: z.object({ top: color, bottom: color }).nullable(),
  /** Missing where it plays before the palette's ground alone. */
  place: placeSchema.optional(),
  camera: z.enum(['static', 'push-in', 'orbit', 'dolly', 'follow']),
  /** What the user wants to stand still: the camera, or all that was not asked to move; missing everywhere else. */
  still: z.enum(['camera', 'everything']).optional(),
  subjects: z.array(subjectSchema).max(maxInScene),
  /** Missing where each does its own. */
  meetings: z.array(meetingSchema).max(10).optional(),
  texts: z.array(textSchema).max(maxInScene),
});

/** A parameter that a scene's code declares, as far as it can be read without running it. */
export const filmParameterSchema = z.object({
  name: z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/),
  /** Id of the scene whose file declares it; null = another file. */
  scene: id.nullable(),
  default: z.union([words, z.number(), z.boolean()]).nullable(),
  description: words,
});

export const filmSchema = outlineSchema.extend({
  /** Films of version 1 had no marks of what is in code, and knew of no parameters. */
  version: z.union([z.literal(1), z.literal(2)]).transform(() => 2 as const),
  prompt: z.string().max(20_000),
  /** Seeds every random-looking thing; the same film always gives the same frames. */
  seed: z.int(),
  palette: paletteSchema,
  /** Plays through the whole film; null = the film is silent. Films that were written before there was sound have none. */
  music: asset.nullable().default(null),
  scenes: z.array(filmSceneSchema).min(1).max(15),
  parameters: z.array(filmParameterSchema).max(maxParameters).default([]),
  /** The revision of the plan (`planMark`) that the director changed this film after: until the plan follows, its words are older. */
  aheadOf: z.string().max(100).optional(),
  /** The last change that the user asked for and the film has, with what was done about it; missing before the first. */
  lastChange: z.object({ messageId: z.string().max(100), summary: z.string().max(20_000) }).optional(),
});

/** Films are values: whoever changes one makes another. */
type Deep<Value> = Value extends readonly (infer Item)[]
  ? readonly Deep<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Deep<Value[Key]> }
    : Value;

export type Film = Deep<z.infer<typeof filmSchema>>;
export type FilmScene = Film['scenes'][number];
export type FilmChange = NonNullable<Film['lastChange']>;
export type FilmParameter = Film['parameters'][number];
export type Palette = Film['palette'];
export type Subject = FilmScene['subjects'][number];
export type FilmText = FilmScene['texts'][number];
/** How a text moves, as far as somebody said. */
export type TextManner = Partial<
  Pick<FilmText, 'entrance' | 'by' | 'from' | 'emphasis' | 'times' | 'exit' | 'becomes' | 'face' | 'counts'>
>;
export type TextMeeting = NonNullable<FilmText['met']>['how'];
export type Arrangement = NonNullable<Subject['arranged']>;
export type Relation = Arrangement['relation'];
export type Meeting = NonNullable<FilmScene['meetings']>[number];
export type MeetingVerb = Meeting['verb'];
export type FilmPlace = NonNullable<FilmScene['place']>;
export type PlaceName = FilmPlace['name'];
export type DayTime = FilmPlace['time'];
export type Weather = NonNullable<FilmPlace['weather']>;
export type ShapeName = (typeof shapeNames)[number];
export type ParticlePreset = (typeof particlePresets)[number];
export type Motion = Subject['motion'];
export type MotionType = Motion['type'];

/** Where a project keeps its film. */
export const filmPath = 'src/film.json';

/** The id of a planned scene. */
export function sceneIdOf({ id, number }: { readonly id?: string | undefined; readonly number: number }): string {
  return id ?? `scene-${number}`;
}

/** The file of a scene. */
export function scenePath(sceneId: string): string {
  return `src/scenes/${sceneId}.tsx`;
}

/** The film in the text of that file, or where it is wrong. */
export function readFilm(text: string): { film: Film; problem: null } | { film: null; problem: string } {
  const parsed = filmSchema.safeParse(jsonOrNull(text));
  if (parsed.success) return { film: parsed.data, problem: null };
  return { film: null, problem: parsed.error.issues[0]?.path.join('.') || 'the file' };
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the schema refuses null, and the caller reports it.
    return null;
  }
}

/** The text of that file: one film always gives the same. Throws when the film breaks a bound. */
export function filmText(film: Film): string {
  return `${JSON.stringify(filmSchema.parse(film), null, 2)}\n`;
}

/** Names one revision of a plan. */
export function planMark({ id, revision }: { readonly id: string; readonly revision: number }): string {
  return `${id}:${revision}`;
}

/** The plan of a film. */
export function planOfFilm({ title, style, aspect, durationSeconds, fps, scenes }: Film, caveat: string | null): PlanDraft {
  return {
    title,
    style,
    aspect,
    durationSeconds,
    fps,
    scenes: scenes.map(({ id, number, title, startSeconds, durationSeconds, description, animationNotes }) => ({
      ...(id === sceneIdOf({ number }) ? {} : { id }),
      number,
      title,
      startSeconds,
      durationSeconds,
      description,
      animationNotes,
    })),
    caveat,
  };
}
