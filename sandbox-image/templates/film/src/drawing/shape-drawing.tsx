import { hex, lighten, mix, oklab, rgbOf } from '../kit/color.ts';
import { type Point, straightPath } from './curve.ts';
import { type Outline, outlinePoints, outlineSteps, outlines, type ShapeName, turningPoints } from './shape-outlines.ts';

/** Returns the lit or shaded colour: lighter and warmer, or darker and colder. */
export function shade(color: string, lightness: number): string {
  const [from, a, b] = oklab(color);
  const chroma = Math.hypot(a, b);
  const hue = Math.atan2(b, a);
  const target = lightness > 0 ? 1.92 : -1.6;
  const turn = Math.max(-0.14, Math.min(0.14, Math.sin(target - hue))) * Math.min(1, Math.abs(lightness) / 0.14);
  const kept = chroma * (lightness > 0 ? 1 - lightness * 0.6 : 1 + lightness * 0.5);
  return hex(rgbOf([Math.min(0.97, Math.max(0.08, from + lightness)), Math.cos(hue + turn) * kept, Math.sin(hue + turn) * kept]));
}

/** Returns a third colour from the opposite side of the colour wheel. */
export function thirdColor(one: string, other: string): string {
  const [first, second] = [oklab(one), oklab(other)];
  const hue = Math.atan2(first[2] + second[2], first[1] + second[1]) + Math.PI;
  return hex(rgbOf([0.74, Math.cos(hue) * 0.13, Math.sin(hue) * 0.13]));
}

export interface BodyLook {
  readonly shape: ShapeName;
  readonly color: string;
  readonly outline?: Outline;
  readonly size: number;
  readonly turn: number;
  readonly yaw: number;
  /** Whether a ball has a pattern, without which its rotation is invisible. */
  readonly patterned: boolean;
}

const gradientIds = (id: string, color: string) => ({
  ball: `${id}b${color.slice(1)}`,
  cone: `${id}c${color.slice(1)}`,
  token: `${id}t${color.slice(1)}`,
  bounce: `${id}f`,
  shadow: `${id}s`,
});

/** Defines the gradients that all bodies in a scene share. `floor` is the light that the floor reflects. */
export function BodyGradients({
  id,
  colors,
  floor,
  shadow,
}: {
  readonly id: string;
  readonly colors: readonly string[];
  readonly floor: string;
  readonly shadow: string;
}) {
  return (
    <defs>
      <radialGradient id={`${id}s`}>
        <stop offset={0} stopColor={shadow} stopOpacity={0.6} />
        <stop offset={0.45} stopColor={shadow} stopOpacity={0.27} />
        <stop offset={1} stopColor={shadow} stopOpacity={0} />
      </radialGradient>
      <linearGradient id={`${id}f`} x1={0} y1={0} x2={0} y2={1}>
        <stop offset={0.7} stopColor={floor} stopOpacity={0} />
        <stop offset={1} stopColor={floor} stopOpacity={0.34} />
      </linearGradient>
      {colors.map((color) => {
        const ids = gradientIds(id, color);
        return [
          <radialGradient key={ids.ball} id={ids.ball} cx={0.36} cy={0.29} r={0.8}>
            <stop offset={0} stopColor={shade(color, 0.2)} />
            <stop offset={0.26} stopColor={shade(color, 0.09)} />
            <stop offset={0.6} stopColor={shade(color, -0.03)} />
            <stop offset={0.87} stopColor={shade(color, -0.15)} />
            <stop offset={1} stopColor={shade(color, -0.19)} />
          </radialGradient>,
          <linearGradient key={ids.cone} id={ids.cone}>
            <stop offset={0} stopColor={shade(color, 0.18)} />
            <stop offset={0.22} stopColor={shade(color, 0.11)} />
            <stop offset={0.5} stopColor={color} />
            <stop offset={0.8} stopColor={shade(color, -0.12)} />
            <stop offset={1} stopColor={shade(color, -0.18)} />
          </linearGradient>,
          <linearGradient key={ids.token} id={ids.token} x1={0.1} y1={0} x2={0.8} y2={1}>
            <stop offset={0} stopColor={shade(color, 0.14)} />
            <stop offset={0.5} stopColor={color} />
            <stop offset={1} stopColor={shade(color, -0.08)} />
          </linearGradient>,
        ];
      })}
    </defs>
  );
}

/** Draws a body around its centre, lit from the upper left. */
export function Body({ id, look }: { readonly id: string; readonly look: BodyLook }) {
  if (look.outline !== undefined) return <Token id={id} look={look} outline={look.outline} />;
  if (look.shape === 'ball') return <Ball id={id} look={look} />;
  if (look.shape === 'cube') return <Cube look={look} />;
  if (look.shape === 'cone') return <Cone id={id} look={look} />;
  return <Token id={id} look={look} outline={outlines[look.shape]} />;
}

/** Returns the distance from a body's centre to the floor below it. */
export function footOf({ shape, outline, size, turn, yaw }: BodyLook): number {
  if (outline === undefined && shape === 'cube') return Math.max(...cubeCorners(size, turn, yaw).map(([, y]) => y));
  if (outline === undefined && shape === 'ball') return size;
  const points = outlinePoints(outline ?? outlines[shape], size, turn);
  return Math.max(...points.map(([, y]) => y)) + size * 0.06;
}

function Gloss({ size, x = 0, y = 0 }: { readonly size: number; readonly x?: number; readonly y?: number }) {
  return (
    <g fill="#ffffff" transform={`translate(${x} ${y})`}>
      <ellipse
        cx={-0.37 * size}
        cy={-0.46 * size}
        rx={0.25 * size}
        ry={0.15 * size}
        transform={`rotate(-40 ${-0.37 * size} ${-0.46 * size})`}
        opacity={0.8}
      />
      <circle cx={-0.67 * size} cy={-0.1 * size} r={0.06 * size} opacity={0.58} />
    </g>
  );
}

function Ball({ id, look: { color, size, turn, yaw, patterned } }: { readonly id: string; readonly look: BodyLook }) {
  const ids = gradientIds(id, color);
  return (
    <>
      <circle r={size} fill={`url(#${ids.ball})`} />
      {patterned ? (
        <g transform={`rotate(${turn})`} fill="#ffffff" opacity={0.3}>
          {[0, 120, 240].map((start) => (
            <path key={start} d={lune(size, start + yaw, 58)} />
          ))}
        </g>
      ) : null}
      <circle r={size} fill={`url(#${ids.bounce})`} />
      <Gloss size={size} />
    </>
  );
}

/** Returns the visible part of a ball's segment between two meridians; empty if it is on the far side. */
function lune(size: number, start: number, width: number): string {
  const middle = ((((start + width / 2) % 360) + 540) % 360) - 180;
  const [from, to] = [Math.max(-90, middle - width / 2), Math.min(90, middle + width / 2)];
  if (from >= to) return '';
  const meridian = (degrees: number, downwards: boolean) => {
    const reach = Math.sin((degrees / 180) * Math.PI) * size;
    return `A${Math.abs(reach).toFixed(2)} ${size} 0 0 ${reach > 0 === downwards ? 1 : 0} 0 ${downwards ? size : -size}`;
  };
  return `M0 ${-size}${meridian(from, true)}${meridian(to, false)}Z`;
}

type Vector = readonly [x: number, y: number, z: number];

const light: Vector = [-0.52, -0.72, 0.46];
const tilt = (20 / 180) * Math.PI;

/** Projects a point on a body: rotates it around the vertical axis, rolls it, and views it from slightly above. */
function project([x, y, z]: Vector, turn: number, yaw: number): Vector {
  const [cosYaw, sinYaw] = [Math.cos((yaw / 180) * Math.PI), Math.sin((yaw / 180) * Math.PI)];
  const [aboutX, aboutZ] = [x * cosYaw + z * sinYaw, z * cosYaw - x * sinYaw];
  const [cosTurn, sinTurn] = [Math.cos((turn / 180) * Math.PI), Math.sin((turn / 180) * Math.PI)];
  const [rolledX, rolledY] = [aboutX * cosTurn - y * sinTurn, aboutX * sinTurn + y * cosTurn];
  return [rolledX, rolledY * Math.cos(tilt) + aboutZ * Math.sin(tilt), aboutZ * Math.cos(tilt) - rolledY * Math.sin(tilt)];
}

const cubeYaw = -34;
const cubeFaces: readonly (readonly [normal: Vector, right: Vector, down: Vector])[] = [
  [
    [0, 0, 1],
    [1, 0, 0],
    [0, 1, 0],
  ],
  [
    [1, 0, 0],
    [0, 0, -1],
    [0, 1, 0],
  ],
  [
    [0, 0, -1],
    [-1, 0, 0],
    [0, 1, 0],
  ],
  [
    [-1, 0, 0],
    [0, 0, 1],
    [0, 1, 0],
  ],
  [
    [0, -1, 0],
    [1, 0, 0],
    [0, 0, 1],
  ],
  [
    [0, 1, 0],
    [1, 0, 0],
    [0, 0, -1],
  ],
];

const cubeHalf = 0.78;

function cubeCorners(size: number, turn: number, yaw: number): Vector[] {
  return [-1, 1].flatMap((x) =>
    [-1, 1].flatMap((y) =>
      [-1, 1].map((z) => project([x * size * cubeHalf, y * size * cubeHalf, z * size * cubeHalf], turn, yaw + cubeYaw)),
    ),
  );
}

function visibleFaces(size: number, turn: number, yaw: number) {
  return cubeFaces.flatMap(([normal, right, down]) => {
    const seen = project(normal, turn, yaw + cubeYaw);
    if (seen[2] < 0.01) return [];
    const lit = seen[0] * light[0] + seen[1] * light[1] + seen[2] * light[2];
    const at = (u: number, v: number): Point => {
      const [x, y] = project(
        [0, 1, 2].map(
          (axis) => ((normal[axis] ?? 0) + (right[axis] ?? 0) * u + (down[axis] ?? 0) * v) * size * cubeHalf,
        ) as unknown as Vector,
        turn,
        yaw + cubeYaw,
      );
      return [x, y];
    };
    return [{ lit, up: -seen[1], at, corners: [at(-1, -1), at(1, -1), at(1, 1), at(-1, 1)] }];
  });
}

function Cube({ look: { color, size, turn, yaw } }: { readonly look: BodyLook }) {
  const faces = visibleFaces(size, turn, yaw);
  const front = faces.filter(({ up }) => up < 0.5).toSorted((one, other) => other.lit - one.lit)[0];
  const round = size * 0.11;
  return (
    <>
      {faces.map(({ lit, corners }) => {
        const tone = shade(color, Math.max(-0.2, Math.min(0.2, (lit - 0.42) * 0.42)));
        return (
          <path
            key={corners.join()}
            d={`${straightPath(corners)}Z`}
            fill={tone}
            stroke={tone}
            strokeWidth={round}
            strokeLinejoin="round"
          />
        );
      })}
      {faces.map(({ corners, lit, up }) => (
        <path
          key={corners.join()}
          d={`${straightPath(corners)}Z`}
          fill="none"
          stroke={lighten(color, 0.3)}
          strokeOpacity={up > 0.5 ? 0.85 : Math.max(0, lit) * 0.5}
          strokeWidth={size * 0.024}
          strokeLinejoin="round"
        />
      ))}
      {front === undefined ? null : (
        <path
          d={`${straightPath([front.at(-0.72, -0.68), front.at(-0.72, 0.0)])}${straightPath([front.at(-0.72, 0.26), front.at(-0.72, 0.28)])}`}
          fill="none"
          stroke="#ffffff"
          strokeOpacity={0.72}
          strokeWidth={size * 0.09}
          strokeLinecap="round"
        />
      )}
    </>
  );
}

function Cone({ id, look: { color, size, turn } }: { readonly id: string; readonly look: BodyLook }) {
  const ids = gradientIds(id, color);
  const [top, foot, half] = [-1.3 * size, 0.6 * size, 0.98 * size];
  const round = size * 0.1;
  const outline = [
    `M${-round} ${top + round * 1.6}Q0 ${top - round * 1.1} ${round} ${top + round * 1.6}`,
    `L${half} ${foot - round}Q${half + round * 0.4} ${foot + round * 0.5} ${half - round * 1.6} ${foot + round * 0.9}`,
    `A${half * 1.3} ${size * 0.34} 0 0 1 ${-half + round * 1.6} ${foot + round * 0.9}`,
    `Q${-half - round * 0.4} ${foot + round * 0.5} ${-half} ${foot - round}Z`,
  ].join('');
  return (
    <g transform={`rotate(${turn})`}>
      <path d={outline} fill={`url(#${ids.cone})`} />
      <path d={outline} fill={`url(#${ids.bounce})`} />
      <path
        d={`M${-size * 0.17} ${top + size * 0.5}L${-size * 0.5} ${top + size * 1.35}M${-size * 0.58} ${top + size * 1.57}L${-size * 0.585} ${top + size * 1.59}`}
        fill="none"
        stroke="#ffffff"
        strokeOpacity={0.74}
        strokeWidth={size * 0.095}
        strokeLinecap="round"
      />
    </g>
  );
}

const holePath = (radius: number) => `M${radius} 0A${radius} ${radius} 0 1 0 ${-radius} 0A${radius} ${radius} 0 1 0 ${radius} 0Z`;

/** Draws a flat shape as a thick piece: a lit face, with its edge on the side away from the light. */
function Token({
  id,
  look: { color, size, turn, yaw },
  outline,
}: {
  readonly id: string;
  readonly look: BodyLook;
  readonly outline: Outline;
}) {
  const ids = gradientIds(id, color);
  const round = size * 0.12;
  const points = turningPoints(outlinePoints(outline, size - round / 2, turn));
  const hole = outline.hole < 0.02 ? '' : holePath(outline.hole * size);
  const path = `${straightPath(points)}Z${hole}`;
  const facing = Math.cos((yaw / 180) * Math.PI);
  const side = Math.sin((yaw / 180) * Math.PI);
  const wide = Math.max(0.03, Math.abs(facing));
  const depth = size * (0.13 + 0.12 * Math.abs(side));
  // Copies so close together that they look like one solid edge.
  const copies = Math.ceil(depth / (round * 0.35));
  const edges = Array.from({ length: copies }, (_, index) => 1 - index / copies);
  const away = side < 0 ? -1 : 1;
  const edge = shade(color, -0.16);
  const gloss = outlinePoints(outline, size * 0.76, turn);
  const [first, last] = [Math.round(outlineSteps * 0.74), Math.round(outlineSteps * 0.87)];
  // The gloss stays at the upper left when the piece rotates.
  const turned = (index: number) =>
    (((index - Math.round((turn / 360) * outlineSteps)) % outlineSteps) + outlineSteps) % outlineSteps;
  const arc = Array.from({ length: last - first }, (_, index) => gloss[turned(first + index)] as Point);
  return (
    <>
      {edges.map((share) => (
        <path
          key={share}
          d={path}
          transform={`translate(${depth * share * away} ${depth * share * 0.5 * wide}) scale(${wide} 1)`}
          fill={edge}
          fillRule="evenodd"
          stroke={edge}
          strokeWidth={round}
          strokeLinejoin="round"
        />
      ))}
      <g transform={`scale(${wide} 1)`}>
        <path
          d={path}
          fill={`url(#${ids.token})`}
          fillRule="evenodd"
          stroke={`url(#${ids.token})`}
          strokeWidth={round}
          strokeLinejoin="round"
        />
        <path
          d={straightPath(arc)}
          fill="none"
          stroke="#ffffff"
          strokeOpacity={0.72 * wide}
          strokeWidth={size * 0.085}
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </g>
    </>
  );
}

export function Ghost({ look, tint, edge }: { readonly look: BodyLook; readonly tint: string; readonly edge: string }) {
  const shape = look.outline ?? outlines[look.shape];
  const points = outlinePoints(shape, look.size, look.turn);
  const paths =
    look.shape === 'cube' && look.outline === undefined
      ? visibleFaces(look.size, look.turn, look.yaw).map(({ corners }) => `${straightPath(corners)}Z`)
      : [`${straightPath(points)}Z${shape.hole === 0 ? '' : holePath(shape.hole * look.size)}`];
  const path = paths.join('');
  return (
    <>
      <path d={path} fill="none" stroke={edge} strokeWidth={10} strokeLinejoin="round" />
      <path d={path} fill={tint} fillRule={shape.hole === 0 ? 'nonzero' : 'evenodd'} stroke={tint} strokeWidth={2} />
    </>
  );
}

/** Draws the shadow below a body: larger, fainter and further away as the body rises. */
export function ContactShadow({
  id,
  x,
  y,
  size,
  height,
  opacity = 1,
}: {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly height: number;
  readonly opacity?: number;
}) {
  const risen = Math.min(1, height / (size * 7));
  const close = Math.max(0, 1 - height / (size * 1.2));
  return (
    <>
      <ellipse
        cx={x + size * 0.22 + height * 0.24}
        cy={y + size * 0.02}
        rx={size * (1.3 + 0.55 * risen)}
        ry={size * (0.22 + 0.1 * risen)}
        fill={`url(#${id}s)`}
        opacity={opacity * (1 - 0.74 * risen)}
      />
      <ellipse
        cx={x + size * 0.06}
        cy={y + size * 0.01}
        rx={size * 0.92}
        ry={size * 0.13}
        fill={`url(#${id}s)`}
        opacity={opacity * close}
      />
    </>
  );
}

export function Floor({
  width,
  height,
  y,
  ground,
  ink,
  dark,
}: {
  readonly width: number;
  readonly height: number;
  readonly y: number;
  readonly ground: string;
  readonly ink: string;
  readonly dark: boolean;
}) {
  const horizon = y - height * 0.26;
  const deep = mix(ground, ink, dark ? 0.13 : 0.12);
  const pool = dark ? mix(ground, ink, 0.3) : '#ffffff';
  return (
    <div
      className="box"
      style={{
        left: 0,
        top: horizon,
        width,
        height: height - horizon,
        background: `radial-gradient(ellipse ${width * 0.5}px ${height * 0.2}px at 42% ${y - horizon}px, ${pool}cc, ${pool}55 45%, ${pool}00), linear-gradient(${deep}00, ${deep}${dark ? '66' : '4d'} 22%, ${deep})`,
      }}
    />
  );
}
