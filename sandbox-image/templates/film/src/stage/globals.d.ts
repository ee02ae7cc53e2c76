/** Interface between page and renderer, and globals that `index.html` defines before all other scripts. */
interface Window {
  /** Whether fonts, images, shaders and the first frame are ready. */
  __exportReady: boolean;
  /** Error that occurred while the page loaded, or `null`. */
  __exportError: string | null;
  __exportInfo?: {
    durationSeconds: number;
    width: number;
    height: number;
    fps: number;
    scenes: { id: string; title: string; startSeconds: number; durationSeconds: number; isFormat: boolean }[];
    audio: readonly import('./film-definition.ts').AudioTrack[];
    parameters: import('./parameters.ts').ParameterInfo[];
  };
  /** Parameter values, set by the renderer before any script runs. */
  __exportParameters?: Readonly<Record<string, unknown>>;
  /** Describes the invalid parameter value, if there is one. */
  __exportParameterError?: string;
  /** Returns the validation error for each set of values, or `null` if it is valid. */
  __exportCheckParameters?: (sets: readonly Readonly<Record<string, unknown>>[]) => (string | null)[];
  /** Draws the frame at a time (seconds), synchronously. */
  __exportSeekTo?: (seconds: number) => void;
  __exportCast?: () => import('./cast.ts').VisibleBody[];
  __reportError: (message: string) => void;
  /** Only in export mode. */
  __virtualTime?: { set(milliseconds: number): void };
}
