import { z } from 'zod';
import { checkFailureResult } from '../../tools/checks/check-failure.ts';
import { completed, defineKindTool, descriptionsIn, type OwnTool, workPhases } from '../../tools/tool.ts';

const descriptionOf = descriptionsIn(new URL('./tools.md', import.meta.url));

/** Checks the finished app and moves the project to its preview. */
const showApp = defineKindTool(
  'show_app',
  { input: z.object({}), description: descriptionOf('show_app') },
  {
    isForAuthors: true,
    category: 'preview',
    risk: 'low',
    timeoutMs: 600_000,
    phases: workPhases,
    label: () => 'Verifying every page',
    async run(_input, context) {
      const { failure, contactSheet } = await context.checkBeforeDone(null);
      if (failure !== null) return checkFailureResult(failure, contactSheet);
      await context.checkpoint('preview');
      await context.previewRendered();
      return completed({ ok: true, preview_url: await context.previewUrl() }, 'Every page works');
    },
  },
);

/** Tools that only apps have. */
export const appTools: readonly OwnTool[] = [showApp];
