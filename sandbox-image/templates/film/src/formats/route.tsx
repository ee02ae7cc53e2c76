import { geoDistance, geoInterpolate } from 'd3-geo';
import { type Atlas, AtlasMap, countryOf, drawAtlas, type Spot, useMapColors } from '../drawing/atlas.tsx';
import { type Point, sharesOf } from '../drawing/curve.ts';
import { figure } from '../drawing/figures.ts';
import { Heading, setHeading } from '../drawing/heading.tsx';
import { Icon } from '../drawing/icon.tsx';
import { Lines } from '../drawing/lines.tsx';
import { type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { setOptional, setText, type TextSet } from '../drawing/text.ts';
import { mix } from '../kit/color.ts';
import type { Rect } from '../themes/theme.ts';

interface Place {
  readonly name: string;
  readonly lat: number;
  readonly lon: number;
}

interface RouteProps {
  readonly title: string | null;
  readonly caption: string | null;
  readonly from: Place;
  readonly via: readonly Place[];
  readonly to: Place;
  readonly mode: 'plane' | 'train' | 'car' | 'ship' | 'bike' | 'walk' | null;
  readonly icon: string | null;
  readonly distance: 'km' | 'mi' | null;
}

interface Stop {
  /** Position from the start edge of the frame. */
  readonly at: Point;
  readonly name: TextSet;
  readonly box: Rect;
  /** Fraction of the line at which the place is reached. */
  readonly share: number;
}

interface Layout {
  readonly atlas: Atlas;
  readonly edge: 'start' | 'top';
  readonly title: TextSet | null;
  readonly titleY: number;
  readonly rule: { readonly y: number; readonly length: number };
  readonly caption: TextSet | null;
  readonly distance: TextSet | null;
  readonly distanceY: number;
  readonly line: readonly Point[];
  readonly shares: readonly number[];
  readonly stops: readonly Stop[];
}

const earthRadius = { km: 6371, mi: 3959 };
/** “As the crow flies” in several languages, because the distance is not the length of the trip. */
const straight: Readonly<Record<string, string>> = {
  ...{ en: 'apart', de: 'Luftlinie', fr: 'à vol d’oiseau', es: 'en línea recta', it: 'in linea d’aria', pt: 'em linha reta' },
};

function distanceText({ from, to, distance }: RouteProps, share: number, language: string): string | null {
  if (distance === null) return null;
  const exact = geoDistance([from.lon, from.lat], [to.lon, to.lat]) * earthRadius[distance] * share;
  return `${figure(Math.round(exact), 0, language)} ${distance} ${straight[language.slice(0, 2)] ?? ''}`.trim();
}

const spotOf = ({ lat, lon }: Place): Spot => [lon, lat];

function layOut(props: RouteProps, setting: LayoutSetting): Layout {
  const { frame, theme, language } = setting;
  const { safe } = frame;
  const wide = frame.shape === 'wide';
  const column = wide ? frame.width * 0.385 - safe.x - 70 : safe.width;
  const title = setHeading(
    props.title ?? `${props.from.name} –\n${props.to.name}`,
    { size: wide ? 132 : 120, width: column, height: safe.height * (wide ? 0.5 : 0.2), maxCharacters: wide ? 16 : 24 },
    setting,
  );
  const small = { face: theme.text, size: 46, minSize: 36, width: column, height: wide ? 170 : 70, maxCharacters: 44 };
  const caption = setOptional(props.caption, small);
  const distance = setOptional(distanceText(props, 1, language), small);
  const texts = [title, caption, distance].reduce((sum, set) => sum + (set?.height ?? 0), 0) + 76;
  const titleY = wide ? safe.y + (safe.height - texts) * 0.45 : safe.y;
  const ruleY = titleY + (title?.height ?? 0) + 34;
  const captionY = ruleY + 36;
  const distanceY = captionY + (caption?.height ?? 0) + 6;
  const bottom = distanceY + (distance?.height ?? 0);

  const plate = wide
    ? { x: Math.round(frame.width * 0.385), y: 0, width: Math.round(frame.width * 0.615), height: frame.height }
    : { x: 0, y: Math.round(bottom + 52), width: frame.width, height: frame.height - Math.round(bottom + 52) };
  // Scales the route to about 60 % of the map, so that the place names fit into the safe area.
  const inner = wide
    ? { x: plate.x + 60, y: safe.y, width: safe.x + safe.width - plate.x - 60, height: safe.height }
    : { x: safe.x, y: plate.y + 50, width: safe.width, height: safe.y + safe.height - plate.y - 50 };
  const [padX, padY] = [inner.width * 0.2, Math.min(inner.height * 0.24, 190)];
  const area = { x: inner.x + padX, y: inner.y + padY, width: inner.width - 2 * padX, height: inner.height - 2 * padY };
  const places = [props.from, ...props.via, props.to];
  const atlas = drawAtlas({
    ...{ plate, area, spots: places.map(spotOf), isJourney: true },
    countries: [props.from, props.to].map((place) => countryOf(spotOf(place)) ?? ''),
  });
  // Maps are never mirrored: their points become distances from the frame's start edge.
  const left = frame.left(plate.x, plate.width);
  const place = ([x, y]: Point): Point => [frame.rightToLeft ? frame.width - left - x : left + x, plate.y + y];
  const legs = places.slice(1).map((to, index) => legBetween(places[index] ?? to, to, atlas));
  const line = legs.flat().map(place);
  const shares = sharesOf(line);
  const ends = [0, ...legs.map((_, index) => (index + 1) * (steps + 1) - 1)];
  const boxes: Rect[] = [];
  const stops = places.map(({ name }, index): Stop => {
    const at = line[ends[index] ?? 0] ?? [0, 0];
    const isEnd = index === 0 || index === places.length - 1;
    const set = setText({
      text: name,
      face: theme.emphasis,
      size: isEnd ? 60 : 46,
      minSize: 36,
      width: inner.width * 0.7,
      height: 84,
      maxCharacters: 24,
    });
    const box = besides(at, set, isEnd ? 46 : 30, inner, { line, boxes });
    boxes.push(box);
    return { at, name: set, box, share: Math.min(0.97, shares[ends[index] ?? 0] ?? 0) };
  });
  return {
    ...{ atlas, edge: wide ? 'start' : 'top', title, titleY, caption, distance, distanceY, line, shares, stops },
    rule: { y: ruleY, length: Math.min(column, Math.max(title?.width ?? 0, 300)) },
  };
}

const steps = 40;

/** Returns a slightly bent great circle, so that a short line does not look drawn with a ruler. */
function legBetween(from: Place, to: Place, atlas: Atlas): Point[] {
  const along = geoInterpolate([from.lon, from.lat], [to.lon, to.lat]);
  const points = Array.from({ length: steps + 1 }, (_, index) => atlas.project(along(index / steps)));
  const [start, end] = [points[0] ?? [0, 0], points[steps] ?? [0, 0]];
  const length = Math.hypot(end[0] - start[0], end[1] - start[1]);
  return points.map(([x, y], index): Point => [x, y - length * 0.11 * Math.sin((Math.PI * index) / steps)]);
}

/** Returns positions for a name beside its dot where it covers neither the line nor another name. */
function besides(
  [x, y]: Point,
  { width, height }: TextSet,
  distance: number,
  inner: Rect,
  taken: { readonly line: readonly Point[]; readonly boxes: readonly Rect[] },
): Rect {
  const choices: Point[] = [
    [x - width / 2, y - distance - height],
    [x - width / 2, y + distance],
    [x + distance, y - height / 2],
    [x - distance - width, y - height / 2],
    [x + distance * 0.6, y - distance - height],
    [x - distance * 0.6 - width, y - distance - height],
    [x + distance * 0.6, y + distance],
    [x - distance * 0.6 - width, y + distance],
  ];
  const rects = choices.map(
    ([left, top]): Rect => ({
      x: Math.min(inner.x + inner.width - width, Math.max(inner.x, left)),
      y: Math.min(inner.y + inner.height - height, Math.max(inner.y, top)),
      ...{ width, height },
    }),
  );
  const covered = (rect: Rect) => {
    const has = ([px, py]: Point) => px > rect.x - 14 && px < rect.x + width + 14 && py > rect.y - 6 && py < rect.y + height + 6;
    const others = taken.boxes.filter(
      (box) => box.x < rect.x + width && rect.x < box.x + box.width && box.y < rect.y + height && rect.y < box.y + box.height,
    );
    return taken.line.filter(has).length + others.length * 100 + (has([x, y]) ? 50 : 0);
  };
  return rects.reduce((best, rect) => (covered(rect) < covered(best) ? rect : best));
}

/** Shows a plate of an atlas, on which one line is drawn: the journey. */
export function RouteFormat(props: RouteProps) {
  const { frame, theme, colors, motion, language } = useScene();
  const layout = useLayout(layOut, props);
  const map = useMapColors();
  const { atlas, stops, line, rule, caption, distance } = layout;
  const leave = motion.leave();
  const travel = Math.min(3.4, Math.max(1.6, motion.duration - 3.8));
  const begin = 0.7;
  const drawn = motion.draw(begin, travel);
  const arrived = motion.enter(begin + travel - 0.1, 0.5);
  const tint = mix(colors.accentFill, map.land, colors.dark ? 0.62 : 0.74);
  const counted = distanceText(props, drawn, language);
  return (
    <>
      <AtlasMap
        atlas={atlas}
        progress={motion.draw(0, 0.7)}
        leave={leave}
        edge={layout.edge}
        fills={[
          { color: tint, opacity: motion.enter(0.4, 0.7) },
          { color: tint, opacity: arrived },
        ]}
      />
      <div className="box" style={{ inset: 0, opacity: 1 - leave }}>
        <Journey props={props} layout={layout} drawn={drawn} arrivesAt={begin + travel} />
        {stops.map((stop, index) => (
          <StopMark
            key={`${stop.share} ${stop.at.join(' ')}`}
            stop={stop}
            index={index}
            isEnd={index === stops.length - 1}
            shown={index === 0 ? motion.spring(0.4, 0.5) : passed(drawn, stop.share)}
          />
        ))}
        <Traveller props={props} line={line} shares={layout.shares} drawn={drawn} arrived={arrived} />
      </div>
      <Heading set={layout.title} y={layout.titleY} />
      <theme.Rule
        x={frame.safe.x}
        y={rule.y}
        length={rule.length}
        progress={motion.draw(0.3, 0.7) * (1 - leave)}
        tone="ink"
        seed={2}
      />
      {caption === null ? null : (
        <Lines
          set={caption}
          x={frame.safe.x}
          y={rule.y + 36}
          color={colors.ink}
          entrance="fade"
          progress={() => motion.enter(0.5, 0.5)}
          leave={leave}
        />
      )}
      {distance === null || counted === null ? null : (
        <Lines
          set={drawn < 1 && distance.lines.length === 1 ? { ...distance, lines: [counted] } : distance}
          x={frame.safe.x}
          y={layout.distanceY}
          color={colors.accent}
          entrance="fade"
          progress={() => motion.enter(begin, 0.4)}
          leave={leave}
        />
      )}
    </>
  );
}

const passed = (drawn: number, share: number) => Math.min(1, Math.max(0, (drawn - share + 0.02) / 0.05));

interface JourneyProps {
  readonly props: RouteProps;
  readonly layout: Layout;
  readonly drawn: number;
  readonly arrivesAt: number;
}

/** Draws the line: with railway ties, dotted over the sea, or thin in the air. */
function Journey({ props, layout, drawn, arrivesAt }: JourneyProps) {
  const { theme, colors, motion } = useScene();
  const { line, shares } = layout;
  const width = props.mode === 'plane' ? 8 : 14;
  const end = shares.findIndex((share) => share >= drawn);
  const dots = line.slice(0, end === -1 ? line.length : end).filter((_, index) => index % 2 === 1);
  // A light runs along the finished line once.
  const pulse = motion.linear(arrivesAt, 0.9);
  const glow = line[Math.round(pulse * (line.length - 1))] ?? [0, 0];
  return (
    <>
      <theme.Path points={line} width={width + 8} progress={drawn} color={colors.groundTop} seed={3} />
      <theme.Path points={line} width={width} progress={drawn} tone="accent" seed={3} />
      {props.mode === 'train' || props.mode === 'ship' || props.mode === 'walk'
        ? dots.map(([x, y]) => (
            <theme.Path
              key={`${x} ${y}`}
              points={tie(x, y, width * 0.2)}
              width={width * 0.4}
              progress={1}
              color={colors.groundTop}
            />
          ))
        : null}
      {pulse <= 0 || pulse >= 1 ? null : (
        <theme.Path points={tie(glow[0], glow[1], 2)} width={width * 0.8} progress={1} color={colors.groundTop} />
      )}
    </>
  );
}

const tie = (x: number, y: number, half: number): Point[] => [
  [x - half, y],
  [x + half, y],
];

function StopMark({
  stop,
  index,
  isEnd,
  shown,
}: {
  readonly stop: Stop;
  readonly index: number;
  readonly isEnd: boolean;
  readonly shown: number;
}) {
  const { theme, colors } = useScene();
  const map = useMapColors();
  const { at, name, box } = stop;
  const size = isEnd || index === 0 ? 42 : 30;
  if (shown <= 0) return null;
  return (
    <>
      <theme.Badge x={at[0] - size / 2} y={at[1] - size / 2} size={size} index={index} tone="accent" progress={shown} />
      <theme.Badge x={at[0] - size / 4} y={at[1] - size / 4} size={size / 2} index={index} tone="plain" progress={shown} />
      <div style={{ WebkitTextStroke: `12px ${map.land}`, paintOrder: 'stroke fill' }}>
        <Lines set={name} x={box.x} y={box.y} color={colors.ink} entrance="fade" progress={() => shown} />
      </div>
    </>
  );
}

interface TravellerProps {
  readonly props: RouteProps;
  readonly line: readonly Point[];
  readonly shares: readonly number[];
  readonly drawn: number;
  readonly arrived: number;
}

/** Draws the badge at the head of the line, which stays upright. */
function Traveller({ props, line, shares, drawn, arrived }: TravellerProps) {
  const { theme, motion, style } = useScene();
  if (props.icon === null || drawn <= 0) return null;
  const next = Math.max(
    1,
    shares.findIndex((share) => share >= drawn),
  );
  const [from, to] = [line[next - 1] ?? [0, 0], line[next] ?? [0, 0]];
  const part = Math.min(1, (drawn - (shares[next - 1] ?? 0)) / Math.max(1e-6, (shares[next] ?? 1) - (shares[next - 1] ?? 0)));
  const bob = style === 'playful' ? Math.sin(motion.seconds * 9) * 6 * (1 - arrived) : 0;
  const size = 88;
  const x = from[0] + (to[0] - from[0]) * part - size / 2;
  const y = from[1] + (to[1] - from[1]) * part - size / 2 + bob;
  const arrival = 1 + 0.15 * Math.sin(Math.PI * arrived);
  return (
    <theme.Badge
      x={x}
      y={y}
      size={size}
      index={0}
      tone="accent"
      progress={Math.min(1, drawn * 12) * arrival * (1 + 0.02 * Math.sin(motion.drift(2) * 2))}
    >
      <Icon name={props.icon} size={size * 0.56} />
    </theme.Badge>
  );
}
