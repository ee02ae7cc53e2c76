import {
  geoArea,
  geoAzimuthalEqualArea,
  geoCentroid,
  geoContains,
  geoDistance,
  geoEqualEarth,
  geoGraticule10,
  geoPath,
} from 'd3-geo';
import type { MultiPolygon, Polygon } from 'geojson';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, GeometryObject, Topology } from 'topojson-specification';
import file from 'world-atlas/countries-50m.json?raw';
import { mix } from '../kit/color.ts';
import type { Rect } from '../themes/theme.ts';
import codes from './country-codes.json';
import type { Point } from './curve.ts';
import { Box, useScene } from './setting.tsx';

/** Longitude and latitude in degrees. */
export type Spot = readonly [longitude: number, latitude: number];

type World = Topology<{ countries: GeometryCollection; land: GeometryCollection }>;

/** A part of the world map. All paths and points are in design pixels from the plate's top-left corner, never mirrored. */
export interface Atlas {
  readonly plate: Rect;
  readonly land: string;
  readonly borders: string;
  readonly graticule: string;
  /** Outlines of the requested countries; an empty one for an unknown code. */
  readonly countries: readonly string[];
  project(spot: Spot): Point;
}

let world: World | null = null;

/**
 * Loads the world map from the world-atlas package, whose data is from Natural Earth (public domain). The version is fixed, so
 * the data is not validated.
 */
function loadWorld(): World {
  world ??= JSON.parse(file) as World;
  return world;
}

/** Returns the middle of a country's largest part and its corners; `null` for an unknown code. */
export function countryAt(code: string): { readonly middle: Spot; readonly bounds: readonly Spot[] } | null {
  const main = mainPartOf(code);
  if (main === null) return null;
  return { middle: geoCentroid(main), bounds: main.coordinates.flat() as unknown as Spot[] };
}

/** Returns the code of the country at a place; `null` at sea. */
export function countryOf(spot: Spot): string | null {
  const topology = loadWorld();
  const found = topology.objects.countries.geometries.find((country) =>
    geoContains(feature(topology, country), [spot[0], spot[1]]),
  );
  return Object.entries(codes).find(([, id]) => id === found?.id)?.[0] ?? null;
}

function idOf(code: string): string | undefined {
  return (codes as Readonly<Record<string, string>>)[code];
}

function mainPartOf(code: string) {
  const topology = loadWorld();
  const id = idOf(code);
  const country = topology.objects.countries.geometries.find((geometry) => id !== undefined && geometry.id === id);
  if (country === undefined) return null;
  return partsOf(topology, country).toSorted((one, other) => geoArea(other) - geoArea(one))[0] ?? null;
}

function partsOf(topology: World, object: GeometryObject): Polygon[] {
  const found = feature(topology, object);
  const features = found.type === 'FeatureCollection' ? found.features : [found];
  return features.flatMap(({ geometry }): Polygon[] => {
    if (geometry.type === 'Polygon') return [geometry];
    return geometry.type === 'MultiPolygon' ? geometry.coordinates.map((coordinates) => ({ type: 'Polygon', coordinates })) : [];
  });
}

/** Joins polygons into one shape. Omits islands below an area in steradians, and those that thinning has turned inside out. */
function shapeOf(parts: readonly Polygon[], smallest: number): MultiPolygon {
  const kept = parts.filter((part) => {
    const area = geoArea(part);
    return area >= smallest && area < 2 * Math.PI;
  });
  return { type: 'MultiPolygon', coordinates: kept.map(({ coordinates }) => coordinates) };
}

/** Drops points of coasts and borders that are closer together than this, so that a world map is cheap to draw. */
function thinned(topology: World, degrees: number): World {
  const [scaleX = 1, scaleY = 1] = topology.transform?.scale ?? [];
  const arcs = topology.arcs.map((arc) => {
    let [x, y, keptX, keptY] = [0, 0, 0, 0];
    return arc.flatMap(([moveX = 0, moveY = 0], index) => {
      [x, y] = [x + moveX, y + moveY];
      const isEnd =
        index === 0 ||
        index === arc.length - 1 ||
        index === Math.floor(arc.length / 3) ||
        index === Math.floor((arc.length * 2) / 3);
      if (!isEnd && Math.hypot((x - keptX) * scaleX, (y - keptY) * scaleY) < degrees) return [];
      const step = [x - keptX, y - keptY];
      [keptX, keptY] = [x, y];
      return [step];
    });
  });
  return { ...topology, arcs };
}

const widestAngle = 1.1;
/** Central meridian of a typical world map, which does not cut through a continent. */
const greenwich = 11;
const pixelsPerPoint = 2.5;
/** Minimum width of an island in pixels. Smaller ones look like specks of dirt. */
const smallestIsland = 9;

/**
 * Draws the part of the world around the spots so that they fill `area`, which is part of the plate. The projection is
 * equal-area. It is centred on the spots, or shows the whole world if they are far apart.
 */
export function drawAtlas({
  plate,
  area,
  spots,
  countries,
  isJourney,
}: {
  readonly plate: Rect;
  readonly area: Rect;
  readonly spots: readonly Spot[];
  readonly countries: readonly string[];
  /** Whether to centre a world map on the spots. A journey could otherwise run off the map's edge. */
  readonly isJourney: boolean;
}): Atlas {
  const points = { type: 'MultiPoint' as const, coordinates: spots.map(([longitude, latitude]) => [longitude, latitude]) };
  const [longitude, latitude] = geoCentroid(points);
  const reach = Math.max(...spots.map(([x, y]) => geoDistance([x, y], [longitude, latitude])));
  const projection =
    reach > widestAngle
      ? geoEqualEarth().rotate([isJourney ? -longitude : -greenwich, 0])
      : geoAzimuthalEqualArea().rotate([-longitude, -latitude]);
  const inner: [[number, number], [number, number]] = [
    [area.x - plate.x, area.y - plate.y],
    [area.x - plate.x + area.width, area.y - plate.y + area.height],
  ];
  projection.fitExtent(inner, points);
  // Maximum scale. Without it, a single place, or two in one town, would fill the plate with empty land.
  const largest = 60_000;
  if (projection.scale() > largest || !Number.isFinite(projection.scale())) {
    projection.scale(largest).translate([0, 0]);
    const [x, y] = projection([longitude, latitude]) ?? [0, 0];
    projection.translate([(inner[0][0] + inner[1][0]) / 2 - x, (inner[0][1] + inner[1][1]) / 2 - y]);
  }
  const bleed = 80;
  projection.clipExtent([
    [-bleed, -bleed],
    [plate.width + bleed, plate.height + bleed],
  ]);
  const topology = thinned(loadWorld(), ((pixelsPerPoint / projection.scale()) * 180) / Math.PI);
  const path = geoPath(projection).digits(1);
  const outlineOf = (code: string) => {
    const id = idOf(code);
    const country = topology.objects.countries.geometries.find((geometry) => id !== undefined && geometry.id === id);
    return country === undefined ? '' : (path(shapeOf(partsOf(topology, country), 0)) ?? '');
  };
  return {
    plate,
    land: path(shapeOf(partsOf(topology, topology.objects.land), (smallestIsland / projection.scale()) ** 2)) ?? '',
    borders: path(mesh(topology, topology.objects.countries, (one, other) => one !== other)) ?? '',
    graticule: path(geoGraticule10()) ?? '',
    countries: countries.map(outlineOf),
    project: ([x, y]) => projection([x, y]) ?? [0, 0],
  };
}

/** Returns the colours of a map, derived from the theme's. */
export function useMapColors() {
  const { colors } = useScene();
  const land = colors.dark ? mix(colors.groundTop, colors.ink, 0.13) : mix(colors.groundTop, '#ffffff', 0.55);
  return {
    land,
    sea: mix(mix(colors.groundTop, colors.groundBottom, 0.5), colors.helperFill, colors.dark ? 0.07 : 0.13),
    line: mix(mix(colors.groundTop, colors.groundBottom, 0.5), colors.helperFill, colors.dark ? 0.22 : 0.32),
    coast: mix(colors.ink, land, 0.4),
    border: mix(colors.ink, land, 0.72),
  };
}

const waterLines = [44, 30, 16];

interface AtlasMapProps {
  readonly atlas: Atlas;
  readonly progress: number;
  readonly leave: number;
  /** Fill of each requested country. */
  readonly fills: readonly { readonly color: string; readonly opacity: number }[];
  /** Edge of the plate that has the degree scale. */
  readonly edge: 'start' | 'top';
}

/** Draws a plate of an atlas: land and borders, a sea with lines along the coast, and a degree scale at one edge. */
export function AtlasMap({ atlas, progress, leave, fills, edge }: AtlasMapProps) {
  const { colors } = useScene();
  const map = useMapColors();
  const { plate, land, borders, graticule, countries } = atlas;
  const { width, height } = plate;
  return (
    <>
      {/* The map has its own layer, so that movement above it does not redraw it. */}
      <Box
        {...plate}
        opacity={Math.min(1, progress * 1.4) * (1 - leave)}
        style={{ overflow: 'hidden', background: map.sea, willChange: 'transform' }}
      >
        <svg aria-hidden width={width} height={height} viewBox={`0 0 ${width} ${height}`} strokeLinejoin="round" fill="none">
          {waterLines.map((distance, index) => (
            <g key={distance} opacity={Math.min(1, Math.max(0, progress * 3 - index * 0.5))}>
              <path d={land} stroke={map.line} strokeWidth={distance + 3} />
              <path d={land} stroke={map.sea} strokeWidth={distance} />
            </g>
          ))}
          <path d={land} fill={map.land} />
          {countries.map((outline, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a country may be named twice.
            <path key={index} d={outline} fill={fills[index]?.color} fillOpacity={fills[index]?.opacity} />
          ))}
          <path d={borders} stroke={map.border} strokeWidth={1.5} />
          <path d={land} stroke={map.coast} strokeWidth={2} />
          <path d={graticule} stroke={colors.ink} strokeOpacity={0.08} strokeWidth={1.5} />
        </svg>
      </Box>
      <Degrees plate={plate} edge={edge} progress={progress} leave={leave} />
    </>
  );
}

const degreeSize = 78;
const degreeWidth = 16;

function Degrees({
  plate,
  edge,
  progress,
  leave,
}: Pick<AtlasMapProps, 'edge' | 'progress' | 'leave'> & { readonly plate: Rect }) {
  const { colors } = useScene();
  const length = edge === 'top' ? plate.width : plate.height;
  const stripes = `${colors.ink} 0 ${degreeSize}px, ${colors.groundTop} ${degreeSize}px ${2 * degreeSize}px`;
  const drawn = length * progress * (1 - leave);
  return (
    <Box
      x={plate.x - (edge === 'top' ? 0 : degreeWidth)}
      y={plate.y - (edge === 'top' ? degreeWidth : 0)}
      width={edge === 'top' ? drawn : degreeWidth}
      height={edge === 'top' ? degreeWidth : drawn}
      style={{
        background: `repeating-linear-gradient(${edge === 'top' ? '90deg' : '180deg'}, ${stripes})`,
        outline: `2px solid ${colors.ink}`,
        outlineOffset: 4,
        opacity: drawn > 0 ? 1 : 0,
      }}
    />
  );
}
