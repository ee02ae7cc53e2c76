import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { z } from 'zod';
import { modelWith } from '../fixtures/able-model.ts';
import { startTestStudio, type TestStudio } from '../fixtures/app.ts';
import { asChat } from '../fixtures/chat-script.ts';
import { type ChatServer, startChatServer } from '../fixtures/chat-server.ts';
import { type Answer, type ModelServer, startModelServer } from '../fixtures/model-server.ts';
import { post, studioUrl, untilStill } from './studio.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const canary = 'sk-canary-e2e-0123456789';
const dark = 'rgb(20, 19, 18)';
const light = 'rgb(247, 245, 242)';

const background = (page: Page) => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');

/** Records every theme that the page has from the start, and whether a theme was set before the body existed. */
const noteThemes = `(() => {
  window.themes = [];
  const note = () => {
    const { documentElement: root, body } = document;
    const theme = root?.dataset.theme ?? (body ? 'none' : null);
    if (theme !== null && window.themes.at(-1) !== theme) window.themes.push(theme);
  };
  new MutationObserver(note).observe(document, { attributes: true, childList: true, subtree: true });
})()`;

async function expectAccessible(page: Page): Promise<void> {
  await untilStill(page);
  const { violations } = await new AxeBuilder({ page }).analyze();
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}

async function setModel(body: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(studioUrl('/api/settings/model'), { method: 'PUT', headers, body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
}

/** A busy machine may miss a server's time limit. */
async function lookUntilFound(page: Page): Promise<void> {
  await expect(async () => {
    const models = page.getByRole('radiogroup', { name: 'Models on this computer' });
    if (!(await models.isVisible())) await page.getByRole('button', { name: 'Look again' }).click();
    await expect(models).toBeVisible({ timeout: 5_000 });
  }).toPass();
}

test.describe('settings', () => {
  test('the theme survives a reload without a flash, and all tabs follow it', async ({ page, context }) => {
    await page.goto(studioUrl('/settings'));
    expect(await background(page)).toBe(light);
    const other = await context.newPage();
    await other.goto(studioUrl());
    expect(await background(other)).toBe(light);

    await page.getByRole('radiogroup', { name: 'Theme' }).getByRole('radio', { name: 'Dark' }).click();
    await expect.poll(() => background(page)).toBe(dark);
    await expect.poll(() => background(other)).toBe(dark);

    await page.addInitScript(noteThemes);
    await page.reload();
    await expect(page.getByRole('radio', { name: 'Dark' })).toHaveAttribute('data-state', 'on');
    expect(await page.evaluate('window.themes')).toEqual(['dark']);
    // The page is dark even without its code, because the first paint does not wait for that.
    await other.route('**/assets/*.js', (route) => route.abort());
    await other.reload();
    expect(await background(other)).toBe(dark);
    await other.unrouteAll();

    await page.emulateMedia({ colorScheme: 'dark' });
    await page.getByRole('radio', { name: 'Light' }).click();
    await expect.poll(() => background(page)).toBe(light);
    await page.getByRole('radiogroup', { name: 'Theme' }).getByRole('radio', { name: 'System' }).click();
    await expect.poll(() => background(page)).toBe(dark);
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(() => background(page)).toBe(light);

    const root = page.locator('html');
    await page.getByRole('radio', { name: 'Reduced' }).click();
    await expect(root).toHaveAttribute('data-motion', 'reduced');
    await page.getByRole('radiogroup', { name: 'Motion' }).getByRole('radio', { name: 'System' }).click();
    await expect(root).not.toHaveAttribute('data-motion');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await expect(root).toHaveAttribute('data-motion', 'reduced');
  });

  test('? lists the keys outside text fields, and Back returns to the previous page', async ({ page }) => {
    const { id } = z.object({ id: z.string() }).parse(await post('/api/projects', { prompt: 'A red ball', start: false }));
    await page.goto(studioUrl(`/p/${id}?tab=assets`));
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await page.getByRole('tab', { name: 'Assets' }).focus();
    await page.keyboard.press('?');
    await expect(list).toBeVisible();
    await expect(list.getByText('Show this list')).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(list).toBeHidden();
    // Narrow screens list the shortcuts too, because tablets may have keyboards.
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 1440, height: 900 },
    ]) {
      await page.setViewportSize(viewport);
      await page.getByRole('button', { name: 'Keyboard shortcuts (?)' }).click();
      await expect(list).toBeVisible();
      await expectAccessible(page);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await list.getByRole('button', { name: 'Close' }).click();
      await expect(list).toBeHidden();
    }

    await page.getByRole('link', { name: 'Settings' }).click();
    await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'About' }).click();
    await expect(page.getByRole('heading', { name: 'About' })).toBeInViewport();
    await page.getByRole('button', { name: 'Back' }).click();
    await expect(page).toHaveURL(new RegExp(`/p/${id}\\?tab=assets$`));

    await page.goto(studioUrl());
    await page.getByRole('textbox', { name: 'Describe your film' }).fill('');
    await page.keyboard.press('?');
    await expect(page.getByRole('textbox', { name: 'Describe your film' })).toHaveValue('?');
    await expect(list).toBeHidden();
    await fetch(studioUrl(`/api/projects/${id}`), { method: 'DELETE' });
  });

  test('about shows versions and licences', async ({ page }) => {
    await page.goto(studioUrl('/settings#about'));
    const about = page.getByRole('region', { name: 'About' });
    await expect(about).toContainText(/Koda\d+\.\d+\.\d+, built on \d{4}-\d{2}-\d{2}/);
    await expect(about).toContainText(/Node\.js\d+\./);
    await about.getByRole('button', { name: 'Show licences' }).click();
    await about.getByRole('searchbox', { name: 'Search packages' }).fill('inter');
    await about.getByText('@fontsource-variable/inter').first().click();
    await expect(about.getByText(/SIL OPEN FONT LICENSE/i).first()).toBeVisible();
    for (const name of ['react-dom', 'better-sqlite3']) {
      await about.getByRole('searchbox', { name: 'Search packages' }).fill(name);
      await expect(about.getByText(name).first()).toBeVisible();
    }
  });

  test.describe('model', () => {
    let server: ModelServer;
    let script: () => Answer = () => ({ text: 'ok' });
    test.beforeAll(async () => {
      server = await startModelServer(() => script());
    });
    test.afterAll(async () => {
      await fetch(studioUrl('/api/settings/model/key'), { method: 'DELETE' });
      await setModel({ provider: 'director' });
      await server[Symbol.asyncDispose]();
    });

    test('is tested, saved and used, and its key cannot be read back', async ({ page }) => {
      const answers: string[] = [];
      page.on('response', async (response) => {
        if (response.url().includes('/api/')) answers.push(await response.text().catch(() => ''));
      });
      await page.goto(studioUrl('/settings'));
      await expectAccessible(page);
      await page.getByRole('radio', { name: 'Your own server' }).click();
      const save = page.getByRole('button', { name: /^(?:Save|Use claude-sonnet-5-5)$/ });
      await save.click();
      const address = page.getByRole('textbox', { name: 'Address' });
      await expect(address).toBeFocused();
      await expect(address).toHaveAttribute('aria-invalid', 'true');
      await address.fill(server.url);
      const api = page.getByRole('combobox', { name: 'API' });
      await expect(api).toHaveValue('chat');
      await api.selectOption({ label: 'Messages (Anthropic-style)' });
      await page.getByLabel('Key, if the server requires one').fill(canary);
      await page.getByRole('textbox', { name: 'Main model' }).fill('claude-sonnet-5-5');

      script = () => ({ status: { code: 401, type: 'authentication_error', message: `${canary} is unknown` } });
      await page.getByRole('button', { name: 'Test' }).click();
      const told = page.getByRole('list', { name: 'Test results' });
      await expect(told).toContainText('rejects the key: [removed] is unknown');
      script = () => ({ text: 'ok' });
      await page.getByRole('button', { name: 'Test again' }).click();
      await expect(told).toContainText(/Answers.*yes.*First word after/);
      await expect(page.getByText('Not good for films').first()).toBeVisible();
      expect(server.keys.at(-1)).toContain(canary);
      await expectAccessible(page);

      const path = page.getByRole('combobox', { name: 'How it makes films' });
      await expect(path).toHaveAccessibleDescription(/Claude works with tools/);
      await path.selectOption({ label: 'Formats' });
      await expect(path).toHaveAccessibleDescription(/small and local models/);
      await save.click();
      // The text exists twice, once only for screen readers.
      await expect(page.getByText('Saved. It applies from the next run').first()).toBeVisible();
      await expect(page.getByText('A key is set.')).toBeVisible();
      await page.reload();
      await expect(page.getByText('A key is set.')).toBeVisible();
      await expect(page.getByText('In use: claude-sonnet-5-5')).toBeVisible();
      await expect(path).toHaveValue('formats');
      await expect(api).toHaveValue('messages');
      expect(await page.content()).not.toContain(canary);
      // The stored key is valid only for its own address.
      await page.getByRole('textbox', { name: 'Address' }).fill('http://localhost:9');
      await expect(page.getByText('A key is set.')).toBeHidden();
      await page.getByRole('textbox', { name: 'Address' }).fill(server.url);
      await page.getByRole('button', { name: 'Remove key' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove key' }).click();
      await expect(page.getByLabel('Key, if the server requires one')).toHaveValue('');
      expect(answers.length).toBeGreaterThan(3);
      expect(answers.join('\n')).not.toContain(canary);

      await page.goto(studioUrl());
      await expect(page.getByRole('button', { name: /claude-sonnet-5-5/ })).toBeVisible();
    });
  });

  test.describe('model servers', () => {
    let studio: TestStudio;
    let server: ChatServer;
    /** Whether the server does not answer, so that a test of its model lasts until it is stopped. */
    let isSilent = false;
    test.beforeAll(async () => {
      const able = modelWith({ context: 8_192 });
      const slow = asChat((request) => (isSilent ? { silence: 'hang' } : { dripMs: 20, ...able(request) }));
      server = await startChatServer(slow, {
        '/v1/models': {
          data: [
            { id: 'hearth-14b', max_model_len: 32_768, meta: { n_ctx_train: 32_768, size: 9e9 } },
            { id: 'brook-embed', meta: { n_ctx_train: 2_048, size: 3e8 } },
          ],
        },
      });
      studio = await startTestStudio({}, null, [
        { kind: 'ollama', addresses: [server.url] },
        { kind: 'jan', addresses: ['http://127.0.0.1:9'] },
      ]);
    });
    test.afterAll(async () => {
      await studio[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    });

    test('X2: a server on this computer is found, and its model chosen, tested and saved', async ({ page }) => {
      await page.goto(new URL('/settings', studio.url).href);
      await page.getByRole('radio', { name: 'Your own server' }).click();
      await lookUntilFound(page);
      const ports = page.getByRole('list', { name: 'Usual ports' });
      await expect(ports).toContainText(/Ollama:\d+2 models.*Jan:1337off/);
      const models = page.getByRole('radiogroup', { name: 'Models on this computer' });
      const hearth = models.getByRole('radio', { name: 'hearth-14b' });
      await expect(hearth).toHaveAccessibleDescription(/32k tokens/);
      await expect(models.getByRole('radio', { name: 'brook-embed' })).toBeDisabled();
      await hearth.focus();
      await page.keyboard.press('Space');
      await expect(page.getByRole('textbox', { name: 'Address' })).toHaveValue(server.url);
      await expect(page.getByRole('textbox', { name: 'Main model' })).toHaveValue('hearth-14b');
      await expect(page.getByRole('combobox', { name: 'API' })).toHaveValue('chat');

      // A test can be stopped.
      isSilent = true;
      await page.getByRole('button', { name: 'Test', exact: true }).click();
      await page.getByRole('button', { name: 'Stop' }).click();
      isSilent = false;
      await page.getByRole('button', { name: 'Test', exact: true }).click();
      const results = page.getByRole('list', { name: 'Test results' });
      await expect(results).toContainText(/Context really used8,192/);
      await expect(results).toContainText(/Pictures.*It tells a .* square/);
      await expect(page.getByText('Good for films of formats in one request.', { exact: true })).toBeVisible();
      await expect(page.getByText('OLLAMA_CONTEXT_LENGTH=32768 ollama serve')).toBeVisible();
      await expect(hearth).toHaveAccessibleDescription(/plans films.*no code.*sees pictures/);
      await expectAccessible(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      await expectAccessible(page);
      await page.setViewportSize({ width: 390, height: 844 });
      await expectAccessible(page);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await page.setViewportSize({ width: 1440, height: 900 });

      await page.getByRole('button', { name: 'Apply' }).click();
      await expect(page.getByRole('combobox', { name: 'How it makes films' })).toHaveValue('formats');
      await expect(page.getByRole('textbox', { name: 'Context, in tokens' })).toHaveValue('8192');
      await page.getByRole('button', { name: 'Use hearth-14b' }).click();
      await expect(page.getByText('In use: hearth-14b')).toBeVisible();
      expect(server.complaints).toEqual([]);
      await page.getByRole('button', { name: 'Go on without a model' }).click();
      await expect(page).not.toHaveURL(/settings/);
      expect(await studio.send('GET', '/api/settings')).toMatchObject({ model: { provider: 'director' } });
    });

    test('X2: without a server, the page names commands that start one', async ({ page }) => {
      await page.route('**/api/settings/model/servers', (route) =>
        route.fulfill({ json: { servers: [{ kind: 'ollama', address: null, models: [] }] } }),
      );
      await page.goto(new URL('/settings', studio.url).href);
      await page.getByRole('radio', { name: 'Your own server' }).click();
      await expect(page.getByText('No model server is running on this computer.')).toBeVisible();
      await expect(page.getByText('ollama serve', { exact: true })).toBeVisible();
      await expectAccessible(page);
      await page.unrouteAll();
      await lookUntilFound(page);
    });
  });

  test('the page has no serious accessibility issues in the dark and on a phone', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(studioUrl('/settings'));
    await page.getByRole('radio', { name: 'Your own server' }).click();
    await page.getByRole('button', { name: 'Show licences' }).click();
    await expect(page.getByRole('searchbox', { name: 'Search packages' })).toBeVisible();
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
    await expect(page.getByRole('navigation', { name: 'Sections' })).toBeHidden();
  });
});
