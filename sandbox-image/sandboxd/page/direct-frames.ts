/**
 * Draws the page's root into a canvas instead of the window, and hands the pixels to a worker that writes them to a file
 * (`frame-writer.ts`). This leaves out the compositor, and the encoding and decoding of an image per frame, which is about half
 * of the work. The browser draws most pages as the compositor does, but not all:
 * https://github.com/WICG/html-in-canvas
 */
export interface DirectFrames {
  /** Starts the worker. Returns why it is impossible, or `null`. */
  start(writer: string, file: { readonly name: string; readonly mark: string }): Promise<string | null>;
  /** Moves the root into the canvas, which keeps its state. Returns why it is impossible, or `null`. */
  enter(): string | null;
  /** Moves the root back. Does nothing if it is not in the canvas. */
  leave(): void;
  /** Call after a seek while the root is in the canvas. Otherwise CSS animations would show an earlier time. */
  update(): void;
  /** Call after a main frame. `written`, `unchanged` since the last call, or an error message. */
  take(): Promise<string>;
}

/** Messages to the worker that writes a page's frames: its file, then frame after frame. It answers each one. */
export type FrameWriterOrder =
  | { readonly name: string; readonly mark: string; readonly width: number; readonly height: number }
  | { readonly frame: VideoFrame };
export interface FrameWriterAnswer {
  readonly error: string | null;
}

interface DrawableCanvas extends HTMLCanvasElement {
  requestPaint(): void;
  moveBefore(node: Node, before: Node | null): void;
}

interface ElementDrawing extends CanvasRenderingContext2D {
  drawElementImage(element: Element, x: number, y: number): unknown;
}

/** Content that the browser draws differently, or not at all, inside a canvas. */
const undrawable = 'canvas, video, iframe, object, embed, dialog[open], :popover-open';

const isVisible = (element: Element) => element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true });

/** Taken before the page's own code can replace them. */
const { Worker, VideoFrame, Blob, URL } = window;
const { getContext } = HTMLCanvasElement.prototype;

export function directFrames(): DirectFrames {
  let worker: Worker | null = null;
  let root: HTMLElement | null = null;
  let canvas: DrawableCanvas | null = null;
  /** The frame that the worker is writing; `null` if nothing was drawn since the last call of `take`. */
  let writing: Promise<FrameWriterAnswer> | null = null;

  /** Receive the worker's answers, in the order of the orders. */
  const waiting: ((answer: FrameWriterAnswer) => void)[] = [];

  function startWorker(source: string): Worker {
    const started = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
    started.addEventListener('message', ({ data }) => waiting.shift()?.(data));
    started.addEventListener('error', ({ message }) => {
      for (const answer of waiting.splice(0)) answer({ error: `the worker failed: ${message}` });
    });
    return started;
  }

  function send(order: FrameWriterOrder, transfer: Transferable[] = []): Promise<FrameWriterAnswer> {
    const { promise, resolve } = Promise.withResolvers<FrameWriterAnswer>();
    waiting.push(resolve);
    worker?.postMessage(order, transfer);
    return promise;
  }

  function openCanvas(): DrawableCanvas | null {
    const element = document.createElement('canvas');
    if (!('requestPaint' in element && 'moveBefore' in element)) return null;
    const context = Reflect.apply(getContext, element, ['2d', { alpha: false, willReadFrequently: true }]);
    if (context === null || !('drawElementImage' in context)) return null;
    const opened = element as DrawableCanvas;
    const drawing = context as ElementDrawing;
    opened.setAttribute('layoutsubtree', '');
    // The name in Chromium 150, which also wants `drawable` on the element.
    opened.setAttribute('content', 'drawable');
    opened.width = innerWidth;
    opened.height = innerHeight;
    opened.style.cssText = 'position: fixed; inset: 0; width: 100vw; height: 100vh; display: block';
    opened.addEventListener('paint', () => {
      if (root?.parentNode !== opened) return;
      try {
        drawing.drawElementImage(root, 0, 0);
        const frame = new VideoFrame(opened, { timestamp: 0 });
        writing = send({ frame }, [frame]);
      } catch (error) {
        writing = Promise.resolve({ error: String(error) });
      }
    });
    return opened;
  }

  return {
    async start(writer, file) {
      root = document.querySelector<HTMLElement>('body > #root');
      canvas = openCanvas();
      if (root === null) return 'it has no element #root';
      if (canvas === null) return 'the browser cannot draw elements into a canvas';
      worker = startWorker(writer);
      const { error } = await send({ ...file, width: innerWidth, height: innerHeight });
      return error;
    },
    enter() {
      if (root === null || canvas === null) return 'the worker has not started';
      document.body.prepend(canvas);
      root.setAttribute('drawable', '');
      canvas.moveBefore(root, null);
      writing = null;
      canvas.requestPaint();
      return null;
    },
    leave() {
      if (root === null || canvas === null || root.parentNode !== canvas) return;
      const body = document.body as HTMLElement & Pick<DrawableCanvas, 'moveBefore'>;
      body.moveBefore(root, canvas);
      canvas.remove();
    },
    update() {
      if (canvas?.isConnected) canvas.getBoundingClientRect();
    },
    async take() {
      const found = root && [...root.querySelectorAll(undrawable)].find(isVisible);
      if (found) return `it shows an element <${found.localName}>`;
      const current = writing;
      writing = null;
      if (current === null) return 'unchanged';
      const { error } = await current;
      return error ?? 'written';
    },
  };
}
