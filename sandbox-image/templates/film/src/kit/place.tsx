import { useLayoutEffect, useMemo } from 'react';
import {
  CustomBlending,
  OneFactor,
  OneMinusSrcAlphaFactor,
  ShaderMaterial,
  SrcAlphaFactor,
  Vector2,
  Vector3,
  Vector4,
} from 'three';
import { currentTime, useMoment } from '../stage/clock.ts';
import { useFilm } from '../stage/contexts.ts';
import { transparent } from '../stage/mode.ts';
import type { Track } from '../stage/tracks.ts';
import { luminance, rgb } from './color.ts';
import { driftSeconds } from './drift.ts';
import { Particles } from './particles.tsx';
import { grades, lightAt } from './place/light.ts';
import { drawPlace, type PlaceName } from './place/scenery.ts';
import { projectToFrame } from './project.ts';
import type { Box } from './text.tsx';

export type PlaceChannel = 'presence' | 'hour' | 'clouds' | 'rain' | 'snow' | 'fog' | 'storm';

interface PlaceProps {
  /**
   * `hour`: 0 dawn, 1 day, 2 dusk, 3 night, 4 dawn again; all other channels are 0 to 1. Without keyframes, it is day and
   * there is no weather.
   */
  readonly track: Track<PlaceChannel>;
  readonly name: PlaceName;
  /** Text areas and their colour. The setting stays light or dark enough there to keep every word readable. */
  readonly clear?: readonly (Box & { readonly ink: string })[];
  readonly seed?: number;
  /** False if the cast includes a sun or a moon. */
  readonly bodies?: boolean;
}

const maxClear = 4;
/** WCAG AA, with a margin for rounding on screen. */
const textContrast = 4.7;

const legible = /* glsl */ `
  uniform vec4 clear[${maxClear}];
  uniform vec2 bounds[${maxClear}];
  uniform vec2 frameSize;
  uniform float presence;
  float level(float part) { return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4); }
  float shown(float part) { return part <= 0.0031308 ? part * 12.92 : 1.055 * pow(part, 1.0 / 2.4) - 0.055; }
  /** Limits the lightness inside a text's box to what its ink allows. */
  vec3 kept(vec3 color, vec2 seen) {
    for (int i = 0; i < ${maxClear}; i++) {
      vec2 outside = max(abs(seen - clear[i].xy) - clear[i].zw, 0.0) / vec2(0.14, 0.17);
      float inside = 1.0 - smoothstep(0.0, 1.0, length(outside));
      if (inside <= 0.0) continue;
      float light = dot(vec3(level(color.r), level(color.g), level(color.b)), vec3(0.2126, 0.7152, 0.0722));
      vec3 linear = vec3(level(color.r), level(color.g), level(color.b));
      if (light > bounds[i].y) linear *= bounds[i].y / light;
      else if (light < bounds[i].x) linear = mix(linear, vec3(1.0), (bounds[i].x - light) / (1.0 - light));
      else continue;
      color = mix(color, vec3(shown(linear.r), shown(linear.g), shown(linear.b)), inside);
    }
    return color;
  }
  float grain(vec2 p) { return fract(52.9829189 * fract(dot(p, vec2(0.06711056, 0.00583715)))); }`;

const skyVertex = /* glsl */ `
  varying vec2 frame;
  void main() { frame = uv; gl_Position = vec4(position.xy * 2.0, 1.0, 1.0); }`;

const skyFragment = /* glsl */ `
  varying vec2 frame;
  uniform vec3 top, horizon, sunColor;
  uniform vec2 sun, moon;
  uniform float aspect, line, night, stars, seconds, discs, flash;
  ${legible}
  void main() {
    vec2 p = vec2((frame.x - 0.5) * aspect, frame.y - line);
    vec3 color = mix(horizon, top, smoothstep(0.02, 0.78, p.y));
    if (discs > 0.0) {
      float d = distance(p, sun);
      color = mix(color, sunColor, discs * (0.55 * exp(-d * d * 22.0) + 0.25 * exp(-d * 2.6)) * (1.0 - night));
      color = mix(color, mix(sunColor, vec3(1.0), 0.35), discs * (1.0 - smoothstep(0.062, 0.066, d)));
      float m = distance(p, moon);
      color = mix(color, vec3(0.93, 0.94, 1.0), discs * night * 0.22 * exp(-m * m * 30.0));
      float face = (1.0 - smoothstep(0.052, 0.055, m)) * (1.0 - 0.12 * smoothstep(0.02, 0.018, distance(p, moon + vec2(0.016, 0.012))) - 0.1 * smoothstep(0.013, 0.011, distance(p, moon - vec2(0.02, 0.008))));
      color = mix(color, vec3(0.97, 0.96, 0.9), discs * smoothstep(0.1, 0.6, night) * min(1.0, face));
    }
    if (stars > 0.0) {
      vec2 cell = floor(p * 26.0), within = fract(p * 26.0);
      float pick = grain(cell + 7.0), other = grain(cell.yx * 1.7 + 31.0);
      vec2 spot = 0.2 + 0.6 * vec2(other, grain(cell * 2.3 + 3.0));
      float twinkle = 0.65 + 0.35 * sin(seconds * (1.2 + 2.0 * other) + pick * 40.0);
      float star = step(0.62, pick) * (1.0 - smoothstep(0.02, 0.05 + 0.05 * other * pick, distance(within, spot)));
      color += stars * star * twinkle * smoothstep(0.0, 0.3, p.y + 0.25 * step(0.95, stars)) * 0.9;
    }
    color += flash * vec3(0.5, 0.52, 0.6);
    color += (grain(gl_FragCoord.xy) - 0.5) / 255.0;
    gl_FragColor = vec4(kept(clamp(color, 0.0, 1.0), vec2(frame.x, 1.0 - frame.y)), presence);
  }`;

const landVertex = /* glsl */ `
  attribute vec3 tint;
  attribute vec4 info, move;
  attribute vec4 anchor;
  uniform vec3 light, indoors, top, horizon, lamp;
  uniform vec4 weather;
  uniform vec3 look;
  uniform float aspect, span, seconds, night, zoom, line, pan, swing, fog, flash;
  varying vec3 color;
  varying float alpha;
  void main() {
    vec2 p = position.xy;
    if (move.x != 0.0) p.x += mod(anchor.x + move.x * seconds + span, 2.0 * span) - span - anchor.x;
    // A drop rests, runs, then rests.
    if (move.y != 0.0) p.y += anchor.z + mod(anchor.y - anchor.z - move.y * (seconds + 0.5 * sin(seconds * 1.7 + anchor.x * 90.0)), anchor.w - anchor.z) - anchor.y;
    p.x += move.z * sin(seconds * 1.4 + anchor.x * 9.0 + info.x * 12.0);
    p.y += move.w * (sin(p.x * 8.0 + seconds * 1.2 + info.x * 31.0) * 0.62 + sin(p.x * 17.0 - seconds * 0.9 + info.x * 57.0) * 0.38);
    float depth = info.x;
    vec2 spread = p * mix(zoom, 1.0, depth * 0.8);
    gl_Position = vec4(spread.x * 2.0 / aspect + pan * (1.0 - 0.9 * depth) + swing * depth, line * 2.0 - 1.0 + spread.y * 2.0, 0.5, 1.0);
    // The style reduces saturation, the hour lights the land, and haze fades it.
    vec3 own = mix(tint, vec3(dot(tint, vec3(0.3, 0.59, 0.11))), look.x) * (depth < 0.32 ? indoors : light);
    // Distant land has the colour of the air above it, not of the glow behind it.
    own = mix(own, mix(horizon, top, 0.3), depth * look.y);
    own = mix(own, horizon, clamp(fog * (0.25 + depth * 0.75), 0.0, 0.94));
    float lit = info.y > 0.0 ? smoothstep(info.y * 0.8 - 0.08, info.y * 0.8 + 0.1, night) : 0.0;
    color = mix(own, lamp, lit * (1.0 - 0.45 * depth)) + flash * 0.3;
    alpha = info.z * (info.w < 0.5 ? 1.0 : info.w < 1.5 ? weather.x : info.w < 2.5 ? weather.y : info.w < 3.5 ? weather.z : weather.w);
  }`;

const landFragment = /* glsl */ `
  varying vec3 color;
  varying float alpha;
  ${legible}
  void main() {
    vec2 seen = vec2(gl_FragCoord.x / frameSize.x, 1.0 - gl_FragCoord.y / frameSize.y);
    gl_FragColor = vec4(kept(clamp(color, 0.0, 1.0), seen), alpha * presence);
  }`;

/** Draws a setting behind and in front of the cast: sky, layers of land, lamps, weather. Its floor line is the stage's. */
export function Place({ track, name, clear = [], seed, bodies = true }: PlaceProps) {
  const film = useFilm();
  const { view, theme } = film;
  const aspect = view.width / view.height;
  const { back, front, discs, starry, inside, roofed } = useMemo(
    () => drawPlace(name, { aspect, seed: seed ?? theme.seed, accent: theme.palette.accent }),
    [name, aspect, seed, theme],
  );
  useLayoutEffect(
    () => () => {
      back.dispose();
      front.dispose();
    },
    [back, front],
  );
  const materials = useMemo(() => {
    const { grey, haze, lamp } = grades[theme.style];
    const limits = Array.from({ length: maxClear }, (_, i) => limitOf(clear[i]?.ink));
    const values = {
      top: new Vector3(),
      horizon: new Vector3(),
      light: new Vector3(),
      indoors: new Vector3(),
      sunColor: new Vector3(...rgb(theme.style === 'cinematic' ? '#ffb35c' : '#fff1b8')),
      lamp: new Vector3(...rgb(lamp)),
      look: new Vector3(grey, haze, 0),
      sun: new Vector2(),
      moon: new Vector2(),
      weather: new Vector4(),
      frameSize: new Vector2(1, 1),
      clear: Array.from({ length: maxClear }, (_, i) => boxOf(clear[i])),
      bounds: limits,
      aspect,
      span: aspect / 2 + 0.45,
      line: 0,
      night: 0,
      stars: 0,
      discs,
      flash: 0,
      fog: 0,
      seconds: 0,
      zoom: 1,
      pan: 0,
      swing: 0,
      presence: 1,
    };
    const uniforms = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value }]));
    const shared = { uniforms, depthTest: false, depthWrite: false, toneMapped: false };
    // Drawn in the opaque pass despite blending, because the transparent pass would draw it over the cast.
    const blended = {
      blending: CustomBlending,
      blendSrc: SrcAlphaFactor,
      blendDst: OneMinusSrcAlphaFactor,
      blendSrcAlpha: OneFactor,
    };
    return {
      values,
      uniforms,
      sky: new ShaderMaterial({ ...shared, ...blended, vertexShader: skyVertex, fragmentShader: skyFragment }),
      land: new ShaderMaterial({ ...shared, ...blended, vertexShader: landVertex, fragmentShader: landFragment, side: 2 }),
      near: new ShaderMaterial({ ...shared, transparent: true, vertexShader: landVertex, fragmentShader: landFragment, side: 2 }),
    };
  }, [theme, aspect, discs, clear]);

  useMoment(() => {
    const { values, uniforms } = materials;
    const now = track.now;
    const seconds = driftSeconds(film, currentTime());
    const hour = now.hour ?? 1;
    const clouds = now.clouds ?? 0.25;
    const { top, horizon, light, indoors, night } = lightAt(name, theme.style, hour, Math.max(0, clouds - 0.3) / 0.7);
    values.top.set(...top);
    values.horizon.set(...horizon);
    values.light.set(...light);
    values.indoors.set(...(roofed ? indoors : light));
    const angle = ((hour - 1) * Math.PI) / 2;
    values.sun.set(aspect * (-0.12 + 0.26 * Math.sin(angle)), 0.17 + 0.44 * Math.cos(angle));
    values.moon.set(aspect * (0.27 - 0.2 * Math.sin(angle)), 0.1 - 0.46 * Math.cos(angle));
    values.weather.set(clouds, now.rain ?? 0, night, 1 - night);
    const set = (key: string, value: number) => {
      if (uniforms[key]) uniforms[key].value = value;
    };
    const at = projectToFrame(0, view.groundY, 0);
    const beside = projectToFrame(1, view.groundY, 0);
    set('line', 1 - at.y / 100);
    set('zoom', ((beside.x - at.x) / 100) * view.width);
    set('pan', at.x / 50 - 1);
    set('swing', projectToFrame(0, view.groundY, -4).x / 50 - at.x / 50);
    set('night', night);
    // Hides sun and moon behind a cloudy sky, and in a scene whose cast has its own.
    set('discs', bodies ? discs * Math.max(0, 1 - Math.max(0, clouds - 0.5) * 2.4) : 0);
    set('stars', starry + (1 - starry) * night * (1 - Math.min(1, clouds * 0.9)));
    set('fog', now.fog ?? 0);
    set('seconds', seconds);
    set('presence', now.presence ?? 1);
    set('flash', (now.storm ?? 0) * lightning(seconds));
    // After the camera, because the floor line depends on it.
  }, 'overlay');

  const fitted = (renderer: { getDrawingBufferSize: (into: Vector2) => Vector2 }) => {
    renderer.getDrawingBufferSize(materials.values.frameSize);
  };
  if (transparent) return null;
  return (
    <>
      <mesh material={materials.sky} renderOrder={-900} frustumCulled={false}>
        <planeGeometry args={[1, 1]} />
      </mesh>
      <mesh geometry={back} material={materials.land} renderOrder={-890} frustumCulled={false} onBeforeRender={fitted} />
      <mesh geometry={front} material={materials.near} renderOrder={20} frustumCulled={false} onBeforeRender={fitted} />
      {inside ? null : (
        <>
          <Particles
            track={amountOf(track, 'rain')}
            preset="rain"
            count={160}
            colors={['#dfeaf5', '#b9cbe0']}
            size={0.8}
            speed={1}
            seed={theme.seed}
            clear={clear}
          />
          <Particles
            track={amountOf(track, 'snow')}
            preset="snow"
            count={170}
            colors={['#ffffff', '#eef5ff']}
            size={0.9}
            speed={1}
            seed={theme.seed}
            clear={clear}
          />
        </>
      )}
    </>
  );
}

function amountOf(track: Track<PlaceChannel>, channel: 'rain' | 'snow'): Track<'amount'> {
  return {
    get now() {
      return { amount: track.now[channel] ?? 0 };
    },
    delayed: (seconds) => amountOf(track.delayed(seconds), channel),
  };
}

/** Flickers twice every few seconds. */
function lightning(seconds: number): number {
  const beat = seconds % 3.4;
  return [0.9, 1.06].reduce((sum, at) => sum + (beat > at ? Math.exp(-(beat - at) * 14) : 0), 0);
}

/** Returns the range of WCAG relative luminance that is allowed behind text in this ink. */
function limitOf(ink: string | undefined): Vector2 {
  if (ink === undefined) return new Vector2(0, 1);
  const own = luminance(ink);
  return own > 0.18
    ? new Vector2(0, Math.max(0, (own + 0.05) / textContrast - 0.05))
    : new Vector2(Math.min(1, (own + 0.05) * textContrast - 0.05), 1);
}

/** Returns a box's centre and half size as fractions of the frame. Without a box, returns a position far off-screen. */
function boxOf(box: Box | undefined): Vector4 {
  if (box === undefined) return new Vector4(9, 9, 0, 0);
  return new Vector4((box.x + box.width / 2) / 100, (box.y + box.height / 2) / 100, box.width / 200, box.height / 200);
}
