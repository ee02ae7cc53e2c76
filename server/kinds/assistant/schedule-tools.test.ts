import { beforeEach, describe, expect, it } from 'vitest';
import type { ApprovalResponse } from '#contract/project.ts';
import type { Schedule, SchedulePatch } from '#contract/schedules.ts';
import type { ApprovalRequest, ToolContext } from '../../tools/context.ts';
import { scheduleTools } from './schedule-tools.ts';
import type { ActingStudio } from './studio.ts';

const aurora = 'sch_aurora00000000000000';
const offers = 'sch_offers00000000000000';

let schedules: Map<string, Schedule>;
let patches: SchedulePatch[];
let asked: ApprovalRequest[];
let answer: ApprovalResponse | null;
let ran: string[];

beforeEach(() => {
  const of = (id: string, name: string, cron: string) =>
    [id, { id, name, cron, timeZone: 'Europe/Berlin', state: 'active', nextRunAt: '2027-01-04T07:00:00.000Z' }] as [
      string,
      Schedule,
    ];
  schedules = new Map([of(aurora, 'Aurora', '0 17 * * *'), of(offers, 'Offers', '0 8 * * 1')]);
  [patches, asked, answer, ran] = [[], [], null, []];
});

function changed(id: string, change: Partial<Schedule>): Schedule {
  const schedule = { ...schedules.get(id), ...change } as Schedule;
  schedules.set(id, schedule);
  return schedule;
}

const studio = {
  schedules: async () => [...schedules.values()],
  async changeSchedule(id: string, patch: SchedulePatch) {
    patches.push(patch);
    return changed(id, patch.cron === undefined ? {} : { cron: patch.cron });
  },
  pauseSchedule: async (id: string) => changed(id, { state: 'paused', nextRunAt: null }),
  resumeSchedule: async (id: string) => changed(id, { state: 'active' }),
  runSchedule: async (id: string) => void ran.push(id),
  deleteSchedule: async (id: string) => void schedules.delete(id),
} as Partial<ActingStudio> as ActingStudio;

const context = {
  signal: new AbortController().signal,
  projectId: 'prj_a',
  async requestApproval(request: ApprovalRequest) {
    asked.push(request);
    return answer;
  },
} as Partial<ToolContext> as ToolContext;

const toolNamed = (name: string) => {
  const tool = scheduleTools(async () => studio).find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  return tool;
};
const call = (name: string, input: object) => toolNamed(name).call(input, context);

describe('schedules in a conversation', () => {
  it('T10: are changed in what is given, and the label says what changes', async () => {
    const change = { schedule: offers, cron: '30 7 * * 1', folder: null };
    expect(toolNamed('change_schedule').label(change)).toBe('Changing a schedule: Mondays at 07:30, saved in Koda alone');
    expect(await call('change_schedule', change)).toMatchObject({
      output: { schedules: [{ name: 'Offers', when: 'Mondays at 07:30 (Europe/Berlin)' }], url: '/schedules' },
    });
    expect(patches).toEqual([{ cron: '30 7 * * 1', delivery: { type: 'none' } }]);
  });

  it('T10: are paused and resumed, all or none', async () => {
    const both = { schedules: [aurora, offers] };
    expect(toolNamed('pause_schedules').label(both)).toBe('Pausing 2 schedules');
    expect(await call('pause_schedules', both)).toMatchObject({
      output: { schedules: [{ state: 'paused', next_run: null }, { state: 'paused' }] },
    });
    expect(await call('resume_schedules', { schedules: [offers] })).toMatchObject({
      output: { schedules: [{ state: 'active' }] },
    });
    const unknown = 'sch_unknown0000000000000';
    expect(await call('resume_schedules', { schedules: [aurora, unknown] })).toMatchObject({ code: 'NOT_FOUND' });
    expect(schedules.get(aurora)?.state).toBe('paused');
  });

  it('T10: are run at once, and the result says that the run has only started', async () => {
    expect(toolNamed('run_schedule').label({ schedule: offers })).toBe('Running a schedule now');
    expect(await call('run_schedule', { schedule: offers })).toMatchObject({ summary: 'A run of “Offers” has started' });
    expect(ran).toEqual([offers]);
  });

  it('T10: are deleted once the person has agreed to their names, and not otherwise', async () => {
    expect(await call('delete_schedules', { schedules: [offers] })).toMatchObject({ status: 'suspended' });
    expect(asked[0]).toMatchObject({ content: 'Delete 1 schedule?' });
    expect(JSON.stringify(asked[0]?.surface)).toContain('Mondays at 08:00 (Europe/Berlin)');
    answer = { outcome: 'free_text', text: 'yes' };
    expect(await call('delete_schedules', { schedules: [offers] })).toMatchObject({ code: 'CANCELLED' });
    expect(schedules.size).toBe(2);
    answer = { outcome: 'submitted', button: 'delete', values: {} };
    expect(await call('delete_schedules', { schedules: [offers] })).toMatchObject({ output: { deleted: [{ name: 'Offers' }] } });
    expect([...schedules.keys()]).toEqual([aurora]);
  });
});
