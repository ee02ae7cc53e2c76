/** What a film's page offers to the renderer. It is the project's own code, so nothing of it can be relied on. */
interface Window {
  __exportReady?: unknown;
  __exportError?: { stack?: unknown; message?: unknown } | null;
  __exportInfo?: unknown;
  __exportParameterError?: string;
  __exportCheckParameters?: (sets: readonly Readonly<Record<string, unknown>>[]) => (string | null)[];
  __exportCast?: () => unknown;
  __exportSeekTo?: (seconds: number) => unknown;
  /** Set by `capture.ts` before every script of the page. */
  __kodaCapture?: import('./protocol.ts').CaptureFunctions;
  /** Set by `still-canvas.ts`, where canvases are watched. */
  __kodaCanvases?: import('./still-canvas.ts').CanvasWatch;
}

/** Set by `agent.ts`, in a world of its own. */
declare var kodaAgent: import('./protocol.ts').AgentFunctions | undefined;
