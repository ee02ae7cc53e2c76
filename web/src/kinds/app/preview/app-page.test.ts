import { describe, expect, it } from 'vitest';
import type { FromApp, ToApp } from './app-channel.ts';
import { AppPage } from './app-page.ts';

function opened() {
  const posted: ToApp[] = [];
  const page = new AppPage({ url: 'http://abc.localhost:3000/', path: '/', nowMs: 0, post: (message) => posted.push(message) });
  return { page, posted, state: () => page.store.getState() };
}

const ready: FromApp = { type: 'koda:app-ready', pages: [{ id: 'tools', name: 'Tools' }] };

describe('the page of an app', () => {
  it('is late without an answer, and answers at last', () => {
    const { page, state } = opened();
    page.check(19_000);
    expect(state().health).toBe('loading');
    page.check(21_000);
    expect(state().health).toBe('late');
    page.receive(ready, 22_000);
    expect(state()).toMatchObject({ health: 'responsive', pages: [{ name: 'Tools' }] });
  });

  it('may be silent for as long as it likes once it has started', () => {
    const { page, state } = opened();
    page.receive(ready, 100);
    for (let nowMs = 1000; nowMs < 60_000; nowMs += 1000) page.check(nowMs);
    expect(state().health).toBe('responsive');
  });

  it('has failed if it reports an error instead of starting', () => {
    const { page, state } = opened();
    page.receive({ type: 'koda:console', level: 'error', text: 'SyntaxError' }, 100);
    page.check(4000);
    expect(state().health).toBe('failed');
  });

  it('is ignored once it has flooded the studio', () => {
    const { page, state } = opened();
    page.flooded(100);
    page.receive(ready, 200);
    expect(state().health).toBe('flooding');
  });

  it('goes back and forward over the paths that it has shown', () => {
    const { page, posted, state } = opened();
    for (const path of ['/', '/tools', '/loans']) page.receive({ type: 'koda:app-location', path }, 0);
    page.back();
    expect(posted.at(-1)).toEqual({ type: 'koda:navigate', path: '/tools' });
    page.receive({ type: 'koda:app-location', path: '/tools' }, 0);
    expect(state()).toMatchObject({ path: '/tools', before: ['/'], after: ['/loans'] });
    page.forward();
    expect(posted.at(-1)).toEqual({ type: 'koda:navigate', path: '/loans' });
    page.receive({ type: 'koda:app-location', path: '/loans' }, 0);
    expect(state()).toMatchObject({ path: '/loans', before: ['/', '/tools'], after: [] });
  });

  it('is told again after each load what the studio has asked before', () => {
    const { page, posted } = opened();
    page.setMode('dark');
    page.select(true, { page: 'tools', view: 'all' });
    posted.length = 0;
    page.receive(ready, 0);
    expect(posted).toEqual([
      { type: 'koda:mode', mode: 'dark' },
      { type: 'koda:select', on: true, page: 'tools', view: 'all' },
    ]);
  });

  it('is loaded again where it is, without the hash', () => {
    const { page } = opened();
    page.receive({ type: 'koda:app-location', path: '/tools?group=status#row' }, 0);
    expect(page.currentAddress).toBe('http://abc.localhost:3000/tools?group=status');
  });

  it('keeps the newest requests only', () => {
    const { page, state } = opened();
    for (let count = 0; count < 600; count += 1)
      page.receive({ type: 'koda:network', method: 'GET', path: `/api/${count}`, status: 200, ms: 1 }, 0);
    page.flush();
    expect(state().requests).toHaveLength(500);
    expect(state().requests.at(-1)?.path).toBe('/api/599');
  });
});
