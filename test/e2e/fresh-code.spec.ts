import { expect, test } from '@playwright/test';
import { lightFilm, lightFilmCode, rewrite } from './light-film.ts';
import { button, expectFilmTitle, startMs } from './live-preview.ts';
import { studioUrl } from './studio.ts';

let projectId = '';
test.beforeAll(async () => {
  projectId = await lightFilm();
});
test.afterAll(async () => {
  await fetch(studioUrl(`/api/projects/${projectId}`), { method: 'DELETE' });
});

test('A15: a page does not keep old code if the code changes while it loads', async ({ page, context }) => {
  // The first request starts the preview.
  await page.goto(studioUrl(`/proxy/${projectId}/`));
  await expect(page).toHaveTitle('Light', { timeout: startMs });
  await page.goto(studioUrl(`/p/${projectId}?tab=preview`));
  await expect(button(page, /^(Play|Pause)$/)).toBeEnabled({ timeout: startMs });

  // The page applies its own changes, as React pages do, without a reload.
  const code = `import './slow.js';\nimport.meta.hot?.accept();\n${lightFilmCode}`;
  const slow = await fetch(studioUrl(`/api/projects/${projectId}/files/src/slow.js`), { method: 'PUT', body: 'export {};' });
  expect(slow.ok).toBe(true);
  await rewrite(projectId, `${code}\ndocument.title = 'Old';`);
  await expectFilmTitle(page, 'Old');

  // The page has fetched its code but cannot run it yet.
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/src\/slow\.js/, async (route) => {
    await released;
    await route.continue();
  });
  const waiting = page.waitForRequest(/\/src\/slow\.js/);
  await button(page, 'Reload preview').click();
  await waiting;
  await rewrite(projectId, `${code}\ndocument.title = 'New';`);
  // The server has detected the change and notified the page.
  const other = await context.newPage();
  await other.goto(studioUrl(`/proxy/${projectId}/`));
  await expect(other).toHaveTitle('New');
  await other.close();
  release();

  await expectFilmTitle(page, 'New');
  await expect(button(page, /^(Play|Pause)$/)).toBeEnabled({ timeout: startMs });
});
