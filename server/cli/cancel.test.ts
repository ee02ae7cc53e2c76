import { describe, expect, it } from 'vitest';
import { type Route, routeUrl } from '../contract/routes.ts';
import { cancel } from './cancel.ts';
import type { StudioClient } from './client.ts';

function studio(status: string) {
  const requests: string[] = [];
  const client = {
    call: async (route: Route, input: object) => {
      if (route.method !== 'get') requests.push(`${route.method.toUpperCase()} ${routeUrl(route, input)}`);
      return { status };
    },
  } as unknown as StudioClient;
  return { requests, client };
}

describe('koda cancel', () => {
  it.each(['queued', 'running'])('A18: cancels a render that is %s', async (status) => {
    const { requests, client } = studio(status);
    await cancel('rnd_x', client);
    expect(requests).toEqual(['DELETE /api/renders/rnd_x']);
  });

  it.each(['complete', 'failed', 'cancelled'])('A18: deletes nothing of a render that is %s', async (status) => {
    const { requests, client } = studio(status);
    await expect(cancel('rnd_x', client)).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
    expect(requests).toEqual([]);
  });

  it('A10: stops the work on a project', async () => {
    const { requests, client } = studio('complete');
    await cancel('prj_x', client);
    expect(requests).toEqual(['POST /api/projects/prj_x/stop']);
  });

  it('refuses what is neither, saying what ids look like', async () => {
    const { requests, client } = studio('complete');
    await expect(cancel('ball', client)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('rnd_'),
    });
    expect(requests).toEqual([]);
  });
});
