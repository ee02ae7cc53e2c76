import type { App, McpUiHostContext } from '@modelcontextprotocol/ext-apps';
import { applyDocumentTheme, applyHostFonts, applyHostStyleVariables } from '@modelcontextprotocol/ext-apps';
import { z } from 'zod';

/** The only calls that take long are of a sandbox that has to start. */
const callTimeoutMs = 180_000;
const mediaTypeSchema = z.string().regex(/^(?:image|video)\/[a-z0-9.+-]+$/);
const failureSchema = z.object({ error: z.object({ message: z.string().min(1) }) });

/** A failure whose message is for the user. */
export class CallFailure extends Error {}

/** A picture or video as a data: URL, because the policies of clients allow no others. */
export interface Media {
  readonly mediaType: string;
  readonly base64: string;
}
export const dataUrl = ({ mediaType, base64 }: Media): string => `data:${mediaType};base64,${base64}`;

type ToolResult = Awaited<ReturnType<App['callServerTool']>>;

/** Returns the message of a tool's failure. */
export function failureOf({ content }: Pick<ToolResult, 'content'>): string {
  const [first] = content;
  const text = first?.type === 'text' ? first.text : '';
  try {
    return failureSchema.parse(JSON.parse(text)).error.message;
  } catch {
    // The failure is the client's own, or from another version of Koda.
    return text === '' ? 'The call failed without a message. Try again.' : text.slice(0, 500);
  }
}

function toFailure(error: unknown): CallFailure {
  const text = error instanceof Error ? error.message : String(error);
  return new CallFailure(text.replace(/^MCP error -?\d+: /, '').slice(0, 500), { cause: error });
}

/** Koda's tools and resources, as the client passes them on. Every failure is a CallFailure. */
export class KodaHost {
  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
  }

  async call(name: string, input: Record<string, unknown>): Promise<ToolResult> {
    const result = await this.#app
      .callServerTool({ name, arguments: input }, { timeout: callTimeoutMs })
      .catch((error: unknown) => Promise.reject(toFailure(error)));
    if (result.isError) throw new CallFailure(failureOf(result));
    return result;
  }

  /** Returns the film at a time. Resources need no confirmation in most clients, so they are preferred to the tool. */
  async still(projectId: string, seconds: number): Promise<Media> {
    if (this.#app.getHostCapabilities()?.serverResources !== undefined)
      return await this.read(`koda://projects/${projectId}/stills/${seconds}`);
    const { content } = await this.call('screenshot', { project_id: projectId, seek_to: seconds });
    const image = content.find(({ type }) => type === 'image');
    if (image?.type !== 'image') throw new CallFailure('Koda sent no picture. Try again.');
    return { mediaType: mediaTypeSchema.parse(image.mimeType), base64: image.data };
  }

  async read(uri: string): Promise<Media> {
    const { contents } = await this.#app
      .readServerResource({ uri }, { timeout: callTimeoutMs })
      .catch((error: unknown) => Promise.reject(toFailure(error)));
    const [content] = contents;
    const mediaType = mediaTypeSchema.safeParse(content?.mimeType);
    if (content === undefined || !('blob' in content) || !mediaType.success)
      throw new CallFailure('Koda sent no picture or video here. Open the film in the studio instead.');
    return { mediaType: mediaType.data, base64: content.blob };
  }

  async open(url: string): Promise<void> {
    const isWeb = /^https?:\/\//.test(url);
    const result = isWeb
      ? await this.#app.openLink({ url }).catch((error: unknown) => Promise.reject(toFailure(error)))
      : { isError: true };
    if (result.isError) throw new CallFailure(`This client opens no links. Open it yourself: ${url.slice(0, 300)}`);
  }

  /** Saves a file through the client. Returns whether the client can do that. */
  async save(uri: string, { mediaType, base64 }: Media): Promise<boolean> {
    if (this.#app.getHostCapabilities()?.downloadFile === undefined) return false;
    const resource = { uri, mimeType: mediaType, blob: base64 };
    const { isError } = await this.#app
      .downloadFile({ contents: [{ type: 'resource', resource }] })
      .catch((error: unknown) => Promise.reject(toFailure(error)));
    return isError !== true;
  }

  /** Tells the client's model what the user has done here, if the client supports that. */
  async tellModel(text: string): Promise<void> {
    if (this.#app.getHostCapabilities()?.updateModelContext === undefined) return;
    await this.#app
      .updateModelContext({ content: [{ type: 'text', text }] })
      .catch((error: unknown) => Promise.reject(toFailure(error)));
  }

  async toggleFullscreen(): Promise<void> {
    const mode = this.#app.getHostContext()?.displayMode === 'fullscreen' ? 'inline' : 'fullscreen';
    await this.#app.requestDisplayMode({ mode }).catch((error: unknown) => Promise.reject(toFailure(error)));
  }
}

/** Koda's tokens that take the client's colours, if it has any. Accents stay Koda's. */
const hostColours = {
  '--ground': '--color-background-primary',
  '--panel': '--color-background-primary',
  '--sunken': '--color-background-secondary',
  '--ink': '--color-text-primary',
  '--ink-2': '--color-text-secondary',
  '--ink-3': '--color-text-secondary',
  '--line': '--color-border-tertiary',
  '--line-strong': '--color-border-primary',
} as const;

/** Applies the client's theme, colours and fonts. */
export function applyLook({ theme, styles }: McpUiHostContext): void {
  if (theme !== undefined) applyDocumentTheme(theme);
  if (styles?.css?.fonts !== undefined) applyHostFonts(styles.css.fonts);
  if (styles?.variables === undefined) return;
  applyHostStyleVariables(styles.variables);
  for (const [token, variable] of Object.entries(hostColours)) {
    const value = styles.variables[variable];
    if (value !== undefined) document.documentElement.style.setProperty(token, value);
  }
}
