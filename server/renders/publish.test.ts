import { expect, it } from 'vitest';
import { sampleSettings } from '../../test/fixtures/renders.ts';
import { downloadName } from './publish.ts';

it.each([
  [{}, 'Ball 1920x1080 60fps.mp4'],
  [{ kind: 'preview', width: 640, height: 360, fps: 15 }, 'Ball preview 640x360 15fps.mp4'],
  [{ format: 'mov', transparent: true, range: { scene: 'scene-2' } }, 'Ball scene-2 1920x1080 60fps transparent.mov'],
  [{ format: 'gif', fps: 25, range: { fromFrame: 10, toFrame: 20 } }, 'Ball frames 10-19 1920x1080 25fps.gif'],
  [{ format: 'png', range: { fromFrame: 90, toFrame: 91 } }, 'Ball frame 90 1920x1080.png'],
  [{ format: 'png-sequence', fps: 30 }, 'Ball 1920x1080 30fps frames.zip'],
] as const)('A17 X9: a file is saved under a name that says what it is (%j)', (settings, name) => {
  expect(downloadName('Ball', sampleSettings(settings))).toBe(name);
});
