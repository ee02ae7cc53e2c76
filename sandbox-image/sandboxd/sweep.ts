import { killTree } from './processes/tree.ts';

/** Kills every process with an environment variable: `node sweep.ts NAME=value`. Cleans up after a daemon that was killed. */
const tag = process.argv[2];
if (!tag?.includes('=')) throw new Error('Usage: node sweep.ts NAME=value');
await killTree({ groupId: null, tag });
