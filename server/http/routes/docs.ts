import { z } from '@hono/zod-openapi';
import type { HttpApp, HttpDeps } from '../deps.ts';
import { escapeHtml, htmlPage } from '../edge/page.ts';
import { documentedPath } from '../route.ts';

const operationSchema = z.object({
  summary: z.string().default(''),
  description: z.string().default(''),
  parameters: z.array(z.object({ name: z.string(), in: z.string() }).loose()).default([]),
  requestBody: z.unknown().optional(),
  responses: z.record(z.string(), z.unknown()),
});
type Operation = z.infer<typeof operationSchema>;

/** Registers the API documentation, as OpenAPI 3.1 and as a page that needs no network. */
export function registerDocs(app: HttpApp, { version, hosts }: Pick<HttpDeps, 'version' | 'hosts'>): void {
  // Built on the first request, when all routes have been registered.
  let document: ReturnType<HttpApp['getOpenAPI31Document']> | null = null;
  const openapi = () => {
    document ??= app.getOpenAPI31Document({
      openapi: '3.1.0',
      ...(hosts.publicUrl === null ? {} : { servers: [{ url: hosts.publicUrl }] }),
      info: { title: 'Koda', version, description: 'From a sentence to a finished animation.' },
    });
    document.paths = Object.fromEntries(
      Object.entries(document.paths ?? {}).map(([path, operations]) => [documentedPath(path), operations]),
    );
    return document;
  };

  app.get('/api/openapi.json', (c) => c.json(openapi()));
  app.get('/docs', (c) => {
    const operations = Object.entries(openapi().paths ?? {}).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => operationHtml(method, path, operationSchema.parse(operation))),
    );
    const intro = `<h1>Koda API ${escapeHtml(version)}</h1><p>Machine-readable: <a href="${hosts.basePath}/api/openapi.json">/api/openapi.json</a>. Errors are <code>{ error: { code, message, details?, recovery? } }</code>. A POST that creates accepts <code>Idempotency-Key</code>.</p>`;
    return c.html(htmlPage('Koda API', intro + operations.join('')));
  });
}

function operationHtml(method: string, path: string, operation: Operation): string {
  const parameters = operation.parameters.map(
    (parameter) => `<li><code>${escapeHtml(parameter.name)}</code> in ${escapeHtml(parameter.in)}</li>`,
  );
  const { default: _failure, ...responses } = operation.responses;
  const details = (title: string, value: unknown) =>
    value === undefined
      ? ''
      : `<details><summary>${title}</summary><pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre></details>`;
  return `<section><h2><code><span class="method">${method.toUpperCase()}</span>${escapeHtml(path)}</code></h2><p>${escapeHtml(operation.summary)}. ${escapeHtml(operation.description)}</p>${parameters.length > 0 ? `<ul>${parameters.join('')}</ul>` : ''}${details('Body', operation.requestBody)}${details('Responses', responses)}</section>`;
}
