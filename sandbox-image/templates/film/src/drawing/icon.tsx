import { icons } from '../icons.ts';

export function Icon({
  name,
  size,
  color,
  stroke = 2,
  flip = false,
}: {
  readonly name: string;
  readonly size: number;
  readonly color?: string;
  /** Line width of a line icon, in the 24 units of its view box. */
  readonly stroke?: number;
  readonly flip?: boolean;
}) {
  const drawing = icons[name];
  if (drawing === undefined) return null;
  return (
    <svg
      aria-hidden
      width={size}
      height={size}
      viewBox={drawing.viewBox}
      style={{ position: 'static', display: 'block', color, transform: flip ? 'scaleX(-1)' : undefined }}
      strokeWidth={stroke}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the drawing is a literal of src/icons.ts, from a package.
      dangerouslySetInnerHTML={{ __html: drawing.body.replaceAll('stroke-width="2"', `stroke-width="${stroke}"`) }}
    />
  );
}
