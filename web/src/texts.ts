import { code } from './texts/code.ts';
import { common, errors } from './texts/common.ts';
import { history } from './texts/history.ts';
import { plan } from './texts/plan.ts';
import { shortcuts } from './texts/shortcuts.ts';
import { stage } from './texts/stage.ts';
import { terminal } from './texts/terminal.ts';

/** Texts of the page that are read by name; the others stand where they are shown. */
export const texts = { code, common, errors, history, plan, shortcuts, stage, terminal } as const;
