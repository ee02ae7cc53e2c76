import { KodaError } from '../contract/errors.ts';
import { routes } from '../contract/routes.ts';
import type { StudioClient } from './client.ts';

/**
 * Cancels a render that is under way (`rnd_…`), or stops the work on a project (`prj_…`). A render that has ended is
 * refused: for the API, the same request would delete its video.
 */
export async function cancel(id: string, client: StudioClient): Promise<void> {
  if (id.startsWith('prj_')) {
    await client.call(routes.stop, { id });
    return;
  }
  if (!id.startsWith('rnd_'))
    throw new KodaError(
      'BAD_REQUEST',
      `"${id}" is no id of a render (rnd_…) or of a project (prj_…). "koda list" and "koda show" tell them.`,
    );
  const { status } = await client.call(routes.render, { id });
  if (status !== 'queued' && status !== 'running')
    throw new KodaError('INVALID_TRANSITION', `${id} has ended already (${status}), so there is nothing to cancel.`);
  await client.call(routes.removeRender, { id });
}
