import { destination, type Logger, pino, stdTimeFunctions } from 'pino';
import type { Config } from './config.ts';

/** Fields that are redacted in every logged object. */
const secretFields = ['authorization', 'cookie', 'token', 'apiKey', 'api_key', 'password', 'secret', 'KODA_TOKEN', 'x-api-key'];

export function createLog({ logLevel }: Pick<Config, 'logLevel'>): Logger {
  const paths = secretFields.flatMap((field) =>
    ['', '*.', '*.*.'].map((prefix) => (field.includes('-') ? `${prefix.replace(/\.$/, '')}["${field}"]` : prefix + field)),
  );
  return pino(
    { level: logLevel, base: null, timestamp: stdTimeFunctions.isoTime, redact: { paths, censor: '[redacted]' } },
    destination({ fd: 2, sync: true }),
  );
}
