import type { CallOptions, Sandbox } from './sandbox.ts';

/** Versions of the tools that draw and encode films. `null` if unknown. */
export interface ToolVersions {
  readonly chromium: string | null;
  readonly ffmpeg: string | null;
}

const timeoutMs = 5_000;
const maxOutputCharacters = 4_000;
/** The browsers that sandboxd looks up, in the same order (`sandboxd/browser/executables.ts`). */
const browsers =
  '"$KODA_CHROMIUM" /usr/lib/chromium/chromium-headless-shell chromium-headless-shell chrome-headless-shell chromium chromium-browser google-chrome';
const command = `for browser in ${browsers}; do if command -v "$browser" >/dev/null; then "$browser" --version; break; fi; done; ffmpeg -version | head -n 1`;

/** Reads a sandbox's tool versions, or `null` on timeout. Its output is untrusted, so only version numbers are read. */
export async function readToolVersions(sandbox: Pick<Sandbox, 'exec'>, { signal }: CallOptions): Promise<ToolVersions> {
  let output = '';
  const request = { command, cwd: null, env: {}, timeoutMs };
  for await (const event of sandbox.exec(request, { signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs * 2)]) })) {
    if (event.type === 'stdout') output += event.text;
    if (output.length > maxOutputCharacters) break;
  }
  return toolVersionsIn(output);
}

export function toolVersionsIn(output: string): ToolVersions {
  return {
    chromium: /(?:chrom(?:e|ium)[a-z -]{0,20}|headless[a-z]{0,20}) ?\/?v?(\d{1,5}(?:\.\d{1,6}){1,4})/i.exec(output)?.[1] ?? null,
    ffmpeg: /^ffmpeg version n?(\d{1,3}(?:\.\d{1,4}){1,3})/im.exec(output)?.[1] ?? null,
  };
}

/** Caches the versions for the server's lifetime, because all sandboxes use one image. */
export class KnownToolVersions {
  readonly #running: () => Pick<Sandbox, 'exec'> | null;
  #known: ToolVersions = { chromium: null, ffmpeg: null };

  constructor(running: () => Pick<Sandbox, 'exec'> | null) {
    this.#running = running;
  }

  /** Returns the known versions. Never throws and starts no sandbox: if none is running, returns the cached ones. */
  async read(options: CallOptions): Promise<ToolVersions> {
    const sandbox = this.#known.chromium === null ? this.#running() : null;
    if (sandbox === null) return this.#known;
    try {
      this.#known = await readToolVersions(sandbox, options);
    } catch {
      // The sandbox has just ended. The next call tries another one.
    }
    return this.#known;
  }
}
