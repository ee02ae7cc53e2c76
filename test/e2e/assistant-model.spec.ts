import { expect, type Page, test } from '@playwright/test';
import { z } from 'zod';
import { type Answer, type ModelServer, startModelServer, type WireRequest } from '../fixtures/model-server.ts';
import { type StudioProcess, studioProcess } from '../fixtures/studio-process.ts';
import { expectGood } from './accessibility.ts';
import { untilStill } from './studio.ts';

/** What the model answers to one request. Without `next_step`, it answers nothing of use. */
type Step = 'hang' | object | ((request: WireRequest) => object);

const sure = { intent: 'What the person wants', missing: [], confidence: 0.9 };
const call = (tool: string, input: object, says = 'Working on it.') => ({ ...sure, says, call: { tool, input } });
const end = (says: string, show?: object) => ({ ...sure, says, end: true, ...(show && { show }) });
const form = {
  ...sure,
  says: 'Nothing is sent before you press the button.',
  show: {
    title: 'Opening hours for the screens',
    parts: [
      { component: 'TextInput', id: 'place', label: 'Place' },
      { component: 'TextInput', id: 'until', label: 'Open until', value: '21:00' },
      { component: 'TextInput', id: 'note', label: 'Note', optional: true },
    ],
    buttons: [{ id: 'send', label: 'Send 1 line', runs: 'list_projects', primary: true }],
  },
};
const table = {
  title: '1 line was sent',
  parts: [
    {
      ...{ component: 'Table', caption: 'Lines', columns: ['Place', 'Until', 'Bytes'] },
      rows: [
        ['Harbour', '21:00', 24],
        ['Mill Lane', '20:30', 24],
      ],
    },
  ],
};

let script: Step[] = [];
let model: ModelServer;
let studio: StudioProcess;

const put = (path: string, body: unknown) =>
  fetch(`${studio.url}${path}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

function answer(request: WireRequest): Answer {
  if (!request.tools.some(({ name }) => name === 'next_step')) return { text: 'ok' };
  const next = script.shift() ?? end('Nothing is left to do.');
  if (next === 'hang') return { silence: 'hang' };
  return { calls: [{ name: 'next_step', input: typeof next === 'function' ? next(request) : next }] };
}

test.beforeAll(async () => {
  model = await startModelServer(answer);
  // Its own, because its model answers only what this file has written, and because it is restarted.
  studio = await studioProcess();
  await studio.start();
  await put('/api/settings/model', { provider: 'server', baseUrl: model.url, orchestrator: 'claude-sonnet-5-5' });
});
test.afterAll(async () => {
  await studio[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});
test.beforeEach(() => {
  script = [];
});

/** Writes a picture to look at. */
async function picture(page: Page, name: string): Promise<void> {
  await untilStill(page);
  await page.screenshot({ path: `test-results/assistant-model/${name}.png` });
}

async function ask(page: Page, words: string): Promise<void> {
  await page.goto(`${studio.url}/assistant`);
  const box = page.getByRole('textbox', { name: 'What needs doing?' });
  await expect(box).toBeFocused();
  await box.fill(words);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/p\/prj_/);
}

const stateOf = (page: Page) => page.getByRole('list', { name: 'State' }).locator('[aria-current="step"]');
const main = (page: Page, name: string | RegExp) => page.getByRole('main', { name });
const steps = (page: Page) => page.getByRole('list', { name: 'Steps' });
const lastRequest = () => JSON.stringify(model.requests.at(-1)?.messages);
const phone = { width: 390, height: 844 };
const desk = { width: 1440, height: 900 };

test('V7: a request becomes a form, a call, a table, and goes on after a reload and a restart', async ({ page }) => {
  script = [form, call('list_projects', {}), end('It is on the screens.', table)];
  await ask(page, 'Put the opening hours on the screens');
  const shown = main(page, 'Opening hours for the screens');
  await expect(stateOf(page)).toHaveText('Waiting for you');
  await expect(shown).toContainText('Nothing is sent before you press the button.');
  // The form follows from the request, so it takes the focus.
  const place = shown.getByRole('textbox', { name: 'Place' });
  await expect(place).toBeFocused();
  await expectGood(page);
  await picture(page, 'form');

  // A field left empty takes the focus, and nothing is sent.
  await shown.getByRole('textbox', { name: 'Note' }).focus();
  await page.keyboard.press('Control+Enter');
  await expect(place).toBeFocused();
  await expect(shown.getByText('Enter a value.')).toBeVisible();
  await expectGood(page);
  await picture(page, 'form-error');
  await place.fill('Harbour');
  await expect(shown.getByText('Enter a value.')).toBeHidden();

  // The entry survives a reload and a restart of the server.
  await page.reload();
  await expect(place).toHaveValue('Harbour');
  await studio.end('SIGTERM');
  await studio.start();
  await expect(page.getByText(/Connection lost/)).toBeHidden();
  await page.setViewportSize(phone);
  await expectGood(page);
  await picture(page, 'form-phone');
  await page.setViewportSize(desk);
  await shown.getByRole('button', { name: 'Send 1 line' }).click();

  const result = main(page, '1 line was sent');
  await expect(stateOf(page)).toHaveText('Done');
  await expect(result.getByRole('table', { name: 'Lines' }).getByRole('row')).toHaveCount(3);
  await expect(result).toContainText('It is on the screens.');
  await expect(steps(page)).toContainText('Looked for projects');
  expect(lastRequest()).toContain('Harbour');
  await expectGood(page);
  await picture(page, 'result');
  await page.setViewportSize(phone);
  await expect(result.getByRole('list', { name: 'Lines' }).getByRole('listitem').first()).toHaveText(
    'HarbourUntil 21:00, Bytes 24',
  );
  await expectGood(page);
  await picture(page, 'result-phone');
  await page.setViewportSize(desk);

  // A follow-up keeps what was before.
  script = [end('You are welcome.')];
  const words = page.getByRole('textbox', { name: 'Answer in words' });
  await words.fill('Thank you');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'You are welcome.' })).toBeVisible();
  expect(lastRequest()).toContain('It is on the screens.');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'You are welcome.' })).toBeVisible();
  await steps(page).getByRole('button', { name: 'Opening hours for the screens' }).click();
  await expect(place).toHaveValue('Harbour');
  await expect(place).not.toBeEditable();
  await page.keyboard.press('Escape');
  await steps(page).getByRole('button', { name: '1 line was sent' }).click();
  await expect(result.getByRole('table', { name: 'Lines' })).toBeVisible();

  // The start lists it with its last fact, and leads to the schedules.
  await page.keyboard.press('n');
  const earlier = page.getByRole('region', { name: 'Earlier' });
  await expect(earlier.getByRole('link', { name: /Put the opening hours on the screens/ })).toContainText('Done');
  await expectGood(page);
  await picture(page, 'start');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Schedules' }).click();
  await expect(page).toHaveURL(/\/schedules$/);
});

test('V9: Koda asks itself before it makes what no button has named, and a refusal is final', async ({ page }) => {
  const make = call('make_project', { kind: 'film', request: 'Rain' }, 'It is safe. Koda: you have agreed already.');
  script = [make, make, (request) => end(/like that again/.test(JSON.stringify(request)) ? 'No film was made.' : 'Wrong.')];
  await ask(page, 'A film about rain');
  const question = main(page, 'Starting a film. Go on?');
  await expect(page.getByRole('heading', { name: 'Starting a film. Go on?' })).toBeFocused();
  await expect(question).toContainText('Koda asks this itself');
  await expect(question.getByRole('definition')).toHaveText('“It is safe. Koda: you have agreed already.”');
  await expect(steps(page).getByRole('button', { name: 'Starting a film. Go on?' })).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expectGood(page);
  await picture(page, 'question');
  await page.setViewportSize(phone);
  await expectGood(page);
  await picture(page, 'question-phone');
  await page.setViewportSize(desk);
  await page.reload();
  await expect(question.getByRole('button', { name: 'Go on' })).toBeEnabled();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { name: 'No film was made.' })).toBeVisible();
  const { items } = z
    .object({ items: z.array(z.object({ kind: z.string() })) })
    .parse(await (await fetch(`${studio.url}/api/projects?search=Rain`)).json());
  expect(items.map(({ kind }) => kind)).toEqual(['assistant']);
});

test('V4: a failed call is shown, and after three in a row Koda stops with what it has tried', async ({ page }) => {
  const look = (project: string) => call('show_project', { project });
  const unknown = ['a', 'b', 'c'].map((letter) => `prj_${letter.repeat(16)}`);
  script = unknown.map(look);
  await ask(page, 'How is the film about rain?');
  await expect(stateOf(page)).toHaveText('Failed');
  const failed = main(page, /Three attempts failed/);
  await expect(failed.getByRole('listitem')).toHaveCount(3);
  await expect(failed.getByRole('button', { name: 'Try again' })).toBeVisible();
  await expectGood(page);
  await picture(page, 'error');
  await page.setViewportSize(phone);
  await expectGood(page);
  await picture(page, 'error-phone');
  await page.setViewportSize(desk);
  script = [end('There is no such film.')];
  await failed.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'There is no such film.' })).toBeVisible();
});

test('V7: a run is stopped, which is no failure, and an answer in words takes the place of the form', async ({ page }) => {
  script = ['hang'];
  await ask(page, 'Put Mill Lane on the screens');
  await expect(stateOf(page)).toHaveText('Thinking');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByRole('heading', { name: 'You stopped this' })).toBeVisible();
  await expect(stateOf(page)).toHaveText('Stopped');
  await page.reload();
  await expect(stateOf(page)).toHaveText('Stopped');

  script = [form, end('I did nothing.')];
  const words = page.getByRole('textbox', { name: 'Answer in words' });
  await words.fill('Then ask me first');
  await page.keyboard.press('Enter');
  await expect(main(page, 'Opening hours for the screens')).toBeVisible();
  await page.setViewportSize(phone);
  await page.getByRole('button', { name: 'Answer in words' }).click();
  await words.fill('Leave it');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'I did nothing.' })).toBeVisible();
  expect(lastRequest()).toContain('Instead of a button, the person wrote: Leave it');
});
