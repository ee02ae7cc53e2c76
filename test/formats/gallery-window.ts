import type { Palette } from '#kinds/film/contract/film.ts';

/** API of the gallery page. */
export interface GalleryWindow {
  /** Replaces the shown film. `__exportReady` reports when frames can be captured. */
  __showFilm(film: GalleryFilm): void;
  __textRuns(): TextRun[];
  __style(css: string): void;
  /** Returns how many of the frames from `first` to `last`, at 60 per second, differ from the one before. */
  __changedFrames(first: number, last: number): number;
  __galleryLoaded: boolean;
  readonly __exportReady: boolean;
  readonly __exportError: string | null;
  __exportSeekTo(seconds: number): void;
}

/** A scene as in the film document. */
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

/** A run of text on the page, in viewport pixels. */
export interface TextRun {
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly size: number;
  readonly color: string;
  /** Product of all ancestors' opacities. */
  readonly opacity: number;
  /** Number of pixels that ancestors clip. */
  readonly clipped: number;
  /** Block of text that the run belongs to. Runs in one block may touch. */
  readonly block: number;
}
