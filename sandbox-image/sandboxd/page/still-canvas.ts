import { type CallGl, type Gl, type GlCall, leavesSamePictures } from './still-proof.ts';

/**
 * Runs in a film's page, before the page's own code, where canvases are to be watched.
 *
 * Spares WebGL what it has drawn already. A film in WebGL draws its canvas at every seek, also where nothing moves, and
 * that drawing is most of what such a frame costs. So the calls of each seek are compared with those of the seek
 * before. Once the very same calls, with the very same numbers, were carried out twice in a row, and are known to
 * leave the same picture however often they are repeated (`still-proof.ts`), the next ones are held back as long as
 * they are the same: at the end of the seek there is nothing to be done. At the first call that differs, or that asks
 * or reads anything, what was held back is carried out before it; then everything is as it would be without the watch.
 */
export interface CanvasWatch {
  /** Calls outside of seeks are carried out, and end what was known. */
  beginSeek(): void;
  /** Whether a WebGL canvas was drawn upon since then. */
  endSeek(): boolean;
}

/** Calls without an answer whose effect depends on their arguments and on what calls of this list did before. */
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

/** What they answer no repeatable call can change. */
const passive: ReadonlySet<string> = new Set([
  ...['getActiveAttrib', 'getActiveUniform', 'getAttribLocation', 'getContextAttributes', 'getProgramInfoLog'],
  ...['getProgramParameter', 'getShaderInfoLog', 'getShaderParameter', 'getShaderPrecisionFormat', 'getSupportedExtensions'],
  ...['getUniformBlockIndex', 'getUniformIndices', 'getUniformLocation', 'isContextLost'],
]);

/** A seek with more than this is not compared: what is remembered has a bound. */
const maxCalls = 100_000;
const maxCopiedBytes = 16 * 1024 * 1024;

type Method = (this: unknown, ...args: unknown[]) => unknown;
type Originals = Readonly<Record<string, Method>>;
const isMethod = (value: unknown): value is Method => typeof value === 'function';

const watches = new Map<Gl, ContextWatch>();
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

/** What is known of one context. */
class ContextWatch {
  readonly gl: Gl;
  readonly #originals: Originals;
  /** The calls of the seek before; null = not known. */
  #stream: readonly GlCall[] | null = null;
  /** How often they were carried out in a row. */
  #runs = 0;
  /** Whether repeating them changes nothing; null = not asked yet. */
  #repeats: boolean | null = null;
  #frame = '';
  /** Of the seek at work: how many calls were the same so far, and, from the first that was not, all of them. */
  #same = 0;
  #next: GlCall[] | null = null;
  #holding = false;
  /** Not to be compared before the next seek. */
  #lost = true;
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

  /** Changing these clears the canvas, or its colours. */
  #frameNow(): string {
    const { drawingBufferWidth, drawingBufferHeight, drawingBufferColorSpace, unpackColorSpace } = this.gl;
    return [drawingBufferWidth, drawingBufferHeight, drawingBufferColorSpace, unpackColorSpace].join();
  }

  begin(): void {
    if (this.#runs === 2 && this.#repeats === null) this.#repeats = this.#isProven();
    this.#holding = this.#repeats === true && this.#frame === this.#frameNow();
    this.#next = this.#stream === null ? [] : null;
    this.#lost = false;
    this.#same = 0;
    this.#copiedBytes = 0;
  }

  #isProven(): boolean {
    try {
      return leavesSamePictures(this.gl, this.call, this.#stream ?? []);
    } catch {
      // A context that was lost meanwhile, or arguments that no call would take.
      return false;
    }
  }

  /** Carries out what was held back. */
  release(): void {
    if (!this.#holding) return;
    this.#holding = false;
    for (const { name, args } of this.#stream?.slice(0, this.#same) ?? []) this.#carryOut(name, args);
  }

  #carryOut(name: string, args: readonly unknown[]): unknown {
    // What is drawn apart from the page may never be seen.
    const { canvas } = this.gl;
    if (/^(?:draw|clear$|clearBuffer|blit)/.test(name) && 'isConnected' in canvas && canvas.isConnected) drew = true;
    return this.#original(name).apply(this.gl, args as unknown[]);
  }

  /** The calls of this seek are not to be compared with others. */
  lose(): void {
    this.release();
    this.#lost = true;
    this.#stream = null;
    this.#next = null;
    this.#runs = 0;
    this.#repeats = null;
  }

  repeatableCall(name: string, args: readonly unknown[]): unknown {
    if (!seeking || this.#lost) {
      if (!this.#lost) this.lose();
      return this.#carryOut(name, args);
    }
    if (this.#next === null) {
      if (isSameCall(this.#stream?.[this.#same], name, args)) {
        this.#same++;
        return this.#holding ? undefined : this.#carryOut(name, args);
      }
      this.release();
      this.#next = this.#stream?.slice(0, this.#same) ?? [];
    }
    this.#note(this.#next, name, args);
    return this.#carryOut(name, args);
  }

  #note(next: GlCall[], name: string, args: readonly unknown[]): void {
    const copies = args.map((value) => this.#copyOf(value));
    if (copies.includes(uncopied) || next.length >= maxCalls || this.#copiedBytes > maxCopiedBytes) {
      releaseAll();
      this.lose();
    } else next.push({ name, args: copies });
  }

  /** Of an argument, what the page cannot change any more. */
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
    // The page's objects of WebGL; anything else is a source of pixels that may change.
    return Object.prototype.toString.call(value).startsWith('[object WebGL') ? value : uncopied;
  }

  otherCall(name: string, args: readonly unknown[]): unknown {
    releaseAll();
    this.lose();
    return this.#carryOut(name, args);
  }

  /** A call of an extension, such as those that draw many things at once, is not followed. */
  extensionCall(): void {
    releaseAll();
    this.lose();
    drew = true;
  }

  end(): void {
    if (this.#lost) return;
    const frame = this.#frameNow();
    const isComplete = this.#next === null && this.#same === this.#stream?.length && frame === this.#frame;
    if (isComplete) {
      if (!this.#holding && this.#runs < 2) this.#runs++;
    } else {
      this.release();
      this.#stream = this.#next ?? this.#stream?.slice(0, this.#same) ?? [];
      this.#runs = 1;
      this.#repeats = null;
      this.#frame = frame;
    }
    this.#holding = false;
    this.#next = null;
  }
}

function releaseAll(): void {
  for (const watch of watches.values()) watch.release();
}

function watchOf(gl: Gl, originals: Originals): ContextWatch {
  const known = watches.get(gl);
  if (known) return known;
  const watch = new ContextWatch(gl, originals);
  watches.set(gl, watch);
  return watch;
}

function watchExtension(extension: unknown, watch: ContextWatch): unknown {
  if (typeof extension !== 'object' || extension === null) return extension;
  for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(extension))) {
    const original: unknown = Reflect.get(extension, name);
    if (name === 'constructor' || !isMethod(original) || Object.hasOwn(extension, name)) continue;
    const value = (...args: unknown[]) => {
      watch.extensionCall();
      return original.apply(extension, args);
    };
    Object.defineProperty(extension, name, { value });
  }
  return extension;
}

function watchMethods(prototype: object): void {
  const originals: Record<string, Method> = {};
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (!isMethod(value) || name === 'constructor') continue;
    originals[name] = value;
    if (!passive.has(name)) Object.assign(prototype, { [name]: watchedMethod(name, value, originals) });
  }
}

function watchedMethod(name: string, original: Method, originals: Originals): (this: Gl, ...args: unknown[]) => unknown {
  if (name === 'getExtension') {
    return function (...args) {
      return watchExtension(original.apply(this, args), watchOf(this, originals));
    };
  }
  if (repeatable.has(name) || repeatablePattern.test(name)) {
    return function (...args) {
      return watchOf(this, originals).repeatableCall(name, args);
    };
  }
  return function (...args) {
    return watchOf(this, originals).otherCall(name, args);
  };
}

/** What reads a canvas, or clears it, gets what the page has drawn. */
function releaseBefore(owner: object | undefined, name: string): void {
  const described = owner && Object.getOwnPropertyDescriptor(owner, name);
  if (!described) return;
  const kind = described.set ? 'set' : 'value';
  const original: unknown = described[kind];
  if (!isMethod(original)) return;
  const watched: Method = function (...args) {
    releaseAll();
    if (kind === 'set') for (const watch of watches.values()) if (watch.gl.canvas === this) watch.lose();
    return original.apply(this, args);
  };
  Object.defineProperty(owner, name, { ...described, [kind]: watched });
}

watchMethods(WebGLRenderingContext.prototype);
watchMethods(WebGL2RenderingContext.prototype);
for (const kind of [HTMLCanvasElement, OffscreenCanvas]) {
  for (const name of ['width', 'height', 'toDataURL', 'toBlob', 'convertToBlob', 'transferToImageBitmap', 'captureStream']) {
    releaseBefore(kind.prototype, name);
  }
}
for (const kind of [CanvasRenderingContext2D, OffscreenCanvasRenderingContext2D]) {
  for (const name of ['drawImage', 'createPattern']) releaseBefore(kind.prototype, name);
}
releaseBefore(window, 'createImageBitmap');

const canvases: CanvasWatch = {
  beginSeek: () => {
    for (const [gl, watch] of watches) {
      if (watch.call('isContextLost')) watches.delete(gl);
      else watch.begin();
    }
    drew = false;
    seeking = true;
  },
  endSeek: () => {
    seeking = false;
    for (const watch of watches.values()) watch.end();
    return drew;
  },
};
Object.defineProperty(window, '__kodaCanvases', { value: canvases });
