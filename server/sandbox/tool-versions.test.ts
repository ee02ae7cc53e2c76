import { describe, expect, it } from 'vitest';
import { KnownToolVersions, toolVersionsIn } from './tool-versions.ts';

describe('tool versions', () => {
  it.each([
    [
      'Chromium 148.0.7778.96 built on Debian GNU/Linux 13\nffmpeg version 7.1.3-0+deb13u1 Copyright (c) 2000',
      '148.0.7778.96',
      '7.1.3',
    ],
    ['Google Chrome for Testing 150.0.1.2 \nffmpeg version n8.0 Copyright', '150.0.1.2', '8.0'],
    ['HeadlessChrome/148.0.1.2\n', '148.0.1.2', null],
    ['bash: ffmpeg: command not found', null, null],
    ['Chromium <b>1.2</b>\nffmpeg version ../../x', null, null],
  ])('A14: are read from what the tools say, and nothing else is: %s', (output, chromium, ffmpeg) => {
    expect(toolVersionsIn(output)).toEqual({ chromium, ffmpeg });
  });

  it('A14: are read once, from a running sandbox', async () => {
    const signal = new AbortController().signal;
    let asked = 0;
    let isRunning = false;
    const sandbox = {
      async *exec() {
        asked++;
        yield { type: 'stdout' as const, text: 'Chromium 148.0.1.2\n' };
        yield { type: 'stdout' as const, text: 'ffmpeg version 7.1' };
      },
    };
    const versions = new KnownToolVersions(() => (isRunning ? sandbox : null));
    expect(await versions.read({ signal })).toEqual({ chromium: null, ffmpeg: null });
    isRunning = true;
    for (let round = 0; round < 2; round++)
      expect(await versions.read({ signal })).toEqual({ chromium: '148.0.1.2', ffmpeg: '7.1' });
    expect(asked).toBe(1);
  });
});
