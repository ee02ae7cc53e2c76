import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { FrameGrabber } from '../../sandbox-image/sandboxd/render/frame-grabber.ts';
import { openStage } from '../fixtures/open-stage.ts';
import { randomCanvas } from '../fixtures/random-canvas.ts';
import { behaviour, stageWorkspace } from '../fixtures/stage-workspace.ts';

const seeks = 60;

/** What the page shows after each of many seeks, and how many of them drew nothing. */
async function showAll(seed: number, sparesCanvases: boolean): Promise<{ shown: string[]; spared: number }> {
  await using page = await stageWorkspace({ behaviour: randomCanvas(seed) });
  await using opened = await openStage(page, sparesCanvases);
  const shown: string[] = [];
  let spared = 0;
  for (let seek = 0; seek < seeks; seek++) {
    const { drewCanvas } = await opened.stage.seek(1);
    if (!drewCanvas) spared++;
    shown.push(
      createHash('sha256')
        .update(await opened.stage.capture('png'))
        .digest('hex'),
    );
  }
  return { shown, spared };
}

/** Draws at every seek, as films in WebGL do, also from 0.8 s to 1.4 s, where nothing moves. */
const drawsAlways = behaviour(`
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: innerWidth, height: innerHeight });
  canvas.style.cssText = 'position: fixed; inset: 0';
  const gl = canvas.getContext('webgl2', { preserveDrawingBuffer: true });
  const program = gl.createProgram();
  for (const [kind, source] of [
    [gl.VERTEX_SHADER, 'attribute vec2 p; uniform float a; void main() { gl_Position = vec4(p.x * cos(a) - p.y * sin(a), p.x * sin(a) + p.y * cos(a), 0.0, 1.0); }'],
    [gl.FRAGMENT_SHADER, 'precision highp float; void main() { gl_FragColor = vec4(fract(gl_FragCoord.x / 97.0), 0.6, 0.2, 1.0); }'],
  ]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-0.8, -0.8, 0.8, -0.8, 0, 0.8]), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(gl.getAttribLocation(program, 'p'));
  gl.vertexAttribPointer(gl.getAttribLocation(program, 'p'), 2, gl.FLOAT, false, 0, 0);
  const angle = gl.getUniformLocation(program, 'a');
  export const beforeReady = async () => document.body.append(canvas);
  export const beforeSeek = (t) => {
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.useProgram(program);
    gl.uniform1f(angle, t < 0.8 ? t : Math.max(0.8, t - 0.6));
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  };`);

async function grabAll(sparesCanvases: boolean): Promise<{ frames: string[]; reused: number }> {
  await using page = await stageWorkspace({ behaviour: drawsAlways });
  await using opened = await openStage(page, sparesCanvases);
  const grabber = new FrameGrabber(opened.stage, 'jpeg');
  const frames: string[] = [];
  for (let frame = 0; frame < 60; frame++) frames.push((await grabber.grab(frame / 30)).toString('base64'));
  return { frames, reused: grabber.reused };
}

describe('a canvas that would be drawn as it is', () => {
  it('A19: is not drawn in the still part of a film, and its frames are what drawing gives', async () => {
    const [spared, drawn] = [await grabAll(true), await grabAll(false)];
    expect(new Set(drawn.frames).size).toBeGreaterThan(35);
    expect(spared.frames).toEqual(drawn.frames);
    // Of 18 frames, the first few show that it is still, and that drawing it once more changes nothing.
    expect(spared.reused).toBeGreaterThan(12);
    expect(drawn.reused).toBe(0);
  });

  it.each([100, 107])('A19: draws of chance, number %i, show what they show when nothing is spared', async (seed) => {
    const [spared, drawn] = [await showAll(seed, true), await showAll(seed, false)];
    expect(spared.shown.findIndex((shown, at) => shown !== drawn.shown[at])).toBe(-1);
    expect(spared.spared).toBeGreaterThan(5);
    expect(new Set(drawn.shown).size).toBeGreaterThan(10);
  });
});
