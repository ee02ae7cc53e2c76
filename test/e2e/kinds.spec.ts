import { expect, test } from '@playwright/test';
import { lightFilm, lightScript } from './light-film.ts';
import { readSnapshot, studioUrl } from './studio.ts';

const made: string[] = [];
test.afterAll(async () => {
  for (const id of made) await fetch(studioUrl(`/api/projects/${id}?now=true`), { method: 'DELETE' });
});

test('A26: a project whose kind is not installed shows its code, history and conversation, and says so', async ({ page }) => {
  const id = await lightFilm();
  made.push(id);
  await page.route(studioUrl(`/api/projects/${id}`), async (route) => {
    const snapshot = await readSnapshot(id);
    await route.fulfill({ json: { ...snapshot, project: { ...snapshot.project, kind: 'garden' } } });
  });
  // The address names a tab of another kind.
  await page.goto(studioUrl(`/p/${id}?tab=storyboard`));
  await expect(page.getByText('cannot show projects of the kind “garden”')).toBeVisible();
  await expect(page.getByRole('tablist', { name: 'Panes' }).getByRole('tab')).toHaveText(['Code', 'Terminal', 'History']);
  await expect(page.getByRole('tab', { name: 'History' })).toHaveAttribute('aria-selected', 'true');
  await expect(page).toHaveURL(studioUrl(`/p/${id}`));
  await expect(page.getByRole('listbox', { name: 'Checkpoints, newest first' }).getByRole('option')).not.toHaveCount(0);
  await page.getByRole('tab', { name: 'Code' }).click();
  await page.getByRole('treeitem', { name: lightScript.replace('src/', ''), exact: true }).click();
  await expect(page.getByRole('region', { name: 'Code', exact: true })).toContainText('koda');
  const said = 'Leave it as it is.';
  await page.getByRole('textbox', { name: 'Message' }).fill(said);
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByRole('region', { name: 'Conversation' })).toContainText(said);
});
