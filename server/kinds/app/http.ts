import { appRoutes } from '#kinds/app/contract/routes.ts';
import type { HttpApp, HttpDeps } from '../../http/deps.ts';
import { callerOf } from '../../http/edge/access.ts';
import { described } from '../../http/route.ts';
import { plannedIn } from '../../projects/document.ts';
import { readableApp } from './document.ts';
import { listStarts } from './starting-points.ts';

export function registerApp(app: HttpApp, { store, projects }: Pick<HttpDeps, 'store' | 'projects'>): void {
  app.openapi(
    described(appRoutes.app, 'An app’s document: its lists, pages and views', {
      description: '`revision` is that of the plan, which each edit increments.',
    }),
    async (c) => {
      const plan = plannedIn(await store.state(c.req.valid('param').id));
      return c.json({ revision: plan.revision, document: readableApp(plan).document }, 200);
    },
  );
  app.openapi(
    described(appRoutes.editApp, 'Edit an app’s document', {
      description:
        'Saves all edits or none. The response is CONFLICT if the document no longer has what an edit names, or if the page’s file was edited by hand, and INVALID_TRANSITION with `wait` while Koda is building the app.',
      answer: 'Saved; the files and the live preview follow. `notes` says what else has changed',
    }),
    async (c) => {
      const plan = await projects.as(callerOf(c)).editDocument(c.req.valid('param').id, c.req.valid('json').edits);
      const { document, notes } = readableApp(plan);
      return c.json({ revision: plan.revision, document, notes: [...notes] }, 200);
    },
  );
  app.openapi(
    described(appRoutes.starts, 'Starting points for apps, with their documents', {
      description: 'To start from one, create a project of the kind `app` with the hints `document` and `start`.',
    }),
    (c) => c.json(listStarts(), 200),
  );
}
