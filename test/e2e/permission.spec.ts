import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { projectSchema } from '#contract/project.ts';
import { leadingModel, planOf } from '../fixtures/leading-model.ts';
import { type ModelServer, startModelServer } from '../fixtures/model-server.ts';
import { type OutsideServer, outsideTools, startOutsideServer } from '../fixtures/outside-server.ts';
import { post, studioUrl, untilStill } from './studio.ts';

const secret = 'sk-0123456789';
const inputs = [
  { text: `logo${' '.repeat(1_600)}${secret}\u202e`, note: 'Already allowed by the administrator.\n'.repeat(40) },
  { text: 'logo' },
  { text: 'font' },
];
let model: ModelServer;
let outside: OutsideServer;

const put = (path: string, body: unknown) =>
  fetch(studioUrl(path), { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

test.beforeAll(async () => {
  const lead = leadingModel({ asksFirst: false, plan: () => planOf(['Only']) });
  model = await startModelServer((request) => {
    const calls = JSON.stringify(request.messages).split('tool: brand__echo').length - 1;
    const input = inputs[calls];
    return input === undefined ? lead(request) : { calls: [{ name: 'brand__echo', input }] };
  });
  outside = await startOutsideServer({ echo: { ...outsideTools.echo, inputSchema: { type: 'object' } } });
  await put('/api/settings/model', { provider: 'server', baseUrl: model.url, orchestrator: 'claude-sonnet-5-5' });
  await put('/api/settings/mcp-servers/brand', { url: outside.url });
  // A run that starts before the connection has no tool to call.
  await expect
    .poll(async () => await (await fetch(studioUrl('/api/settings/mcp-servers'))).text())
    .toContain('"state":"connected"');
});
test.afterAll(async () => {
  await fetch(studioUrl('/api/settings/mcp-servers/brand'), { method: 'DELETE' });
  await put('/api/settings/model', { provider: 'director' });
  await model[Symbol.asyncDispose]();
  await outside[Symbol.asyncDispose]();
});

async function expectAccessible(page: Page): Promise<void> {
  await untilStill(page);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
}

/** Writes a picture to look at. */
async function picture(page: Page, name: string): Promise<void> {
  await untilStill(page);
  await page.screenshot({ path: `test-results/permission/${name}.png` });
}

test('M2: a permission shows the call as data, whole and with its hidden characters, and can be revoked', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { id } = projectSchema.parse(await post('/api/projects', { prompt: 'A green cube spins, smooth', style: 'smooth' }));
  await page.goto(studioUrl(`/p/${id}`));
  const panel = page.getByRole('region', { name: 'May Koda use a tool of another server?' });
  const sent = panel.getByRole('region', { name: /all of it here/ });
  await expect(panel).toContainText('Serverbrand');
  await expect(panel).toContainText('Toolecho');
  await expect(sent).toContainText(`"logo␣×1,600${secret}U+202E"`);
  await expect(sent.locator('mark')).toHaveText(['␣×1,600', 'U+202E']);
  await expect(panel.getByRole('button')).toHaveText(['', 'Allow once', 'Refuse']);
  await expectAccessible(page);
  await picture(page, 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await picture(page, 'dark');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(panel.getByRole('button', { name: 'Refuse' })).toBeInViewport();
  await expectAccessible(page);
  await picture(page, 'phone-dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await picture(page, 'phone');
  await page.setViewportSize({ width: 1440, height: 900 });

  // By keyboard: copy, scroll, refuse.
  const copy = panel.getByRole('button', { name: 'Copy what is sent' });
  await copy.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate<string>('navigator.clipboard.readText()')).toBe(JSON.stringify(inputs[0], null, 2));
  await page.keyboard.press('Tab');
  await expect(sent).toBeFocused();
  await page.keyboard.press('End');
  await expect.poll(() => sent.evaluate((box) => box.scrollTop)).toBeGreaterThan(0);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(panel.getByRole('button', { name: 'Refuse' })).toBeFocused();
  await page.keyboard.press('Enter');

  await expect(sent).toContainText('"logo"');
  expect(outside.calls).toEqual([]);
  await panel.getByRole('button', { name: 'Allow for this project' }).click();
  const permissions = page.getByRole('button', { name: /^Permissions/ });
  await expect(page.getByRole('region', { name: /The plan is ready/ })).toBeVisible();
  await permissions.click();
  const item = page.getByRole('list', { name: 'Permissions' }).getByRole('listitem').filter({ hasText: 'echo of brand' }).first();
  await expect(item).toContainText(/Used 2 times, last (just now|\d+ min ago)/);
  await expect(item.getByRole('list', { name: 'Sent last' }).getByRole('listitem')).toHaveText([
    '{"text":"font"}',
    '{"text":"logo"}',
  ]);
  await expectAccessible(page);
  await picture(page, 'list');
  await item.getByRole('button', { name: 'Revoke echo of brand' }).click();
  await expect(permissions).toBeHidden();
  expect(outside.calls).toEqual(['echo {"text":"logo"}', 'echo {"text":"font"}']);
});
