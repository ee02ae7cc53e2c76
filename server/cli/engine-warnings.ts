import { text } from 'node:stream/consumers';
import { engineWarnings, knownHolesAsOf, versionsOf } from '../sandbox/known-holes.ts';

// Prints the known holes of the engine whose `docker version --format '{{json .Server}}'` arrives on the standard input.
const warnings = engineWarnings(versionsOf(JSON.parse(await text(process.stdin))));
if (warnings.length > 0) console.log(`Known vulnerabilities below the sandboxes (list of ${knownHolesAsOf}):`);
for (const warning of warnings) console.log(`- ${warning}`);
