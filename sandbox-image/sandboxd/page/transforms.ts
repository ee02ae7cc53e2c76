/** What differs by more is drawn by Blink itself, also in a parent that is shrunk to a tenth. */
const surelyDrawn = { withUnit: 0.5, plain: 0.001 };

export const transformProperties = ['transform', 'translate', 'rotate', 'scale', 'offsetDistance', 'offsetPath'] as const;
/** Of an element or computed; an old browser may lack some. */
export type TransformStyle = Readonly<Partial<Record<(typeof transformProperties)[number], string>>>;

/** All that moves, turns or scales an element, as one text; empty parts for what is not set. */
export function transformOf(style: TransformStyle): string {
  return transformProperties.map((name) => style[name] ?? '').join(';');
}

/** Those of a transform as text, with their units; the last ones of a matrix are lengths. */
function numbers(text: string): readonly string[] {
  const withUnits = text.replace(/(matrix\((?:[^,]+,){4})([^,]+),([^)]+)\)/g, '$1$2px,$3px)');
  return withUnits.match(/-?[\d.]+(?:e-?\d+)?[a-z%]*/g) ?? [];
}

/** Whether two transforms differ by so much that Blink draws the element anew by itself. */
export function differsSurely(one: string, other: string): boolean {
  const [before, after] = [numbers(one), numbers(other)];
  return (
    before.length !== after.length ||
    after.some((number, at) => {
      const limit = /[a-z%]$/.test(number) ? surelyDrawn.withUnit : surelyDrawn.plain;
      return Math.abs(parseFloat(number) - parseFloat(before[at] ?? '')) > limit;
    })
  );
}

/** Whether a transform only moves, as far as its text says: turns by 0 and scales by 1 do nothing. */
export function onlyMoves(text: string): boolean {
  const idle =
    /translate[^(]*\([^)]*\)|rotate[XYZ]?\(-?0[a-z]*\)|skew[XY]?\([-0a-z, ]*\)|scale[^(]*\(1(?:, 1)*\)|matrix\(1, 0, 0, 1,[^)]*\)/g;
  const [transform = '', , rotate = '', scale = '', , path = ''] = text.replace(idle, '').split(';');
  return (
    !/[a-z]\(/.test(transform) &&
    /^(?:none|-?0[a-z]+)?$/.test(rotate) &&
    /^(?:none|1(?: 1)*)?$/.test(scale) &&
    /^(?:none)?$/.test(path)
  );
}

/**
 * What of a transform scales a layer, whose scale is the larger one of both directions: not what only makes it
 * shorter or narrower. In space there is no need: seen in perspective a layer's scale is a whole number.
 */
export function scaleOf({ transform = '', scale = '' }: TransformStyle): string {
  const scales = [...(transform.match(/(?:scale|skew|matrix)[XY]?\([^)]*\)/g) ?? []), scale];
  const text = scales.join(';').replace(/(matrix\((?:[^,]+,){4})[^)]+/g, '$1');
  return /^scale[XY]\((?:1|0(?:\.\d+)?)\);$/.test(text) ? '' : text;
}

/** Whether a transform, or a rule, puts something into space. */
export function saysSpace(text: string): boolean {
  return /3d\(|rotate[XY]\(|Z\(|preserve-3d/.test(text);
}
