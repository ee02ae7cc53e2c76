import { z } from 'zod';

/** Values in a surface: literal, bound to a path in its data model, or computed by a function. */

export const maxTextCharacters = 4000;
const textSchema = z.string().max(maxTextCharacters);
const pathSchema = z.string().max(300);
const bindingSchema = z.strictObject({ path: pathSchema });
/** JSON pointer into the data model. Without a leading slash, it is relative to the list row. */
export type Binding = z.infer<typeof bindingSchema>;

export type Dynamic<T> = T | Binding | Call;
type Value = string | number | boolean | unknown[];
type NumberFormat = { readonly decimals?: number | undefined; readonly grouping?: boolean | undefined };
type Range = { readonly min?: number | undefined; readonly max?: number | undefined };

/** The only functions that a surface can call: input checks and text formatting. */
interface Functions {
  required: { readonly value: Dynamic<Value> };
  length: { readonly value: Dynamic<string> } & Range;
  numeric: { readonly value: Dynamic<number> } & Range;
  email: { readonly value: Dynamic<string> };
  and: { readonly values: readonly Dynamic<boolean>[] };
  or: { readonly values: readonly Dynamic<boolean>[] };
  not: { readonly value: Dynamic<boolean> };
  formatString: { readonly value: Dynamic<string> };
  formatNumber: { readonly value: Dynamic<number> } & NumberFormat;
  formatCurrency: { readonly value: Dynamic<number>; readonly currency: string } & NumberFormat;
}
export type Call = {
  [Name in keyof Functions]: {
    readonly call: Name;
    readonly args: Functions[Name];
    readonly returnType?: 'boolean' | 'string' | undefined;
  };
}[keyof Functions];

function dynamic<T>(schema: z.ZodType<T>): z.ZodType<Dynamic<T>> {
  return z.union([schema, bindingSchema, z.lazy(() => callSchema)]);
}

export const dynamicString = dynamic(textSchema);
export const dynamicNumber = dynamic(z.number());
export const dynamicBoolean = dynamic(z.boolean());
export const dynamicList = dynamic(z.array(textSchema).max(500));
export const dynamicValue = dynamic<Value>(z.union([textSchema, z.number(), z.boolean(), z.array(z.unknown())]));

const range = { min: z.number().optional(), max: z.number().optional() };
const isBounded = ({ min, max }: Range): boolean => min !== undefined || max !== undefined;
const numberFormat = { decimals: z.int().min(0).max(20).optional(), grouping: z.boolean().optional() };
const conditions = z.strictObject({ values: z.array(dynamicBoolean).min(2).max(50) });

function callOf<Name extends keyof Functions, Args extends z.ZodType>(call: Name, args: Args, returns: 'boolean' | 'string') {
  return z.strictObject({ call: z.literal(call), args, returnType: z.literal(returns).optional() });
}

const functions = [
  callOf('required', z.strictObject({ value: dynamicValue }), 'boolean'),
  callOf('length', z.strictObject({ value: dynamicString, ...range }).refine(isBounded, 'expected "min" or "max"'), 'boolean'),
  callOf('numeric', z.strictObject({ value: dynamicNumber, ...range }).refine(isBounded, 'expected "min" or "max"'), 'boolean'),
  callOf('email', z.strictObject({ value: dynamicString }), 'boolean'),
  callOf('and', conditions, 'boolean'),
  callOf('or', conditions, 'boolean'),
  callOf('not', z.strictObject({ value: dynamicBoolean }), 'boolean'),
  callOf('formatString', z.strictObject({ value: dynamicString }), 'string'),
  callOf('formatNumber', z.strictObject({ value: dynamicNumber, ...numberFormat }), 'string'),
  callOf(
    'formatCurrency',
    z.strictObject({ value: dynamicNumber, currency: z.string().regex(/^[A-Z]{3}$/), ...numberFormat }),
    'string',
  ),
] as const;
const functionNames = functions.map(({ shape }) => shape.call.value).join(', ');
const callSchema: z.ZodType<Call> = z.discriminatedUnion('call', functions, {
  error: ({ code }) => (code === 'invalid_union' ? `unknown function; use one of: ${functionNames}` : undefined),
});

export const checksSchema = z
  .array(z.strictObject({ condition: dynamicBoolean, message: textSchema }))
  .max(20)
  .optional();
export type Checks = z.infer<typeof checksSchema>;
