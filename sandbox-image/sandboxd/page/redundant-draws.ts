import { type CallGl, type Gl, type GlCall, isIdempotent } from './draw-idempotence.ts';

/**
 * Skips WebGL calls that would redraw an unchanged canvas; runs before the page's own code. A WebGL film redraws its canvas
 * at every seek, even if nothing moves, which takes most of the frame's time. Each seek's calls are therefore compared with
 * those of the previous one. Once two seeks are identical and idempotent (`draw-idempotence.ts`), identical calls are
 * deferred and dropped at the end of the seek. A call that differs or reads executes the deferred calls first, so the page
 * cannot tell the difference.
 */
export interface CanvasMonitor {
  /** Calls outside a seek are executed and reset the comparison. */
  beginSeek(): void;
  /** Returns whether a WebGL canvas was redrawn during the seek. */
  endSeek(): boolean;
}

/** Calls without a result whose effect depends only on their arguments and on earlier calls in this list. */
const repeatable: ReadonlySet<string> = new Set([
  ...['activeTexture', 'bindBuffer', 'bindBufferBase', 'bindBufferRange', 'bindFramebuffer', 'bindRenderbuffer', 'bindSampler'],
  ...['bindTexture', 'bindVertexArray', 'blendColor', 'blendEquation', 'blendEquationSeparate', 'blendFunc', 'blendFuncSeparate'],
  ...['blitFramebuffer', 'bufferData', 'bufferSubData', 'clear', 'clearBufferfi', 'clearBufferfv', 'clearBufferiv'],
  ...['clearBufferuiv', 'clearColor', 'clearDepth', 'clearStencil', 'colorMask', 'cullFace', 'depthFunc', 'depthMask'],
  ...['depthRange', 'disable', 'disableVertexAttribArray', 'drawArrays', 'drawArraysInstanced', 'drawElements'],
  ...['drawElementsInstanced', 'drawRangeElements', 'enable', 'enableVertexAttribArray', 'finish', 'flush', 'frontFace'],
  ...['generateMipmap', 'hint', 'invalidateFramebuffer', 'lineWidth', 'pixelStorei', 'polygonOffset', 'readBuffer'],
  ...['sampleCoverage', 'samplerParameterf', 'samplerParameteri', 'scissor', 'stencilFunc', 'stencilFuncSeparate', 'stencilMask'],
  ...['stencilMaskSeparate', 'stencilOp', 'stencilOpSeparate', 'texImage2D', 'texImage3D', 'texParameterf', 'texParameteri'],
  ...['texSubImage2D', 'texSubImage3D', 'uniformBlockBinding', 'useProgram', 'vertexAttribDivisor', 'vertexAttribIPointer'],
  ...['vertexAttribPointer', 'viewport'],
]);
const repeatablePattern = /^(?:uniform(?:Matrix)?[1-4]|vertexAttribI?[1-4])/;

/** Calls that only read, and whose results stay the same whichever repeatable calls are skipped. */
const passive: ReadonlySet<string> = new Set([
  ...['getActiveAttrib', 'getActiveUniform', 'getAttribLocation', 'getContextAttributes', 'getProgramInfoLog'],
  ...['getProgramParameter', 'getShaderInfoLog', 'getShaderParameter', 'getShaderPrecisionFormat', 'getSupportedExtensions'],
  ...['getUniformBlockIndex', 'getUniformIndices', 'getUniformLocation', 'isContextLost'],
]);

/** Limits memory: a seek with more calls is not compared. */
const maxCalls = 100_000;
const maxCopiedBytes = 16 * 1024 * 1024;

type Method = (this: unknown, ...args: unknown[]) => unknown;
type Originals = Readonly<Record<string, Method>>;
const isMethod = (value: unknown): value is Method => typeof value === 'function';

const monitors = new Map<Gl, ContextMonitor>();
let seeking = false;
let drew = false;

const isArray = (value: unknown): value is unknown[] | ArrayBufferView => ArrayBuffer.isView(value) || Array.isArray(value);

function isSame(before: unknown, now: unknown): boolean {
  if (Object.is(before, now)) return true;
  if (!isArray(before) || !isArray(now) || before.constructor !== now.constructor) return false;
  const [one, other] = [before as ArrayLike<unknown>, now as ArrayLike<unknown>];
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (!Object.is(one[at], other[at])) return false;
  return true;
}

function isSameCall(before: GlCall | undefined, name: string, args: readonly unknown[]): before is GlCall {
  if (before === undefined || before.name !== name || before.args.length !== args.length) return false;
  for (let at = 0; at < args.length; at++) if (!isSame(before.args[at], args[at])) return false;
  return true;
}

const uncopied = Symbol('uncopied');

class ContextMonitor {
  readonly gl: Gl;
  readonly #originals: Originals;
  /** Calls of the previous seek; `null` if unknown. */
  #stream: readonly GlCall[] | null = null;
  #repetitions = 0;
  /** Whether the calls are idempotent; `null` if not checked yet. */
  #isIdempotent: boolean | null = null;
  #frame = '';
  /** For the current seek: the number of identical calls so far, and all calls once one differs. */
  #same = 0;
  #next: GlCall[] | null = null;
  #deferring = false;
  /** Whether the current seek is excluded from comparison. */
  #excluded = true;
  #copiedBytes = 0;

  constructor(gl: Gl, originals: Originals) {
    this.gl = gl;
    this.#originals = originals;
  }

  readonly call: CallGl = (name, ...args) => Reflect.apply(this.#original(name), this.gl, args) as ReturnType<Gl[typeof name]>;

  #original(name: string): Method {
    const original = this.#originals[name];
    if (!original) throw new TypeError(`WebGL has no ${name}.`);
    return original;
  }

  /** Changing any of these clears the canvas or its colours. */
  #frameNow(): string {
    const { drawingBufferWidth, drawingBufferHeight, drawingBufferColorSpace, unpackColorSpace } = this.gl;
    return [drawingBufferWidth, drawingBufferHeight, drawingBufferColorSpace, unpackColorSpace].join();
  }

  start(): void {
    if (this.#repetitions === 2 && this.#isIdempotent === null) this.#isIdempotent = this.#checkIdempotence();
    this.#deferring = this.#isIdempotent === true && this.#frame === this.#frameNow();
    this.#next = this.#stream === null ? [] : null;
    this.#excluded = false;
    this.#same = 0;
    this.#copiedBytes = 0;
  }

  #checkIdempotence(): boolean {
    try {
      return isIdempotent(this.gl, this.call, this.#stream ?? []);
    } catch {
      // The context was lost, or the arguments are invalid.
      return false;
    }
  }

  executeDeferred(): void {
    if (!this.#deferring) return;
    this.#deferring = false;
    for (const { name, args } of this.#stream?.slice(0, this.#same) ?? []) this.#execute(name, args);
  }

  #execute(name: string, args: readonly unknown[]): unknown {
    // Drawing on a detached canvas may never become visible.
    const { canvas } = this.gl;
    if (/^(?:draw|clear$|clearBuffer|blit)/.test(name) && 'isConnected' in canvas && canvas.isConnected) drew = true;
    return this.#original(name).apply(this.gl, args as unknown[]);
  }

  exclude(): void {
    this.executeDeferred();
    this.#excluded = true;
    this.#stream = null;
    this.#next = null;
    this.#repetitions = 0;
    this.#isIdempotent = null;
  }

  repeatableCall(name: string, args: readonly unknown[]): unknown {
    if (!seeking || this.#excluded) {
      if (!this.#excluded) this.exclude();
      return this.#execute(name, args);
    }
    if (this.#next === null) {
      if (isSameCall(this.#stream?.[this.#same], name, args)) {
        this.#same++;
        return this.#deferring ? undefined : this.#execute(name, args);
      }
      this.executeDeferred();
      this.#next = this.#stream?.slice(0, this.#same) ?? [];
    }
    this.#record(this.#next, name, args);
    return this.#execute(name, args);
  }

  #record(next: GlCall[], name: string, args: readonly unknown[]): void {
    const copies = args.map((value) => this.#copyOf(value));
    if (copies.includes(uncopied) || next.length >= maxCalls || this.#copiedBytes > maxCopiedBytes) {
      executeAllDeferred();
      this.exclude();
    } else next.push({ name, args: copies });
  }

  /** Copies an argument that the page could modify later. */
  #copyOf(value: unknown): unknown {
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) {
      this.#copiedBytes += value.length * 8;
      return value.slice();
    }
    if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
      this.#copiedBytes += value.byteLength;
      return (value as Uint8Array).slice();
    }
    // WebGL objects are safe to store; other objects are pixel sources that may change.
    return Object.prototype.toString.call(value).startsWith('[object WebGL') ? value : uncopied;
  }

  otherCall(name: string, args: readonly unknown[]): unknown {
    executeAllDeferred();
    this.exclude();
    return this.#execute(name, args);
  }

  /** Extension calls, such as multi-draw, are not tracked. */
  extensionCall(): void {
    executeAllDeferred();
    this.exclude();
    drew = true;
  }

  end(): void {
    if (this.#excluded) return;
    const frame = this.#frameNow();
    const isComplete = this.#next === null && this.#same === this.#stream?.length && frame === this.#frame;
    if (isComplete) {
      if (!this.#deferring && this.#repetitions < 2) this.#repetitions++;
    } else {
      this.executeDeferred();
      this.#stream = this.#next ?? this.#stream?.slice(0, this.#same) ?? [];
      this.#repetitions = 1;
      this.#isIdempotent = null;
      this.#frame = frame;
    }
    this.#deferring = false;
    this.#next = null;
  }
}

function executeAllDeferred(): void {
  for (const monitor of monitors.values()) monitor.executeDeferred();
}

function monitorOf(gl: Gl, originals: Originals): ContextMonitor {
  const known = monitors.get(gl);
  if (known) return known;
  const monitor = new ContextMonitor(gl, originals);
  monitors.set(gl, monitor);
  return monitor;
}

function wrapExtension(extension: unknown, monitor: ContextMonitor): unknown {
  if (typeof extension !== 'object' || extension === null) return extension;
  for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(extension))) {
    const original: unknown = Reflect.get(extension, name);
    if (name === 'constructor' || !isMethod(original) || Object.hasOwn(extension, name)) continue;
    const value = (...args: unknown[]) => {
      monitor.extensionCall();
      return original.apply(extension, args);
    };
    Object.defineProperty(extension, name, { value });
  }
  return extension;
}

function wrapMethods(prototype: object): void {
  const originals: Record<string, Method> = {};
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (!isMethod(value) || name === 'constructor') continue;
    originals[name] = value;
    if (!passive.has(name)) Object.assign(prototype, { [name]: wrapMethod(name, value, originals) });
  }
}

function wrapMethod(name: string, original: Method, originals: Originals): (this: Gl, ...args: unknown[]) => unknown {
  if (name === 'getExtension') {
    return function (...args) {
      return wrapExtension(original.apply(this, args), monitorOf(this, originals));
    };
  }
  if (repeatable.has(name) || repeatablePattern.test(name)) {
    return function (...args) {
      return monitorOf(this, originals).repeatableCall(name, args);
    };
  }
  return function (...args) {
    return monitorOf(this, originals).otherCall(name, args);
  };
}

function executeDeferredBefore(owner: object | undefined, name: string): void {
  const described = owner && Object.getOwnPropertyDescriptor(owner, name);
  if (!described) return;
  const kind = described.set ? 'set' : 'value';
  const original: unknown = described[kind];
  if (!isMethod(original)) return;
  const wrapped: Method = function (...args) {
    executeAllDeferred();
    if (kind === 'set') for (const monitor of monitors.values()) if (monitor.gl.canvas === this) monitor.exclude();
    return original.apply(this, args);
  };
  Object.defineProperty(owner, name, { ...described, [kind]: wrapped });
}

wrapMethods(WebGLRenderingContext.prototype);
wrapMethods(WebGL2RenderingContext.prototype);
for (const kind of [HTMLCanvasElement, OffscreenCanvas]) {
  for (const name of ['width', 'height', 'toDataURL', 'toBlob', 'convertToBlob', 'transferToImageBitmap', 'captureStream']) {
    executeDeferredBefore(kind.prototype, name);
  }
}
for (const kind of [CanvasRenderingContext2D, OffscreenCanvasRenderingContext2D]) {
  for (const name of ['drawImage', 'createPattern']) executeDeferredBefore(kind.prototype, name);
}
executeDeferredBefore(window, 'createImageBitmap');

const canvases: CanvasMonitor = {
  beginSeek: () => {
    for (const [gl, monitor] of monitors) {
      if (monitor.call('isContextLost')) monitors.delete(gl);
      else monitor.start();
    }
    drew = false;
    seeking = true;
  },
  endSeek: () => {
    seeking = false;
    for (const monitor of monitors.values()) monitor.end();
    return drew;
  },
};
Object.defineProperty(window, '__kodaCanvases', { value: canvases });
