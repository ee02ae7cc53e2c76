import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { HostPolicy } from '../edge/hosts.ts';

const launchMs = 60_000;
/** Maximum number of unused launches. The oldest are dropped. */
const maxLaunches = 1_000;
const cookieName = 'koda-launched';
/** Browsers read a backslash as a slash, and two of them as the start of another host. */
const launchPattern = /^\/koda-launch\/(?<token>[\w-]+)[/\\]+(?<rest>.*)$/;

/** A redeemed launch: where the browser goes next, and the cookie that it presents there. */
interface Launched {
  readonly location: string;
  readonly cookie: string;
}

/**
 * Lets a preview load outside of the studio's frame, if the studio has asked for it. A launch is used once, and leaves a cookie
 * on the preview's host, so that the page can be reloaded until Koda restarts.
 */
export class PreviewLaunches {
  readonly #attributes: string;
  readonly #launches = new Map<string, { readonly label: string; readonly untilMs: number }>();
  readonly #key = randomBytes(32);

  constructor({ isSecure }: Pick<HostPolicy, 'isSecure'>) {
    // Lax, because the studio is another site: a strict cookie would be missing after its redirect.
    this.#attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  }

  /** Returns the first segments of the path, without slashes around them, that open a preview once within a minute. */
  issue(label: string): string {
    const [oldest] = this.#launches.keys();
    if (oldest !== undefined && this.#launches.size >= maxLaunches) this.#launches.delete(oldest);
    const token = randomBytes(32).toString('base64url');
    this.#launches.set(token, { label, untilMs: performance.now() + launchMs });
    return `koda-launch/${token}`;
  }

  isLaunch(url: string): boolean {
    return launchPattern.test(url);
  }

  /** Returns `null` if the launch is not the preview's, has been used, or is too old. */
  redeem(label: string, url: string): Launched | null {
    const { token = '', rest = '' } = launchPattern.exec(url)?.groups ?? {};
    const launch = this.#launches.get(token);
    if (launch?.label !== label) return null;
    this.#launches.delete(token);
    if (performance.now() > launch.untilMs) return null;
    return { location: `/${rest}`, cookie: `${cookieName}=${this.#proof(label)}; ${this.#attributes}` };
  }

  /** Returns whether the browser that sends these cookies has redeemed a launch of this preview. */
  isLaunched(label: string, cookies: string | undefined): boolean {
    const expected = Buffer.from(`${cookieName}=${this.#proof(label)}`);
    return (cookies ?? '').split('; ').some((cookie) => {
      const actual = Buffer.from(cookie);
      return actual.length === expected.length && timingSafeEqual(actual, expected);
    });
  }

  #proof(label: string): string {
    return createHmac('sha256', this.#key).update(label).digest('base64url');
  }
}
