import { killTree } from './processes/tree.ts';

/**
 * `node sweep.ts NAME=value` ends every process that was started with this in its environment: what is left
 * of a sandbox without isolation whose daemon could not clean up itself.
 */
const mark = process.argv[2];
if (!mark?.includes('=')) throw new Error('Usage: node sweep.ts NAME=value');
await killTree({ groupId: null, mark });
