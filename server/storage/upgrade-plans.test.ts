import { expect, it, vi } from 'vitest';
import type { EventBody } from '#contract/events.ts';
import { type Plan, planSchema } from '#contract/project.ts';
import { newProject, samplePlan, tempStores, testPerson } from '../../test/fixtures/storage.ts';
import { filmKind } from '../kinds/film/kind.ts';
import { type PlanUpgrade, upgradePlans } from './upgrade-plans.ts';

const scene = {
  number: 1,
  title: 'Ball',
  startSeconds: 0,
  durationSeconds: 6,
  description: 'It falls.',
  animationNotes: 'Fast.',
};
const look = { style: 'playful', aspect: '9:16', durationSeconds: 6, fps: 30 };

/** A plan as earlier versions stored it: the outline itself, without a document. */
function olderPlan(revision: number): Plan {
  const { id, accepted } = samplePlan();
  // Only its place in the database has the type of today.
  return { id, accepted, revision, title: `Ball ${revision}`, ...look, scenes: [scene], caveat: null } as unknown as Plan;
}

async function storedPlans(stores: ReturnType<typeof tempStores>, count: number): Promise<string> {
  const { id } = await stores.projects.create(newProject());
  const bodies = Array.from({ length: count }, (_, index): EventBody => ({ type: 'plan.proposed', plan: olderPlan(index + 1) }));
  await stores.projects.record(id, bodies, { by: testPerson });
  return id;
}

function planUpgrade(): PlanUpgrade {
  if (filmKind.planUpgrade === undefined) throw new Error('films have an upgrade of their plans');
  return filmKind.planUpgrade;
}

it('A22: upgrades the plans of earlier versions wherever they are stored, once', async () => {
  using stores = tempStores();
  const id = await storedPlans(stores, 3);
  const kind = { id: 'animation', planUpgrade: { version: planUpgrade().version, upgraded: vi.fn(planUpgrade().upgraded) } };
  await upgradePlans(stores.database, [kind, { id: 'other' }]);

  const { plan } = await stores.projects.state(id);
  expect(planSchema.parse(plan)).toMatchObject({ title: 'Ball 3', sections: [{ title: 'Ball' }], document: { aspect: '9:16' } });
  const { plan: earlier } = await stores.projects.stateAt(id, 1);
  expect(planSchema.parse(earlier)).toMatchObject({ title: 'Ball 1', revision: 1, document: { style: 'playful' } });
  expect(plan?.chips?.map(({ label }) => label)).toEqual(['playful', '9:16']);
  const texts = stores.database.sqlite.prepare('SELECT body FROM events UNION ALL SELECT draft FROM plans').pluck().all();
  for (const text of texts) expect(String(text)).toContain('"sections"');

  kind.planUpgrade.upgraded.mockClear();
  await upgradePlans(stores.database, [kind]);
  expect(kind.planUpgrade.upgraded).not.toHaveBeenCalled();
});

it('A22: continues after a start that ended half way, and leaves upgraded plans and other kinds as they are', async () => {
  using stores = tempStores();
  const id = await storedPlans(stores, 250);
  const { id: other } = await stores.projects.create({ ...newProject(), kind: 'other' });
  await stores.projects.record(other, [{ type: 'plan.proposed', plan: olderPlan(1) }], { by: testPerson });
  let calls = 0;
  const upgraded: PlanUpgrade['upgraded'] = (stored) => {
    calls += 1;
    if (calls === 150) throw new Error('the server was killed');
    return planUpgrade().upgraded(stored);
  };
  await expect(upgradePlans(stores.database, [{ id: 'animation', planUpgrade: { version: 1, upgraded } }])).rejects.toThrow(
    'killed',
  );
  const older = () =>
    stores.database.sqlite
      .prepare(`SELECT count(*) FROM plans WHERE project_id = '${id}' AND draft NOT LIKE '%"sections"%'`)
      .pluck()
      .get();
  expect(older()).toBe(150);

  await upgradePlans(stores.database, [{ id: 'animation', planUpgrade: planUpgrade() }]);
  expect(older()).toBe(0);
  for (const seq of [1, 125, 250]) expect((await stores.projects.stateAt(id, seq)).plan?.sections).toHaveLength(1);
  expect((await stores.projects.state(other)).plan).not.toHaveProperty('sections');
});
