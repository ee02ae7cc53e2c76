import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routes } from '#contract/routes.ts';
import { endWithThisProcess } from '../fixtures/child-processes.ts';
import { koda } from '../fixtures/koda-command.ts';
import { until } from '../fixtures/progress.ts';
import { writeRandomModel } from '../fixtures/random-gguf.ts';
import { startStudio } from '../fixtures/studio.ts';

const root = join(import.meta.dirname, '../..');

/** What is read of a recorded exchange with the model. */
const exchangeSchema = z.looseObject({
  status: z.int(),
  request: z.looseObject({
    response_format: z.looseObject({ json_schema: z.looseObject({ schema: z.record(z.string(), z.unknown()) }) }).optional(),
  }),
  body: z.string(),
});
const chunkSchema = z.looseObject({
  choices: z.array(
    z.looseObject({ delta: z.looseObject({ content: z.string().optional() }), finish_reason: z.string().nullable() }),
  ),
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'koda-model-file-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts `koda model`. Returns the settings that it prints. */
async function serve(file: string): Promise<AsyncDisposable & { env: Record<string, string> }> {
  // A thread for each core would wait for cores that other tests use.
  const args = ['server/cli/koda.ts', 'model', file, '--port', '0', '--context', '32768', '--threads', '1'];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  endWithThisProcess(child);
  const env: Record<string, string> = {};
  for await (const line of createInterface(child.stdout)) {
    const [name = '', value = ''] = line.split('=', 2);
    env[name] = value;
    if (name === 'KODA_MODEL_CONTEXT_TOKENS') break;
  }
  return {
    env,
    async [Symbol.asyncDispose]() {
      child.kill('SIGINT');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

describe('koda model', () => {
  it('46.8: a model file with random weights plans a film through llama.cpp’s grammar: its answer is JSON of the schema', async () => {
    const file = join(folder, 'random.gguf');
    await writeRandomModel(file);
    await using server = await serve(file);
    expect(server.env).toMatchObject({ KODA_MODEL: 'random', KODA_MODEL_API: 'chat', KODA_MODEL_CONTEXT_TOKENS: '32768' });
    await using studio = await startStudio({ sandbox: 'process', env: { ...server.env, KODA_RECORD: '1' } });
    const { id } = await studio.client.call(routes.createProject, {
      body: { prompt: 'A red ball bounces, with the title “Hello”', style: 'playful' },
    });
    const snapshot = () => studio.client.call(routes.project, { id });
    await until('a plan', async () => (await snapshot()).plan !== null);
    const { plan } = await snapshot();
    // Random texts are no film, so the built-in author's is shown, and says why.
    expect(plan?.caveat).toContain('Koda’s built-in author planned this film instead.');

    const recordings = join(studio.dataDir, 'recordings');
    const names = await readdir(recordings);
    const exchanges = await Promise.all(
      names.toSorted().map(async (name) => exchangeSchema.parse(JSON.parse(await readFile(join(recordings, name), 'utf8')))),
    );
    // The server rejects the forced tool once, and the studio asks for JSON of its schema from then on.
    expect(exchanges.map(({ status }) => status)).toEqual([400, 200, 200]);
    for (const { request, body } of exchanges.slice(1)) {
      const { text, finishReason } = answerOf(body);
      expect(finishReason).toBe('stop');
      const validate = new Ajv2020({ strict: false }).compile(nullable(request.response_format?.json_schema.schema));
      expect(validate(JSON.parse(text)), `${text} ${JSON.stringify(validate.errors)}`).toBe(true);
    }
  });

  it('46.8: a file that is no model is refused with the reason', async () => {
    const { code, stderr } = await koda(['model', join(root, 'package.json')]);
    expect(code).toBe(2);
    expect(stderr).toContain('llama.cpp could not load');
  });
});

it('46.8: no package of the studio or of its tests needs llama.cpp', async () => {
  expect(await readFile(join(root, 'package-lock.json'), 'utf8')).not.toContain('node-llama-cpp');
  // The images are built from the folders that this file names.
  expect(await readFile(join(root, '.dockerignore'), 'utf8')).not.toContain('!scripts');
});

it('46.8: a missing model file is named', async () => {
  const { code, stderr } = await koda(['model', join(folder, 'missing.gguf')]);
  expect(code).toBe(4);
  expect(stderr).toContain('missing.gguf');
});

function answerOf(body: string): { text: string; finishReason: string | null } {
  const chunks = body.split('\n').flatMap((line) => {
    if (!line.startsWith('data: {')) return [];
    return chunkSchema.parse(JSON.parse(line.slice('data: '.length))).choices;
  });
  return {
    text: chunks.map(({ delta }) => delta.content ?? '').join(''),
    finishReason: chunks.findLast(({ finish_reason }) => finish_reason !== null)?.finish_reason ?? null,
  };
}

/** Returns a schema whose optional fields may be `null`, as in the grammar. */
function nullable(schema: unknown): Record<string, unknown> {
  return z.record(z.string(), z.unknown()).parse(
    JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
      const { data } = z
        .looseObject({ properties: z.record(z.string(), z.unknown()), required: z.array(z.string()).default([]) })
        .safeParse(value);
      if (data === undefined) return value;
      const fields = Object.entries(data.properties).map(([name, field]) => [
        name,
        data.required.includes(name) ? field : { anyOf: [field, { type: 'null' }] },
      ]);
      return { ...data, properties: Object.fromEntries(fields) };
    }),
  );
}
