import { expect, type Frame, type Page } from '@playwright/test';
import { studioUrl } from './studio.ts';

/** Time limit for a preview to start on a small machine. */
export const startMs = 240_000;

export function film(page: Page): Frame {
  const frame = page.frames().find((candidate) => candidate.parentFrame() === page.mainFrame());
  if (!frame) throw new Error('There is no frame with the preview.');
  return frame;
}

/** Expects the title of the film's page, which may be loading, reloading or in a new frame. */
export async function expectFilmTitle(page: Page, title: string, { intervals }: { intervals?: number[] } = {}): Promise<void> {
  const check = async () => expect(await film(page).title()).toBe(title);
  await expect(check).toPass({ timeout: startMs, ...(intervals && { intervals }) });
}

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });

export async function openLive(page: Page, projectId: string): Promise<void> {
  await page.goto(studioUrl(`/p/${projectId}?tab=preview`));
  await expect(button(page, /^(Play|Pause)$/)).toBeEnabled({ timeout: startMs });
}
