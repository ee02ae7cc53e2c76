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
