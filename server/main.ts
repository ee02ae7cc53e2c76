import { flushCompileCache } from 'node:module';
import type { Logger } from 'pino';
import { errorMessage } from '#contract/errors.ts';
import { type Config, readConfig } from './lib/config.ts';
import { armFailpoint } from './lib/failpoint.ts';
import { createLog } from './lib/log.ts';
import { setPrivateUmask } from './storage/data-paths.ts';

interface Service {
  stop(): Promise<void>;
}

const services: Record<string, (config: Config, log: Logger) => Promise<Service>> = {
  // Imported here, so that the broker, which can access the engine's socket, does not load studio code.
  serve: async (config, log) => {
    const { startStudio } = await import('./wiring.ts');
    setPrivateUmask();
    return startStudio(config, log);
  },
  broker: async (config) => {
    const { startBroker } = await import('./sandbox/broker.ts');
    const broker = await startBroker(config);
    return { stop: () => broker.close() };
  },
};

/** Shorter than the 30 s that compose waits before it kills a container. */
const stopTimeoutMs = 25_000;

function exitWith(message: string, exitCode: number): never {
  process.stderr.write(`${message}\n`);
  process.exit(exitCode);
}

function config(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    return exitWith(errorMessage(error), 2);
  }
}

async function main(command: string): Promise<void> {
  const start = services[command];
  if (start === undefined) return exitWith(`Unknown command "${command}". Use one of: ${Object.keys(services).join(', ')}.`, 2);
  const settings = config();
  const log = createLog(settings);
  if (settings.failpoint !== null) armFailpoint(settings.failpoint);
  // An uncaught error may leave anything half done. The next start recovers from durable data.
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, event);
      process.exit(1);
    });
  }

  // A signal during startup waits for startup to finish, because a partly started server cannot be stopped in order.
  const starting = start(settings, log).catch((error: unknown) => {
    log.debug({ err: error }, 'start failed');
    return exitWith(errorMessage(error), 1);
  });
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.error(`stopping took more than ${stopTimeoutMs} ms, exiting now`);
      process.exit(1);
    }, stopTimeoutMs).unref();
    await (await starting).stop();
    log.info('stopped');
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
  await starting;
  // Node writes its compile cache (NODE_COMPILE_CACHE) only on a regular exit. Without this call, a server that is always
  // killed would start slowly.
  flushCompileCache();
}

await main(process.argv[2] ?? 'serve');
