import { KodaError } from '#contract/errors.ts';
import { assistantKindId, assistantRoutes, readyJobs, stateOf, stepsOf } from '#kinds/assistant/contract/assistant.ts';
import type { HttpApp, HttpDeps } from '../../http/deps.ts';
import { described } from '../../http/route.ts';

export function registerAssistant(app: HttpApp, { store }: Pick<HttpDeps, 'store'>): void {
  app.openapi(
    described(assistantRoutes.readyJobs, 'Jobs of the assistant that need no language model', {
      description: 'To start one, create a project of the kind `assistant` with the title as the prompt.',
    }),
    (c) => c.json({ jobs: [...readyJobs] }, 200),
  );
  app.openapi(described(assistantRoutes.assistant, 'State and steps of a conversation with the assistant'), async (c) => {
    const snapshot = await store.snapshot(c.req.valid('param').id);
    if (snapshot.project.kind !== assistantKindId)
      throw new KodaError('NOT_FOUND', 'This project is not a conversation with the assistant.');
    return c.json({ state: stateOf(snapshot), steps: stepsOf(snapshot) }, 200);
  });
}
