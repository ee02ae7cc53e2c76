import type { Palette } from '#contract/film.ts';

/** What the gallery page offers to whoever drives it. */
export interface GalleryWindow {
  /** Shows a film in place of the one before; `__exportReady` says when its frames can be taken. */
  __showFilm(film: GalleryFilm): void;
  __textRuns(): TextRun[];
  /** Adds this style sheet to the page, in place of the one before. */
  __style(css: string): void;
  __galleryLoaded: boolean;
  readonly __exportReady: boolean;
  readonly __exportError: string | null;
  __exportSeekTo(seconds: number): void;
}

/** A scene as the film's document has it. */
interface GalleryScene {
  readonly format: string;
  readonly props: object;
  readonly seconds: number;
}

export interface GalleryFilm {
  readonly width: number;
  readonly height: number;
  readonly theme: {
    readonly name: string;
    readonly style: 'playful' | 'smooth' | 'cinematic';
    readonly seed: number;
    readonly language: string;
    readonly palette: Palette;
  };
  readonly scenes: readonly GalleryScene[];
  readonly icons: Readonly<Record<string, { readonly viewBox: string; readonly body: string }>>;
}

/** A run of text as it stands on the page, in pixels of the viewport. */
export interface TextRun {
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly size: number;
  readonly color: string;
  /** Product of all opacities around it. */
  readonly opacity: number;
  /** What is cut off by clips around it, in pixels. */
  readonly clipped: number;
  /** Which block of text it belongs to: runs of one block may touch. */
  readonly block: number;
}
