import { afterAll, beforeAll, it } from 'vitest';
import { z } from 'zod';
import { createdTokenSchema, scopeSchema } from '#contract/access.ts';
import { startTestStudio, type TestStudio } from '../fixtures/app.ts';
import { connectMcp } from '../fixtures/mcp-client.ts';
import { digest, expectGolden } from '../goldens/golden.ts';

let studio: TestStudio;
beforeAll(async () => {
  studio = await startTestStudio();
});
afterAll(async () => {
  await studio[Symbol.asyncDispose]();
});

const operationSchema = z.looseObject({
  parameters: z.array(z.looseObject({ name: z.string(), in: z.string() })).default([]),
  requestBody: z.unknown().optional(),
  responses: z.record(z.string(), z.unknown()),
});
const apiSchema = z.looseObject({ info: z.unknown(), paths: z.record(z.string(), z.record(z.string(), operationSchema)) });
type Operation = z.infer<typeof operationSchema>;

function operationLines(name: string, { parameters, requestBody, responses, ...texts }: Operation): string[] {
  return [
    `${name}: texts ${digest(texts)}`,
    ...parameters.map((parameter) => `${name}: ${parameter.in} ${parameter.name} ${digest(parameter)}`),
    ...(requestBody === undefined ? [] : [`${name}: body ${digest(requestBody)}`]),
    ...Object.entries(responses).map(([status, response]) => `${name}: response ${status} ${digest(response)}`),
  ];
}

it('G9: the API documents the same operations as before', async () => {
  const { info: _version, paths, ...rest } = apiSchema.parse(await studio.send('GET', '/api/openapi.json'));
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationLines(`${method.toUpperCase()} ${path}`, operation)),
  );
  await expectGolden('api.txt', [...operations.flat().toSorted(), `everything else: ${digest(rest)}`]);
});

/** Returns the names of a JSON schema's properties, and a digest of all of it. */
function schemaIn(schema: { readonly properties?: object | undefined } = {}): string {
  return `${Object.keys(schema.properties ?? {}).join(' ')} ${digest(schema)}`;
}

it('G11: MCP clients are offered the same tools and resources as before', async () => {
  const scopesOf = new Map<string, string>();
  for (const scope of scopeSchema.options) {
    const request = { name: scope, scopes: [scope], projects: 'all' };
    const { secret } = createdTokenSchema.parse(await studio.send('POST', '/api/tokens', request));
    await using mcp = await connectMcp(studio.url, { headers: { authorization: `Bearer ${secret}` } });
    for (const { name } of (await mcp.client.listTools()).tools)
      scopesOf.set(name, [scopesOf.get(name) ?? [], scope].flat().join(' or '));
  }
  await using mcp = await connectMcp(studio.url, {
    capabilities: { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } },
  });
  const { tools } = await mcp.client.listTools();
  const { resourceTemplates } = await mcp.client.listResourceTemplates();
  const { resources } = await mcp.client.listResources();
  await expectGolden('mcp.txt', [
    `instructions: ${digest(mcp.client.getInstructions())}`,
    ...tools.flatMap(({ name, title, description, inputSchema, outputSchema, ...hints }) => [
      `${name}: scope ${scopesOf.get(name)}, “${title}”, description ${digest(description)}, hints and view ${digest(hints)}`,
      `${name}: input ${schemaIn(inputSchema)}`,
      `${name}: output ${schemaIn(outputSchema)}`,
    ]),
    ...resources.map((resource) => `resource ${resource.uri}: ${digest(resource)}`),
    ...resourceTemplates.map((template) => `resource ${template.uriTemplate}: ${digest(template)}`),
  ]);
});
