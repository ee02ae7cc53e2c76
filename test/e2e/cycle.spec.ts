import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { cycleKindId } from '#kinds/cycle/contract/cycle.ts';
import { zipOf } from '../../server/kinds/cycle/cli/archive.ts';
import { readTree } from '../../server/kinds/cycle/cli/tree.ts';
import { call, coderModel } from '../fixtures/coder-model.ts';
import { type ModelServer, startModelServer } from '../fixtures/model-server.ts';
import { type Studio, startStudio } from '../fixtures/studio.ts';
import { untilStill } from './studio.ts';

const repository = join(import.meta.dirname, '../fixtures/cycle-python');
const workingMs = 600_000;
const filmWords = /\b(films?|scenes?|storyboard|videos?|render(s|ed|ing)?|preview)\b/i;

/** Forgets the empty name, which its own test finds. */
const script = {
  coding: [
    call('list_files', { path: 'src', recursive: true }),
    call('read_file', { path: 'src/words.py' }),
    call('write_file', {
      path: 'src/hello.py',
      content: 'from words import GREETING\n\n\ndef hello(name):\n    return f"{GREETING}, {name}!"\n',
    }),
    call('write_file', {
      path: 'src/test_hello.py',
      content: 'from hello import hello\n\n\ndef test_hello():\n    assert hello("") == "Hello, world!"\n',
    }),
  ],
  repairs: [[call('patch_file', { path: 'src/hello.py', edits: [{ find: '{name}', replace: "{name or 'world'}" }] })]],
};

const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;
const schemes = ['light', 'dark'] as const;

/** Checks a view in both sizes and colour schemes, and stores its pictures with the results. */
async function expectGood(page: Page, name: string, { hasOwnWords = false } = {}): Promise<void> {
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      await untilStill(page);
      await page.screenshot({ path: test.info().outputPath(`${name}-${size}-${colorScheme}.png`) });
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => `${name}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    }
    if (!hasOwnWords) await expect(page.locator('#root')).not.toHaveText(filmWords);
  }
  await page.setViewportSize(sizes.desktop);
  await page.emulateMedia({ colorScheme: 'light' });
}

test.describe
  .serial('a cycle in the studio', () => {
    let model: ModelServer;
    let studio: Studio;
    let page: Page;
    let address: string;
    /** Whether answers arrive slowly, so that the page can be seen while the coder works. */
    let isSlow = true;
    const faults: string[] = [];

    test.beforeAll(async ({ browser }) => {
      model = await startModelServer((request) => ({ ...coderModel(() => script)(request), dripMs: isSlow ? 500 : 0 }));
      studio = await startStudio({
        sandbox: 'docker',
        env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'sk-test', KODA_MODEL: 'claude-sonnet-5-5' },
      });
      page = await (await browser.newContext()).newPage();
      page.on('pageerror', (error) => faults.push(error.message));
      const specification = readFileSync(join(repository, 'dev_documents/CYCLE03/SPEC.md'), 'utf8');
      const content = new Blob([await zipOf(readTree(repository), specification)]);
      const signal = AbortSignal.timeout(workingMs);
      const { id } = await studio.client.import({ name: 'CYCLE03.zip', content }, { signal, kind: cycleKindId });
      address = `${studio.url}/p/${id}`;
    });
    test.afterAll(async () => {
      await page?.context().close();
      await studio?.[Symbol.asyncDispose]();
      await model?.[Symbol.asyncDispose]();
    });

    const tab = (name: string) => page.getByRole('tab', { name });

    test('C3: shows the steps and the coder’s calls while it works, and the panes of code only', async () => {
      await page.goto(address);
      const steps = page.getByRole('list', { name: 'Steps' });
      await expect(steps.getByRole('listitem', { name: 'Implement the specification: in progress' })).toBeVisible();
      await expect(steps.getByRole('listitem', { name: 'Run the tests: to do' })).toBeVisible();
      await expect(page.getByRole('list', { name: 'Project progress' }).getByRole('listitem')).toHaveText([
        'Build',
        'Result',
        'Done',
      ]);
      await expect(page.getByRole('tablist', { name: 'Panes' }).getByRole('tab')).toHaveText(['Code', 'Terminal', 'History']);
      await expectGood(page, 'working');
      isSlow = false;
      // Addresses of other panes come from films.
      await page.goto(`${address}?tab=video`);
      await expect(tab('Code')).toHaveAttribute('aria-selected', 'true');
    });

    test('C1 C3: asks for the result once the tests pass, after a repair', async () => {
      await expect(page.getByRole('region', { name: 'Is the result right?' })).toBeVisible({ timeout: workingMs });
      await expectGood(page, 'result');
      await page.goto(studio.url);
      const card = page.getByRole('listitem').filter({ hasText: 'CYCLE03' });
      await expect(card).toContainText('Result to review');
      await expect(card).not.toHaveText(filmWords);
      await card.scrollIntoViewIfNeeded();
      await expectGood(page, 'home', { hasOwnWords: true });
    });

    test('C1: shows the code, where only src/ can be changed', async () => {
      await page.goto(`${address}?tab=code`);
      await page.getByRole('treeitem', { name: 'hello.py', exact: true }).click();
      await expect(page.getByRole('region', { name: 'Code', exact: true })).toContainText("{name or 'world'}");
      await expectGood(page, 'code');
      await page.getByRole('treeitem', { name: 'SPEC.md' }).click();
      await expect(page.getByText('Read-only: only src/')).toBeVisible();
      await expect(page.getByText('public/')).toBeHidden();
    });

    test('C1: has a terminal in the cycle’s sandbox', async () => {
      await page.goto(`${address}?tab=terminal`);
      await expect(page.getByRole('status').filter({ hasText: 'Connected' })).toBeVisible();
      await page.getByRole('textbox', { name: /terminal$/ }).focus();
      await page.keyboard.type('PYTHONPATH=src python3 -m pytest -q -p no:cacheprovider src');
      await page.keyboard.press('Enter');
      await expect(page.locator('.xterm-rows')).toContainText('passed');
      await expectGood(page, 'terminal');
    });

    test('C1: shows the history, and the diff of each checkpoint', async () => {
      await page.getByRole('button', { name: 'Accept result' }).click();
      await expect(page.getByRole('region', { name: 'Finished' })).toBeVisible();
      await page.goto(`${address}?tab=history`);
      const checkpoints = page.getByRole('listbox', { name: 'Checkpoints, newest first' });
      await checkpoints.getByRole('option').filter({ hasText: 'hello.py' }).first().click();
      await expect(page.getByRole('region', { name: 'Changes' })).toContainText("{name or 'world'}");
      await expectGood(page, 'history');
    });

    test('C1: the page throws no errors', () => {
      expect([faults, model.complaints]).toEqual([[], []]);
    });
  });
