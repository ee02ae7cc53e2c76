import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentBrowser } from '../../sandbox-image/sandboxd/browser/agent-browser.ts';
import { type StageWorkspace, stageWorkspace } from '../fixtures/stage-workspace.ts';

const { signal } = new AbortController();
const size = { width: 320, height: 180 };
/** The limits are shorter than the defaults, which these pages exhaust, but long enough for responsive pages. */
const limits = { callTimeoutMs: 4_000, loadTimeoutMs: 6_000 };
const page = '<!doctype html><title>Form</title><h1>Hello</h1><button id="block" onclick="for (;;);">Block</button>';

let place: StageWorkspace;
let browser: AgentBrowser;

beforeAll(async () => {
  place = await stageWorkspace();
  await writeFile(join(place.folder, 'form.html'), page);
  browser = new AgentBrowser(place.tools.launcher, 60_000, limits);
});
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]();
  await place?.[Symbol.asyncDispose]();
});

const step = (action: Parameters<AgentBrowser['step']>[0]) => browser.step(action, place.origin, signal);
const open = (url: string) => step({ action: 'navigate', url, ...size });

describe('pages that block, in the browser of the agent', () => {
  it('T5: reports a page that blocks during loading, and opens another one', async () => {
    await expect(open('data:text/html,<script>for(;;);</script>')).rejects.toMatchObject({
      code: expect.stringMatching(/NAVIGATION_FAILED|EXECUTION_FAILED/),
    });
    expect(await open('/form.html')).toMatchObject({ title: 'Form' });
  });

  it('T5: closes a page that blocks on a click, and reopens its address', async () => {
    await open('/form.html');
    await expect(step({ action: 'click', selector: '#block', text: null, at: null })).rejects.toMatchObject({
      code: 'EXECUTION_FAILED',
      message: expect.stringContaining('endless loop'),
    });
    expect(await step({ action: 'extract', selector: 'h1', what: 'text' })).toMatchObject({ content: 'Hello', reopened: true });
  });
});
