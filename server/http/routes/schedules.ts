import { routes } from '#contract/routes.ts';
import type { HttpApp, HttpDeps } from '../deps.ts';
import { createOnce, idempotent } from '../edge/idempotency.ts';
import { described } from '../route.ts';

export function registerSchedules(app: HttpApp, { schedules, idempotency }: Pick<HttpDeps, 'schedules' | 'idempotency'>): void {
  app.openapi(described(routes.schedules, 'Schedules of one project or of all, oldest first'), async (c) =>
    c.json({ items: schedules.list(c.req.valid('query').project ?? null) }, 200),
  );
  app.openapi(
    {
      ...described(routes.createSchedule, 'Make and deliver films at fixed times', {
        description:
          'Five cron fields count in an IANA time zone. For each run, Koda reads the table, renders one video per row and delivers the videos. A missed run is caught up once, and three failures in a row pause the schedule.',
        answer: 'The schedule, and the secret that Koda made for its web address, which is shown only here',
      }),
      middleware: idempotent(idempotency, { fingerprint: 'body' }),
    },
    async (c) => {
      const created = await createOnce(c, 'sch', {
        find: async (id) => ({ schedule: schedules.get(id), secret: null }),
        make: (id) => schedules.create(c.req.valid('json'), id),
      });
      return c.json(created, 201);
    },
  );
  app.openapi(described(routes.scheduleTimes, 'The next five times of a cron expression'), async (c) =>
    c.json({ times: schedules.times(c.req.valid('json')) }, 200),
  );
  app.openapi(
    described(routes.checkSchedule, 'Read the table of a schedule as a run would, without making anything', {
      answer: 'The next five times, the rows, the headings of the table, and what is wrong with single rows',
    }),
    async (c) => c.json(await schedules.check(c.req.valid('json'), { signal: c.req.raw.signal }), 200),
  );
  app.openapi(described(routes.schedule, 'One schedule'), async (c) => c.json(schedules.get(c.req.valid('param').id), 200));
  app.openapi(
    described(routes.changeSchedule, 'Change a schedule', {
      answer: 'The schedule, and the secret that Koda made for a new web address',
    }),
    async (c) => c.json(await schedules.change(c.req.valid('param').id, c.req.valid('json')), 200),
  );
  app.openapi(described(routes.removeSchedule, 'Delete a schedule; its videos stay in the project'), async (c) => {
    await schedules.remove(c.req.valid('param').id);
    return c.json({ deleted: true as const }, 200);
  });
  app.openapi(described(routes.scheduleRuns, 'The latest runs of a schedule, newest first'), async (c) =>
    c.json({ items: schedules.runs(c.req.valid('param').id) }, 200),
  );
  app.openapi(
    described(routes.runSchedule, 'Start a run now, also of a paused schedule', { answer: 'The run, which has started' }),
    async (c) => c.json(schedules.runNow(c.req.valid('param').id), 202),
  );
  app.openapi(described(routes.pauseSchedule, 'Pause a schedule; a run that is going ends'), async (c) =>
    c.json(schedules.pause(c.req.valid('param').id), 200),
  );
  app.openapi(described(routes.resumeSchedule, 'Resume a paused schedule with its next time'), async (c) =>
    c.json(schedules.resume(c.req.valid('param').id), 200),
  );
}
