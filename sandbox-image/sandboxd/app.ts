import { Hono } from 'hono';
import { requireToken } from './auth.ts';
import { errorResponse, ProtocolError } from './http.ts';

/** The routes of the daemon behind its token, and the one place where errors become answers. */
export function createApp(token: string, routes: readonly Hono[]): Hono {
  const app = new Hono();
  app.use(requireToken(token));
  for (const route of routes) app.route('/', route);
  app.notFound((c) => errorResponse(new ProtocolError('NOT_FOUND', 404, `There is no ${c.req.method} ${c.req.path}.`)));
  app.onError((error) => {
    const response = errorResponse(error);
    if (response.status >= 500) process.stderr.write(`${error.stack ?? error.message}\n`);
    return response;
  });
  return app;
}
