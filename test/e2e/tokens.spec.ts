import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { z } from 'zod';
import { routes } from '#contract/routes.ts';
import { post, studioUrl, untilStill } from './studio.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

async function expectAccessible(page: Page): Promise<void> {
  await untilStill(page);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
}

const listed = async () => routes.tokens.response.parse(await (await fetch(studioUrl('/api/tokens'))).json()).items;
const clipboard = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

test.beforeEach(async () => {
  for (const { id } of await listed()) await fetch(studioUrl(`/api/tokens/${id}`), { method: 'DELETE' });
});

test('G11: a token is created with the keyboard, shown once, and revoked', async ({ page }) => {
  const { id } = z
    .object({ id: z.string() })
    .parse(await post('/api/projects', { prompt: 'A red ball', name: 'Ball', start: false }));
  await page.goto(studioUrl('/settings#programs'));
  const section = page.getByRole('region', { name: 'Other programs', exact: true });
  await expect(section.getByText('No tokens yet')).toBeVisible();
  await expectAccessible(page);

  await section.getByRole('button', { name: 'Create token' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Create token' });
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await expect(dialog.getByText('Enter a name')).toBeVisible();
  await page.keyboard.type('Claude Code');
  await dialog.getByRole('checkbox', { name: 'Run' }).focus();
  await page.keyboard.press('Space');
  await dialog.getByRole('radio', { name: 'Only some' }).click();
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Choose at least one project');
  await dialog.getByRole('checkbox', { name: 'Ball' }).first().check();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create token' }).click();

  const created = page.getByRole('dialog', { name: 'Save the token now' });
  const secret = (await created.getByText(/^koda_/).textContent()) ?? '';
  await created.getByRole('button', { name: 'Copy token' }).click();
  await expect.poll(() => clipboard(page)).toBe(secret);
  await created.getByRole('radio', { name: 'Cursor' }).click();
  await created.getByRole('button', { name: 'Copy configuration' }).click();
  const mcpServers = { koda: { url: studioUrl('/mcp'), headers: { Authorization: `Bearer ${secret}` } } };
  await expect(async () => expect(JSON.parse(await clipboard(page))).toEqual({ mcpServers })).toPass();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(created).toBeHidden();
  expect(await page.content()).not.toContain(secret);

  const row = section.getByRole('listitem').filter({ hasText: 'Claude Code' });
  await expect(row).toContainText('Read, Change, Render · 1 project');
  await expect(row).toContainText('Never used');
  const [token] = await listed();
  expect(token).toMatchObject({ name: 'Claude Code', scopes: ['read', 'write', 'render'], projects: [id] });
  expect(Date.parse(token?.expiresAt ?? '') - Date.now()).toBeGreaterThan(89 * 86_400_000);

  await page.reload();
  await row.getByRole('button', { name: 'Revoke the token of Claude Code' }).click();
  const confirm = page.getByRole('alertdialog', { name: 'Revoke the token?' });
  await confirm.getByRole('button', { name: 'Cancel' }).click();
  expect(await listed()).toHaveLength(1);
  await row.getByRole('button', { name: 'Revoke the token of Claude Code' }).click();
  await confirm.getByRole('button', { name: 'Revoke' }).click();
  await expect(section.getByText('No tokens yet')).toBeVisible();
  expect(await listed()).toEqual([]);
  await fetch(studioUrl(`/api/projects/${id}`), { method: 'DELETE' });
});

test('G11: shows how each program connects, also on a phone in the dark', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(studioUrl('/settings#programs'));
  const section = page.getByRole('region', { name: 'Other programs', exact: true });
  for (const name of ['Claude Desktop', 'Claude Code', 'Cursor', 'VS Code', 'opencode']) {
    await section.getByRole('radio', { name, exact: true }).click();
    await section.getByRole('button', { name: 'Copy configuration' }).click();
    await expect.poll(() => clipboard(page)).toContain(new URL(studioUrl()).origin);
  }
  await section.getByRole('button', { name: 'Create token' }).click();
  await expectAccessible(page);
});
