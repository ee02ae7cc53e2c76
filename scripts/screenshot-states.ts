// States of the studio that no URL leads to, and how to bring a view into them.
import type { Locator, Page } from '@playwright/test';

export interface PageState {
  /** The screenshot's file name without its variant. */
  readonly name: string;
  readonly path: string;
  /** Puts the page into this state. Sends no request that changes a project. */
  readonly act: (page: Page) => Promise<unknown>;
}

/** Ids of the projects to show; `null` if there is none. */
export interface ShownProjects {
  readonly finished: string | null;
  readonly planned: string | null;
}
const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
const promptOf = (page: Page): Locator => page.getByRole('textbox', { name: 'Describe your film' });

/** Drags a file over the page, as from a file manager. */
async function dragFiles(page: Page): Promise<void> {
  const data = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['x'], 'logo.png', { type: 'image/png' }));
    return transfer;
  })()`);
  for (const type of ['dragenter', 'dragover']) await page.locator('h1').dispatchEvent(type, { dataTransfer: data });
}

const homeStates: readonly PageState[] = [
  {
    name: 'home-health',
    path: '/',
    act: (page) => page.getByRole('button', { name: 'Studio status: show details' }).click(),
  },
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
      await page.getByRole('menuitem', { name: 'Rename' }).click();
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
  { name: 'home-too-long', path: '/', act: (page) => promptOf(page).fill('A red ball bounces. '.repeat(1100)) },
  {
    name: 'home-other-length',
    path: '/',
    act: async (page) => {
      await promptOf(page).fill('A red ball bounces');
      await page.getByRole('button', { name: /^Length:/ }).click();
      await page.getByRole('menuitemradio', { name: 'Other…' }).click();
      await page.getByRole('textbox', { name: 'Length in seconds' }).fill('0.5');
    },
  },
  {
    name: 'home-toast',
    path: '/',
    act: async (page) => {
      await promptOf(page).fill('A sentence of my own');
      await page.getByRole('button', { name: /^Bar chart / }).click();
    },
  },
  {
    name: 'home-no-match',
    path: '/',
    act: (page) => page.getByRole('searchbox', { name: 'Search projects' }).fill('nothing is called this'),
  },
  {
    name: 'home-empty',
    path: '/',
    act: async (page) => {
      await page.route('**/api/projects?*', (route) => route.fulfill({ json: { items: [], nextCursor: null } }));
      await page.reload();
      await page.getByText('Your projects').waitFor({ state: 'hidden' });
    },
  },
  {
    name: 'home-server-down',
    path: '/',
    act: async (page) => {
      await page.route('**/api/**', (route) => route.abort());
      await page.reload();
      await page
        .getByText(/^(?:The server is not responding|Server not responding)/)
        .first()
        .waitFor({ timeout: 20_000 });
    },
  },
  { name: 'shortcuts', path: '/', act: (page) => button(page, 'Keyboard shortcuts (?)').click() },
  {
    name: 'settings-anthropic',
    path: '/settings',
    act: (page) => page.getByRole('radio', { name: 'Anthropic' }).click(),
  },
  {
    name: 'settings-programs',
    path: '/settings#programs',
    act: (page) => page.getByRole('radio', { name: 'opencode' }).click(),
  },
  { name: 'create-token', path: '/settings#programs', act: (page) => button(page, 'Create token').click() },
  { name: 'nowhere', path: '/nowhere', act: (page) => page.locator('h1').waitFor() },
  { name: 'project-not-found', path: '/p/prj_00000000000000000000000000', act: (page) => page.locator('h1').waitFor() },
];

/** Shows the list of files, which is a separate view on a phone. */
async function listFiles(page: Page): Promise<void> {
  const show = button(page, 'Show files');
  const list = page.getByRole('radio', { name: 'Changes' });
  await show.or(list).first().waitFor();
  if (await show.isVisible()) await show.click();
}

const finishedStates = (id: string): readonly PageState[] => [
  { name: 'render-dialog', path: `/p/${id}?tab=video`, act: (page) => button(page, 'New render').click() },
  { name: 'preview-view-menu', path: `/p/${id}?tab=preview`, act: (page) => button(page, 'View').click() },
  {
    name: 'preview-compare',
    path: `/p/${id}?tab=preview`,
    act: (page) => page.getByRole('button', { name: 'Compare versions' }).click(),
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
  { name: 'history-keep', path: `/p/${id}?tab=history`, act: (page) => button(page, 'Save a checkpoint').click() },
  {
    name: 'history-restore',
    path: `/p/${id}?tab=history`,
    act: async (page) => {
      await page.getByRole('listbox', { name: 'Checkpoints, newest first' }).getByRole('option').last().click();
      await button(page, 'Restore').click();
      await page.waitForTimeout(1500);
    },
  },
];

const plannedStates = (id: string): readonly PageState[] => [
  {
    name: 'plan-editor',
    path: `/p/${id}?tab=preview`,
    act: (page) => page.getByText('Title, length and frame rate').click(),
  },
  {
    name: 'plan-add-scene',
    path: `/p/${id}?tab=preview`,
    act: (page) => button(page, 'Add a scene after scene 1').click(),
  },
];

export function pageStates({ finished, planned }: ShownProjects): readonly PageState[] {
  return [
    ...homeStates,
    ...(finished === null ? [] : finishedStates(finished)),
    ...(planned === null ? [] : plannedStates(planned)),
  ];
}
