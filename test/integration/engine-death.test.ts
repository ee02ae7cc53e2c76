import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorMessage } from '#contract/errors.ts';
import type { ProjectEvent } from '#contract/events.ts';
import { filmSources } from '../fixtures/film-sources.ts';
import { type OwnEngine, ownEngine, ownEngineObstacle } from '../fixtures/own-engine.ts';
import { untilPasses } from '../fixtures/progress.ts';
import { type Studio, startStudio } from '../fixtures/studio.ts';
import { projectsOf } from '../fixtures/studio-project.ts';

const image = 'koda-sandbox:latest';
const prompt = 'a green cube spins, smooth, 2 seconds, 640x360';

const obstacle = ownEngineObstacle();
const names = (files: Map<string, string>) => [...files.keys()].toSorted();

const isOneDone = (event: ProjectEvent) => event.type === 'todo.updated' && event.todos.some(({ status }) => status === 'done');
/** The user is notified that Docker is unavailable, and what happens next. */
const isNews = ({ message }: Extract<ProjectEvent, { type: 'message.added' }>) =>
  message.role === 'system' && /^Docker (is not running|stopped).*resumes automatically/s.test(message.content);

/** Creates a project and accepts its plan, which starts the build. */
async function begin(projects: ReturnType<typeof projectsOf>): Promise<string> {
  const { id } = await projects.create(prompt);
  await projects.waitForApproval(id, 'plan', 0);
  await projects.post(id, 'plan', { action: 'accept' });
  return id;
}

describe.skipIf(obstacle !== null)(`dockerd is killed while a film is made${obstacle ? ` (not here: ${obstacle})` : ''}`, () => {
  const stack = new AsyncDisposableStack();
  const made: string[] = [];
  let engine: OwnEngine;
  let studio: Studio;
  let projects: ReturnType<typeof projectsOf>;

  beforeAll(async () => {
    engine = stack.use(await ownEngine(image));
    studio = stack.use(await startStudio({ sandbox: 'docker', dockerSocket: engine.socket }));
    projects = projectsOf(studio);
  });
  afterAll(async () => {
    await stack.disposeAsync();
  });

  async function toldUntil(id: string, matches: (event: ProjectEvent) => boolean): Promise<ProjectEvent[]> {
    const told: ProjectEvent[] = [];
    await projects.until(id, 0, (event) => told.push(event) > 0 && matches(event));
    return told;
  }

  async function expectWhole(id: string, told: readonly ProjectEvent[]): Promise<void> {
    const all = await toldUntil(id, (event) => event.type === 'approval.requested' && event.approval.type === 'preview');
    expect(all.slice(0, told.length)).toEqual(told);
    // A fast machine builds the film before the engine returns and ends its sandbox. Reads then respond with a retryable
    // error.
    const filesNow = () => projects.files(id).then(names, (error: unknown) => errorMessage(error));
    const { plan } = await projects.snapshot(id);
    const sources = await filmSources(plan);
    await untilPasses('the sources of the film', async () => expect(await filesNow()).toEqual(sources));
  }

  async function sandboxHealth(): Promise<{ available: boolean; detail: string | null }> {
    const answer = await fetch(`${studio.url}/api/health`);
    return ((await answer.json()) as { sandbox: { available: boolean; detail: string | null } }).sandbox;
  }

  it('A22, X7: recovers at once and finishes running work: the film is complete and no event is lost', async () => {
    const id = await begin(projects);
    made.push(id);
    const told = await toldUntil(id, (event) => event.type === 'file.written');
    await engine.kill();
    await engine.start();
    await expectWhole(id, told);
  });

  it('A22, X7: reports to the user that the engine is unavailable, and resumes the work without help', async () => {
    const id = await begin(projects);
    made.push(id);
    const told = await toldUntil(id, isOneDone);
    await engine.killWithContainers();
    await projects.until(id, told.length, (event) => event.type === 'message.added' && isNews(event));
    const unavailable = { available: false, detail: expect.stringMatching(/Docker is not running/) };
    await untilPasses('the absence of the engine', async () => expect(await sandboxHealth()).toMatchObject(unavailable));
    await engine.start();
    await expectWhole(id, told);
    await untilPasses('the return of the engine', async () => expect(await sandboxHealth()).toMatchObject({ available: true }));
  });

  it('A24: removes everything of the lost sandboxes except their caches', async () => {
    const left = async () => {
      const containers = await engine.docker.listContainers({ all: true });
      const { Volumes: volumes } = await engine.docker.listVolumes();
      const caches = volumes.filter(({ Labels: labels }) => 'koda.cache' in labels);
      return {
        states: containers.map(({ State: state }) => state),
        projects: containers.map(({ Labels: labels }) => labels['koda.project']),
        caches: caches.map(({ Labels: labels }) => labels['koda.project']).toSorted(),
        workspaces: volumes.length - caches.length,
      };
    };
    // The first project's sandbox ended with the engine, and no request has recreated it.
    const [, second] = made;
    const expected = { states: ['running'], projects: [second], caches: made.toSorted(), workspaces: 1 };
    // Cleanup runs every minute.
    await untilPasses('the cleanup of the studio', async () => expect(await left()).toEqual(expected));
  });
});
