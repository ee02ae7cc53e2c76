import { flushCompileCache } from 'node:module';
import type { Logger } from 'pino';
import { errorMessage } from '#contract/errors.ts';
import { type Config, readConfig } from './lib/config.ts';
import { armFailpoint } from './lib/failpoint.ts';
import { createLog } from './lib/log.ts';
import { setPrivateUmask } from './storage/data-paths.ts';

/** What runs in this process; `stop` ends it in the reverse order of its start. */
interface Service {
  stop(): Promise<void>;
}

const services: Record<string, (config: Config, log: Logger) => Promise<Service>> = {
  // Loaded when it is started: the broker, which holds the engine's socket, runs nothing of the studio's code.
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

/** Under the 30 s that compose gives a container before it is killed. */
const stopTimeoutMs = 25_000;

/** The end of a process that cannot go on: one sentence for whoever started it. */
function die(message: string, exitCode: number): never {
  process.stderr.write(`${message}\n`);
  process.exit(exitCode);
}

function config(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    return die(errorMessage(error), 2);
  }
}

async function main(command: string): Promise<void> {
  const start = services[command];
  if (start === undefined) return die(`Unknown command "${command}". Use one of: ${Object.keys(services).join(', ')}.`, 2);
  const settings = config();
  const log = createLog(settings);
  if (settings.failpoint !== null) armFailpoint(settings.failpoint);
  // What nobody caught may have left anything half done: the next start recovers from what is durable.
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, event);
      process.exit(1);
    });
  }

  // A signal during the start waits for it: what is half started could not be stopped in order.
  const starting = start(settings, log).catch((error: unknown) => {
    log.debug({ err: error }, 'start failed');
    return die(errorMessage(error), 1);
  });
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.error(`stopping took more than ${stopTimeoutMs} ms; what is left is cut off`);
      process.exit(1);
    }, stopTimeoutMs).unref();
    await (await starting).stop();
    log.info('stopped');
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
  await starting;
  // Where Node keeps what it makes of the sources (NODE_COMPILE_CACHE), it does so at an orderly end alone: a server that
  // is killed again and again would be slow at every start.
  flushCompileCache();
}

await main(process.argv[2] ?? 'serve');
