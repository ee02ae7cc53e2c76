/** The export interface of a film's page. It is project code and therefore untrusted. */
interface Window {
  __exportReady?: unknown;
  __exportError?: { stack?: unknown; message?: unknown } | null;
  __exportInfo?: unknown;
  __exportParameterError?: string;
  __exportCheckParameters?: (sets: readonly Readonly<Record<string, unknown>>[]) => (string | null)[];
  __exportCast?: () => unknown;
  __exportSeekTo?: (seconds: number) => unknown;
  readonly __virtualTime?: { set(milliseconds: number): void };
  __kodaCapture?: import('./protocol.ts').CaptureFunctions;
  __kodaCanvases?: import('./redundant-draws.ts').CanvasMonitor;
}

/** Built from `wasm`; esbuild embeds its bytes. */
declare module '*.wasm' {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}

declare var kodaAgent: import('./protocol.ts').AgentFunctions | undefined;
