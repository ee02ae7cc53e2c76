import { describe, expect, it } from 'vitest';
import { FrameCapturer } from '../../sandbox-image/sandboxd/render/frame-capturer.ts';
import { openStage } from '../fixtures/open-stage.ts';
import { stageWorkspace } from '../fixtures/stage-workspace.ts';

const fps = 30;
const frames = 60;

describe('a film that is static for a while', () => {
  it('A19: sends static frames again instead of capturing them, and they equal captured ones', async () => {
    await using page = await stageWorkspace();
    await using opened = await openStage(page);
    const { stage } = opened;
    const grabber = new FrameCapturer(stage);
    const grabbed: Buffer[] = [];
    for (let frame = 0; frame < frames; frame++) grabbed.push(await grabber.capture(frame / fps, 'jpeg'));
    // The page is static from 0.8 s to 1.4 s. Of these 18 frames, the first two are needed to detect it.
    expect(grabber.reused).toBeGreaterThan(12);
    expect(grabber.reused).toBeLessThan(19);
    for (let frame = 0; frame < frames; frame++) {
      await stage.seek(frame / fps);
      expect((await stage.capture('jpeg')).equals(grabbed[frame] ?? Buffer.alloc(0)), `frame ${frame}`).toBe(true);
    }
  });
});
