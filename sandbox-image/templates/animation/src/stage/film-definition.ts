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
  /** Which of `src/themes` draws the formats; `studio` when absent. */
  readonly name?: string;
  /** BCP 47 tag of the film's language, for number formats and the direction of text; `en` when absent. */
  readonly language?: string;
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
  /** What the chapter of the video is called; its id when absent. */
  readonly title?: string;
  /** Seconds from the start of the film. Neighbours may overlap, so that one enters while the other leaves. */
  readonly startSeconds: number;
  readonly durationSeconds: number;
  /** The backdrop behind `World`; the palette's when absent. */
  readonly background?: { readonly top: string; readonly bottom: string };
  /** True where nothing may stir that has no keyframes: the shapes of the backdrop stand, too. */
  readonly still?: boolean;
  /** What the scene shows in 3D, drawn inside the one canvas of the stage. A film without any has no canvas. */
  readonly World?: ComponentType;
  /** What it shows as HTML, above the canvas. */
  readonly Overlay: ComponentType;
}

/** One piece of sound, from a file of the project. Fades are straight lines of the amplitude. */
export interface AudioTrack {
  /** As the page serves it: `/assets/music.mp3`. */
  readonly src: string;
  /** Where it begins in the film. */
  readonly startSeconds: number;
  /** How much of the beginning of the file is left out. */
  readonly offsetSeconds?: number;
  /** Absent = to the end of the file or of the film. */
  readonly durationSeconds?: number;
  /** Louder (up to 24) or quieter (down to -60) than the file, in decibels. */
  readonly gainDb?: number;
  readonly fadeInSeconds?: number;
  readonly fadeOutSeconds?: number;
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
  readonly audio?: readonly AudioTrack[];
}
