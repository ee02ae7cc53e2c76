import { expect, type Frame, type Page } from '@playwright/test';
import { studioUrl } from './studio.ts';

/** Time limit for a preview to start on a small machine. */
export const startMs = 120_000;

export function film(page: Page): Frame {
  const frame = page.frames().find((candidate) => candidate.parentFrame() === page.mainFrame());
  if (!frame) throw new Error('There is no frame with the preview.');
  return frame;
}

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });

export async function openLive(page: Page, projectId: string): Promise<void> {
  await page.goto(studioUrl(`/p/${projectId}?tab=preview`));
  await expect(button(page, /^(Play|Pause)$/)).toBeEnabled({ timeout: startMs });
}
