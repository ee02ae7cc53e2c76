/** Blink itself redraws larger changes, even in a parent scaled down to a tenth. */
const redrawThreshold = { withUnit: 0.5, plain: 0.001 };

export const transformProperties = ['transform', 'translate', 'rotate', 'scale', 'offsetDistance', 'offsetPath'] as const;
/** Inline or computed style; older browsers lack some properties. */
export type TransformStyle = Readonly<Partial<Record<(typeof transformProperties)[number] | 'opacity', string>>>;

/** Returns everything that moves, rotates or scales an element as one string, with empty parts for unset properties. */
export function transformOf(style: TransformStyle): string {
  return transformProperties.map((name) => style[name] ?? '').join(';');
}

/** Extracts the numbers with their units; the last two of a matrix are lengths. */
function numbers(text: string): readonly string[] {
  const withUnits = text.replace(/(matrix\((?:[^,]+,){4})([^,]+),([^)]+)\)/g, '$1$2px,$3px)');
  return withUnits.match(/-?[\d.]+(?:e-?\d+)?[a-z%]*/g) ?? [];
}

/** Returns whether two transforms differ enough for Blink to redraw the element. */
export function exceedsRedrawThreshold(one: string, other: string): boolean {
  const [before, after] = [numbers(one), numbers(other)];
  return (
    before.length !== after.length ||
    after.some((number, at) => {
      const limit = /[a-z%]$/.test(number) ? redrawThreshold.withUnit : redrawThreshold.plain;
      return Math.abs(parseFloat(number) - parseFloat(before[at] ?? '')) > limit;
    })
  );
}

/** Returns whether a transform is a pure translation. Rotations by 0 and scales by 1 have no effect. */
export function isTranslation(text: string): boolean {
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
 * Returns the parts of a transform that scale a layer. Shrinking one axis has no effect, because a layer uses the larger of
 * its two scales. Layers in perspective have integer scales.
 */
export function scaleOf({ transform = '', scale = '' }: TransformStyle): string {
  const scales = [...(transform.match(/(?:scale|skew|matrix)[XY]?\([^)]*\)/g) ?? []), scale];
  const text = scales.join(';').replace(/(matrix\((?:[^,]+,){4})[^)]+/g, '$1');
  return /^scale[XY]\((?:1|0(?:\.\d+)?)\);$/.test(text) ? '' : text;
}

/** Returns whether a transform or rule creates a 3D rendering context. */
export function creates3d(text: string): boolean {
  return /3d\(|rotate[XY]\(|Z\(|preserve-3d/.test(text);
}
