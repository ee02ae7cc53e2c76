import { delimiter, join } from 'node:path';
import { invalidRequest } from '../http.ts';

/** What of the daemon's environment the programs of the project get. Its token is not among it. */
const passedOn = [
  'PATH',
  'HOME',
  'USER',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  'NODE_EXTRA_CA_CERTS',
  'npm_config_cafile',
  'KODA_SANDBOX_MARK',
] as const;

/** Environment of a program that runs in the workspace; what the caller adds comes last. Throws VALIDATION_ERROR. */
export function programEnvironment(workspace: string, own: NodeJS.ProcessEnv, added: Record<string, string>): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = {};
  for (const name of passedOn) if (own[name] !== undefined) environment[name] = own[name];
  environment['PATH'] = [join(workspace, 'node_modules/.bin'), own['PATH'] ?? '/usr/local/bin:/usr/bin:/bin'].join(delimiter);
  environment['TERM'] = 'dumb';
  environment['NO_COLOR'] = '1';
  // No tool may ask back, phone home or wait for a person.
  environment['CI'] = '1';
  environment['npm_config_update_notifier'] = 'false';
  for (const [name, value] of Object.entries(added)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || value.includes('\0')) {
      throw invalidRequest(`The environment variable "${name}" cannot be set.`);
    }
    environment[name] = value;
  }
  return environment;
}
