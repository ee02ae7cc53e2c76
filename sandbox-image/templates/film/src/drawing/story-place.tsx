import type { ReactNode } from 'react';
import { mix, oklab, readable } from '../kit/color.ts';
import { hash } from '../kit/random.ts';
import type { Colors } from '../themes/colors.ts';
import { type Point, straightPath } from './curve.ts';
import { useScene } from './setting.tsx';

export type PlaceName =
  | 'none'
  | 'meadow'
  | 'hills'
  | 'forest'
  | 'beach'
  | 'sea'
  | 'city'
  | 'street'
  | 'desert'
  | 'snow'
  | 'sky'
  | 'space'
  | 'room'
  | 'night';

/** Colours of a setting, in the theme's hues. All other colours are left to the actors. */
export interface PlaceColors {
  readonly skyTop: string;
  readonly skyBottom: string;
  readonly sun: string;
  readonly cloud: string;
  readonly cloudShade: string;
  /** Colour of the land by depth, 0 (far) to 1 (near). */
  readonly land: (depth: number) => string;
  readonly water: (depth: number) => string;
  readonly pale: string;
  readonly bloom: string;
  readonly shadow: string;
  readonly ink: string;
  readonly dark: boolean;
}

const darkPlaces: readonly PlaceName[] = ['night', 'space'];

export function placeColors(colors: Colors, name: PlaceName): PlaceColors {
  const { accent, helper, ink } = colors;
  const dark = colors.dark || darkPlaces.includes(name);
  // Water has the bluer of the two colours.
  const blue = oklab(accent)[2] < oklab(helper)[2] ? accent : helper;
  if (dark) {
    const deep = colors.dark ? colors.groundTop : mix(mix(ink, helper, 0.35), '#05060f', 0.35);
    const far = mix(mix(deep, accent, 0.34), '#ffffff', 0.04);
    const near = mix(deep, '#000000', 0.3);
    const skyBottom = mix(mix(deep, accent, 0.26), helper, 0.14);
    return {
      skyTop: mix(deep, '#000000', 0.15),
      skyBottom,
      sun: mix(accent, '#fffdf2', 0.82),
      cloud: mix(skyBottom, '#ffffff', 0.22),
      cloudShade: mix(skyBottom, '#ffffff', 0.1),
      land: (depth) => mix(far, near, depth),
      water: (depth) => mix(mix(deep, blue, 0.42), mix(deep, blue, 0.1), depth),
      pale: mix(mix(deep, accent, 0.45), '#ffffff', 0.18),
      bloom: mix(helper, '#ffffff', 0.3),
      shadow: '#000000',
      ink: readable(accent, mix(far, near, 0.6)),
      dark,
    };
  }
  const skyTop = mix(mix(helper, '#ffffff', 0.6), colors.groundTop, 0.3);
  const skyBottom = mix(mix(accent, '#ffffff', 0.84), colors.groundTop, 0.35);
  const far = mix(accent, skyBottom, 0.68);
  const near = mix(accent, ink, 0.55);
  return {
    skyTop,
    skyBottom,
    sun: mix(colors.groundTop, '#fffbea', 0.8),
    cloud: '#ffffff',
    cloudShade: mix('#ffffff', skyTop, 0.32),
    land: (depth) => mix(far, near, depth),
    water: (depth) => mix(mix(blue, skyBottom, 0.55), mix(blue, ink, 0.3), depth),
    pale: mix(accent, '#ffffff', 0.8),
    bloom: mix(accent, '#ffffff', 0.45),
    shadow: mix(ink, '#000000', 0.3),
    ink,
    dark,
  };
}

/** Inputs that all drawings of a setting share. */
interface Land {
  readonly width: number;
  readonly height: number;
  readonly ground: number;
  /** Scale of the drawings, which are designed for a frame of 1920 × 1080. */
  readonly unit: number;
  readonly colors: PlaceColors;
  readonly seconds: number;
  readonly seed: number;
}

type Layers = readonly ReactNode[];

/** Returns a hill's height for each fraction of the width. */
type Ridge = (share: number) => number;

const ridge =
  (base: number, ...waves: readonly (readonly [height: number, length: number, phase: number])[]): Ridge =>
  (share) =>
    base - waves.reduce((sum, [height, length, phase]) => sum + height * Math.sin((share * 2 * Math.PI) / length + phase), 0);

function Hill({
  land,
  at,
  fill,
  edge,
}: {
  readonly land: Land;
  readonly at: Ridge;
  readonly fill: string;
  readonly edge?: string;
}) {
  const { width, height } = land;
  const points = Array.from({ length: 61 }, (_, index): Point => [(index / 60) * (width + 40) - 20, at(index / 60)]);
  return (
    <>
      <path d={`${straightPath([[-20, height + 240], ...points, [width + 20, height + 240]])}Z`} fill={fill} />
      {edge === undefined ? null : <path d={straightPath(points)} fill="none" stroke={edge} strokeWidth={5} opacity={0.7} />}
    </>
  );
}

function along(
  land: Land,
  at: Ridge,
  places: readonly (readonly [share: number, scale: number])[],
  draw: (key: number) => ReactNode,
): ReactNode {
  return places.map(([share, scale], index) => (
    <g key={`${share} ${scale}`} transform={`translate(${share * land.width} ${at(share) + 6}) scale(${scale * land.unit})`}>
      {draw(index)}
    </g>
  ));
}

const Tree = ({ fill, light, trunk }: { readonly fill: string; readonly light: string; readonly trunk: string }) => (
  <>
    <path d="M-7 6L-5 -70H5L7 6Z" fill={trunk} />
    <path
      d="M0 -196C46 -196 64 -152 62 -118C60 -78 36 -54 0 -54C-36 -54 -60 -78 -62 -118C-64 -152 -46 -196 0 -196Z"
      fill={fill}
    />
    <path d="M10 -195C46 -190 64 -150 62 -118C60 -84 40 -60 14 -55C40 -86 42 -150 10 -195Z" fill={light} />
    <path d="M0 -74V-128M0 -96L-18 -116M0 -88L16 -108" stroke={trunk} strokeWidth={5} strokeLinecap="round" fill="none" />
  </>
);

const Pine = ({ fill, light, trunk }: { readonly fill: string; readonly light: string; readonly trunk: string }) => (
  <>
    <path d="M-6 6V-40H6V6Z" fill={trunk} />
    <path d="M0 -226C14 -174 40 -112 54 -60C36 -44 -36 -44 -54 -60C-40 -112 -14 -174 0 -226Z" fill={fill} />
    <path d="M0 -226C14 -174 40 -112 54 -60C42 -51 26 -48 12 -48C24 -100 12 -170 0 -226Z" fill={light} />
  </>
);

function plantAt({ colors }: Land, depth: number) {
  const own = colors.land(depth);
  return {
    fill: mix(own, colors.dark ? '#ffffff' : '#000000', colors.dark ? 0.07 : 0.1),
    light: mix(own, '#ffffff', colors.dark ? 0.16 : 0.2),
    trunk: mix(own, '#000000', 0.34),
  };
}

function Tufts({ land }: { readonly land: Land }) {
  const { width, height, ground, unit, colors, seed } = land;
  const fill = mix(colors.land(0.9), '#ffffff', 0.24);
  return Array.from({ length: 11 }, (_, index) => {
    const x = ((index + 0.15 + 0.7 * hash(index, seed, 71)) / 11) * width;
    const y = ground + (height - ground) * (0.02 + 0.8 * hash(index, seed, 72));
    return (
      <g key={x} transform={`translate(${x} ${y}) scale(${unit * (0.5 + 0.3 * hash(index, seed, 73))})`} fill={fill}>
        <path d="M-16 2C-18 -16 -26 -26 -34 -32C-20 -30 -10 -20 -6 2Z" />
        <path d="M-7 2C-8 -22 -4 -38 4 -48C6 -30 6 -14 5 2Z" />
        <path d="M4 2C6 -14 16 -26 30 -28C22 -18 16 -8 15 2Z" />
      </g>
    );
  });
}

/** Draws bushes in the lower corners, with flowers if the setting has them. */
function Bushes({ land, flowers = true }: { readonly land: Land; readonly flowers?: boolean }) {
  const { width, height, unit, colors } = land;
  const back = mix(colors.land(1), '#000000', 0.22);
  const front = mix(colors.land(1), '#000000', 0.48);
  const heads: readonly (readonly [number, number, number])[] = [
    [52, 150, 1.6],
    [148, 90, 1.25],
    [240, 44, 1],
  ];
  const corner = (key: string, transform: string) => (
    <g key={key} transform={transform}>
      {[
        [60, 70, 110],
        [190, 30, 92],
        [306, -10, 78],
        [-30, 130, 90],
      ].map(([x = 0, y = 0, r]) => (
        <circle key={x} cx={x} cy={-y} r={r} fill={back} />
      ))}
      {[
        [0, 20, 110],
        [120, -16, 86],
        [220, -40, 70],
      ].map(([x = 0, y = 0, r]) => (
        <circle key={x} cx={x} cy={-y} r={r} fill={front} />
      ))}
      {flowers
        ? heads.map(([x, y, scale], index) => (
            <g key={x} transform={`translate(${x} ${-y}) scale(${scale})`} fill={index % 2 === 0 ? colors.bloom : colors.cloud}>
              {[0, 72, 144, 216, 288].map((turn) => (
                <circle key={turn} r={9.4} cy={-11} transform={`rotate(${turn + index * 20})`} />
              ))}
              <circle r={7} fill={index % 2 === 0 ? colors.sun : colors.bloom} />
            </g>
          ))
        : null}
    </g>
  );
  return [
    corner('start', `translate(0 ${height}) scale(${unit})`),
    corner('end', `translate(${width} ${height}) scale(${-unit} ${unit})`),
  ];
}

function Cloud({
  land,
  x,
  y,
  scale,
  drift = 8,
}: {
  readonly land: Land;
  readonly x: number;
  readonly y: number;
  readonly scale: number;
  readonly drift?: number;
}) {
  const { width, height, unit, colors, seconds } = land;
  return (
    <g transform={`translate(${x * width + drift * seconds} ${y * height}) scale(${scale * unit})`}>
      <path
        d="M-150 0a46 46 0 0 1-6-91a70 70 0 0 1 118-46a92 92 0 0 1 158 30a56 56 0 0 1 74 52a52 52 0 0 1-40 55Z"
        fill={colors.cloud}
      />
      <path d="M-150 0a46 46 0 0 1-42-40C-120-22 90-20 194-44a52 52 0 0 1-40 44Z" fill={colors.cloudShade} />
    </g>
  );
}

function Sun({
  land,
  x = 0.69,
  y = 0.42,
  radius = 0.24,
}: {
  readonly land: Land;
  readonly x?: number;
  readonly y?: number;
  readonly radius?: number;
}) {
  const { width, height, colors } = land;
  const r = Math.min(width, height) * radius;
  return (
    <g transform={`translate(${x * width} ${y * height})`} fill={colors.sun}>
      {[2.1, 1.75, 1.4].map((size) => (
        <circle key={size} r={r * size} opacity={colors.dark ? 0.05 : 0.16} />
      ))}
      <circle r={r} />
    </g>
  );
}

function Stars({ land, until = 0.6 }: { readonly land: Land; readonly until?: number }) {
  const { width, height, seed, seconds, unit } = land;
  return Array.from({ length: 60 }, (_, index) => {
    const twinkle = 0.6 + 0.4 * Math.sin(seconds * (0.8 + hash(index, seed, 81)) + index);
    return (
      <circle
        key={hash(index, seed, 82)}
        cx={hash(index, seed, 82) * width}
        cy={hash(index, seed, 83) * height * until}
        r={(1.6 + 3.2 * hash(index, seed, 84) ** 3) * unit * 1.3}
        fill="#ffffff"
        opacity={0.75 * twinkle}
      />
    );
  });
}

/** Draws a road that widens from the horizon towards the viewer. */
function Road({ land, from, top }: { readonly land: Land; readonly from: number; readonly top: number }) {
  const { width, height, ground, colors } = land;
  const [x, w] = [from * width, width * 0.03];
  const low = height + 20;
  const bend = (ground + top) / 2;
  return (
    <>
      <path
        d={`M${x} ${top}C${x - w} ${bend} ${width * 0.42} ${ground - 10} ${width * 0.3} ${low}H${width * 0.54}C${width * 0.56} ${ground} ${x + w * 1.2} ${bend + 10} ${x + w} ${top}Z`}
        fill={colors.pale}
      />
      <path
        d={`M${x + w} ${top}C${x + w * 1.2} ${bend + 10} ${width * 0.56} ${ground} ${width * 0.54} ${low}h${-width * 0.016}C${width * 0.54} ${ground} ${x + w * 0.9} ${bend + 10} ${x + w * 0.84} ${top}Z`}
        fill={mix(colors.pale, colors.land(0.7), 0.4)}
      />
    </>
  );
}

function rollingHills(
  land: Land,
  { trees, road, flowers }: { readonly trees: boolean; readonly road: boolean; readonly flowers: boolean },
): Layers {
  const { ground, height, colors } = land;
  const s = height / 1080;
  const h0 = ridge(ground - 300 * s, [46 * s, 1.3, 2.1], [26 * s, 0.5, 0.4]);
  const h1 = ridge(ground - 225 * s, [34 * s, 0.87, 0.9], [12 * s, 0.32, 0]);
  const h2 = ridge(ground - 150 * s, [44 * s, 1.08, -2.3], [10 * s, 0.4, 1]);
  const h3 = ridge(ground - 68 * s, [34 * s, 1.4, 2.6]);
  const far = plantAt(land, 0.3);
  const near = plantAt(land, 0.55);
  const plant = (kind: number, look: typeof far) => (kind % 2 === 0 ? <Tree {...look} /> : <Pine {...look} />);
  return [
    <Hill key="h0" land={land} at={h0} fill={colors.land(0.06)} />,
    <g key="h1">
      <Hill land={land} at={h1} fill={colors.land(0.22)} edge={colors.land(0)} />
      {trees
        ? along(
            land,
            h1,
            [
              [0.04, 0.46],
              [0.065, 0.4],
              [0.53, 0.4],
              [0.556, 0.5],
              [0.96, 0.44],
              [0.985, 0.5],
            ],
            (index) => plant(index, far),
          )
        : null}
    </g>,
    <g key="h2">
      <Hill land={land} at={h2} fill={colors.land(0.46)} edge={colors.land(0.24)} />
      {trees
        ? along(
            land,
            h2,
            [
              [0.045, 0.86],
              [0.08, 0.6],
              [0.115, 0.64],
              [0.15, 0.74],
              [0.56, 0.5],
              [0.93, 0.7],
            ],
            (index) => plant(index, near),
          )
        : null}
    </g>,
    <g key="h3">
      <Hill land={land} at={h3} fill={colors.land(0.84)} edge={colors.land(0.55)} />
      {road ? <Road land={land} from={0.7} top={h3(0.7) + 2} /> : null}
      <Tufts land={land} />
    </g>,
    <Bushes key="bushes" land={land} flowers={flowers} />,
  ];
}

function forest(land: Land): Layers {
  const { ground, height, width, colors } = land;
  const s = height / 1080;
  const rows = [
    { at: ridge(ground - 210 * s, [16 * s, 0.7, 0]), depth: 0.12, scale: 1.35, step: 0.052 },
    { at: ridge(ground - 150 * s, [20 * s, 0.9, 2]), depth: 0.34, scale: 1.7, step: 0.085 },
    { at: ridge(ground - 96 * s, [16 * s, 1.2, 1]), depth: 0.58, scale: 2.1, step: 0.15 },
  ];
  const stretch = (1920 * s) / width;
  return [
    ...rows.map(({ at, depth, scale, step }, row) => {
      const gap = step * Math.max(1, stretch);
      const places = Array.from({ length: Math.ceil(1.1 / gap) }, (_, index): readonly [number, number] => [
        (index + 0.35 * hash(index, row, 74)) * gap - 0.02,
        scale * (0.8 + 0.35 * hash(index, row, 75)),
      ]).filter(([share]) => row < 2 || share < 0.18 || share > 0.82);
      return (
        <g key={depth}>
          {along(land, at, places, () => (
            <Pine {...plantAt(land, depth)} />
          ))}
          <Hill land={land} at={at} fill={colors.land(depth + 0.06)} />
        </g>
      );
    }),
    <g key="floor">
      <Hill land={land} at={ridge(ground - 60 * s, [18 * s, 1.3, 2.4])} fill={colors.land(0.86)} edge={colors.land(0.6)} />
      <Tufts land={land} />
    </g>,
    <Bushes key="bushes" land={land} flowers={false} />,
  ];
}

function waves(land: Land, from: number, until: number, count: number): ReactNode[] {
  const { height, colors, seconds, width } = land;
  const s = height / 1080;
  return Array.from({ length: count }, (_, index) => {
    const share = index / Math.max(1, count - 1);
    const y = from + (until - from) * share;
    const length = 0.1 + 0.1 * share;
    const drift = seconds * (index % 2 === 0 ? 0.5 : -0.4);
    const at = ridge(y, [(2 + 9 * share) * s, (length * 1080) / Math.min(width, 1920 * s), drift + index * 2]);
    return <Hill key={y} land={land} at={at} fill={colors.water(share)} edge={mix(colors.water(share), '#ffffff', 0.35)} />;
  });
}

function beach(land: Land): Layers {
  const { ground, height, width, unit, colors, seconds } = land;
  const s = height / 1080;
  const shore = ground - 84 * s + 8 * Math.sin(seconds * 1.1);
  const sand = mix(colors.pale, colors.land(0.3), colors.dark ? 0.4 : 0.16);
  return [
    <g key="sea">{waves(land, ground - 290 * s, ground - 120 * s, 4)}</g>,
    <g key="sand">
      <Hill land={land} at={ridge(shore - 12 * s, [12 * s, 0.8, 1])} fill={mix(colors.water(0), '#ffffff', 0.6)} />
      <Hill land={land} at={ridge(shore, [12 * s, 0.8, 1])} fill={sand} />
      <g transform={`translate(${width * 0.9} ${ground + 40 * s}) scale(${unit * 1.5})`}>
        <path d="M-14 0C-30 -120 -20 -220 22 -310L38 -302C8 -214 0 -120 14 0Z" fill={mix(colors.land(0.75), '#000000', 0.12)} />
        {[-150, -112, -64, -20, 24].map((turn) => (
          <path
            key={turn}
            d="M0 0C40 -34 108 -34 158 12C104 -2 52 0 0 0Z"
            transform={`translate(30 -306) rotate(${turn + 2 * Math.sin(seconds + turn)})`}
            fill={colors.land(turn % 40 === 0 ? 0.62 : 0.5)}
          />
        ))}
      </g>
    </g>,
  ];
}

function sea(land: Land): Layers {
  const { ground, height } = land;
  const s = height / 1080;
  const bands = waves(land, ground - 270 * s, ground + 130 * s, 8);
  return [<g key="back">{bands.slice(0, 5)}</g>, <g key="middle">{bands.slice(5)}</g>];
}

function houses(
  land: Land,
  options: {
    readonly base: number;
    readonly low: number;
    readonly high: number;
    readonly wide: number;
    readonly depth: number;
    readonly salt: number;
    readonly lit: number;
  },
): ReactNode {
  const { width, height, colors, seed } = land;
  const { base, low, high, wide, depth, salt, lit } = options;
  const own = colors.land(depth);
  const window = colors.dark ? mix(own, colors.sun, 0.75) : mix(own, colors.sun, 0.55);
  const count = Math.ceil(width / wide) + 1;
  return Array.from({ length: count }, (_, index) => {
    const x = index * wide - wide * 0.3;
    const w = wide * (0.82 + 0.16 * hash(index, seed, salt));
    const h = low + (high - low) * hash(index, seed, salt + 1);
    const columns = Math.max(2, Math.floor(w / 46));
    const rows = Math.min(9, Math.floor(h / 62));
    const roof = hash(index, seed, salt + 2);
    return (
      <g key={x}>
        <rect x={x} y={base - h} width={w} height={h + height} fill={mix(own, '#000000', 0.04 * (index % 2))} />
        {roof > 0.7 ? <path d={`M${x + w * 0.42} ${base - h}V${base - h - 60}h${w * 0.05}V${base - h}Z`} fill={own} /> : null}
        {Array.from({ length: rows * columns }, (_, cell) => (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a window is its place in the wall.
            key={cell}
            x={x + (w / columns) * ((cell % columns) + 0.28)}
            y={base - h + 30 + Math.floor(cell / columns) * 62}
            width={(w / columns) * 0.44}
            height={32}
            fill={hash(cell, index + seed, salt + 3) < lit ? window : mix(own, '#000000', 0.12)}
          />
        ))}
      </g>
    );
  });
}

function pavement(land: Land, dashes: boolean): ReactNode {
  const { ground, height, width, colors } = land;
  const s = height / 1080;
  const top = ground - 60 * s;
  return (
    <g key="road">
      <rect x={-20} y={top} width={width + 40} height={height} fill={mix(colors.land(0.62), colors.pale, 0.35)} />
      <rect x={-20} y={top + 22 * s} width={width + 40} height={height} fill={colors.land(0.92)} />
      {dashes
        ? Array.from({ length: 12 }, (_, index) => ((index + 0.2) / 12) * width).map((x) => (
            <rect
              key={x}
              x={x}
              y={ground + 64 * s}
              width={width / 22}
              height={12 * s}
              rx={6 * s}
              fill={colors.pale}
              opacity={0.8}
            />
          ))
        : null}
    </g>
  );
}

function city(land: Land): Layers {
  const { ground, height } = land;
  const s = height / 1080;
  return [
    <g key="far">
      {houses(land, { base: ground - 60 * s, low: 330 * s, high: 640 * s, wide: 170 * s, depth: 0.08, salt: 101, lit: 0.3 })}
    </g>,
    <g key="middle">
      {houses(land, { base: ground - 60 * s, low: 200 * s, high: 430 * s, wide: 230 * s, depth: 0.3, salt: 111, lit: 0.45 })}
    </g>,
    <g key="near">
      {houses(land, { base: ground - 60 * s, low: 70 * s, high: 190 * s, wide: 320 * s, depth: 0.55, salt: 121, lit: 0.5 })}
    </g>,
    pavement(land, true),
  ];
}

function street(land: Land): Layers {
  const { ground, height, width, colors, unit } = land;
  const s = height / 1080;
  const base = ground - 60 * s;
  const wide = 300 * s;
  const count = Math.ceil(width / wide) + 1;
  const row = Array.from({ length: count }, (_, index) => {
    const x = index * wide - wide * 0.2;
    const h = (300 + 90 * hash(index, land.seed, 131)) * s;
    const wall = colors.land(0.2 + 0.22 * (index % 3));
    const pane = mix(wall, colors.sun, colors.dark ? 0.6 : 0.66);
    return (
      <g key={x}>
        <rect x={x} y={base - h} width={wide} height={h + 20} fill={wall} />
        <path
          d={`M${x - 14 * s} ${base - h}L${x + wide / 2} ${base - h - 120 * s}L${x + wide + 14 * s} ${base - h}Z`}
          fill={colors.land(0.66)}
        />
        {[0.14, 0.6].flatMap((column) =>
          [40, 150].map((down) => (
            <rect
              key={`${column} ${down}`}
              x={x + wide * column}
              y={base - h + down * s}
              width={wide * 0.26}
              height={74 * s}
              rx={8 * s}
              fill={pane}
            />
          )),
        )}
        <rect x={x + wide * 0.4} y={base - 120 * s} width={wide * 0.2} height={122 * s} rx={10 * s} fill={colors.land(0.75)} />
      </g>
    );
  });
  return [
    <g key="far">{houses(land, { base, low: 420 * s, high: 560 * s, wide: 210 * s, depth: 0.04, salt: 141, lit: 0.2 })}</g>,
    <g key="houses">{row}</g>,
    pavement(land, true),
    <g key="lamp" transform={`translate(${width * 0.955} ${ground - 20 * s}) scale(${unit})`}>
      <path d="M-7 0V-430C-7 -480 -70 -480 -84 -452" fill="none" stroke={colors.land(1)} strokeWidth={14} strokeLinecap="round" />
      <path d="M-120 -440a36 30 0 0 1 72 0Z" fill={colors.land(1)} />
      <circle cx={-84} cy={-432} r={20} fill={colors.sun} />
    </g>,
  ];
}

function desert(land: Land): Layers {
  const { ground, height, width, unit, colors } = land;
  const s = height / 1080;
  const mesa = (x: number, w: number, h: number) =>
    `M${x * width} ${ground - 150 * s}L${x * width + w * 0.14} ${ground - (150 + h) * s}H${x * width + w * 0.8}L${x * width + w} ${ground - 150 * s}Z`;
  const cactus = colors.land(0.72);
  return [
    <path key="mesas" d={`${mesa(0.05, 330 * s, 190)}${mesa(0.46, 230 * s, 120)}`} fill={colors.land(0.16)} />,
    <Hill
      key="d1"
      land={land}
      at={ridge(ground - 170 * s, [34 * s, 0.9, 1.4])}
      fill={colors.land(0.28)}
      edge={colors.land(0.08)}
    />,
    <Hill
      key="d2"
      land={land}
      at={ridge(ground - 110 * s, [36 * s, 1.2, -1])}
      fill={colors.land(0.46)}
      edge={colors.land(0.2)}
    />,
    <g key="front">
      {[
        [0.07, 1.5],
        [0.92, 1.2],
      ].map(([x = 0, scale = 1]) => (
        <g
          key={x}
          transform={`translate(${x * width} ${ground - 30 * s}) scale(${scale * unit})`}
          stroke={cactus}
          strokeLinecap="round"
          fill="none"
        >
          <path d="M0 10V-210" strokeWidth={46} />
          <path d="M0 -70H-70V-140M0 -100H66V-160" strokeWidth={32} strokeLinejoin="round" />
          <path d="M-8 -10V-200" stroke={mix(cactus, '#ffffff', 0.22)} strokeWidth={6} />
        </g>
      ))}
      <Hill land={land} at={ridge(ground - 52 * s, [22 * s, 1.4, 2.6])} fill={colors.land(0.66)} edge={colors.land(0.36)} />
    </g>,
  ];
}

function snow(land: Land): Layers {
  const { ground, height, width, colors, seconds, seed, unit } = land;
  const s = height / 1080;
  const white = (depth: number) => mix(colors.land(depth * 0.5), '#ffffff', colors.dark ? 0.32 : 0.74 - depth * 0.18);
  const at = ridge(ground - 190 * s, [40 * s, 1.1, 0.6]);
  return [
    <Hill key="far" land={land} at={ridge(ground - 260 * s, [60 * s, 0.9, 2.3], [26 * s, 0.35, 0])} fill={white(0.9)} />,
    <g key="pines">
      <Hill land={land} at={at} fill={white(0.6)} edge={white(0)} />
      {along(
        land,
        at,
        [
          [0.05, 1],
          [0.1, 0.74],
          [0.42, 0.7],
          [0.47, 0.9],
          [0.52, 0.62],
          [0.9, 0.86],
          [0.95, 1.1],
        ],
        () => (
          <Pine fill={colors.land(0.6)} light={white(0.2)} trunk={colors.land(0.9)} />
        ),
      )}
    </g>,
    <Hill key="front" land={land} at={ridge(ground - 70 * s, [30 * s, 1.4, 2.6])} fill={white(0.2)} edge="#ffffff" />,
    <g key="flakes" fill="#ffffff">
      {Array.from({ length: 46 }, (_, index) => {
        const fall = (hash(index, seed, 92) + seconds * (0.05 + 0.05 * hash(index, seed, 93))) % 1;
        const x = hash(index, seed, 91) * width + 26 * Math.sin(seconds * 0.9 + index);
        return (
          <circle
            key={hash(index, seed, 91)}
            cx={x}
            cy={fall * (height + 40) - 20}
            r={(4 + 7 * hash(index, seed, 94)) * unit}
            opacity={0.85}
          />
        );
      })}
    </g>,
  ];
}

function sky(land: Land): Layers {
  const { ground, height, width, unit, colors } = land;
  const puff = (y: number, scale: number, fill: string, phase: number) =>
    Array.from({ length: Math.ceil(width / (150 * unit * scale)) + 2 }, (_, index) => {
      const x = index * 150 * unit * scale - 40 + phase;
      const up = 26 * unit * Math.sin(index * 2.1 + phase);
      return <circle key={x} cx={x} cy={y + up} r={(96 + 40 * hash(index, 5, 96)) * unit * scale} fill={fill} />;
    });
  const s = height / 1080;
  return [
    <g key="far">
      {puff(ground + 20 * s, 1.2, mix(colors.cloud, colors.skyBottom, 0.55), 0)}
      <rect y={ground + 20 * s} x={-20} width={width + 40} height={height} fill={mix(colors.cloud, colors.skyBottom, 0.55)} />
    </g>,
    <g key="near">
      {puff(ground + 110 * s, 1.5, colors.cloud, 60)}
      <rect y={ground + 110 * s} x={-20} width={width + 40} height={height} fill={colors.cloud} />
    </g>,
  ];
}

function space(land: Land): Layers {
  const { ground, height, width, unit, colors } = land;
  const s = height / 1080;
  const crater = mix(colors.land(0.3), '#000000', 0.25);
  return [
    <g key="planets">
      <g transform={`translate(${width * 0.2} ${height * 0.24}) scale(${unit}) rotate(-16)`}>
        <circle r={96} fill={colors.bloom} />
        <path d="M-94 -18C-40 -40 40 -40 94 -18V14C40 -6 -40 -6 -94 14Z" fill={mix(colors.bloom, '#ffffff', 0.3)} />
        <path d="M-150 20C-170 52 170 22 150 -18" fill="none" stroke={colors.sun} strokeWidth={12} strokeLinecap="round" />
      </g>
      <g transform={`translate(${width * 0.86} ${height * 0.5}) scale(${unit})`}>
        <circle r={48} fill={colors.pale} />
        <circle r={48} cx={14} cy={10} fill="#000000" opacity={0.16} />
      </g>
    </g>,
    <g key="moon">
      <Hill
        land={land}
        at={(share) => ground - 40 * s - 90 * s * (1 - (2 * share - 1) ** 2)}
        fill={mix(colors.land(0.2), '#ffffff', 0.12)}
        edge={colors.sun}
      />
      {[
        [0.12, 70, 60],
        [0.34, 130, 44],
        [0.62, 120, 70],
        [0.86, 60, 50],
        [0.5, 200, 40],
      ].map(([x = 0, down = 0, r = 0]) => (
        <ellipse
          key={x}
          cx={x * width}
          cy={ground - 40 * s + down * s}
          rx={r * unit * 1.6}
          ry={r * unit * 0.42}
          fill={crater}
          opacity={0.7}
        />
      ))}
    </g>,
  ];
}

function room(land: Land): Layers {
  const { ground, height, width, unit, colors } = land;
  const s = height / 1080;
  const floor = ground - 96 * s;
  const wall = colors.land(0.1);
  const frame = colors.dark ? mix(wall, '#ffffff', 0.5) : '#ffffff';
  const pane = Math.min(width * 0.36, 520 * s);
  return [
    <g key="wall">
      <rect x={-20} y={-240} width={width + 40} height={height + 480} fill={wall} />
      {Array.from({ length: 16 }, (_, index) => (index / 16) * width).map((x) => (
        <rect key={x} x={x} y={-240} width={width / 32} height={height + 240} fill={colors.land(0.14)} opacity={0.55} />
      ))}
    </g>,
    <g key="window" transform={`translate(${width * 0.69 - pane / 2} ${floor - pane * 0.82 - 150 * s})`}>
      <rect x={-18} y={-18} width={pane + 36} height={pane * 0.82 + 36} rx={14} fill={frame} />
      <rect width={pane} height={pane * 0.82} fill={colors.skyTop} />
      <circle cx={pane * 0.66} cy={pane * 0.36} r={pane * 0.15} fill={colors.sun} />
      <path
        d={`M0 ${pane * 0.82}V${pane * 0.6}C${pane * 0.3} ${pane * 0.46} ${pane * 0.6} ${pane * 0.72} ${pane} ${pane * 0.54}V${pane * 0.82}Z`}
        fill={colors.land(0.45)}
      />
      <path d={`M${pane / 2} 0V${pane * 0.82}M0 ${pane * 0.41}H${pane}`} stroke={frame} strokeWidth={14} />
      <rect x={-40} y={pane * 0.82 + 10} width={pane + 80} height={26} rx={8} fill={frame} />
    </g>,
    <g key="picture" transform={`translate(${width * 0.16} ${floor - 430 * s}) scale(${unit})`}>
      <rect x={-84} y={-104} width={168} height={208} rx={10} fill={colors.land(0.7)} />
      <rect x={-64} y={-84} width={128} height={168} fill={colors.pale} />
      <path d="M-64 84V30L-20 -24L18 30L36 10L64 40V84Z" fill={colors.bloom} />
    </g>,
    <g key="floor">
      <rect x={-20} y={floor} width={width + 40} height={height} fill={colors.land(0.56)} />
      <rect x={-20} y={floor - 26 * s} width={width + 40} height={28 * s} fill={frame} />
      <ellipse cx={width / 2} cy={ground + 30 * s} rx={width * 0.36} ry={84 * s} fill={colors.land(0.36)} />
      <ellipse
        cx={width / 2}
        cy={ground + 30 * s}
        rx={width * 0.32}
        ry={68 * s}
        fill="none"
        stroke={colors.pale}
        strokeWidth={6}
        strokeDasharray="4 16"
        strokeLinecap="round"
      />
    </g>,
  ];
}

const layersOf: Readonly<Record<Exclude<PlaceName, 'none'>, (land: Land) => Layers>> = {
  meadow: (land) => rollingHills(land, { trees: false, road: false, flowers: true }),
  hills: (land) => rollingHills(land, { trees: true, road: true, flowers: true }),
  night: (land) => rollingHills(land, { trees: true, road: true, flowers: false }),
  forest,
  beach,
  sea,
  city,
  street,
  desert,
  snow,
  sky,
  space,
  room,
};

/** Distances by which layers rise, from back to front. */
const rises = [30, 50, 80, 120, 170];

/** A setting behind the actors: silhouettes in layers that rise in sequence. */
export function Place({
  name,
  width,
  height,
  ground,
  palette,
}: {
  readonly name: PlaceName;
  readonly width: number;
  readonly height: number;
  readonly ground: number;
  readonly palette: PlaceColors;
}) {
  const { motion, seed, rightToLeft } = useScene();
  if (name === 'none') return null;
  const unit = Math.min(height / 1080, (width / 1920) * 1.35);
  const land: Land = { width, height, ground, unit, colors: palette, seconds: motion.seconds, seed };
  const layers = layersOf[name](land);
  const clear = name === 'space' || name === 'night';
  return (
    <div
      className="box"
      style={{
        inset: 0,
        background: `linear-gradient(${palette.skyTop}, ${palette.skyBottom} ${(ground / height) * 88}%)`,
        transform: rightToLeft ? 'scaleX(-1)' : undefined,
      }}
    >
      <svg aria-hidden width={width} height={height}>
        {clear || palette.dark ? <Stars land={land} until={name === 'space' ? 0.86 : 0.5} /> : null}
        {name === 'room' || name === 'space' ? null : (
          <Sun land={land} radius={palette.dark ? 0.13 : 0.24} y={palette.dark ? 0.26 : 0.42} />
        )}
        {clear || name === 'room' ? null : (
          <>
            <Cloud land={land} x={0.17} y={0.27} scale={1.02} />
            <Cloud land={land} x={0.43} y={0.17} scale={0.5} drift={5} />
            <Cloud land={land} x={0.91} y={0.2} scale={0.74} drift={6.5} />
          </>
        )}
        {layers.map((layer, index) => {
          const depth = layers.length === 1 ? 1 : index / (layers.length - 1);
          const rise = rises[Math.round(depth * (rises.length - 1))] ?? 0;
          const away = 1 - motion.enter(index * 0.06, 0.8) + motion.leave();
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a layer is its depth.
            <g key={index} transform={`translate(0 ${rise * away})`}>
              {layer}
            </g>
          );
        })}
      </svg>
    </div>
  );
}
