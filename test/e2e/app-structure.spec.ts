import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { projectIdOf, snapshotOf, studioUrl, untilStill } from './studio.ts';

const table = [
  'Name\tE-mail\tJoined\tBoat\tKeys',
  ...Array.from({ length: 12 }, (_, at) => {
    const boat = ['Eight', 'Single', 'Double'][at % 3] ?? '';
    return `Member ${at + 1}\tm${at + 1}@mail.example\t${at + 1}/09/2022\t${boat}\t${at % 2 === 0 ? 'Yes' : 'No'}`;
  }),
].join('\n');

test.describe
  .serial('an app from a pasted table', () => {
    let page: Page;
    let projectId = '';

    test.beforeAll(async ({ browser }) => {
      const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'], reducedMotion: 'reduce' });
      page = await context.newPage();
    });
    test.afterAll(async () => {
      await page.context().close();
      if (projectId !== '') await fetch(studioUrl(`/api/projects/${projectId}?now=true`), { method: 'DELETE' });
    });

    const app = () => page.frameLocator('iframe[title="The app"]');
    const grid = () => app().getByRole('grid');
    // The cell also has a button that opens the record.
    const cell = (text: string) => grid().getByRole('rowheader', { name: new RegExp(`^${text}\\b`) });
    const openTab = (name: string) => page.getByRole('tab', { name }).click();
    const tree = () => page.getByRole('navigation', { name: 'Structure' });
    const properties = () => page.getByRole('complementary', { name: 'Properties' });

    async function renameFirst(name: string): Promise<void> {
      await grid().press('Home');
      await grid().press('Enter');
      await grid().getByRole('textbox').fill(name);
      await grid().getByRole('textbox').press('Enter');
      await expect(cell(name)).toBeVisible();
    }

    /** The app is a page of its own, so its landmarks are not compared with the studio's. */
    /** The frames of other tabs stay mounted, and show the same landmarks. */
    async function expectNoFaults(frame = 'iframe'): Promise<void> {
      await untilStill(page);
      const studio = await new AxeBuilder({ page }).exclude('iframe').analyze();
      const framed = await new AxeBuilder({ page }).include([frame, 'body']).analyze();
      const violations = [...studio.violations, ...framed.violations];
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
    }

    test('works once it is built', async () => {
      await page.goto(studioUrl());
      await page.getByRole('radio', { name: 'App' }).click();
      await expect(page.getByRole('textbox', { name: 'Describe your app' })).toBeFocused();
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(table)})`);
      await page.keyboard.press('ControlOrMeta+v');
      await expect(page.getByRole('region', { name: 'Pasted table, 12 rows, 5 columns' })).toBeVisible();
      await page.getByRole('textbox', { name: 'Describe your app' }).fill('Members of our rowing club. Who has keys?');
      await page.keyboard.press('ControlOrMeta+Enter');
      await page.getByRole('dialog', { name: 'Plan of the app' }).getByRole('button', { name: 'Build the app' }).click();
      await expect(page).toHaveURL(/\/p\/prj_/);
      projectId = projectIdOf(page);
      await page.getByRole('button', { name: 'Accept app' }).click();
      await expect.poll(async () => (await snapshotOf(page)).project.phase).toBe('complete');
      await expect(cell('Member 12')).toBeVisible();
      await expectNoFaults();
    });

    test('takes, changes, finds and groups records, and keeps them', async () => {
      await app().getByRole('button', { name: 'New member' }).press('Enter');
      await app().getByRole('textbox', { name: 'Name', exact: true }).fill('Ada Swift');
      await app().getByRole('button', { name: 'Add member' }).press('Enter');
      await expect(cell('Ada Swift')).toBeVisible();
      await renameFirst('Ada Quick');

      await app().getByRole('searchbox').fill('quick');
      await expect(cell('Member 2')).toBeHidden();
      await expect(cell('Ada Quick')).toBeVisible();
      await app().getByRole('button', { name: 'Clear search' }).press('Enter');
      await app().getByRole('button', { name: 'Group' }).press('Enter');
      await app().getByRole('menuitem', { name: 'Boat' }).press('Enter');
      await expect(grid().getByText('Eight').first()).toBeVisible();
      await expect(app().getByRole('button', { name: 'Grouped by Boat' })).toBeVisible();

      await expect(app().getByText('All changes saved')).toBeVisible();
      await page.reload();
      await expect(cell('Ada Quick')).toBeVisible();
      await expect(cell('Ada Swift')).toBeVisible();
      await expect(cell('Member 1')).toBeHidden();
    });

    test('follows its structure, and ten undos take all of it back', async () => {
      await openTab('Structure');
      await tree().getByRole('button', { name: 'Members' }).last().click();
      const name = properties().getByRole('textbox', { name: 'Name of Joined' });
      await name.fill('Member since');
      await name.press('Enter');
      await expect(app().getByRole('columnheader', { name: 'Member since' })).toBeVisible();

      await tree().getByRole('button', { name: 'Look' }).click();
      const theme = app().locator('html');
      const before = (await theme.getAttribute('data-theme')) ?? '';
      const themes = ['Candy', 'Midnight', 'Forest', 'Paper', 'Candy', 'Midnight', 'Forest', 'Paper', 'Candy'];
      for (const label of themes) {
        await properties().getByRole('radio', { name: label }).check({ force: true });
        await expect(theme).toHaveAttribute('data-theme', label.toLowerCase());
      }
      await expect(page.getByText('All changes saved').first()).toBeVisible();
      await expectNoFaults();

      const undo = page.getByRole('button', { name: 'Undo', exact: true });
      for (let step = 0; step < 10; step += 1) await undo.click();
      await expect(undo).toBeDisabled();
      await expect(theme).toHaveAttribute('data-theme', before);
      await expect(app().getByRole('columnheader', { name: 'Joined' })).toBeVisible();
    });

    test('is restored together with its records', async () => {
      await openTab('History');
      await page.getByRole('button', { name: 'Save a checkpoint' }).click();
      const saving = page.getByRole('dialog', { name: 'Save a checkpoint' });
      await saving.getByRole('textbox', { name: 'Name' }).fill('With Ada');
      await saving.getByRole('button', { name: 'Save' }).click();
      const checkpoints = page.getByRole('listbox', { name: 'Checkpoints, newest first' });
      await expect(checkpoints.getByRole('option', { name: /With Ada/ })).toBeVisible();

      await openTab('Preview');
      await renameFirst('Ada Gone');
      await expect(app().getByText('All changes saved')).toBeVisible();

      await openTab('History');
      await checkpoints.getByRole('option', { name: /With Ada/ }).click();
      await page.getByRole('region', { name: 'Selected checkpoint' }).getByRole('button', { name: 'Restore' }).click();
      const dialog = page.getByRole('alertdialog', { name: 'Restore this checkpoint?' });
      await expect(dialog.getByRole('listitem').filter({ hasText: 'data/records.ndjson' })).toBeVisible();
      await dialog.getByRole('button', { name: 'Restore' }).click();
      await expect(dialog).toBeHidden();
      await openTab('Preview');
      await expect(cell('Ada Quick')).toBeVisible();
      await expect(cell('Ada Gone')).toBeHidden();
    });

    test('shows all its records', async () => {
      await openTab('Data');
      const frame = 'iframe[title="Data of the app"]';
      const data = page.frameLocator(frame);
      await expect(data.getByRole('rowheader', { name: /^Ada Quick\b/ })).toBeVisible();
      await expect(data.getByRole('button', { name: 'Import', exact: true })).toBeVisible();
      await expectNoFaults(frame);
    });

    test('can be changed with the keyboard alone', async () => {
      await openTab('Structure');
      await tree().getByRole('button', { name: 'Look' }).focus();
      await page.keyboard.press('Enter');
      const name = properties().getByRole('textbox', { name: 'Name' });
      await name.focus();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('Rowers');
      await page.keyboard.press('Enter');
      await expect(app().getByText('Rowers', { exact: true })).toBeVisible();
      await page.getByTitle(/^Undo/).press('Enter');
      await expect(app().getByText('Rowers', { exact: true })).toBeHidden();
    });

    test('fits a phone', async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      for (const tab of ['preview', 'data', 'structure']) {
        await page.goto(studioUrl(`/p/${projectId}?tab=${tab}`));
        await expect(page.getByRole('tabpanel').first()).toBeVisible();
        await expect
          .poll(() => page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'))
          .toBe(0);
      }
    });
  });
