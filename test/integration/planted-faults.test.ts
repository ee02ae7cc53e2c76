import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProjectEvent } from '#contract/events.ts';
import { type LeadingModelOptions, leadingModel } from '../fixtures/leading-model.ts';
import { type ModelServer, startModelServer, type WireRequest } from '../fixtures/model-server.ts';
import { calmCode, calmPlan, calmScene, type PlantedFault, plantedFaults } from '../fixtures/planted-faults.ts';
import { type Studio, startStudio } from '../fixtures/studio.ts';
import { projectsOf } from '../fixtures/studio-project.ts';

const stack = new AsyncDisposableStack();
let studio: Studio;
let server: ModelServer;
let projects: ReturnType<typeof projectsOf>;
let behaviour: LeadingModelOptions;

beforeAll(async () => {
  server = stack.use(await startModelServer((request) => leadingModel(behaviour)(request)));
  const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'sk-test', KODA_MODEL: 'claude-sonnet-5-5' };
  studio = stack.use(await startStudio({ sandbox: 'docker', env }));
  projects = projectsOf(studio);
});
afterAll(() => stack.disposeAsync());

/** Starts a film with a fault in each scene, written by a generator that mends it at once when it is told, or never. */
async function startFilm(faults: readonly PlantedFault[], { mends }: { mends: boolean }): Promise<{ id: string; seq: number }> {
  const tries = new Map<number, number>();
  behaviour = {
    asksFirst: false,
    plan: () => calmPlan(faults.length),
    generated(task) {
      if (task.task !== 'create_scene') return undefined;
      const number = task.scenes[0] ?? 1;
      const made = tries.get(number) ?? 0;
      tries.set(number, made + 1);
      const fault = faults[number - 1];
      if (made > 0 && !mends && fault?.visible) return { files: [], deleted: [], summary: 'It is intended.' };
      return calmCode(faults.length, number, made > 0 && mends ? undefined : fault);
    },
  };
  server.requests.length = 0;
  const { id } = await projects.create('words over a disc, smooth');
  const { seq } = await projects.waitForApproval(id, 'plan', 0);
  await projects.post(id, 'plan', { action: 'accept' });
  return { id, seq };
}

const isChecked = (event: ProjectEvent) =>
  event.type === 'todo.updated' && event.todos.some(({ key, status }) => key === 'check' && status === 'done');

async function messagesOf(id: string): Promise<string[]> {
  const { messages } = await projects.snapshot(id);
  return messages.flatMap(({ role, content }) => (role === 'assistant' ? [content] : []));
}

const textOf = (value: unknown) => JSON.stringify(value).replaceAll('\\\\', '\\').replaceAll('\\"', '"');
/** Leaves out pictures, so that a failure can be read. */
const wordsOf = (value: unknown) => textOf(value).replaceAll(/"data":"[^"]*"/g, '"data":"…"');
const isGenerator = ({ tools }: WireRequest) => tools.some(({ name }) => name === 'write_files');

/** Returns what the generator of a scene was told about its first try: the text, and whether frames came with it. */
function correctionOf(number: number): { text: string; hasFrames: boolean } {
  const told = server.requests
    .filter((request) => isGenerator(request) && textOf(request.messages[0]).includes(`"scenes":[${number}]`))
    .map(({ messages }) => messages.flatMap(({ content }) => content.filter(({ type }) => type === 'tool_result')))
    .find((results) => results.length > 0);
  return { text: wordsOf(told ?? null), hasFrames: textOf(told ?? null).includes('"type":"image"') };
}

function expectEvidence(text: string, fault: PlantedFault, number: number): void {
  expect(text, fault.name).toMatch(new RegExp(`scene-${number}\\b|Scene ${number}\\b`));
  for (const part of fault.told) expect(text, fault.name).toMatch(part);
}

const visibleFaults = plantedFaults.filter(({ visible }) => visible);

/** Half of the faults, because a short film has at most seven scenes. */
const halvesOf = (faults: readonly PlantedFault[]) => {
  const middle = Math.ceil(faults.length / 2);
  return [['the first half', faults.slice(0, middle)] as const, ['the second half', faults.slice(middle)] as const];
};

describe('a generator with planted faults', () => {
  it.each(halvesOf(plantedFaults))('A8: is told of each fault of %s with its evidence, and mends it', async (_half, faults) => {
    const { id, seq } = await startFilm(faults, { mends: true });
    await projects.until(id, seq, isChecked);
    await projects.post(id, 'stop', {});
    for (const [index, fault] of faults.entries()) {
      const { text, hasFrames } = correctionOf(index + 1);
      expectEvidence(text, fault, index + 1);
      if (fault.visible) expect(hasFrames, fault.name).toBe(true);
    }
    const files = await projects.files(id);
    for (const [index] of faults.entries()) expect(files.get(`src/scenes/scene-${index + 1}.tsx`)).toBe(calmScene(index + 1));
    // The agent does not learn of faults that the generator has corrected.
    const agent = server.requests.filter((request) => !isGenerator(request)).map(({ messages }) => wordsOf(messages));
    expect(agent.filter((text) => /remarks:(?! \[\])|CHECK_FAILED/.test(text))).toEqual([]);
    expect((await messagesOf(id)).join()).not.toContain('remarks on it');
    expect(server.complaints).toEqual([]);
  });

  it('A8: that leaves what frames show, is reported to the agent and the user', async () => {
    const faults = visibleFaults.slice(0, 3);
    const { id, seq } = await startFilm(faults, { mends: false });
    await projects.until(id, seq, isChecked);
    await projects.post(id, 'stop', {});
    const agent = server.requests.filter((request) => !isGenerator(request)).map(({ messages }) => wordsOf(messages));
    const message = (await messagesOf(id)).find((text) => text.includes('remarks on it')) ?? '';
    for (const [index, fault] of faults.entries()) {
      const results =
        agent
          .at(-1)
          ?.split('tool: generate_code')
          .at(index + 1) ?? '';
      expectEvidence(results, fault, index + 1);
      expectEvidence(message, fault, index + 1);
    }
  });

  // The compiler finds the first one, and the page the second.
  it.each(plantedFaults.filter(({ name }) => /not parse|is drawn/.test(name)))(
    'A8: that never mends $name, ends with what remains',
    async (fault) => {
      const { id, seq } = await startFilm([fault], { mends: false });
      await expect(projects.until(id, seq, () => false)).rejects.toThrow('The project failed');
      const agent = server.requests.filter((request) => !isGenerator(request)).map(({ messages }) => wordsOf(messages));
      const result = agent.at(-1)?.split('tool: generate_code').at(1) ?? '';
      expect(result).toContain('CHECK_FAILED');
      expectEvidence(result, fault, 1);
      const message = (await messagesOf(id)).find((text) => text.startsWith('I tried')) ?? '';
      expectEvidence(message, fault, 1);
    },
  );
});
