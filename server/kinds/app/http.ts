import { appRoutes } from '#kinds/app/contract/routes.ts';
import type { HttpApp, HttpDeps } from '../../http/deps.ts';
import { callerOf } from '../../http/edge/access.ts';
import { untrustedContentPolicy } from '../../http/edge/headers.ts';
import { described } from '../../http/route.ts';
import { plannedIn } from '../../projects/document.ts';
import type { AppData } from './data/app-data.ts';
import { importTable } from './data/import-table.ts';
import { readableApp } from './document.ts';
import { listStarts } from './starting-points.ts';

interface Deps extends Pick<HttpDeps, 'store' | 'projects'> {
  readonly data: AppData;
}

export function registerApp(app: HttpApp, { store, projects, data }: Deps): void {
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
    described(appRoutes.appRecords, 'The records of an app, in the order of their creation', {
      description:
        'Values are as `model/record.ts` of the app stores them: money in minor units, choices and relations as ids. Starts the app if it is not running. `seq` is the number of the last change.',
    }),
    async (c) => {
      const { list = null } = c.req.valid('query');
      return c.json(await data.records(c.req.valid('param').id, list, { signal: c.req.raw.signal }), 200);
    },
  );
  app.openapi(
    described(appRoutes.changeAppRecords, 'Add, change and delete records of an app', {
      description:
        'Applies all changes or none. `put` adds a record, or sets the named values of one. A `batch` that is sent again takes effect once. The response is CONFLICT if a value is not as in `was`, and VALIDATION_ERROR with the app’s own message if it refuses a value.',
      answer: 'Applied, and on the app’s disk; a checkpoint follows within a second',
    }),
    async (c) => c.json(await data.change(c.req.valid('param').id, c.req.valid('json'), { signal: c.req.raw.signal }), 200),
  );
  app.openapi(
    described(appRoutes.queryApp, 'Query the records of an app with SQL', {
      description:
        'A table for each list and a column for each field, by their ids with `_` for `-`, and a column `id`. Choices and relations are names. Queries change nothing, and end after 5 s and 1,000 rows.',
    }),
    async (c) => c.json(await data.sql(c.req.valid('param').id, c.req.valid('json').query, { signal: c.req.raw.signal }), 200),
  );
  app.openapi(described(appRoutes.exportApp, 'A list of an app as CSV'), async (c) => {
    const { list } = c.req.valid('query');
    const csv = await data.exportCsv(c.req.valid('param').id, list, { signal: c.req.raw.signal });
    return new Response(new Uint8Array(csv), {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${list}.csv"`,
        'content-security-policy': untrustedContentPolicy,
        'cache-control': 'no-store',
      },
    });
  });
  app.openapi(
    described(appRoutes.importIntoApp, 'Add the rows of a table to a list of an app', {
      description:
        'Columns are matched to fields by name. A cell that does not fit its field becomes a note of its record, and a row without a value that the list needs is left out. `decisions` are by the number of a column, from 0. A request has at most 1 MB, so send a larger table in parts.',
      answer: 'Added, all rows or none',
    }),
    async (c) => {
      const options = { now: new Date(), signal: c.req.raw.signal };
      return c.json(await importTable(data, c.req.valid('param').id, c.req.valid('json'), options), 200);
    },
  );
  app.openapi(
    described(appRoutes.starts, 'Starting points for apps, with their documents', {
      description: 'To start from one, create a project of the kind `app` with the hints `document` and `start`.',
    }),
    (c) => c.json(listStarts(), 200),
  );
}
