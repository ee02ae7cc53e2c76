import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PreviewLaunches } from './launches.ts';

const label = 'ab12';
let launches: PreviewLaunches;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  launches = new PreviewLaunches({ isSecure: false });
});
afterEach(() => vi.useRealTimers());

describe('launches of a preview', () => {
  it('H3: open it once, and leave a cookie that is valid for this preview only', () => {
    const url = `/${launches.issue(label)}/a/b?c=1`;
    expect(launches.isLaunch(url)).toBe(true);
    const { location, cookie } = launches.redeem(label, url) ?? { location: '', cookie: '' };
    expect(location).toBe('/a/b?c=1');
    expect(cookie).toMatch(/^koda-launched=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(launches.redeem(label, url)).toBeNull();
    const [sent = ''] = cookie.split(';');
    expect(launches.isLaunched(label, `other=1; ${sent}`)).toBe(true);
    expect(launches.isLaunched('other', sent)).toBe(false);
    expect(new PreviewLaunches({ isSecure: false }).isLaunched(label, sent)).toBe(false);
    for (const wrong of [undefined, '', 'koda-launched=', `x${sent}`, `${sent.slice(0, -1)}é`]) {
      expect(launches.isLaunched(label, wrong), wrong).toBe(false);
    }
  });

  it('F2: leave a cookie for HTTPS alone if previews use it', () => {
    const secure = new PreviewLaunches({ isSecure: true });
    expect(secure.redeem(label, `/${secure.issue(label)}/`)?.cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
  });

  it('H3: expire after a minute', () => {
    const early = `/${launches.issue(label)}/`;
    const late = `/${launches.issue(label)}/`;
    vi.advanceTimersByTime(59_999);
    expect(launches.redeem(label, early)).not.toBeNull();
    vi.advanceTimersByTime(2);
    expect(launches.redeem(label, late)).toBeNull();
  });

  it('H3: open no other preview, and no other host', () => {
    const url = `/${launches.issue(label)}//evil.example`;
    expect(launches.redeem('other', url)).toBeNull();
    expect(launches.redeem(label, url)?.location).toBe('/evil.example');
    for (const path of ['/\\evil.example', '\\/evil.example', '\\evil.example']) {
      expect(launches.redeem(label, `/${launches.issue(label)}${path}`)?.location).toBe('/evil.example');
    }
    expect(launches.redeem(label, '/koda-launch/x/')).toBeNull();
    expect(launches.isLaunch('/src/main.ts')).toBe(false);
  });

  it('H3: are limited in number', () => {
    const [first, second] = [launches.issue(label), launches.issue(label)];
    for (let count = 0; count < 999; count++) launches.issue(label);
    expect(launches.redeem(label, `/${first}/`)).toBeNull();
    expect(launches.redeem(label, `/${second}/`)).not.toBeNull();
  });
});
