import { afterEach, beforeEach, expect, it } from 'vitest';
import { createdTokenSchema } from '#contract/access.ts';
import type { EventBody } from '#contract/events.ts';
import { koda, type Principal } from '#contract/principal.ts';
import { httpFixture, testKey } from '../../test/fixtures/http.ts';
import { connectMcp } from '../../test/fixtures/mcp-client.ts';
import { newProject, samplePlan, testPerson } from '../../test/fixtures/storage.ts';
import { createEventLog } from '../storage/event-log.ts';

let http: ReturnType<typeof httpFixture>;
let id: string;
beforeEach(async () => {
  http = httpFixture();
  const events: EventBody[] = [
    { type: 'plan.proposed', plan: samplePlan({ accepted: true }) },
    { type: 'project.phase', phase: 'complete', previous: 'idle', error: null },
  ];
  ({ id } = await http.stores.projects.create({ ...newProject(), events }));
});
afterEach(() => http[Symbol.dispose]());

async function authorsOf(type: EventBody['type']): Promise<(Principal | undefined)[]> {
  const events = await createEventLog(http.stores.database).read(id, 0, 1e6);
  return events.filter((event) => event.type === type).map(({ by }) => by);
}

async function sendOverMcp(secret: string, feedback: string): Promise<void> {
  await using mcp = await connectMcp('http://localhost:3000', {
    headers: { authorization: `Bearer ${secret}` },
    fetch: (url, init = {}) => http.call(new URL(url).pathname, { ...init, program: true } as Parameters<typeof http.call>[1]),
  });
  await mcp.call('send_feedback', { project_id: id, feedback, wait: false });
}

it('A20: the studio’s page and “koda” act as the local person', async () => {
  await http.send('PATCH', `/api/projects/${id}`, { name: 'Cube' });
  const headers = { authorization: `Bearer ${testKey}` };
  await http.send('PATCH', `/api/projects/${id}`, { name: 'Box' }, headers);
  expect(await authorsOf('project.updated')).toEqual([testPerson, testPerson]);
});

it('A20 G11: a program acts in its own name over MCP, even with the key of the person', async () => {
  const request = { name: 'Claude Code', scopes: ['read', 'write'], projects: [id] };
  const created = await http.send('POST', '/api/tokens', request);
  const { secret, token } = createdTokenSchema.parse(await created.json());
  await sendOverMcp(secret, 'Slower');
  await sendOverMcp(testKey, 'Faster');
  expect(await authorsOf('message.added')).toEqual([
    { type: 'program', id: token.id, name: 'Claude Code' },
    { type: 'program', id: 'local', name: 'A program on this computer' },
  ]);
});

it('A20: what follows from a message is Koda’s act, not that of its author', async () => {
  await http.send('POST', `/api/projects/${id}/messages`, { content: 'Slower' });
  await expect.poll(() => authorsOf('error')).toEqual([koda('run')]);
  expect(await authorsOf('message.added')).toEqual([testPerson]);
});
