import type { ComponentType } from 'react';

export type Style = 'playful' | 'smooth' | 'cinematic';

export interface Palette {
  readonly backgroundTop: string;
  readonly backgroundBottom: string;
  readonly ink: string;
  readonly accent: string;
  readonly helper: string;
}

export interface Theme {
  /** Theme in `src/themes` that draws the formats; by default `studio`. */
  readonly name?: string;
  /** BCP 47 language tag, for number formats and text direction; by default `en`. */
  readonly language?: string;
  readonly style: Style;
  readonly palette: Palette;
  /** Seed of all pseudo-random values. */
  readonly seed: number;
}

/** The frame in world units: the plane z = 0 shows exactly width × height, with the origin at its centre. */
export interface View {
  readonly width: number;
  readonly height: number;
  /** Height of the floor on that plane. */
  readonly groundY: number;
}

export interface SceneDefinition {
  readonly id: string;
  /** Chapter title in the video; by default the id. */
  readonly title?: string;
  /** Seconds from the start of the film. Scenes may overlap, so that one enters while the other leaves. */
  readonly startSeconds: number;
  readonly durationSeconds: number;
  /** Backdrop behind `World`; by default the palette's. `clean` leaves out its shapes, light and vignette. */
  readonly background?: { readonly top: string; readonly bottom: string; readonly clean?: boolean };
  /** Whether only keyframed motion is allowed. If so, the backdrop is static too. */
  readonly still?: boolean;
  /** 3D content, drawn in the stage's only canvas. A film without any has no canvas. */
  readonly World?: ComponentType;
  /** HTML content, above the canvas. */
  readonly Overlay: ComponentType;
}

export interface AudioTrack {
  readonly src: string;
  readonly startSeconds: number;
  readonly offsetSeconds?: number;
  /** By default until the end of the file or of the film. */
  readonly durationSeconds?: number;
  /** Gain in decibels, -60 to 24. */
  readonly gainDb?: number;
  readonly fadeInSeconds?: number;
  readonly fadeOutSeconds?: number;
}

export interface FilmDefinition {
  readonly title: string;
  readonly durationSeconds: number;
  readonly fps: number;
  /** Full size of the frame in pixels. Every other size shows the same image. */
  readonly width: number;
  readonly height: number;
  readonly view: View;
  readonly theme: Theme;
  readonly scenes: readonly SceneDefinition[];
  readonly audio?: readonly AudioTrack[];
}

/**
 * Returns the film in an aspect such as `9:16`, with the same shorter side; `null` for its own. Formats lay themselves out in
 * it. A film with code scenes is never requested in another aspect, so the view of its 3D content need not change.
 */
export function inAspect(film: FilmDefinition, aspect: string | null): FilmDefinition {
  if (aspect === null) return film;
  const [across = 1, down = 1] = aspect.split(':').map(Number);
  const unit = Math.min(film.width, film.height) / Math.min(across, down);
  return { ...film, width: Math.round(across * unit), height: Math.round(down * unit) };
}
