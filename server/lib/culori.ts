import { createRequire } from 'node:module';

// Uses Culori's CommonJS build, a single file, because loading its 151 ES modules takes 100 ms at each start of the server.
const culori = createRequire(import.meta.url)('culori') as typeof import('culori');

export type { Oklch } from 'culori';
export const { clampChroma, colorsNamed, converter, formatHex, wcagContrast } = culori;
