import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { KodaError } from '#contract/errors.ts';
import { minContextTokens } from '#contract/settings.ts';
import type { CommandContext } from '../client.ts';

const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < min || value > max)
      throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`);
    return value;
  };

const examples = `
The model runs in this command's process, so the file needs a source that you trust. Koda's server only sends it requests.

Examples:
  koda model qwen3-4b-instruct-q4_k_m.gguf
  koda model model.gguf --host 172.17.0.1     for a studio in a container on Linux: the address of Docker's bridge`;

interface ModelFlags {
  readonly host: string;
  readonly port: number;
  readonly key?: string;
  readonly context: number;
  readonly threads?: number;
}

export function modelCommand(program: Command, context: () => CommandContext): void {
  program
    .command('model')
    .description('serve a model file (GGUF) to the studio until Ctrl+C; nothing is downloaded')
    .argument('<file>', 'model file')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 chooses one', wholeNumber(0, 65_535), 8080)
    .option('--key <key>', 'key that requests need (default: a random one)')
    .option('--context <tokens>', 'context size, at most that of the model', wholeNumber(minContextTokens, 1_048_576), 16_384)
    .option('--threads <number>', 'CPU threads (default: one for each core)', wholeNumber(1, 1024))
    .addHelpText('after', examples)
    .action((file: string, flags: ModelFlags) => serveModel(resolve(file), flags, context()));
}

/** Serves a model file until the signal aborts. */
async function serveModel(file: string, flags: ModelFlags, { terminal, signal }: CommandContext): Promise<void> {
  const { host, port, key = randomBytes(24).toString('base64url'), context, threads = null } = flags;
  // Imported here, so that other commands start quickly.
  const [{ serve }, { chatServer }, { loadModelFile }] = await Promise.all([
    import('@hono/node-server'),
    import('./chat-server.ts'),
    import('./llama.ts'),
  ]);
  terminal.note(`Loading ${file}…`);
  await using model = await loadModelFile(file, { contextTokens: context, threads });
  const server = serve({ fetch: chatServer(model, key).fetch, hostname: host, port });
  await Promise.race([once(server, 'listening'), once(server, 'error').then(([error]) => cannotListen(flags, error))]);
  const address = `http://${host}:${(server.address() as AddressInfo).port}`;
  terminal.result(settingsText({ address, key, name: model.name, contextTokens: model.contextTokens }));
  terminal.note('Serving until Ctrl+C.');
  if (!signal.aborted) await once(signal, 'abort');
  if ('closeAllConnections' in server) server.closeAllConnections();
  server.close();
}

function cannotListen({ host, port }: ModelFlags, error: unknown): never {
  const reason = error instanceof Error ? error.message : 'unknown error';
  throw new KodaError(
    'CONFLICT',
    `The model could not be served at ${host}:${port}: ${reason}. Choose another --port or --host.`,
  );
}

/** Returns lines for `.env`. The settings page has fields for the same values. */
function settingsText(told: { address: string; key: string; name: string; contextTokens: number }): string {
  return [
    `ANTHROPIC_BASE_URL=${told.address}`,
    `ANTHROPIC_API_KEY=${told.key}`,
    `KODA_MODEL=${told.name}`,
    'KODA_MODEL_API=chat',
    'KODA_MODEL_PATH=formats',
    `KODA_MODEL_CONTEXT_TOKENS=${told.contextTokens}`,
  ].join('\n');
}
