import { destination, type Logger, pino, stdTimeFunctions } from 'pino';
import type { Config } from './config.ts';

/** Fields whose values never reach a log, wherever a logged object carries them. */
const secretFields = ['authorization', 'cookie', 'token', 'apiKey', 'api_key', 'password', 'secret', 'KODA_TOKEN', 'x-api-key'];

/**
 * The log of this process: JSON lines on standard error, one an event, with ISO times. Written at once, so that
 * the last line before an exit is there.
 */
export function createLog({ logLevel }: Pick<Config, 'logLevel'>): Logger {
  const paths = secretFields.flatMap((field) =>
    ['', '*.', '*.*.'].map((prefix) => (field.includes('-') ? `${prefix.replace(/\.$/, '')}["${field}"]` : prefix + field)),
  );
  return pino(
    { level: logLevel, base: null, timestamp: stdTimeFunctions.isoTime, redact: { paths, censor: '[redacted]' } },
    destination({ fd: 2, sync: true }),
  );
}
