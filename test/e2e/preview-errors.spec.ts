import { expect, type Page, test } from '@playwright/test';
import { shellSchema, terminalNames } from '#contract/sandbox/shells.ts';
import { lightFilm, lightFilmCode, rewrite } from './light-film.ts';
import { button, expectFilmTitle, openLive, startMs } from './live-preview.ts';
import { post, readSnapshot, studioUrl } from './studio.ts';

/** Kills only the dev server of the shell's own project. */
const killDevServer =
  'for p in $(pgrep -f -- "[-]-strictPort"); do [ "$(readlink /proc/$p/cwd)" = "$(pwd -P)" ] && kill -KILL $p; done\r';

const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text });
const previewError = async (projectId: string) => (await readSnapshot(projectId)).project.previewError;

test.describe
  .serial('a preview whose dev server fails', () => {
    let projectId = '';
    let page: Page;
    let inputs = 0;

    const kill = async () => {
      // A request from a page that still loads, such as after hot reload, would start the dev server again.
      await openLive(page, projectId);
      const shells = `/api/projects/${projectId}/shells/${terminalNames[0]}`;
      const opened = await fetch(studioUrl(shells), {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ columns: 80, rows: 24 }),
      });
      const { session } = shellSchema.parse(await opened.json());
      inputs += 1;
      await post(`${shells}/input`, { session, writer: 'test', number: inputs, input: killDevServer });
    };

    test.beforeAll(async ({ browser }) => {
      projectId = await lightFilm();
      page = await browser.newPage();
      // The first request starts the preview.
      await page.goto(studioUrl(`/proxy/${projectId}/`));
      await expect(page).toHaveTitle('Light', { timeout: startMs });
      await openLive(page, projectId);
    });
    test.afterAll(async () => {
      await page.close();
      await fetch(studioUrl(`/api/projects/${projectId}`), { method: 'DELETE' });
    });

    test('G12: shows a module that does not compile, even after a reload, until it is fixed', async () => {
      const module = studioUrl(`/api/projects/${projectId}/files/src/ball.ts`);
      await fetch(module, { method: 'PUT', body: 'export const = 1;' });
      await rewrite(projectId, `import './ball.ts';\n${lightFilmCode}`);
      await expect(alert(page, 'A module does not compile.')).toContainText('src/ball.ts:1');
      await expect.poll(async () => (await previewError(projectId))?.message).toContain('src/ball.ts:1');
      await page.reload();
      await expect(alert(page, 'A module does not compile.')).toBeVisible();
      // The built-in director cannot repair code.
      await expect(button(page, 'Ask to repair')).toHaveCount(0);

      await fetch(module, { method: 'PUT', body: 'export const ball = 1;' });
      await expect(alert(page, 'does not compile')).toHaveCount(0);
      await expect.poll(() => previewError(projectId)).toBeNull();
      await expect(button(page, /^(Play|Pause)$/)).toBeEnabled({ timeout: startMs });
    });

    test('G12: shows a dev server that was killed, and restarts it', async () => {
      await kill();
      await expect(alert(page, 'The dev server has stopped.')).toContainText('SIGKILL');
      await button(page, 'Restart').click();
      await expect(alert(page, 'The dev server has stopped.')).toHaveCount(0);
      await expect(button(page, /^(Play|Pause)$/)).toBeEnabled({ timeout: startMs });
      await expectFilmTitle(page, 'Light');
    });

    test('G12: stops a broken preview on request, and starts it again', async () => {
      await kill();
      await expect(alert(page, 'The dev server has stopped.')).toBeVisible();
      await button(page, 'Stop').click();
      await expect(page.getByText('The live preview is not running')).toBeVisible();
      await page.reload();
      await button(page, 'Start').click();
      await expect(button(page, /^(Play|Pause)$/)).toBeEnabled({ timeout: startMs });
    });
  });
