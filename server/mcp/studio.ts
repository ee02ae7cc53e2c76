import type { JsonRoute, RouteInput, RouteResponse } from '#contract/routes.ts';
import type { EventBus } from '../events/bus.ts';
import type { ProjectService } from '../projects/commands.ts';

interface CallOptions {
  readonly signal: AbortSignal;
}

/**
 * The studio as the MCP server uses it: the routes that the page and `koda` call, with the same rules, and the tools of a
 * project.
 */
export interface Studio {
  /** Throws the KodaError of the response. */
  call<R extends JsonRoute>(route: R, input: RouteInput<R>, options: CallOptions): Promise<RouteResponse<R>>;
  /** Reads what a path serves. Throws TOO_LARGE above the limit, or the KodaError of the response. */
  read(path: string, options: CallOptions & { limitBytes: number }): Promise<Content>;
  readonly projects: Pick<ProjectService, 'active' | 'callTool' | 'propose'>;
  readonly bus: Pick<EventBus, 'follow'>;
  /** Returns the id of the project's running sandbox, or `null`. */
  sandboxOf(projectId: string, options: CallOptions): Promise<string | null>;
  /** Returns the project of a running sandbox, or `null`. */
  projectOf(sandboxId: string): string | null;
  /** Returns the page that chat clients show. Throws NOT_FOUND if it has not been built. */
  view(): Promise<string>;
  readonly version: string;
}

export interface Content {
  readonly bytes: Buffer;
  readonly mediaType: string;
}
