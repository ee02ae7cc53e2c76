import { z } from 'zod';
import {
  aspectSchema,
  dayTimes,
  emphases,
  type FilmScene,
  type FilmText,
  type MotionType,
  meetingVerbs,
  particlePresets,
  placeNames,
  relations,
  shapeNames,
  styleSchema,
  textPrograms,
  weathers,
} from '../../../contract/film.ts';

/** Languages with tables of their own; everything else is reported as not understood. */
export const languages = ['en', 'de', 'fr', 'es'] as const;
export type Language = (typeof languages)[number];

export type Camera = FilmScene['camera'];
export type Entrance = FilmText['entrance'];
export type TextRole = FilmText['role'];

const color = z.string().regex(/^#[0-9a-f]{6}$/);

/** Which thing a noun stands for, before colour, size and count are known. `color`: its own by nature; a silhouette has none. */
const refSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ball'), color: color.exactOptional() }),
  z.object({ kind: z.literal('cube'), color: color.exactOptional() }),
  /** `festive`: comes in many colours when there are several; `mark`: holds the place of a logo. */
  z.object({
    kind: z.literal('shape'),
    shape: z.enum(shapeNames),
    color: color.exactOptional(),
    festive: z.literal(true).exactOptional(),
    mark: z.literal(true).exactOptional(),
  }),
  /** `relative`: the noun whose drawing stands in for it. */
  z.object({
    kind: z.literal('figure'),
    drawing: z.string(),
    noun: z.string(),
    color: color.exactOptional(),
    relative: z.string().nullable(),
  }),
  z.object({ kind: z.literal('particles'), preset: z.enum(particlePresets) }),
  z.object({ kind: z.literal('loader'), variant: z.enum(['ring', 'dots', 'bar']) }),
  /** `bodies`: how many go around when nobody says. */
  z.object({ kind: z.literal('orbit'), color: color.exactOptional(), bodies: z.int().exactOptional() }),
  /** `picture`: the upload that is meant; missing where a text says no more than "the logo". */
  z.object({
    kind: z.literal('logo'),
    picture: z.object({ src: z.string(), aspectRatio: z.number() }).readonly().exactOptional(),
  }),
  z.object({ kind: z.literal('bars'), chart: z.enum(['pie', 'line']).exactOptional() }),
  z.object({ kind: z.literal('counter'), gauge: z.enum(['bar', 'ring']).exactOptional() }),
  z.object({ kind: z.literal('wave') }),
]);
export type SubjectRef = Readonly<z.infer<typeof refSchema>>;

const directionSchema = z.enum(['left', 'right', 'up', 'down']);
export type Direction = z.infer<typeof directionSchema>;
const actSchema = z.object({ program: z.string(), verb: z.string() }).readonly();
export type ActWish = z.infer<typeof actSchema>;
const shadeSchema = z.enum(['dark', 'light', 'neon', 'pastel', 'pale', 'bright', 'deep']);
export type Shade = z.infer<typeof shadeSchema>;
const placeSchema = z.enum(['start', 'end', 'middle', 'top', 'bottom', 'center']);
export type Place = z.infer<typeof placeSchema>;
const sourceSchema = z.enum(['stated', 'implied', 'specific']);
export type StyleSource = z.infer<typeof sourceSchema>;
const actionSchema = z.enum(['add', 'remove', 'change', 'replace', 'move']);
export type Action = z.infer<typeof actionSchema>;

/** What words say of where and when a film plays. */
const scenery = {
  place: z.enum(placeNames).exactOptional(),
  time: z.enum(dayTimes).exactOptional(),
  weather: z.enum(weathers).exactOptional(),
  /** An hour that suits, where none is said: "cosy". */
  mood: z.enum(dayTimes).exactOptional(),
  /** "Day" is an hour beside another one alone. */
  paired: z.literal(true).exactOptional(),
  /** "It starts to snow": not from the beginning. */
  begins: z.literal(true).exactOptional(),
  /** Hours one after the other, by the colours of the sky. */
  times: z.array(z.enum(dayTimes)).readonly().exactOptional(),
};
const scenerySchema = z.object(scenery).readonly();
export type Scenery = z.infer<typeof scenerySchema>;

const motionTypes = [
  ...(['act', 'bounce', 'roll', 'slide', 'spin', 'pulse', 'jump'] as const),
  ...(['float', 'grow', 'shrink', 'drop', 'swing', 'explode', 'fly', 'appear'] as const),
] as const satisfies readonly MotionType[];

const value = z.number();
/** `compared` marks comparatives ("bigger"), which only feedback knows how to use as such. */
const compared = z.boolean().default(false);
const factor = z.number().positive();
const step = { factor, compared };
const kind = <Kind extends string>(name: Kind) => z.literal(name);

/** What a word or a phrase means to the grammar. */
export const senseSchema = z.discriminatedUnion('kind', [
  z.object({ kind: kind('subject'), ref: refSchema, plural: z.boolean().default(false) }),
  /** `act`: the program of an `act`, and its verb in English. */
  z.object({
    kind: kind('motion'),
    motion: z.enum(motionTypes),
    participle: z.boolean().default(false),
    direction: directionSchema.nullable().default(null),
    act: actSchema.exactOptional(),
  }),
  z.object({ kind: kind('meeting'), verb: z.enum(meetingVerbs) }),
  /** How a text comes, what it does, and how it leaves. */
  z.object({
    kind: kind('manner'),
    manner: z.object({
      entrance: z.enum(textPrograms).exactOptional(),
      by: z.enum(['words', 'letters']).exactOptional(),
      from: z.enum(['left', 'right', 'top', 'bottom']).exactOptional(),
      emphasis: z.enum(emphases).exactOptional(),
      exit: z.enum(textPrograms).exactOptional(),
      face: z.enum(['mono', 'hand']).exactOptional(),
      counts: z.literal(true).exactOptional(),
    }),
  }),
  z.object({ kind: kind('color'), hex: color }),
  z.object({ kind: kind('shade'), shade: shadeSchema, compared }),
  z.object({ kind: kind('number'), value }),
  z.object({ kind: kind('scale'), value }),
  z.object({ kind: kind('multiple'), value }),
  z.object({ kind: kind('unit'), seconds: z.number() }),
  z.object({ kind: kind('symbol'), prefix: z.string().default(''), suffix: z.string().default('') }),
  z.object({ kind: kind('size'), ...step }),
  z.object({ kind: kind('speed'), ...step }),
  z.object({ kind: kind('height'), ...step }),
  z.object({ kind: kind('length'), ...step }),
  z.object({ kind: kind('amount'), factor }),
  z.object({ kind: kind('style'), style: styleSchema, source: sourceSchema, compared }),
  z.object({ kind: kind('technique'), style: styleSchema.nullable() }),
  z.object({ kind: kind('aspect'), aspect: aspectSchema }),
  /** `many`: several may follow behind a colon, each with its turn: "kinetic text: think, make, share". */
  z.object({
    kind: kind('textNoun'),
    role: z.enum(['title', 'subtitle', 'caption']),
    saying: z.boolean().default(false),
    many: z.literal(true).exactOptional(),
  }),
  z.object({ kind: kind('scenery'), ...scenery }),
  z.object({ kind: kind('direction'), direction: directionSchema }),
  /** "Beside it": by somebody who was named before. */
  z.object({ kind: kind('standing'), relation: z.enum(relations) }),
  z.object({ kind: kind('place'), place: placeSchema }),
  z.object({ kind: kind('cameraMove'), camera: z.enum(['static', 'push-in', 'orbit', 'dolly', 'follow']) }),
  /** −1 counts from the end. */
  z.object({ kind: kind('ordinal'), value: z.int() }),
  z.object({ kind: kind('action'), action: actionSchema }),
  z.object({ kind: kind('article'), definite: z.boolean() }),
  /** "Birthday card": something to write, which says these words. */
  z.object({ kind: kind('occasion'), words: z.string() }),
  z.object({ kind: kind('unsupported'), name: z.string() }),
  /** `still`: nothing is to stir; `greeting`: words that are a text by themselves; `filler`: no wish of its own. */
  z.object({
    kind: z.enum([
      ...(['rainbow', 'gradient', 'times', 'half', 'fps', 'degrees', 'another', 'background', 'camera', 'still'] as const),
      ...(['scene', 'whole', 'pronoun', 'total', 'greeting', 'inTurn', 'countdown', 'then', 'first', 'and', 'not'] as const),
      ...(['on', 'in', 'from', 'to', 'for', 'after', 'too', 'filler', 'stop'] as const),
    ]),
  }),
]);
export type Sense = Readonly<z.infer<typeof senseSchema>>;
