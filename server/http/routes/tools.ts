import { routes } from '#contract/routes.ts';
import type { HttpApp, HttpDeps } from '../deps.ts';
import { callerOf } from '../edge/access.ts';
import { described } from '../route.ts';

type Deps = Pick<HttpDeps, 'projects'>;

export function registerTools(app: HttpApp, { projects }: Deps): void {
  app.openapi(described(routes.tools, 'Tools of a project, with the JSON Schema of their inputs'), async (c) =>
    c.json({ tools: await projects.tools(c.req.valid('param').id) }, 200),
  );
  app.openapi(
    described(routes.callAction, 'Perform a registered action, as the button of a surface does', {
      description:
        'A button sends its surface and its own id, and the action must be on that surface, which nobody has answered yet. An action that fails is not a failed request: `error` says why.',
    }),
    async (c) => {
      const { action: id } = c.req.valid('param');
      const { projectId, surfaceId, sourceComponentId, parameters } = c.req.valid('json');
      const button = surfaceId === undefined || sourceComponentId === undefined ? null : { surfaceId, sourceComponentId };
      const { data, error, executionMs } = await projects
        .as(callerOf(c))
        .runAction(projectId, { id, parameters, button }, { signal: c.req.raw.signal });
      const failure = error === null ? null : { code: error.code, message: error.message, details: error.details };
      return c.json({ success: error === null, data, error: failure, executionTime: executionMs, toolName: id }, 200);
    },
  );
  app.openapi(
    described(routes.callTool, 'Call a tool of a project', {
      description:
        'Changes are saved in a checkpoint before the response is sent. A tool that fails is not a failed request: `result` contains its error. While Koda is working on the project, only read-only tools can be called.',
    }),
    async (c) => {
      const { id, name } = c.req.valid('param');
      const { result, durationMs } = await projects.as(callerOf(c)).callTool(id, name, c.req.valid('json'), {
        signal: c.req.raw.signal,
      });
      if (result.status === 'suspended') throw new Error(`The tool ${name} can be called only by the author.`);
      if (result.status === 'error') {
        const { status, code, message, details } = result;
        return c.json({ durationMs, result: { status, code, message, details } }, 200);
      }
      const { status, output, summary, images } = result;
      return c.json({ durationMs, result: { status, output, summary, ...(images && { images: [...images] }) } }, 200);
    },
  );
}
