import type { WebGLRenderer } from 'three';
import { showError } from './errors.tsx';
import { exporting } from './mode.ts';

/** The browser reports a lost context later than the calls that fail because of it, and restores it within this time. */
const lossNoticeMs = 1000;
const restoreLimitMs = 10_000;

/**
 * Handles a crash of the browser's GPU process, which deletes the canvas and all graphics data. A preview reloads at the same
 * time once the browser can draw again, because three.js restores the context but neither the environment light nor a paused
 * film's image. An export fails, because its frames would be black. Returns a function that removes the handlers.
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
  // Without a WebGL context, every shader fails to link, so only a failure with a context is the film's fault.
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

/** Throws if the context is lost, so that an empty canvas never becomes a frame of the film. */
export function requireGraphics(gl: WebGLRenderer): void {
  if (gl.getContext().isContextLost()) throw new Error('The browser lost its graphics context, so no frame can be drawn.');
}
