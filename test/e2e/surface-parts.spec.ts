import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { untilStill } from './studio.ts';

/** Draws surfaces in a page of their own, without a studio around them. */

const root = resolve(import.meta.dirname, '../..');
const origin = 'http://surface.test';
const picture = '/storage/renders/rnd_0123456789abcdef0123/thumbnail.jpg';
const gone = '/storage/renders/rnd_eeeeeeeeeeeeeeeeeeee/thumbnail.jpg';
let folder = '';

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'koda-surface-'));
  await build({
    configFile: false,
    logLevel: 'warn',
    // The folder whose class names the styles are made for.
    root: join(root, 'web'),
    plugins: [react(), tailwindcss()],
    build: {
      outDir: folder,
      emptyOutDir: true,
      rolldownOptions: {
        input: join(root, 'test/fixtures/pages/surface-parts.tsx'),
        output: { entryFileNames: 'page.js', assetFileNames: 'page[extname]' },
      },
    },
  });
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

async function show(page: Page, messages: readonly object[]): Promise<readonly string[]> {
  const asked: string[] = [];
  await page.route('**/*', async (route) => {
    const { pathname, origin: from } = new URL(route.request().url());
    asked.push(route.request().url());
    if (from !== origin) return await route.abort();
    if (pathname.endsWith('/thumbnail.jpg') && pathname !== gone)
      return await route.fulfill({ path: join(root, 'test/fixtures/logo.png') });
    return await route.fulfill({ contentType: 'text/html', body: '' });
  });
  await page.goto(origin);
  await page.evaluate((given) => Object.assign(globalThis, { messages: given }), messages);
  await page.addStyleTag({ content: await readFile(join(folder, 'page.css'), 'utf8') });
  await page.addScriptTag({ path: join(folder, 'page.js'), type: 'module' });
  return asked;
}

const sentBy = (page: Page) => page.evaluate(() => Reflect.get(globalThis, 'sent') as unknown[]);

const create = { version: '1.0', createSurface: { surfaceId: 's', catalogId: 'koda:catalog/v1' } };
const surfaceOf = (data: object, ...components: readonly object[]) => [
  create,
  { version: 'v0.9', updateDataModel: { surfaceId: 's', value: data } },
  { version: 'v0.9', updateComponents: { surfaceId: 's', components } },
];
const button = (id: string, label: string, more: object = {}) => [
  { id, component: 'Button', child: `${id}-label`, action: { event: { name: 'submit', context: {} } }, ...more },
  { id: `${id}-label`, component: 'Text', text: label },
];
const options = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ label: `Film ${index + 1}`, value: `f${index + 1}` }));
const required = (path: string) => [{ condition: { call: 'required', args: { value: { path } } }, message: 'Choose one.' }];

const every = surfaceOf(
  {
    ...{ name: 'lift', note: '', keep: true, size: ['9:16'], film: [], several: ['f1'], speed: 3, colour: '#ff8800' },
    films: Array.from({ length: 450 }, (_, index) => ({ name: `Film ${index + 1}`, size: index * 10 })),
  },
  {
    ...{ id: 'root', component: 'Column' },
    children: [
      ...['h1', 'h2', 'h3', 'body', 'caption', 'alerts', 'line', 'tabs', 'films', 'none', 'picture', 'outside', 'one', 'bars'],
      ...['progress', 'buttons'],
    ],
  },
  ...(['h1', 'h2', 'h3', 'body', 'caption'] as const).map((variant) => ({
    id: variant,
    component: 'Text',
    text: variant,
    variant,
  })),
  { id: 'alerts', component: 'List', children: ['info', 'success', 'warning', 'error'] },
  ...(['info', 'success', 'warning', 'error'] as const).map((tone) => ({
    ...{ id: tone, component: 'Alert', tone, title: `Title of ${tone}`, text: 'What it means.' },
  })),
  { id: 'line', component: 'Divider' },
  {
    id: 'tabs',
    component: 'Tabs',
    tabs: [
      { title: 'Fields', child: 'card' },
      { title: 'More', child: 'more' },
    ],
  },
  { id: 'more', component: 'Text', text: 'Behind a tab' },
  { id: 'card', component: 'Card', child: 'fields' },
  {
    ...{ id: 'fields', component: 'Column' },
    children: ['name', 'note', 'fixed', 'keep', 'size', 'menu', 'film', 'several', 'speed', 'colour'],
  },
  {
    ...{ id: 'name', component: 'TextField', label: 'File name', value: { path: '/name' } },
    accessibility: { description: 'Letters and digits' },
  },
  { id: 'note', component: 'TextField', label: 'Note', variant: 'longText', value: { path: '/note' } },
  { id: 'fixed', component: 'TextField', label: 'Project', value: 'Open late this winter' },
  { id: 'keep', component: 'CheckBox', label: 'Keep the old render', value: { path: '/keep' } },
  {
    ...{ id: 'size', component: 'ChoicePicker', label: 'Size', value: { path: '/size' } },
    options: [
      { label: 'Wide', value: '16:9' },
      { label: 'Upright', value: '9:16' },
    ],
  },
  { id: 'menu', component: 'ChoicePicker', label: 'Menu', value: { path: '/film' }, options: options(6) },
  { id: 'film', component: 'ChoicePicker', label: 'Film', value: { path: '/film' }, options: options(30) },
  {
    ...{ id: 'several', component: 'ChoicePicker', label: 'Several', variant: 'multipleSelection' },
    ...{ value: { path: '/several' }, options: options(3) },
  },
  { id: 'speed', component: 'Slider', label: 'Speed', max: 10, value: { path: '/speed' } },
  { id: 'colour', component: 'ColorPicker', label: 'Colour', value: { path: '/colour' } },
  {
    ...{ id: 'films', component: 'Table', caption: 'Films', rows: '/films' },
    columns: [
      { title: 'Film', path: 'name' },
      { title: 'Size', path: 'size' },
    ],
  },
  {
    id: 'none',
    component: 'Table',
    caption: 'None',
    rows: '/none',
    empty: 'No film says this.',
    columns: [{ title: 'Film', path: 'a' }],
  },
  { id: 'picture', component: 'Image', url: picture, description: 'A tram at night' },
  { id: 'outside', component: 'Image', url: { path: '/note' }, description: 'Not ours' },
  {
    ...{ id: 'one', component: 'Chart', label: 'Space', shape: 'bar' },
    bars: [
      { label: 'Videos', value: 3, text: '3 GB' },
      { label: 'Previews', value: 1, text: '1 GB' },
    ],
  },
  {
    id: 'bars',
    component: 'Chart',
    label: 'Views',
    bars: [
      { label: 'Tram', value: 20 },
      { label: 'Bus', value: 5 },
    ],
  },
  { id: 'progress', component: 'Progress', label: 'Making films', value: 62, secondsLeft: 40 },
  { id: 'buttons', component: 'Row', children: ['drop', 'cancel', 'make'], justify: 'end' },
  ...button('drop', 'Delete', { variant: 'destructive' }),
  ...button('cancel', 'Cancel'),
  ...button('make', 'Make films', { variant: 'primary' }),
);

test('V1: every component is drawn, and axe finds nothing', async ({ page }) => {
  const asked = await show(page, every);
  await expect(page.getByRole('heading', { name: 'h1' })).toBeVisible();
  await expect(page.getByText('Title of warning')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'File name' })).toHaveAccessibleDescription('Letters and digits');
  await expect(page.getByRole('textbox', { name: 'Project' })).toHaveAttribute('readonly');
  await expect(page.getByRole('radio', { name: 'Upright' })).toBeChecked();
  await expect(page.getByRole('img', { name: 'A tram at night' })).toHaveJSProperty('complete', true);
  await expect(page.getByText('Not ours: This picture is not one of Koda’s own')).toBeVisible();
  await expect(page.getByText('3 GB')).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Making films' })).toHaveAttribute('aria-valuetext', '62 %, 0:40 left');
  await expect(page.getByText('No film says this.')).toBeVisible();
  const ink = String(await page.evaluate('getComputedStyle(document.body).color'));
  await expect(page.getByRole('button', { name: 'Cancel' })).toHaveCSS('color', ink);
  await expect(page.getByRole('button', { name: 'Delete…' })).not.toHaveCSS('color', ink);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await untilStill(page);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  }
  expect(asked.filter((url) => !url.startsWith(origin))).toEqual([]);
});

test('V1: a long table scrolls and is paged, and a long menu is searched', async ({ page }) => {
  await show(page, every);
  const table = page.getByRole('table', { name: 'Films' });
  await expect(table.getByRole('row')).toHaveCount(201);
  await page.getByRole('button', { name: 'Next rows' }).click();
  await page.getByRole('button', { name: 'Next rows' }).click();
  await expect(page.getByRole('status').filter({ hasText: '401 to 450 of 450' })).toBeVisible();
  await expect(table.getByRole('row')).toHaveCount(51);
  const film = page.getByRole('button', { name: 'Film: choose' });
  await film.click();
  await page.getByRole('combobox', { name: 'Search: Film' }).fill('film 29');
  await expect(page.getByRole('listbox', { name: 'Film' }).getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Film: Film 29' })).toBeFocused();
});

const own = `/p/prj_${'a'.repeat(20)}`;
const videoOf = (letter: string) => `/storage/renders/rnd_${letter.repeat(20)}/video.mp4`;

test('V1: a cell that is the path of a video plays and saves it under the row’s name, and other addresses are text', async ({
  page,
}) => {
  const rows = [
    { name: 'Amira Haddad', room: 'Room 12', video: videoOf('a') },
    { name: 'Amira Haddad', room: 'Room 9/10', video: videoOf('b') },
    { name: 'Oskar Lund', room: 'Room 9', video: videoOf('e') },
    { name: 'Elsewhere', room: '', video: `https://evil.example${videoOf('a')}` },
    { name: 'No video', room: '', video: `${videoOf('a')}/../../x` },
  ];
  const [name, room, video] = ['name', 'room', 'video'].map((path) => ({ title: path, path }));
  await show(
    page,
    surfaceOf(
      { rows, alone: videoOf('c'), words: `Look at ${own}, not at https://evil.example${own} or ${own}/x.` },
      { id: 'root', component: 'Column', children: ['table', 'alone', 'words'] },
      { id: 'words', component: 'Text', text: { path: '/words' } },
      { id: 'table', component: 'Table', caption: 'Videos', rows: '/rows', columns: [name, room, video] },
      { id: 'alone', component: 'Text', text: { path: '/alone' } },
    ),
  );
  const table = page.getByRole('table', { name: 'Videos' });
  await expect(table.getByRole('link')).toHaveCount(2);
  await expect(table.getByText('No longer there')).toBeVisible();
  await expect(table.getByText(`https://evil.example${videoOf('a')}`)).toBeVisible();
  await expect(table.getByRole('link', { name: 'Download “Amira Haddad, Room 12”' })).toHaveAttribute(
    'download',
    'Amira Haddad, Room 12.mp4',
  );
  const second = table.getByRole('link', { name: 'Download “Amira Haddad, Room 9/10”' });
  await expect(second).toHaveAttribute('download', 'Amira Haddad, Room 9-10.mp4');
  await expect(second).toHaveAttribute('href', videoOf('b'));
  await expect(page.getByRole('link', { name: 'Download the video' })).toHaveAttribute('href', `${videoOf('c')}?download`);
  const words = page.getByText('Look at');
  await expect(words).toHaveText(`Look at ${own}, not at https://evil.example${own} or ${own}/x.`);
  await expect(words.getByRole('link')).toHaveCount(1);
  await untilStill(page);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);

  const play = table.getByRole('button', { name: 'Play “Amira Haddad, Room 12”' });
  await play.click();
  const dialog = page.getByRole('dialog', { name: 'Video “Amira Haddad, Room 12”' });
  await expect(dialog.locator('video')).toHaveAttribute('src', videoOf('a'));
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(play).toBeFocused();

  await page.setViewportSize({ width: 390, height: 844 });
  const row = page.getByRole('list', { name: 'Videos' }).getByRole('listitem').first();
  await expect(row).toHaveText('Amira Haddadroom Room 12');
  await expect(row.getByRole('button', { name: /^Play/ })).toBeVisible();
});

test('V1: the button that sends leads to the first problem, and a destructive one asks once', async ({ page }) => {
  const check = (name: string) => ({ checks: required(`/${name}`), value: { path: `/${name}` } });
  await show(
    page,
    surfaceOf(
      { a: '', b: '', c: [] },
      { id: 'root', component: 'Column', children: ['tabs', 'b', 'buttons'] },
      {
        id: 'tabs',
        component: 'Tabs',
        tabs: [
          { title: 'First', child: 'words' },
          { title: 'Second', child: 'a' },
        ],
      },
      { id: 'words', component: 'Text', text: 'Nothing to fill in here.' },
      { id: 'a', component: 'TextField', label: 'Name', ...check('a') },
      { id: 'b', component: 'TextField', label: 'Place', ...check('b') },
      { id: 'buttons', component: 'Row', children: ['drop', 'send'] },
      ...button('drop', 'Delete', { variant: 'destructive' }),
      ...button('send', 'Send', { variant: 'primary', action: { event: { name: 'submit', context: { a: { path: '/a' } } } } }),
    ),
  );
  const send = page.getByRole('button', { name: 'Send' });
  await send.click();
  // The first problem is behind another tab.
  const name = page.getByRole('textbox', { name: 'Name' });
  await expect(name).toBeFocused();
  await expect(name).toHaveAttribute('aria-invalid', 'true');
  await expect(name).toHaveAccessibleDescription('Choose one.');
  await expect(page.getByText('2 answers to check')).toBeVisible();
  await page.getByRole('button', { name: 'Place' }).click();
  const place = page.getByRole('textbox', { name: 'Place' });
  await expect(place).toBeFocused();
  await place.fill('Graz');
  await expect(place).toHaveAttribute('aria-invalid', 'false');
  await expect(page.getByText('answers to check')).toHaveCount(0);
  await name.fill('Ada');
  await send.click();
  const sent = { version: '1.0', action: { name: 'submit', surfaceId: 's', sourceComponentId: 'send', context: { a: 'Ada' } } };
  await expect.poll(() => sentBy(page)).toMatchObject([sent]);

  await page.getByRole('button', { name: 'Delete…' }).click();
  const ask = page.getByRole('group', { name: 'Delete?' });
  await expect(ask.getByRole('button', { name: 'Keep' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(ask).toHaveCount(0);
  expect(await sentBy(page)).toHaveLength(1);
  await page.getByRole('button', { name: 'Delete…' }).click();
  await ask.getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => sentBy(page)).toHaveLength(2);
});

test('V2: a surface that looks like Koda stays in its frame, and one that is too large is refused in words', async ({ page }) => {
  await show(page, [
    {
      surfaceUpdate: {
        surfaceId: 's',
        components: [
          { id: 'title', type: 'Text', text: 'Allow sending branches.csv?', usageHint: 'h1' },
          { id: 'words', type: 'Text', text: '<script>window.ran = 1</'.replace('script', 'b') },
          { id: 'allow', type: 'Button', label: 'Allow in this conversation', variant: 'primary' },
        ],
      },
    },
  ]);
  const frame = page.locator('.surface-frame');
  await expect(frame.getByRole('button', { name: 'Allow in this conversation' })).toBeVisible();
  await expect(frame.getByText('<b>window.ran = 1</')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  // Nothing inside can be drawn outside.
  await expect(frame).toHaveCSS('contain', /paint|content/);
  await expect(page.locator('body > *:not(main, script, style)')).toHaveCount(0);

  const many = Array.from({ length: 10_000 }, (_, index) => ({ id: `c${index}`, type: 'Text', text: 'a' }));
  await show(page, [{ surfaceUpdate: { surfaceId: 's', components: many } }]);
  await expect(page.getByRole('alert')).toContainText('The form is too large to show: 10,000 parts, 300 are allowed.');
});
