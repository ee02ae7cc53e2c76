import { type Atlas, AtlasMap, countryAt, drawAtlas, type Spot, useMapColors } from '../drawing/atlas.tsx';
import type { Point } from '../drawing/curve.ts';
import { Heading, setHeading } from '../drawing/heading.tsx';
import { Lines } from '../drawing/lines.tsx';
import { type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { setTexts, type TextSet } from '../drawing/text.ts';
import { mix } from '../kit/color.ts';

interface Place {
  readonly name: string;
  readonly code: string | null;
  readonly lat: number | null;
  readonly lon: number | null;
  readonly value: string | null;
}

interface MapProps {
  readonly title: string | null;
  readonly places: readonly Place[];
}

interface Label {
  readonly x: number;
  readonly y: number;
  readonly name: TextSet;
  readonly value: TextSet | null;
  /** Line from the label to the place. */
  readonly leader: readonly Point[];
  readonly dot: Point;
}

interface Layout {
  readonly atlas: Atlas;
  readonly edge: 'start' | 'top';
  readonly title: TextSet | null;
  readonly labels: readonly Label[];
}

/** Returns a place's point, and the points that the map must include. */
function spotsOf({ code, lat, lon }: Place): { readonly at: Spot; readonly bounds: readonly Spot[] } {
  const country = code === null ? null : countryAt(code);
  if (country !== null) return { at: country.middle, bounds: country.bounds };
  const at: Spot = [lon ?? 0, lat ?? 0];
  return { at, bounds: [at] };
}

/** Sets the names in a column at the start edge, ordered from north to south. A leader connects each to its place. */
function layOut(props: MapProps, setting: LayoutSetting): Layout {
  const { frame, theme } = setting;
  const { safe } = frame;
  const wide = frame.shape === 'wide';
  const column = wide ? safe.width * 0.36 : safe.width * 0.42;
  const title = setHeading(
    props.title,
    { size: wide ? 104 : 112, width: wide ? column : safe.width, height: safe.height * (wide ? 0.36 : 0.2), maxCharacters: 22 },
    setting,
  );
  const head = title === null ? 0 : title.height + 44;
  const plate = wide
    ? { x: Math.round(safe.x + column + 64), y: 0, width: Math.round(frame.width - safe.x - column - 64), height: frame.height }
    : { x: 0, y: Math.round(safe.y + head), width: frame.width, height: Math.round(frame.height - safe.y - head) };
  const top = wide ? safe.y + head : plate.y + 40;
  const height = safe.y + safe.height - top;
  const room = wide ? 70 : column + 40;
  const left = plate.x + (wide ? room : safe.x + room);
  const area = {
    x: left,
    y: wide ? safe.y + 20 : top,
    width: Math.max(safe.x + safe.width - left, 200),
    height: wide ? safe.height - 40 : height,
  };
  // The map is never mirrored. With right-to-left text, the names and their space are on its right.
  const mapArea = frame.rightToLeft ? { ...area, x: plate.x + plate.width - (area.x - plate.x) - area.width } : area;
  const spots = props.places.map(spotsOf);
  const atlas = drawAtlas({
    ...{ plate, area: mapArea, spots: spots.flatMap(({ bounds }) => bounds), isJourney: false },
    countries: props.places.map(({ code }) => code ?? ''),
  });
  const plateLeft = frame.left(plate.x, plate.width);
  const dots = spots.map(({ at }): Point => {
    const [x, y] = atlas.project(at);
    return [frame.rightToLeft ? frame.width - plateLeft - x : plateLeft + x, plate.y + y];
  });

  const pitch = Math.min(120, height / props.places.length);
  const request = { face: theme.display, size: 54, minSize: 36, height: pitch * 0.9, maxCharacters: 30, lineHeight: 1.05 };
  const names = setTexts(
    props.places.map(({ name, value }) => ({ ...request, text: name, width: column * (value === null ? 1 : 0.62) })),
  );
  const shown = setTexts(
    props.places.flatMap(({ value }) =>
      value === null ? [] : [{ ...request, text: value, face: theme.figures, width: column * 0.34 }],
    ),
  );
  let next = 0;
  const values = props.places.map(({ value }) => (value === null ? null : (shown[next++] ?? null)));
  const rows = spacedOut(dots, { top: top + pitch / 2, bottom: top + height - pitch / 2, pitch });
  const labels = dots.map((dot, index): Label => {
    const [name, value] = [names[index] as TextSet, values[index] ?? null];
    const y = rows[index] ?? dot[1];
    const end = safe.x + name.width + (value === null ? 0 : value.width + 20) + 22;
    const bend = Math.max(end + 12, Math.min(dot[0] - 20, safe.x + column + 84));
    const leader: Point[] = [[end, y], [(end + bend) / 2, y], [bend, y], [(bend + dot[0]) / 2, (y + dot[1]) / 2], dot];
    return { x: safe.x, y, name, value, leader, dot };
  });
  return { atlas, edge: wide ? 'start' : 'top', title, labels };
}

/** Returns heights close to those of the dots, in the same order, at least one pitch apart and inside the column. */
function spacedOut(
  dots: readonly Point[],
  { top, bottom, pitch }: { readonly top: number; readonly bottom: number; readonly pitch: number },
): number[] {
  const order = dots.map((_, index) => index).toSorted((one, other) => (dots[one]?.[1] ?? 0) - (dots[other]?.[1] ?? 0));
  const rows = new Array<number>(dots.length).fill(0);
  let lowest = top;
  for (const [rank, index] of order.entries()) {
    const last = bottom - (order.length - 1 - rank) * pitch;
    rows[index] = Math.min(last, Math.max(lowest, dots[index]?.[1] ?? 0));
    lowest = (rows[index] ?? 0) + pitch;
  }
  return rows;
}

/** Returns the strength of each country's fill: stronger for larger values, if all values are numbers. */
function strengthsOf(places: readonly Place[]): number[] {
  const numbers = places.map(({ value }) =>
    Number(/-?\d[\d\s.,’']*/u.exec(value ?? '')?.[0].replace(/[^\d-]/gu, '') ?? Number.NaN),
  );
  const largest = Math.max(...numbers);
  if (!numbers.every((number) => number >= 0) || largest <= 0) return places.map(() => 1);
  return numbers.map((number) => 0.35 + (0.65 * number) / largest);
}

/** Shows countries and cities. The sea serves as the margin for their names. */
export function MapFormat(props: MapProps) {
  const { frame, theme, colors, motion } = useScene();
  const { atlas, edge, title, labels } = useLayout(layOut, props);
  const map = useMapColors();
  const leave = motion.leave();
  const strengths = strengthsOf(props.places);
  const beat = Math.min(0.45, Math.max(0.16, (motion.duration - 3.6) / labels.length));
  const at = (index: number) => 0.65 + index * beat;
  return (
    <>
      <AtlasMap
        atlas={atlas}
        progress={motion.draw(0, 0.7)}
        leave={leave}
        edge={edge}
        fills={strengths.map((strength, index) => ({
          color: mix(map.land, colors.accentFill, strength),
          opacity: motion.enter(at(index), 0.4),
        }))}
      />
      {labels.map(({ x, y, name, value, leader, dot }, index) => {
        const size = 26;
        const breath = 1 + 0.06 * Math.sin(motion.drift(2) * 2 + index);
        const shown = motion.spring(at(index) + 0.1, 0.5) * breath;
        const own = { entrance: 'fade' as const, leave, progress: () => motion.enter(at(index) + 0.3, 0.4) };
        return (
          <div key={props.places[index]?.name}>
            <div className="box" style={{ inset: 0, opacity: 1 - leave }}>
              <theme.Path
                points={leader.toReversed()}
                width={theme.stroke}
                progress={motion.draw(at(index) + 0.12, 0.4)}
                color={colors.ink}
                seed={index + 1}
              />
              <theme.Badge x={dot[0] - size / 2} y={dot[1] - size / 2} size={size} index={index} tone="ink" progress={shown} />
              <theme.Badge
                x={dot[0] - size * 0.3}
                y={dot[1] - size * 0.3}
                size={size * 0.6}
                index={index}
                tone="plain"
                progress={shown}
              />
            </div>
            <div style={frame.shape === 'wide' ? undefined : { WebkitTextStroke: `12px ${map.sea}`, paintOrder: 'stroke fill' }}>
              <Lines {...own} set={name} x={x} y={y - name.height / 2} color={colors.ink} />
              {value === null ? null : (
                <Lines {...own} set={value} x={x + name.width + 20} y={y - value.height / 2} color={colors.accent} />
              )}
            </div>
          </div>
        );
      })}
      <Heading set={title} y={frame.safe.y - 8} />
    </>
  );
}
