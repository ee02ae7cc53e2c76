/** What the page offers to the renderer, and what `index.html` installs before every other script. */
interface Window {
  /** True when fonts, images, shaders and the first frame are there. */
  __exportReady: boolean;
  /** Why the page could not load; null while nothing went wrong. */
  __exportError: string | null;
  __exportInfo?: {
    durationSeconds: number;
    width: number;
    height: number;
    fps: number;
    scenes: { id: string; title: string; startSeconds: number; durationSeconds: number }[];
    audio: readonly import('./film-definition.ts').AudioTrack[];
    parameters: import('./parameters.ts').ParameterInfo[];
  };
  /** Set by the renderer before every script: values for the film's parameters. */
  __exportParameters?: Readonly<Record<string, unknown>>;
  /** Which of the values is not usable, and why; absent when all are. */
  __exportParameterError?: string;
  /** What is wrong with each set of values; null = nothing. */
  __exportCheckParameters?: (sets: readonly Readonly<Record<string, unknown>>[]) => (string | null)[];
  /** Draws exactly this moment (seconds), synchronously. */
  __exportSeekTo?: (seconds: number) => void;
  /** Who of the cast is there at the moment that was drawn last. */
  __exportCast?: () => import('./cast.ts').Sighting[];
  /** Tells the parent window and the renderer of an error. */
  __reportError: (message: string) => void;
  /** Only in export mode. */
  __virtualTime?: { set(milliseconds: number): void };
}
