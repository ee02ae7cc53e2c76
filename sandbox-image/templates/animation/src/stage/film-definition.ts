import type { ComponentType } from 'react';

export type Style = 'playful' | 'smooth' | 'cinematic';

/** Colours of a film, as `#rrggbb`. */
export interface Palette {
  readonly backgroundTop: string;
  readonly backgroundBottom: string;
  readonly ink: string;
  readonly accent: string;
  readonly helper: string;
}

export interface Theme {
  readonly style: Style;
  readonly palette: Palette;
  /** Seeds everything that looks random. */
  readonly seed: number;
}

/** The frame in world units: the plane z = 0 shows exactly width × height, the origin is its centre. */
export interface View {
  readonly width: number;
  readonly height: number;
  /** Height of the floor on that plane. */
  readonly groundY: number;
}

export interface SceneDefinition {
  readonly id: string;
  /** Seconds from the start of the film. Neighbours may overlap, so that one enters while the other leaves. */
  readonly startSeconds: number;
  readonly durationSeconds: number;
  readonly background: { readonly top: string; readonly bottom: string };
  /** What the scene shows in 3D, drawn inside the one canvas of the stage. */
  readonly World: ComponentType;
  /** Its text, as HTML above the canvas. */
  readonly Overlay: ComponentType;
}

export interface FilmDefinition {
  readonly title: string;
  readonly durationSeconds: number;
  readonly fps: number;
  /** The frame at full size, in pixels; every other size shows the same picture. */
  readonly width: number;
  readonly height: number;
  readonly view: View;
  readonly theme: Theme;
  readonly scenes: readonly SceneDefinition[];
}
