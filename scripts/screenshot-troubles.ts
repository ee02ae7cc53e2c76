// States of failed and running projects, simulated by changing the server's responses before the page receives them.
import type { Page } from '@playwright/test';
import { type ProjectSnapshot, projectSnapshotSchema } from '#contract/api.ts';
import type { Project } from '#contract/project.ts';
import type { PageState } from './screenshot-states.ts';

async function showChanged(page: Page, id: string, change: (snapshot: ProjectSnapshot) => ProjectSnapshot): Promise<void> {
  await page.route(`**/api/projects/${id}`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ json: change(projectSnapshotSchema.parse(await response.json())) });
  });
  await page.reload();
  await page.locator('h1').first().waitFor();
}

const withProject = (snapshot: ProjectSnapshot, change: Partial<Project>): ProjectSnapshot => ({
  ...snapshot,
  project: { ...snapshot.project, ...change },
});

const failure = {
  code: 'MODEL_OUTPUT_INVALID',
  message:
    'Scene 2 could not be built: src/scenes/scene-2.tsx(41,7): error TS2322: Type "string" is not assignable to type "number". Three attempts were made.',
  canRetry: true,
};

const halfDoneTodos = (snapshot: ProjectSnapshot): ProjectSnapshot['todos'] =>
  snapshot.todos.map((todo, index) => ({ ...todo, status: (['done', 'active'] as const)[index] ?? 'pending' }));

const failedTodos = (snapshot: ProjectSnapshot): ProjectSnapshot['todos'] =>
  halfDoneTodos(snapshot).map((todo) => (todo.status === 'active' ? { ...todo, status: 'failed', attempts: 3 } : todo));

const runningProject = (snapshot: ProjectSnapshot): ProjectSnapshot => ({
  ...withProject(snapshot, { phase: 'executing', running: true, thinking: 'Writing src/scenes/scene-1.tsx', sandbox: 'busy' }),
  todos: halfDoneTodos(snapshot),
  renders: [],
});

const rendering = (snapshot: ProjectSnapshot): ProjectSnapshot => {
  const [film] = snapshot.renders;
  if (!film) throw new Error('The project has no render.');
  const open = { videoUrl: null, thumbnailUrl: null, probe: null, renderTimeMs: null, finishedAt: null };
  const queued = { ...film, ...open, id: `${film.id.slice(0, -1)}x`, status: 'queued' as const, percent: 0, stage: null };
  const running = { ...film, ...open, status: 'running' as const, percent: 42, stage: 'capturing' as const };
  const error = { code: 'RENDER_FAILED', message: 'Frame 112 could not be drawn: THREE.WebGLRenderer: Context Lost.' };
  const failed = { ...film, ...open, id: `${film.id.slice(0, -1)}y`, status: 'failed' as const, error };
  return { ...snapshot, renders: [queued, running, failed, ...snapshot.renders.slice(1)] };
};

async function runInFilm(page: Page, script: string): Promise<void> {
  await page
    .getByRole('button', { name: /^(Play|Pause)$/ })
    .and(page.locator(':enabled'))
    .waitFor({ timeout: 60_000 });
  const frame = page.frames().find((candidate) => candidate.parentFrame() === page.mainFrame());
  if (!frame) throw new Error('The project has no live preview.');
  await frame.evaluate(script);
}

export const troubleStates = (id: string): readonly PageState[] => [
  {
    name: 'trouble-error',
    path: `/p/${id}`,
    act: (page) =>
      showChanged(page, id, (snapshot) => ({
        ...withProject(snapshot, { phase: 'error', error: failure }),
        todos: failedTodos(snapshot),
        renders: [],
      })),
  },
  {
    name: 'trouble-error-final',
    path: `/p/${id}?tab=storyboard`,
    act: (page) =>
      showChanged(page, id, (snapshot) => withProject(snapshot, { phase: 'error', error: { ...failure, canRetry: false } })),
  },
  { name: 'trouble-at-work', path: `/p/${id}`, act: (page) => showChanged(page, id, runningProject) },
  {
    name: 'trouble-waking',
    path: `/p/${id}?tab=preview`,
    act: async (page) => {
      // The response while a sandbox is being restored.
      await page.route(/\.localhost[:/]/, (route) =>
        route.fulfill({ status: 503, contentType: 'text/html', body: '<h1>The preview is starting</h1>' }),
      );
      await showChanged(page, id, (snapshot) => withProject(snapshot, { sandbox: 'created' }));
    },
  },
  { name: 'trouble-renders', path: `/p/${id}?tab=video`, act: (page) => showChanged(page, id, rendering) },
  {
    name: 'trouble-connection',
    path: `/p/${id}`,
    act: async (page) => {
      // The shared worker's event stream cannot be intercepted; without the worker, each page has its own stream.
      await page.addInitScript('delete globalThis.SharedWorker');
      await page.route('**/events*', (route) => route.abort());
      await page.reload();
      await page.getByText('Connection lost. Reconnecting; your work is safe.').waitFor({ timeout: 60_000 });
    },
  },
  {
    name: 'trouble-upload',
    path: `/p/${id}?tab=assets`,
    act: async (page) => {
      // The upload never ends, so its progress stays visible.
      await page.route('**/assets*', () => new Promise(() => undefined));
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles([
          { name: 'a photograph of the product from the left.png', mimeType: 'image/png', buffer: Buffer.alloc(3_000_000, 1) },
          { name: 'voice.mp3', mimeType: 'audio/mpeg', buffer: Buffer.alloc(1_000_000, 1) },
          { name: 'Display Bold.woff2', mimeType: 'font/woff2', buffer: Buffer.alloc(40_000, 1) },
        ]);
    },
  },
  {
    name: 'trouble-hung-preview',
    path: `/p/${id}?tab=preview`,
    act: async (page) => {
      await runInFilm(page, 'setTimeout(() => { const end = Date.now() + 25000; while (Date.now() < end); }, 50)');
      await page
        .getByText('Its code may be stuck in an endless loop, use too much memory, or take very long for each frame.')
        .waitFor({ timeout: 20_000 });
    },
  },
  {
    name: 'trouble-console',
    path: `/p/${id}?tab=preview`,
    act: async (page) => {
      await runInFilm(
        page,
        `for (let line = 0; line < 40; line += 1) {
          if (line % 9 === 4) console.error('TypeError: Cannot read properties of undefined (reading \\'position\\')\\n    at Ball (src/scenes/scene-1.tsx:41:7)');
          else if (line % 5 === 2) console.warn('THREE.Material: parameter ' + line + ' has value of undefined.');
          else console.log('bounce', line, { height: line / 3 });
        }`,
      );
      await page.waitForTimeout(800);
      await page
        .getByRole('button', { name: /^Console/ })
        .first()
        .click();
    },
  },
];
