import { type Point, sharesOf } from '../drawing/curve.ts';
import { arrange, type Edge, type Graph } from '../drawing/flow-graph.ts';
import { Heading, setHeading } from '../drawing/heading.tsx';
import { Icon } from '../drawing/icon.tsx';
import { faceStyle, Lines } from '../drawing/lines.tsx';
import { Box, type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { setOptional, setText, setTexts, type TextSet } from '../drawing/text.ts';
import { FrameSvg, fillOf } from '../themes/plain.tsx';
import type { Rect, Tone } from '../themes/theme.ts';

interface FlowNode {
  readonly id: string;
  readonly label: string;
  readonly detail: string | null;
  readonly icon: string | null;
}

interface FlowProps {
  readonly title: string | null;
  readonly direction: 'right' | 'down' | null;
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly Edge[];
}

interface Station {
  readonly icon: string | null;
  readonly rank: number;
  readonly tone: Tone;
  /** The disc of a line map, or the card of a row. */
  readonly box: Rect;
  readonly label: TextSet;
  readonly detail: TextSet | null;
  /** Whether the label is on the disc, as for a question. */
  readonly inside: boolean;
}

interface Track {
  readonly key: string;
  readonly points: readonly Point[];
  readonly tone: Tone;
  /** Ranks at which the track starts and ends. A track to a lower rank leads back. */
  readonly from: number;
  readonly to: number;
  readonly pill: { readonly set: TextSet; readonly box: Rect } | null;
  /** Parts of the track outside the discs and its pill, because not every theme fills those. */
  readonly pieces: readonly Piece[];
}

interface Piece {
  readonly points: readonly Point[];
  /** Ends of the piece, as fractions of the track. */
  readonly start: number;
  readonly end: number;
}

interface Layout {
  readonly kind: 'map' | 'rows';
  readonly title: TextSet | null;
  readonly stations: readonly Station[];
  readonly tracks: readonly Track[];
}

const trackWidth = 22;
const gap = 14;
const pillHeight = 50;

const isQuestion = ({ label }: FlowNode) => /[?？؟]\s*$/u.test(label);

/** Lays out a line map in a wide frame if all texts fit beside its tracks, otherwise rows in which parallel steps share a row. */
function layOut(props: FlowProps, setting: LayoutSetting): Layout {
  const { safe, shape } = setting.frame;
  const title = setHeading(
    props.title,
    {
      size: shape === 'wide' ? 92 : 104,
      width: safe.width,
      height: safe.height * (shape === 'wide' ? 0.13 : 0.17),
      maxCharacters: 44,
    },
    setting,
  );
  const head = title === null ? 0 : title.height + 44;
  const area = { ...safe, y: safe.y + head, height: safe.height - head };
  const graph = arrange(
    props.nodes.map(({ id }) => id),
    props.edges,
  );
  const tones = tonesOf(props, graph);
  const isMap = shape === 'wide' && props.direction !== 'down';
  const map = isMap
    ? (lineMap(props, graph, tones, area, setting, 'large') ?? lineMap(props, graph, tones, area, setting, 'small'))
    : null;
  return { title, ...(map ?? rowsOf(props, graph, tones, area, setting)) };
}

/** Gives each branch after a question its own tone, which its nodes inherit until the branch joins another. */
function tonesOf({ nodes, edges }: FlowProps, { routes }: Graph): { readonly nodes: Map<string, Tone>; readonly edges: Tone[] } {
  const branches: readonly Tone[] = ['helper', 'accent', 'ink'];
  const ofNodes = new Map<string, Tone>();
  const ofEdges = edges.map((): Tone => 'plain');
  for (const node of nodes) {
    const incoming = new Set(
      edges.flatMap(({ to }, index) => (to === node.id && routes[index] !== null ? [ofEdges[index]] : [])),
    );
    const [only = 'accent'] = incoming;
    const tone = incoming.size > 1 ? 'accent' : only;
    ofNodes.set(node.id, tone);
    const outgoing = edges.flatMap(({ from }, index) => (from === node.id && routes[index] !== null ? [index] : []));
    for (const [turn, index] of outgoing.entries())
      ofEdges[index] = isQuestion(node) && outgoing.length > 1 ? (branches[turn] ?? 'accent') : tone;
  }
  return { nodes: ofNodes, edges: ofEdges };
}

type Tones = ReturnType<typeof tonesOf>;

const isEnd = (id: string, edges: readonly Edge[]) => !edges.some(({ from }) => from === id);

function setPill(label: string, { theme }: LayoutSetting): { set: TextSet; width: number } {
  const set = setText({ text: label, face: theme.strong, size: 38, width: 260, height: pillHeight, lineHeight: 1.15 });
  return { set, width: set.width + 40 };
}

/**
 * Lays out ranks as columns on one line, which branches at questions. Large discs and labels fill the columns of a short line.
 * Returns `null` if texts do not fit or would overlap.
 */
function lineMap(
  { nodes, edges }: FlowProps,
  graph: Graph,
  tones: Tones,
  area: Rect,
  setting: LayoutSetting,
  scale: 'large' | 'small',
): Omit<Layout, 'title'> | null {
  const { theme } = setting;
  const isLarge = scale === 'large';
  const placeOf = (id: string) => graph.places.get(id) ?? { rank: 0, lane: 0 };
  const aloneInRank = (rank: number) => nodes.filter(({ id }) => placeOf(id).rank === rank).length === 1;
  const shares = Array.from({ length: graph.ranks }, (_, rank) =>
    aloneInRank(rank) && nodes.some((node) => isQuestion(node) && placeOf(node.id).rank === rank) ? 1.75 : 1,
  );
  const unit = area.width / shares.reduce((sum, share) => sum + share, 0);
  const centreOf = (rank: number) =>
    area.x + unit * (shares.slice(0, rank).reduce((sum, share) => sum + share, 0) + (shares[rank] ?? 1) / 2);
  const hasBack = graph.routes.includes(null);
  const pitch = Math.min(isLarge ? 640 : 530, (area.height - (hasBack ? 90 : 0)) / graph.lanes);

  // Labels stand on the discs of questions and, if no node has an icon or a detail, on all discs.
  const isBare = (graph.ranks <= 3 || isLarge) && nodes.every(({ icon, detail }) => icon === null && detail === null);
  const written = nodes.map((node) => {
    if (!isQuestion(node) && !isBare) return null;
    const { rank } = placeOf(node.id);
    const room = Math.min(unit * (shares[rank] ?? 1) * 0.8, aloneInRank(rank) ? area.height * 0.62 : pitch * 0.9);
    const plainWidth = isLarge ? 380 : 340;
    const width = Math.min(room, isQuestion(node) ? 410 : plainWidth);
    const request = {
      text: node.label,
      face: theme.display,
      size: width * 0.2,
      minSize: 40,
      width: width * 0.78,
      height: width * 0.56,
    };
    const set = node.detail === null && node.icon === null ? setText({ ...request, maxCharacters: 14 }) : null;
    return set !== null && set.size > 40 ? { width, set } : null;
  });
  // If one label does not fit on its disc, all steps have theirs below, so that they look alike.
  const isWritten = nodes.every((node, index) => isQuestion(node) || written[index] !== null);
  const discs = written.map((one, index) => (isWritten || isQuestion(nodes[index] as FlowNode) ? one : null));
  const block = pitch * 0.42;
  const below = nodes.filter((_, index) => discs[index] === null);
  const width = unit - 28;
  const labels = setTexts(
    below.map(({ label }) => ({
      text: label,
      face: theme.strong,
      size: isLarge ? Math.min(92, Math.max(54, unit * 0.18)) : 54,
      minSize: 36,
      width,
      height: block * 0.6,
      maxCharacters: 20,
      lineHeight: 1.08,
    })),
  );
  const details = below.map(({ detail }) =>
    setOptional(detail, {
      face: theme.text,
      size: isLarge ? Math.min(52, Math.max(38, unit * 0.1)) : 38,
      ...{ width, height: block * 0.5, maxCharacters: 30, lineHeight: 1.15 },
    }),
  );
  if (labels.some(({ size }) => size <= 36)) return null;
  const texts = labels.map((label, index) => label.height + (details[index] === null ? 0 : (details[index]?.height ?? 0) + 2));
  const room = Math.max(0, ...texts) + gap;
  const hasIcons = nodes.some(({ icon }) => icon !== null);
  const widest = isLarge ? Math.min(hasIcons ? 340 : 160, Math.max(hasIcons ? 140 : 84, unit * (hasIcons ? 0.5 : 0.3))) : null;
  const disc = Math.min(widest ?? (hasIcons ? 140 : 84), pitch - room - 26, unit * 0.6);
  if (disc < 56) return null;
  // Centres the discs and the texts below them as one block. A question's disc sits on the line itself.
  const lift = discs.some((one) => one !== null) ? 0 : room / 2;
  const yOf = (lane: number) => area.y + (area.height + (hasBack ? 60 : 0)) / 2 - lift + lane * pitch;

  let next = 0;
  const stations = nodes.map((node, index): Station => {
    const { rank, lane } = placeOf(node.id);
    const question = discs[index] ?? null;
    const tone = question !== null && isQuestion(node) ? 'ink' : (tones.nodes.get(node.id) ?? 'accent');
    const size = question?.width ?? disc;
    const own = question === null ? next++ : -1;
    return {
      ...{ icon: node.icon, rank, tone, inside: question !== null },
      box: { x: centreOf(rank) - size / 2, y: yOf(lane) - size / 2, width: size, height: size },
      label: question?.set ?? (labels[own] as TextSet),
      detail: details[own] ?? null,
    };
  });
  const stationOf = (id: string) => stations[nodes.findIndex((node) => node.id === id)] as Station;
  const top = Math.min(...stations.map(({ box }) => box.y)) - 56;
  const tracks = edges.map((edge, index): Track => {
    const route = graph.routes[index] ?? null;
    const [from, to] = [stationOf(edge.from), stationOf(edge.to)];
    const tone = tones.edges[index] ?? 'accent';
    const own = { key: `${edge.from} ${edge.to} ${index}`, tone, from: from.rank, to: to.rank };
    if (route === null) {
      const [start, end] = [centreOfBox(from.box), centreOfBox(to.box)];
      const [right, left] = [end[0] - unit / 2 + 6, start[0] + unit / 2 - 6].toReversed() as [number, number];
      const points = rounded([start, [right, start[1]], [right, top], [left, top], [left, end[1]], end]);
      const pill = edge.label === null ? null : setPill(edge.label, setting);
      const x = (right + left) / 2;
      return withPieces({ ...own, points, pill: pill && { set: pill.set, box: pillBox([x, top], pill.width) } }, [from, to]);
    }
    const stops = route.map(({ rank, lane }): Point => [centreOf(rank), yOf(lane)]);
    const points = stops.flatMap((stop, step) => (step === 0 ? [stop] : bend(stops[step - 1] as Point, stop)));
    const pill = edge.label === null ? null : setPill(edge.label, setting);
    const [start, end] = [from.box.x + from.box.width, stops.length === 2 ? to.box.x : (stops[1]?.[0] ?? 0)];
    const middle = start + Math.max(end - start, 0) * (from.inside ? 0.3 : 0.5);
    const at = points.find(([x]) => x >= middle) ?? stops[0] ?? [0, 0];
    const x = from.inside ? at[0] : Math.max(at[0], start + (pill?.width ?? 0) / 2);
    return withPieces({ ...own, points, pill: pill && { set: pill.set, box: pillBox([x, at[1]], pill.width) } }, [from, to]);
  });
  const rects = [
    ...stations.flatMap((station) => textRects(station)),
    ...tracks.flatMap(({ pill }) => (pill === null ? [] : [pill.box])),
  ];
  return rects.some((rect, index) => rects.slice(index + 1).some((other) => overlap(rect, other))) ||
    rects.some(({ y, height }) => y < area.y - 4 || y + height > area.y + area.height + 8)
    ? null
    : { kind: 'map', stations, tracks };
}

/** Cuts a track at the discs at its ends and at its pill. */
function withPieces(track: Omit<Track, 'pieces'>, ends: readonly Station[]): Track {
  const covers = (x: number, y: number) =>
    ends.some(({ box }) => Math.hypot(x - centreOfBox(box)[0], y - centreOfBox(box)[1]) < box.width * 0.47) ||
    (track.pill !== null && overlap(track.pill.box, { x, y, width: 0, height: 0 }));
  const shares = sharesOf(track.points);
  const fine = track.points.flatMap(([toX, toY], index) => {
    const [fromX, fromY] = track.points[index - 1] ?? [toX, toY];
    const steps = Math.max(1, Math.ceil(Math.hypot(toX - fromX, toY - fromY) / 8));
    return Array.from({ length: steps }, (_, step) => {
      const u = (step + 1) / steps;
      const before = shares[index - 1] ?? 0;
      const share = before + ((shares[index] ?? 1) - before) * u;
      return { point: [fromX + (toX - fromX) * u, fromY + (toY - fromY) * u] as const, share };
    });
  });
  const pieces: (typeof fine)[] = [];
  for (const [index, one] of fine.entries()) {
    const before = fine[index - 1];
    if (covers(...one.point)) continue;
    if (before === undefined || covers(...before.point)) pieces.push([]);
    pieces.at(-1)?.push(one);
  }
  return {
    ...track,
    pieces: pieces
      .filter(({ length }) => length > 1)
      .map((piece) => ({ points: piece.map(({ point }) => point), start: piece[0]?.share ?? 0, end: piece.at(-1)?.share ?? 1 })),
  };
}

const centreOfBox = ({ x, y, width, height }: Rect): Point => [x + width / 2, y + height / 2];
const pillBox = ([x, y]: Point, width: number): Rect => ({ x: x - width / 2, y: y - pillHeight / 2, width, height: pillHeight });
const overlap = (one: Rect, other: Rect) =>
  one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height;

function textRects({ box, label, detail, inside }: Station): Rect[] {
  const [centreX, centreY] = centreOfBox(box);
  if (inside) return [{ x: centreX - label.width / 2, y: centreY - label.height / 2, width: label.width, height: label.height }];
  const width = Math.max(label.width, detail?.width ?? 0);
  const height = label.height + (detail?.height ?? 0);
  return [{ x: box.x + box.width / 2 - width / 2, y: box.y + box.height + gap, width, height }];
}

/** Returns an S-curve between two points that starts and ends in the direction of the line. */
function bend([fromX, fromY]: Point, [toX, toY]: Point): Point[] {
  const steps = fromY === toY ? 2 : 16;
  return Array.from({ length: steps }, (_, index): Point => {
    const u = (index + 1) / steps;
    return [fromX + (toX - fromX) * u, fromY + (toY - fromY) * (u * u * (3 - 2 * u)) ** 1.15];
  });
}

/** Returns the points of a path with right angles, densely enough at its corners to keep them sharp. */
function rounded(corners: readonly Point[]): Point[] {
  const radius = 26;
  return corners.flatMap((corner, index) => {
    const [before, after] = [corners[index - 1], corners[index + 1]];
    if (before === undefined || after === undefined) return [corner];
    const towards = ([x, y]: Point, distance: number): Point => {
      const length = Math.hypot(x - corner[0], y - corner[1]) || 1;
      const part = Math.min(distance, length / 2) / length;
      return [corner[0] + (x - corner[0]) * part, corner[1] + (y - corner[1]) * part];
    };
    const [start, end] = [towards(before, radius), towards(after, radius)];
    const middle: Point = [(start[0] + end[0] + 2 * corner[0]) / 4, (start[1] + end[1] + 2 * corner[1]) / 4];
    return [towards(before, radius * 1.8), start, middle, end, towards(after, radius * 1.8)];
  });
}

/** Lays out ranks as rows of cards over the full width. Edges that skip a row or lead back run in a gutter beside the cards. */
function rowsOf(
  { nodes, edges }: FlowProps,
  graph: Graph,
  tones: Tones,
  area: Rect,
  setting: LayoutSetting,
): Omit<Layout, 'title'> {
  const { theme, frame } = setting;
  const beside = graph.routes.filter((route) => route === null || route.length > 2).length;
  const width = area.width - beside * 34;
  const pitch = Math.min(560, area.height / graph.ranks);
  const space = Math.max(52, Math.min(110, pitch * 0.38));
  const height = pitch - space;
  const top = area.y + (area.height - pitch * graph.ranks + space) * 0.4;
  const rows = Array.from({ length: graph.ranks }, (_, rank) =>
    nodes
      .filter(({ id }) => graph.places.get(id)?.rank === rank)
      .toSorted((one, other) => (graph.places.get(one.id)?.lane ?? 0) - (graph.places.get(other.id)?.lane ?? 0)),
  );
  const boxes = new Map(
    rows.flatMap((row, rank) =>
      row.map(({ id }, column) => {
        const own = (width - 20 * (row.length - 1)) / row.length;
        return [id, { x: area.x + column * (own + 20), y: top + rank * pitch, width: own, height }] as const;
      }),
    ),
  );
  const boxOf = (id: string) => boxes.get(id) ?? area;
  const padding = Math.max(...rows.map(({ length }) => length)) > 2 ? 20 : 34;
  const size = frame.shape === 'tall' ? Math.min(128, Math.max(78, height * 0.4)) : Math.min(100, Math.max(64, height * 0.4));
  const iconSize = iconIn(height);
  const textWidth = ({ id, icon }: FlowNode) =>
    boxOf(id).width - 2 * padding - (icon === null ? 0 : iconSize + iconGap(iconSize));
  const details = nodes.map((node) =>
    setOptional(node.detail, {
      face: theme.text,
      size: Math.max(38, size * 0.5),
      width: textWidth(node),
      height: height * 0.47,
      maxCharacters: 40,
      lineHeight: 1.1,
    }),
  );
  const labels = setTexts(
    nodes.map((node, index) => ({
      ...{
        text: node.label,
        face: theme.strong,
        size,
        minSize: 34,
        width: textWidth(node),
        maxCharacters: 24,
        lineHeight: 1.1,
      },
      height: height - (details[index]?.height ?? 0) - 10,
    })),
  );
  const stations = nodes.map((node, index): Station => {
    const tone = tones.nodes.get(node.id) ?? 'accent';
    const quiet = isEnd(node.id, edges) ? tone : ('plain' as const);
    return {
      ...{ icon: node.icon, rank: graph.places.get(node.id)?.rank ?? 0, inside: true, box: boxOf(node.id) },
      tone: isQuestion(node) ? 'ink' : quiet,
      label: labels[index] as TextSet,
      detail: details[index] ?? null,
    };
  });
  let gutter = 0;
  const tracks = edges.map((edge, index): Track => {
    const [from, to] = [boxOf(edge.from), boxOf(edge.to)];
    const isBeside = graph.routes[index]?.length !== 2;
    const lane = area.x + width + (isBeside ? 34 * ++gutter : 0) - 4;
    const points = isBeside ? detour(from, to, lane) : direct(from, to);
    const pill = edge.label === null ? null : setPill(edge.label, setting);
    const [x, y] = points[0] ?? [0, 0];
    // The pill is beside the start of its track, on the side with more space.
    const left = isBeside ? x - (pill?.width ?? 0) - 16 : x + 22;
    return {
      ...{
        key: `${edge.from} ${edge.to} ${index}`,
        points,
        pieces: [{ points, start: 0, end: 1 }],
        tone: tones.edges[index] ?? 'accent',
        from: graph.places.get(edge.from)?.rank ?? 0,
        to: graph.places.get(edge.to)?.rank ?? 0,
      },
      pill: pill && {
        set: pill.set,
        box: { x: left, y: y + space / 2 - pillHeight / 2 - 6, width: pill.width, height: pillHeight },
      },
    };
  });
  return { kind: 'rows', stations, tracks };
}

const arrowIndent = 46;
const iconIn = (height: number): number => Math.min(Math.max(72, height * 0.42), height * 0.6);
const iconGap = (size: number): number => Math.max(18, size * 0.2);

/** Returns a straight path down if both cards share a column, otherwise one with two corners. */
function direct(from: Rect, to: Rect): Point[] {
  const [startY, endY] = [from.y + from.height, to.y];
  const shared = Math.max(from.x, to.x) + arrowIndent;
  if (shared < Math.min(from.x + from.width, to.x + to.width))
    return [
      [shared, startY],
      [shared, (startY + endY) / 2],
      [shared, endY],
    ];
  const [startX, endX] = [from.x + from.width / 2, to.x + to.width / 2];
  const middle = (startY + endY) / 2;
  return rounded([
    [startX, startY],
    [startX, middle],
    [endX, middle],
    [endX, endY],
  ]);
}

function detour(from: Rect, to: Rect, lane: number): Point[] {
  const [startX, endX] = [from.x + from.width - arrowIndent, to.x + to.width - arrowIndent];
  const [below, above] = [from.y + from.height + 20, to.y - 32];
  return rounded([
    [startX, from.y + from.height],
    [startX, below],
    [lane, below],
    [lane, above],
    [endX, above],
    [endX, to.y],
  ]);
}

/** Shows nodes that a line reaches one after the other: a line map in wide frames, rows of cards in the others. */
export function FlowFormat(props: FlowProps) {
  const { frame, motion } = useScene();
  const layout = useLayout(layOut, props);
  const { stations, tracks, kind } = layout;
  const ranks = 1 + Math.max(...stations.map(({ rank }) => rank));
  const beat = Math.min(1.2, Math.max(0.45, (motion.duration - 3.2) / ranks));
  const at = (rank: number) => (props.title === null ? 0.1 : 0.45) + rank * beat;
  const leave = motion.leave();
  return (
    <>
      <div className="box" style={{ inset: 0, opacity: 1 - leave }}>
        {tracks.map((track, index) => (
          <TrackLine
            key={track.key}
            track={track}
            kind={kind}
            index={index}
            from={at(track.from)}
            to={at(Math.max(track.to, track.from + 1))}
          />
        ))}
        {kind === 'map' ? <Pulse tracks={tracks} from={at(ranks) + 0.4} /> : null}
      </div>
      {stations.map((station, index) => (
        <div
          key={props.nodes[index]?.id}
          className="box"
          style={{
            inset: 0,
            opacity: 1 - motion.leave(0.1),
            transform: `translateX(${leave * 40 * (frame.rightToLeft ? -1 : 1)}px)`,
          }}
        >
          {kind === 'map' ? (
            <Disc station={station} index={index} at={at(station.rank)} />
          ) : (
            <Row station={station} index={index} at={at(station.rank)} />
          )}
        </div>
      ))}
      {tracks.map((track) => (
        <Pill key={track.key} track={track} at={at(track.from) + 0.6} />
      ))}
      <Heading set={layout.title} y={frame.safe.y} />
    </>
  );
}

interface TrackProps {
  readonly track: Track;
  readonly kind: Layout['kind'];
  readonly index: number;
  readonly from: number;
  readonly to: number;
}

/** Draws a track just before the node at its end appears. */
function TrackLine({ track, kind, index, from, to }: TrackProps) {
  const { theme, colors, motion } = useScene();
  const isBack = track.to <= track.from;
  const begins = isBack ? to + 0.1 : from + 0.25;
  const drawn = motion.draw(begins, isBack ? 0.8 : Math.max(0.3, to - from - 0.2));
  const width = kind === 'map' ? trackWidth * (isBack ? 0.4 : 1) : theme.stroke * 2;
  const tone = isBack || (kind === 'rows' && track.tone === 'plain') ? 'ink' : track.tone;
  const [x, y] = track.points.at(-1) ?? [0, 0];
  const head = kind === 'map' ? 0 : Math.max(0, drawn * 5 - 4);
  return (
    <>
      {track.pieces.map(({ points, start, end }) => (
        <theme.Path
          key={start}
          points={points}
          width={width}
          progress={Math.min(1, (drawn - start) / (end - start))}
          tone={tone}
          seed={index + 3}
        />
      ))}
      {head <= 0 ? null : (
        <FrameSvg>
          <path d={`M${x - 18 * head} ${y - 30 * head}H${x + 18 * head}L${x} ${y}Z`} fill={fillOf(colors, tone)} />
        </FrameSvg>
      )}
    </>
  );
}

function Pill({ track, at }: { readonly track: Track; readonly at: number }) {
  const { theme, motion } = useScene();
  const { pill, tone } = track;
  const shown = motion.spring(at, 0.5);
  if (pill === null || shown <= 0) return null;
  return (
    <div className="box" style={{ inset: 0, opacity: 1 - motion.leave() }}>
      <theme.Card {...pill.box} tone={tone} seed={Math.round(pill.box.x)} progress={shown}>
        <Lines
          set={pill.set}
          x={0}
          y={(pillHeight - pill.set.lineStep) / 2}
          width={pill.box.width}
          align="center"
          color="currentColor"
          entrance="none"
          progress={() => 1}
        />
      </theme.Card>
    </div>
  );
}

interface StationProps {
  readonly station: Station;
  readonly index: number;
  readonly at: number;
}

function Disc({ station, index, at }: StationProps) {
  const { theme, colors, motion } = useScene();
  const { box, label, detail, inside, icon, tone } = station;
  const breath = 1 + 0.012 * Math.sin(motion.drift(2) * 1.8 + index);
  const middle = box.x + box.width / 2;
  const textY = box.y + box.height + gap;
  return (
    <>
      <theme.Badge x={box.x} y={box.y} size={box.width} index={index} tone={tone} progress={motion.spring(at, 0.6) * breath}>
        {inside ? (
          <div
            style={{
              ...faceStyle(label.face, label.size, label.tracking),
              lineHeight: `${label.lineStep}px`,
              textAlign: 'center',
              whiteSpace: 'pre',
            }}
          >
            {label.lines.join('\n')}
          </div>
        ) : null}
        {icon === null ? null : <Icon name={icon} size={box.width * 0.5} stroke={1.8} />}
      </theme.Badge>
      {inside ? null : (
        <>
          <Lines
            set={label}
            x={middle - label.width / 2}
            y={textY}
            align="center"
            color={colors.ink}
            entrance="fade"
            progress={() => motion.enter(at + 0.14, 0.4)}
          />
          {detail === null ? null : (
            <Lines
              set={detail}
              x={middle - detail.width / 2}
              y={textY + label.height + 2}
              align="center"
              color={colors.muted}
              entrance="fade"
              progress={() => motion.enter(at + 0.26, 0.4)}
            />
          )}
        </>
      )}
    </>
  );
}

function Row({ station, index, at }: StationProps) {
  const { theme, motion } = useScene();
  const { box, label, detail, icon, tone } = station;
  const iconSize = iconIn(box.height);
  const iconSpace = icon === null ? 0 : iconSize + iconGap(iconSize);
  const padding = (box.width - Math.max(label.width, detail?.width ?? 0) - iconSpace) / 2;
  const x = Math.min(arrowIndent - 8, padding);
  const textX = x + iconSpace;
  const y = (box.height - label.height - (detail?.height ?? 0)) / 2;
  const shown = motion.spring(at, 0.55);
  if (shown <= 0) return null;
  return (
    <theme.Card {...box} tone={tone} seed={index + 1} progress={shown}>
      {icon === null ? null : (
        <Box x={x} y={(box.height - iconSize) / 2} width={iconSize} height={iconSize}>
          <Icon name={icon} size={iconSize} stroke={1.8} />
        </Box>
      )}
      <Lines set={label} x={textX} y={y} color="currentColor" entrance="fade" progress={() => motion.enter(at + 0.1, 0.4)} />
      {detail === null ? null : (
        <Lines
          set={detail}
          x={textX}
          y={y + label.height}
          color="currentColor"
          entrance="fade"
          progress={() => motion.enter(at + 0.2, 0.4)}
        />
      )}
    </theme.Card>
  );
}

const pulseSeconds = 2.4;

/** Draws a bright dot that runs along the line to one of its ends, then to the next. */
function Pulse({ tracks, from }: { readonly tracks: readonly Track[]; readonly from: number }) {
  const { colors, motion } = useScene();
  const since = motion.seconds - from;
  if (since <= 0) return null;
  const round = Math.floor(since / pulseSeconds);
  const points: Point[] = [];
  for (let rank = 0, at: Point | undefined; ; ) {
    const open = tracks.filter((track) => {
      const [x, y] = track.points[0] ?? [0, 0];
      return track.from === rank && track.to > rank && (at === undefined || (x === at[0] && y === at[1]));
    });
    const chosen = open[round % Math.max(1, open.length)];
    if (chosen === undefined) break;
    points.push(...chosen.points);
    rank = chosen.to;
    at = chosen.points.at(-1);
  }
  const progress = motion.draw(from + round * pulseSeconds, pulseSeconds * 0.85);
  const shares = sharesOf(points);
  const next = shares.findIndex((share) => share >= progress);
  const [end, start] = [points[next], points[Math.max(0, next - 1)]];
  if (progress <= 0 || progress >= 1 || end === undefined || start === undefined) return null;
  const span = (shares[next] ?? 0) - (shares[next - 1] ?? 0);
  const part = span === 0 ? 0 : (progress - (shares[next - 1] ?? 0)) / span;
  return (
    <FrameSvg>
      <circle
        cx={start[0] + (end[0] - start[0]) * part}
        cy={start[1] + (end[1] - start[1]) * part}
        r={trackWidth * 0.3}
        fill={colors.groundTop}
      />
    </FrameSvg>
  );
}
