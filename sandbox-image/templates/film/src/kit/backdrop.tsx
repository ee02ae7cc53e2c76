import { useMemo } from 'react';
import { ShaderMaterial, Vector3 } from 'three';
import { currentTime, useMoment } from '../stage/clock.ts';
import { useFilm } from '../stage/contexts.ts';
import type { FilmDefinition } from '../stage/film-definition.ts';
import { transparent } from '../stage/mode.ts';
import { lighten, luminance, mix, rgb } from './color.ts';
import { driftSeconds } from './drift.ts';
import { looks } from './look.ts';

const crossfadeSeconds = 0.7;

const vertexShader = /* glsl */ `
  varying vec2 frame;
  void main() {
    frame = uv;
    gl_Position = vec4(position.xy * 2.0, 1.0, 1.0);
  }`;

// Computes in display colours (sRGB), so that a requested colour is matched exactly.
const fragmentShader = /* glsl */ `
  varying vec2 frame;
  uniform vec3 top, bottom, helper, accent, light;
  uniform float aspect, seconds, groundLine, vignette, glow, shapes, shapeEdge, floorTone, spread, decoration;

  float disc(vec2 p, vec2 centre, float radius) {
    float edge = mix(0.004, radius, shapeEdge);
    return 1.0 - smoothstep(radius - edge, radius + edge, distance(p, centre));
  }
  float noise(vec2 p) {
    return fract(52.9829189 * fract(dot(p, vec2(0.06711056, 0.00583715))));
  }
  void main() {
    vec2 p = (frame - 0.5) * vec2(aspect, 1.0);
    float wide = max(aspect, 1.0);
    vec3 color = mix(bottom, top, smoothstep(-0.05, 1.05, frame.y));

    // Large shapes in the distance, which drift slowly.
    float turn = seconds * 0.3;
    vec2 a = vec2(-0.34 * wide + 0.03 * sin(turn), 0.22 + 0.025 * cos(turn * 1.3));
    vec2 b = vec2(0.40 * wide + 0.035 * cos(turn * 0.9), 0.05 + 0.025 * sin(turn));
    vec2 c = vec2(0.25 * wide + 0.02 * sin(turn * 1.1 + 2.0), 0.50 + 0.015 * cos(turn));
    color = mix(color, helper, decoration * shapes * 0.75 * disc(p, a, 0.30));
    color = mix(color, accent, decoration * shapes * 0.45 * disc(p, b, 0.36));
    color = mix(color, helper, decoration * shapes * 0.55 * disc(p, c, 0.15));

    // The floor curves into the wall without an edge, as in a studio.
    float ground = 1.0 - smoothstep(groundLine - 0.16, groundLine + 0.20, frame.y);
    vec3 floorColor = floorTone > 0.0 ? mix(color, light, floorTone) : color * (1.0 + floorTone);
    color = mix(color, floorColor, decoration * ground);

    vec2 wall = (p - vec2(-0.08 * wide, 0.10)) / (vec2(0.56 * wide, 0.55) * spread);
    vec2 pool = (p - vec2(0.0, groundLine - 0.52)) / (vec2(0.5 * wide, 0.17) * spread);
    color = mix(color, light, decoration * glow * exp(-dot(wall, wall)));
    color = mix(color, light, decoration * glow * 0.8 * exp(-dot(pool, pool)));

    color *= 1.0 - decoration * vignette * smoothstep(0.35, 1.0, length(p / vec2(wide, 1.0)) * 1.25);
    // Constant dither of one step, against banding.
    color += (noise(gl_FragCoord.xy) - 0.5) / 255.0;
    gl_FragColor = vec4(color, 1.0);
  }`;

/** Returns the background's colours and its decoration, 0 to 1, at a time, with a crossfade around each cut. */
export function backgroundAt(film: FilmDefinition, seconds: number): { top: string; bottom: string; decoration: number } {
  const { backgroundTop, backgroundBottom } = film.theme.palette;
  const [first, ...rest] = film.scenes.map(({ startSeconds, background }) => ({
    startSeconds,
    top: background?.top ?? backgroundTop,
    bottom: background?.bottom ?? backgroundBottom,
    decoration: background?.clean === true ? 0 : 1,
  }));
  let { top, bottom, decoration } = first ?? { top: backgroundTop, bottom: backgroundBottom, decoration: 1 };
  for (const scene of rest) {
    const x = Math.min(1, Math.max(0, (seconds - scene.startSeconds) / crossfadeSeconds));
    const amount = x * x * (3 - 2 * x);
    top = mix(top, scene.top, amount);
    bottom = mix(bottom, scene.bottom, amount);
    decoration += (scene.decoration - decoration) * amount;
  }
  return { top, bottom, decoration };
}

/** Draws the seamless studio behind everything. A film without a background has none. */
export function Backdrop() {
  return transparent ? null : <Studio />;
}

function Studio() {
  const film = useFilm();
  const { palette, style } = film.theme;
  const look = looks[style].backdrop;
  const material = useMemo(() => {
    const uniforms = Object.fromEntries(
      Object.entries({
        top: new Vector3(),
        bottom: new Vector3(),
        light: new Vector3(),
        helper: new Vector3(...rgb(palette.helper)),
        accent: new Vector3(...rgb(palette.accent)),
        aspect: film.view.width / film.view.height,
        seconds: 0,
        groundLine: 0.5 + film.view.groundY / film.view.height,
        vignette: look.vignette,
        glow: look.glow,
        shapes: look.shapes,
        shapeEdge: look.shapeEdge,
        floorTone: look.floor,
        spread: look.spread,
        decoration: 1,
      }).map(([name, value]) => [name, { value }]),
    );
    return new ShaderMaterial({ vertexShader, fragmentShader, uniforms, depthTest: false, depthWrite: false, toneMapped: false });
  }, [film, palette, look]);

  useMoment(() => {
    const { top, bottom, decoration } = backgroundAt(film, currentTime());
    // Light is white on a light background. On a dark one it has the background's hue, because any other looks muddy.
    const light = luminance(top) + luminance(bottom) > 0.5 ? '#ffffff' : lighten(mix(top, bottom, 0.35), 0.34);
    const set = (name: string, value: string) => {
      (material.uniforms as Record<string, { value: Vector3 }>)[name]?.value.set(...rgb(value));
    };
    set('top', top);
    set('bottom', bottom);
    set('light', light);
    if (material.uniforms['decoration']) material.uniforms['decoration'].value = decoration;
    if (material.uniforms['seconds']) material.uniforms['seconds'].value = driftSeconds(film, currentTime());
  });

  return (
    <mesh material={material} renderOrder={-1000} frustumCulled={false}>
      <planeGeometry args={[1, 1]} />
    </mesh>
  );
}
