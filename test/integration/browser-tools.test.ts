import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import jpeg from 'jpeg-js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ToolName } from '#contract/tools.ts';
import type { Sandbox } from '../../server/sandbox/sandbox.ts';
import { signal, type TestProvider, testProvider } from '../fixtures/sandbox.ts';
import { previewUrl, type SandboxTools, toolsOver } from '../fixtures/tools.ts';

/** A page that records user input and animates forever. */
const page = `<!doctype html><title>Form</title>
<style>body { margin: 0; background: #f00 } main { height: 3000px } #box { height: 100px; width: 200px; overflow: auto } canvas { position: fixed; right: 0; bottom: 0 }</style>
<main>
  <h1>Hello <b>there</b></h1>
  <button id="go" onclick="log.textContent += 'go '; document.body.style.background = '#00f'">Send it</button>
  <button data-testid="second" onclick="alert('boo'); log.textContent += 'second '">Another one</button>
  <form onsubmit="event.preventDefault(); log.textContent += 'sent:' + field.value + ' '"><input id="field" value="old"></form>
  <input id="off" disabled><div hidden id="secret">hidden words</div>
  <a href="/form.html?two">Next page</a>
  <div id="box"><div style="height: 1000px">tall</div></div>
  <p id="log"></p><p id="counter">0</p>
</main>
<footer id="end">The end</footer>
<canvas width="100" height="100" onclick="log.textContent += 'canvas:' + event.offsetX + ',' + event.offsetY + ' '"></canvas>
<script>
  const log = document.getElementById('log');
  const field = document.getElementById('field');
  field.oninput = () => { log.textContent += 'input:' + field.value + ' ' };
  (function frame() { counter.textContent = Number(counter.textContent) + 1; requestAnimationFrame(frame) })();
  // Queries must not depend on the page's own changes to built-ins.
  Document.prototype.querySelectorAll = () => [];
  Array.prototype.find = () => null;
  console.log('ready', 7);
  console.warn('careful');
</script>`;

let place: TestProvider;
let sandbox: Sandbox;
let tools: SandboxTools;

beforeAll(async () => {
  place = testProvider('process');
  ({ sandbox } = await place.create());
  await sandbox.init({ template: 'film' }, { signal });
  await sandbox.writeFile('public/form.html', Buffer.from(page), { signal });
  tools = toolsOver(sandbox);
});
afterAll(async () => {
  await place?.[Symbol.asyncDispose]();
});

const open = (url = '/form.html') => tools.output('browser_navigate', { url });
const read = async (selector: string) => String((await tools.output('browser_extract', { selector }))['content']);
const failure = async (name: ToolName, input: object) => {
  const answer = await tools.call(name, input);
  if (answer.status !== 'error') throw new Error(`${name} was to fail, and answered ${JSON.stringify(answer)}`);
  return answer;
};

/** Returns the colour of a pixel of the screenshot. */
async function pixel(x: number, y: number, input: object = {}): Promise<number[]> {
  const answer = await tools.call('browser_screenshot', input);
  if (answer.status !== 'completed') throw new Error(JSON.stringify(answer));
  const { data, width } = jpeg.decode(Buffer.from(answer.images?.[0]?.base64 ?? '', 'base64'));
  const at = (y * width + x) * 4;
  return [...data.subarray(at, at + 3)].map((value) => Math.round(value / 16) * 16);
}

describe('browser_navigate', () => {
  it('T5: opens the animation and reports its address', async () => {
    const { url, title } = await open('/');
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    expect(title).not.toBe('');
  });

  it("T5: takes the preview's address in the user's browser for the page in the sandbox", async () => {
    expect(await open(`${previewUrl}form.html?a=1#b`)).toMatchObject({
      title: 'Form',
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/form\.html\?a=1#b$/),
    });
    const { port } = await sandbox.previewStatus({ signal });
    expect(await open(`http://localhost:${port}/form.html`)).toMatchObject({ title: 'Form' });
  });

  it('T5: opens a data URL', async () => {
    expect(await open('data:text/html,<title>Mine</title><p>written</p>')).toMatchObject({ title: 'Mine' });
    expect(await read('p')).toBe('written');
  });

  it('T5, A19: opens nothing else, and the page reaches nothing else', async () => {
    let asked = 0;
    const other = createServer((_request, response) => {
      asked++;
      response.end('other');
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const elsewhere = `http://127.0.0.1:${port}/`;
    for (const url of [
      elsewhere,
      `//127.0.0.1:${port}/`,
      `http://localhost:${port}`,
      'https://example.com',
      'file:///etc/passwd',
      'chrome://version',
      'javascript:alert(1)',
      'view-source:http://127.0.0.1/',
      'http://[',
    ])
      expect(await failure('browser_navigate', { url }), url).toMatchObject({
        code: 'NAVIGATION_FAILED',
        message: expect.stringContaining('path of the preview'),
      });
    // A second host is part of the path.
    const { port: own } = await sandbox.previewStatus({ signal });
    await tools.call('browser_navigate', { url: `http://127.0.0.1:${own}//127.0.0.1:${port}/` });
    const answer = await open(
      `data:text/html,<img src="${elsewhere}a.png"><iframe src="${elsewhere}b"></iframe><a href="${elsewhere}">away</a>`,
    );
    expect(JSON.stringify(answer['new_errors'])).toContain('no network');
    await tools.call('browser_click', { text: 'away' });
    expect(asked).toBe(0);
    other.close();
  });
});

describe('browser_click', () => {
  beforeEach(async () => {
    await open();
  });

  it.each([
    ['a selector', { selector: '#go' }],
    ['its text, whatever its case and spaces', { text: 'send  IT' }],
  ])('T5: clicks by %s, and says what it hit', async (_how, input) => {
    const answer = await tools.output('browser_click', input);
    expect(answer).toMatchObject({ element: { selector: '#go', tag: 'button', text: 'Send it' } });
    expect(await read('#log')).toBe('go');
  });

  it('T5: clicks at a point of an element and of the window', async () => {
    await tools.output('browser_click', { selector: 'canvas', x: 10, y: 20 });
    await tools.output('browser_click', { x: 1279 - 49, y: 719 - 49 });
    expect(await read('#log')).toBe('canvas:10,20 canvas:50,50');
  });

  it('T5: names the existing elements if the requested one is missing', async () => {
    const bySelector = await failure('browser_click', { selector: '#goo' });
    expect(bySelector).toMatchObject({ code: 'ELEMENT_NOT_FOUND', message: expect.stringContaining('#go ("Send it")') });
    const byText = await failure('browser_click', { text: 'Sent it' });
    expect(byText).toMatchObject({ code: 'ELEMENT_NOT_FOUND', message: expect.stringContaining('"Send it"') });
    expect((byText.details as { similar: { selector: string }[] }).similar[0]).toEqual({ selector: '#go', text: 'Send it' });
  });

  it('T5: reports a hidden element and an invalid selector', async () => {
    expect(await failure('browser_click', { selector: '#secret' })).toMatchObject({
      code: 'ELEMENT_NOT_FOUND',
      message: expect.stringContaining('hidden'),
    });
    expect(await failure('browser_click', { selector: 'a[' })).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await failure('browser_click', { x: 5 })).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await failure('browser_click', { x: 3000, y: 5 })).toMatchObject({ code: 'ELEMENT_NOT_FOUND' });
  });

  it('T5: closes dialogs and follows a link', async () => {
    await tools.output('browser_click', { selector: '[data-testid=second]' });
    expect(await read('#log')).toBe('second');
    const { messages } = await tools.output('browser_console', { level: 'warning' });
    expect(JSON.stringify(messages)).toContain('boo');
    expect(await tools.output('browser_click', { text: 'Next page' })).toMatchObject({
      url: expect.stringContaining('/form.html?two'),
    });
    expect(await read('#log')).toBe('');
  });
});

describe('browser_type', () => {
  beforeEach(async () => {
    await open();
  });

  it('T5: replaces the content of a field like a user, and presses Enter', async () => {
    const { element } = await tools.output('browser_type', { selector: '#field', text: 'Grüße 👋', submit: true });
    expect(element).toMatchObject({ selector: '#field', text: 'Grüße 👋' });
    expect(await read('#log')).toBe('input: input:Grüße 👋 sent:Grüße 👋');
  });

  it('T5: appends text if clearing is off', async () => {
    await tools.output('browser_type', { selector: '#field', text: 'er', clear: false });
    expect(await read('#log')).toBe('input:older');
  });

  it('T5: reports why it cannot type into an element', async () => {
    expect(await failure('browser_type', { selector: '#go', text: 'x' })).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('does not accept text'),
    });
    expect(await failure('browser_type', { selector: '#off', text: 'x' })).toMatchObject({
      message: expect.stringContaining('disabled'),
    });
    expect(await failure('browser_type', { selector: '#fields', text: 'x' })).toMatchObject({
      code: 'ELEMENT_NOT_FOUND',
      message: expect.stringContaining('#field'),
    });
  });
});

describe('browser_scroll', () => {
  it('T5: scrolls the page, an element into view, and within an element', async () => {
    await open();
    expect(await tools.output('browser_scroll', {})).toMatchObject({ scroll: { y: 600 } });
    expect(await tools.output('browser_scroll', { dy: -100 })).toMatchObject({ scroll: { y: 500 } });
    const { scroll, element } = await tools.output('browser_scroll', { selector: '#end' });
    expect((scroll as { y: number; max_y: number }).y).toBe((scroll as { max_y: number }).max_y);
    expect(element).toMatchObject({ text: 'The end' });
    await tools.output('browser_scroll', { selector: '#box', dy: 300 });
    const { elements } = await tools.output('browser_extract', { selector: '#box > div', what: 'elements' });
    const { elements: around } = await tools.output('browser_extract', { selector: '#box', what: 'elements' });
    const top = (list: unknown) => (list as { box: { y: number } }[])[0]?.box.y ?? Number.NaN;
    expect(top(around) - top(elements)).toBe(300);
  });
});

describe('browser_extract', () => {
  beforeEach(async () => {
    await open();
  });

  it('T5: reads the visible text, the HTML, and the elements', async () => {
    const text = await read('body');
    expect(text).toContain('Hello there');
    expect(text).not.toContain('hidden words');
    expect(await tools.output('browser_extract', { selector: 'h1', what: 'html' })).toMatchObject({
      content: '<h1>Hello <b>there</b></h1>',
      matches: 1,
      complete: true,
    });
    const { elements, matches } = await tools.output('browser_extract', { selector: 'button', what: 'elements' });
    expect(matches).toBe(2);
    expect(elements).toMatchObject([
      { selector: '#go', text: 'Send it', attributes: { id: 'go' }, visible: true },
      { selector: '[data-testid="second"]', text: 'Another one' },
    ]);
  });

  it('T5: cuts long content and reports it', async () => {
    await open(`data:text/html,<body><script>document.body.innerHTML = '<p>word</p>'.repeat(20000)</script>`);
    const { content, complete } = await tools.output('browser_extract', {});
    expect([String(content).length, complete]).toEqual([50_000, false]);
    const { elements, matches, complete: all } = await tools.output('browser_extract', { selector: 'p', what: 'elements' });
    expect([(elements as unknown[]).length, matches, all]).toEqual([50, 20_000, false]);
  });

  it('T5: waits for elements that appear later, and otherwise names the existing ones', async () => {
    await open(
      `data:text/html,<p id=now>now</p><script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<p id=later>late</p>'), 700)</script>`,
    );
    expect(await read('#later')).toBe('late');
    expect(await failure('browser_extract', { selector: '#latter' })).toMatchObject({
      code: 'ELEMENT_NOT_FOUND',
      message: expect.stringContaining('#later'),
    });
  });
});

describe('browser_screenshot', () => {
  it('T5: captures the current page in the size of its window', async () => {
    await tools.output('browser_navigate', { url: '/form.html', width: 640, height: 360 });
    const answer = await tools.call('browser_screenshot', {});
    const image = answer.status === 'completed' ? answer.images?.[0] : undefined;
    const { width, height } = jpeg.decode(Buffer.from(image?.base64 ?? '', 'base64'));
    expect([image?.mediaType, width, height]).toEqual(['image/jpeg', 640, 360]);
    expect(await pixel(600, 10)).toEqual([256, 0, 0]);
    expect(await pixel(600, 10)).toEqual([256, 0, 0]);
    await tools.output('browser_click', { selector: '#go' });
    expect(await pixel(600, 10)).toEqual([0, 0, 256]);
  });

  it('T5: runs the page while it waits, and pauses it between calls', async () => {
    await open();
    const frames = async () => Number(await read('#counter'));
    const first = await frames();
    // The page also runs while it is read, which takes longer on a busy machine, and draws fewer frames then.
    const waitMs = 8_000;
    await delay(waitMs);
    const second = await frames();
    await tools.call('browser_screenshot', { wait_ms: waitMs });
    expect((await frames()) - second).toBeGreaterThan(2 * (second - first));
  });
});

describe('browser_console', () => {
  it('T5: reports messages, errors and missing files, and marks new ones in each call', async () => {
    const answer = await open(
      'data:text/html,<title>x</title><script>console.log("ready", 7); console.warn("careful"); setTimeout(() => { throw new Error("late trouble") }, 50)</script><p onclick="nowhere()">press</p>',
    );
    expect(JSON.stringify(answer['new_errors'])).toContain('late trouble');
    expect(await tools.output('browser_extract', {})).not.toHaveProperty('new_errors');
    expect(JSON.stringify((await tools.output('browser_click', { text: 'press' }))['new_errors'])).toContain(
      'nowhere is not defined',
    );
    const { messages } = await tools.output('browser_console', {});
    expect(messages).toMatchObject([
      { level: 'log', text: 'ready 7' },
      { level: 'warning', text: 'careful' },
      { level: 'error', text: expect.stringContaining('late trouble') },
      { level: 'error', text: expect.stringContaining('nowhere') },
    ]);
    expect((await tools.output('browser_console', { level: 'error' }))['messages']).toHaveLength(2);
    await open();
    expect((await tools.output('browser_console', { level: 'all' }))['messages']).toMatchObject([
      { text: 'ready 7' },
      { text: 'careful' },
    ]);
  });
});

describe('the browser of the agent', () => {
  it('T5: a stopped call ends, and the next one works', async () => {
    await open();
    const stop = new AbortController();
    const waiting = tools.call('browser_screenshot', { wait_ms: 10_000 }, stop.signal);
    await delay(500);
    stop.abort();
    expect(await waiting).toMatchObject({ status: 'error', code: 'CANCELLED' });
    expect(await read('h1')).toBe('Hello there');
  });

  it('T5: queues concurrent calls', async () => {
    await open();
    const answers = await Promise.all(['#go', 'h1', '#end'].map(read));
    expect(answers).toEqual(['Send it', 'Hello there', 'The end']);
  });
});
