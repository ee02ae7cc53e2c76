import type { CallOptions, Sandbox } from './sandbox.ts';

/** What films are drawn and encoded with; null = not known. */
export interface ToolVersions {
  readonly chromium: string | null;
  readonly ffmpeg: string | null;
}

const timeoutMs = 5_000;
const maxOutputCharacters = 4_000;
/** The browsers that sandboxd takes, in its order (`sandboxd/browser/executables.ts`). */
const browsers =
  '"$KODA_CHROMIUM" /usr/lib/chromium/chromium-headless-shell chromium-headless-shell chrome-headless-shell chromium chromium-browser google-chrome';
const command = `for browser in ${browsers}; do if command -v "$browser" >/dev/null; then "$browser" --version; break; fi; done; ffmpeg -version | head -n 1`;

/** What a sandbox says of its tools; what it does not say in time is null. It is hostile: only numbers of versions are read. */
export async function readToolVersions(sandbox: Pick<Sandbox, 'exec'>, { signal }: CallOptions): Promise<ToolVersions> {
  let output = '';
  const request = { command, cwd: null, env: {}, timeoutMs };
  for await (const event of sandbox.exec(request, { signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs * 2)]) })) {
    if (event.type === 'stdout') output += event.text;
    if (output.length > maxOutputCharacters) break;
  }
  return toolVersionsIn(output);
}

/** Pure. */
export function toolVersionsIn(output: string): ToolVersions {
  return {
    chromium: /(?:chrom(?:e|ium)[a-z -]{0,20}|headless[a-z]{0,20}) ?\/?v?(\d{1,5}(?:\.\d{1,6}){1,4})/i.exec(output)?.[1] ?? null,
    ffmpeg: /^ffmpeg version n?(\d{1,3}(?:\.\d{1,4}){1,3})/im.exec(output)?.[1] ?? null,
  };
}

/** The versions, asked for once for as long as this server runs: every sandbox is made from one image. */
export class KnownToolVersions {
  readonly #running: () => Pick<Sandbox, 'exec'> | null;
  #known: ToolVersions = { chromium: null, ffmpeg: null };

  constructor(running: () => Pick<Sandbox, 'exec'> | null) {
    this.#running = running;
  }

  /** Never throws, and starts no sandbox: without one that runs, they are what is known so far. */
  async read(options: CallOptions): Promise<ToolVersions> {
    const sandbox = this.#known.chromium === null ? this.#running() : null;
    if (sandbox === null) return this.#known;
    try {
      this.#known = await readToolVersions(sandbox, options);
    } catch {
      // A sandbox that is just going. The next question finds another one.
    }
    return this.#known;
  }
}
