import { common, errors } from './texts/common.ts';
import { plan } from './texts/plan.ts';
import { stage } from './texts/stage.ts';

/** Texts of the page that are read by name; the others stand where they are shown. */
export const texts = { common, errors, plan, stage } as const;
