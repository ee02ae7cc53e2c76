import { afterEach, describe, expect, it, vi } from 'vitest';
import { api } from '../../api/client.ts';
import { assistantApi } from './assistant-api.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the start of a conversation', () => {
  it.each([
    [{ prompt: 'A schedule' }, {}],
    [{ prompt: 'Every Monday at nine', toolsOff: ['delete_videos'] }, { toolsOff: ['delete_videos'] }],
  ])('T10: sends the browser’s time zone with %j', async (beginning, hints) => {
    const sent = vi.spyOn(api, 'createProject').mockRejectedValue(new Error('offline'));
    await expect(assistantApi.start(beginning)).rejects.toThrow('offline');
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    expect(sent).toHaveBeenCalledWith({ kind: 'assistant', prompt: beginning.prompt, hints: { timeZone, ...hints } });
  });
});
