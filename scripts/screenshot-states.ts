// States of the page that no address leads to: what to do on a view before its picture is taken.
import type { Locator, Page } from '@playwright/test';
import { texts } from '../web/src/texts.ts';

export interface PageState {
  /** Of its picture. */
  readonly name: string;
  readonly path: string;
  /** Brings the view into the state. Nothing is sent to the server that would change a project. */
  readonly act: (page: Page) => Promise<unknown>;
}

/** Ids of projects to be pictured; null = there is none. */
export interface PicturedProjects {
  readonly finished: string | null;
  readonly planned: string | null;
}

const { home, health, plan, preview, renders, settings } = texts;
const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
const promptOf = (page: Page): Locator => page.getByRole('textbox', { name: home.promptLabel });

/** Files above the page, as a file manager drags them. */
async function dragFiles(page: Page): Promise<void> {
  const data = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['x'], 'logo.png', { type: 'image/png' }));
    return transfer;
  })()`);
  for (const type of ['dragenter', 'dragover']) await page.locator('h1').dispatchEvent(type, { dataTransfer: data });
}

const homeStates: readonly PageState[] = [
  { name: 'home-health', path: '/', act: (page) => page.getByRole('button', { name: health.details }).click() },
  {
    name: 'home-project-menu',
    path: '/',
    act: (page) =>
      page
        .getByRole('button', { name: /^More for/ })
        .first()
        .click(),
  },
  { name: 'home-show-menu', path: '/', act: (page) => page.getByRole('button', { name: /^Show: / }).click() },
  {
    name: 'home-rename',
    path: '/',
    act: async (page) => {
      await page
        .getByRole('button', { name: /^More for/ })
        .first()
        .click();
      await page.getByRole('menuitem', { name: home.rename }).click();
    },
  },
  { name: 'home-drop', path: '/', act: dragFiles },
  {
    name: 'home-refused',
    path: '/',
    act: (page) =>
      page.locator('input[type=file]').setInputFiles([
        {
          name: 'a film with quite a long name that somebody exported.mov',
          mimeType: 'video/quicktime',
          buffer: Buffer.from('x'),
        },
        { name: 'brand.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') },
      ]),
  },
  { name: 'home-too-long', path: '/', act: (page) => promptOf(page).fill('A red ball bounces. '.repeat(1000)) },
  {
    name: 'home-other-length',
    path: '/',
    act: async (page) => {
      await promptOf(page).fill('A red ball bounces');
      await page.getByRole('radio', { name: home.custom }).click();
      await page.getByRole('textbox', { name: home.customLabel }).fill('0.5');
    },
  },
  {
    name: 'home-toast',
    path: '/',
    act: async (page) => {
      await promptOf(page).fill('A sentence of my own');
      await button(page, home.editExample(home.examples[0].label)).click();
    },
  },
  {
    name: 'home-no-match',
    path: '/',
    act: (page) => page.getByRole('searchbox', { name: home.search }).fill('nothing is called this'),
  },
  {
    name: 'home-empty',
    path: '/',
    act: async (page) => {
      await page.route('**/api/projects?*', (route) => route.fulfill({ json: { items: [], nextCursor: null } }));
      await page.reload();
      await page.getByText(home.emptyTitle).waitFor();
    },
  },
  {
    name: 'home-server-down',
    path: '/',
    act: async (page) => {
      await page.route('**/api/**', (route) => route.abort());
      await page.reload();
      await page.getByText(health.down).first().waitFor({ timeout: 20_000 });
    },
  },
  { name: 'shortcuts', path: '/', act: (page) => button(page, 'Keyboard shortcuts (?)').click() },
  {
    name: 'settings-anthropic',
    path: '/settings',
    act: (page) => page.getByRole('radio', { name: settings.model.providers.anthropic.title }).click(),
  },
  { name: 'nowhere', path: '/nowhere', act: (page) => page.locator('h1').waitFor() },
  { name: 'project-not-found', path: '/p/prj_00000000000000000000000000', act: (page) => page.locator('h1').waitFor() },
];

/** On a phone the list of files is a page of its own. */
async function listFiles(page: Page): Promise<void> {
  const show = button(page, 'Show the files');
  const list = page.getByRole('radio', { name: 'Changes' });
  await show.or(list).first().waitFor();
  if (await show.isVisible()) await show.click();
}

const finishedStates = (id: string): readonly PageState[] => [
  { name: 'render-dialog', path: `/p/${id}?tab=video`, act: (page) => button(page, renders.new).click() },
  { name: 'preview-view-menu', path: `/p/${id}?tab=preview`, act: (page) => button(page, preview.view).click() },
  {
    name: 'preview-compare',
    path: `/p/${id}?tab=preview`,
    act: (page) => page.getByRole('button', { name: preview.compare }).click(),
  },
  {
    name: 'preview-console',
    path: `/p/${id}?tab=preview`,
    act: (page) => page.getByRole('button', { name: /^Console/ }).click(),
  },
  {
    name: 'code-new-file',
    path: `/p/${id}?tab=code`,
    act: async (page) => {
      await listFiles(page);
      await button(page, 'New file').click();
    },
  },
  {
    name: 'code-changes',
    path: `/p/${id}?tab=code`,
    act: async (page) => {
      await listFiles(page);
      await page.getByRole('radio', { name: 'Changes' }).click();
      await page.waitForTimeout(1500);
    },
  },
  { name: 'history-keep', path: `/p/${id}?tab=history`, act: (page) => button(page, 'Keep this state').click() },
  {
    name: 'history-restore',
    path: `/p/${id}?tab=history`,
    act: async (page) => {
      await page.getByRole('listbox', { name: 'Checkpoints, the newest first' }).getByRole('option').last().click();
      await button(page, 'Restore').click();
      await page.waitForTimeout(1500);
    },
  },
];

const plannedStates = (id: string): readonly PageState[] => [
  {
    name: 'plan-fault',
    path: `/p/${id}?tab=storyboard`,
    act: (page) => button(page, plan.addScene).click(),
  },
  {
    name: 'plan-scene-menu',
    path: `/p/${id}?tab=storyboard`,
    act: (page) => button(page, plan.sceneActions(1)).click(),
  },
];

/** Every state that the projects at hand allow. */
export function pageStates({ finished, planned }: PicturedProjects): readonly PageState[] {
  return [
    ...homeStates,
    ...(finished === null ? [] : finishedStates(finished)),
    ...(planned === null ? [] : plannedStates(planned)),
  ];
}
