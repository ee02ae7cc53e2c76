import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { routes } from '#contract/routes.ts';
import { type OutsideServer, outsideTools, startOutsideServer } from '../fixtures/outside-server.ts';
import { studioUrl, untilStill } from './studio.ts';

const token = 'secret-token-4711';
let server: OutsideServer;

async function expectAccessible(page: Page): Promise<void> {
  await untilStill(page);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
}

const stored = async () => routes.mcpServers.response.parse(await (await fetch(studioUrl('/api/settings/mcp-servers'))).json());

test.beforeEach(async () => {
  server = await startOutsideServer(
    { ...outsideTools, broken: { ...outsideTools.echo, inputSchema: { type: 'array' } } },
    { token },
  );
  for (const { name } of (await stored()).servers)
    await fetch(studioUrl(`/api/settings/mcp-servers/${name}`), { method: 'DELETE' });
});
test.afterEach(() => server[Symbol.asyncDispose]());

test('T8: a server is tested, added, and its tools are allowed, turned off or used as the search', async ({ page }) => {
  await page.goto(studioUrl('/settings#tools'));
  const section = page.getByRole('region', { name: 'Tools of MCP servers' });
  await expect(section.getByText('No servers yet')).toBeVisible();
  await section.getByRole('button', { name: 'Add server' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add server' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Enter a name')).toBeVisible();
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.type('brand');
  await dialog.getByRole('textbox', { name: 'Address' }).fill(server.url);
  await dialog.getByRole('button', { name: 'Test connection' }).click();
  await expect(dialog.getByText(/needs a token/)).toBeVisible();
  await dialog.getByLabel('Token, if the server requires one').fill(token);
  await dialog.getByRole('button', { name: 'Test connection' }).click();
  await expect(dialog.getByText(`the server offers ${Object.keys(outsideTools).length + 1} tools`)).toBeVisible();
  expect((await stored()).servers).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();

  const item = section.getByRole('listitem').filter({ hasText: server.url });
  await expect(item.getByText('Connected')).toBeVisible();
  await expect(item.getByText(/Not available. Its input schema does not describe an object/)).toBeVisible();
  const use = (tool: string) => item.getByRole('radiogroup', { name: `Use of ${tool}`, exact: true });
  await expect(use('echo').getByRole('radio', { name: 'Ask' })).toBeChecked();
  await use('echo').getByRole('radio', { name: 'Allow' }).click();
  await expect(use('echo').getByRole('radio', { name: 'Allow' })).toBeChecked();
  await use('orders').getByRole('radio', { name: 'Off' }).click();
  await expect(use('orders').getByRole('radio', { name: 'Off' })).toBeChecked();
  await item.getByRole('checkbox', { name: 'Search the web with echo' }).click();
  await expect(item.getByRole('checkbox', { name: 'Search the web with echo' })).toBeChecked();
  await expectAccessible(page);
  const view = await stored();
  expect(view.search).toEqual({ server: 'brand', tool: 'echo' });
  expect(Object.fromEntries(view.servers[0]?.tools.map(({ name, risk }) => [name, risk]) ?? [])).toMatchObject({
    ...{ echo: 'allowed', orders: 'off', picture: 'ask' },
  });
  expect(await page.content()).not.toContain(token);
  expect(JSON.stringify(view)).not.toContain(token);

  await item.getByRole('button', { name: 'Change the server brand' }).click();
  const change = page.getByRole('dialog', { name: 'Change “brand”' });
  await expect(change.getByText('A token is set')).toBeVisible();
  await change.getByRole('button', { name: 'Cancel' }).click();
  await item.getByRole('button', { name: 'Remove the server brand' }).click();
  await page.getByRole('alertdialog', { name: 'Remove the server?' }).getByRole('button', { name: 'Remove' }).click();
  await expect(section.getByText('No servers yet')).toBeVisible();
  expect(await stored()).toMatchObject({ servers: [], search: null });
});

test('T8: a server that does not answer is shown with its reason, also on a phone in the dark', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  const answer = await fetch(studioUrl('/api/settings/mcp-servers/gone'), {
    ...{
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: 'http://127.0.0.1:9/mcp' }),
    },
  });
  expect(answer.status).toBe(200);
  await page.goto(studioUrl('/settings#tools'));
  const section = page.getByRole('region', { name: 'Tools of MCP servers' });
  await expect(section.getByText(/Not connected:.*cannot be used/)).toBeVisible();
  await expectAccessible(page);
});
