import type { WebGLRenderer } from 'three';
import { showError } from './errors.tsx';
import { exporting } from './mode.ts';

/** The browser reports a lost context later than the calls that fail because of it, and restores it within this time. */
const lossNoticeMs = 1000;
const restoreLimitMs = 10_000;

/**
 * Handles the end of the browser's graphics process, which takes the canvas and everything on the graphics card with it.
 * A preview loads anew once the browser can draw again, at the moment where it was: three.js restores the context, but
 * neither the environment's light nor the picture of a paused film. An export fails: its frames would be black.
 * Returns what stops it.
 */
export function recoverLostGraphics(gl: WebGLRenderer): () => void {
  const canvas = gl.domElement;
  let lost = false;
  let timer = 0;
  const onLost = () => {
    lost = true;
    timer = window.setTimeout(() => {
      showError('The browser lost its graphics context and did not restore it. Load the preview again.');
    }, restoreLimitMs);
  };
  const onRestored = () => {
    window.clearTimeout(timer);
    if (!exporting) window.location.reload();
  };
  canvas.addEventListener('webglcontextlost', onLost);
  canvas.addEventListener('webglcontextrestored', onRestored);
  // No shader links while the context is gone; only one that fails with a context is a fault of the film.
  gl.debug.onShaderError = (context, program, ...shaders) => {
    const logs = [context.getProgramInfoLog(program), ...shaders.map((shader) => context.getShaderInfoLog(shader))];
    const message = ['A shader does not compile.', ...logs.map((log) => log?.trim())].filter(Boolean).join('\n');
    const report = () => {
      if (!lost) console.error(message);
    };
    if (exporting) report();
    else window.setTimeout(report, lossNoticeMs);
  };
  return () => {
    window.clearTimeout(timer);
    canvas.removeEventListener('webglcontextlost', onLost);
    canvas.removeEventListener('webglcontextrestored', onRestored);
  };
}

/** Refuses to pass off an empty canvas as a frame of the film. */
export function requireGraphics(gl: WebGLRenderer): void {
  if (gl.getContext().isContextLost()) throw new Error('The browser lost its graphics context, so no frame can be drawn.');
}
