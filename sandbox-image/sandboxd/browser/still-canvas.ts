import { stillProofFunction } from './still-proof.ts';

/**
 * Spares WebGL what it has drawn already. A film in WebGL draws its canvas at every seek, also where nothing moves, and
 * that drawing is most of what such a frame costs. So the calls of each seek are compared with those of the seek
 * before. Once the very same calls, with the very same numbers, were carried out twice in a row, and are known to
 * leave the same picture however often they are repeated (`still-proof.ts`), the next ones are held back as long as
 * they are the same: at the end of the seek there is nothing to be done. At the first call that differs, or that asks
 * or reads anything, what was held back is carried out before it; then everything was as if nobody had watched.
 */

/** Calls without an answer whose effect depends on their arguments and on what calls of this list did before. */
const repeatable = [
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
];
const repeatablePattern = '^(?:uniform(?:Matrix)?[1-4]|vertexAttribI?[1-4])';

/** What they answer no repeatable call can change. */
const passive = [
  ...['getActiveAttrib', 'getActiveUniform', 'getAttribLocation', 'getContextAttributes', 'getProgramInfoLog'],
  ...['getProgramParameter', 'getShaderInfoLog', 'getShaderParameter', 'getShaderPrecisionFormat', 'getSupportedExtensions'],
  ...['getUniformBlockIndex', 'getUniformIndices', 'getUniformLocation', 'isContextLost'],
];

/** A seek with more than this is not compared: what is remembered has a bound. */
const maxCalls = 100_000;
const maxCopiedBytes = 16 * 1024 * 1024;

/**
 * Runs before the page's own code. Offers two functions, for before and after a seek; the second answers whether any
 * WebGL canvas was drawn upon in between. Calls outside of seeks are carried out, and end what was known.
 */
export const watchCanvasesExpression = `(() => {
  const prove = ${stillProofFunction};
  const repeatable = new Set(${JSON.stringify(repeatable)});
  const passive = new Set(${JSON.stringify(passive)});
  const watches = new Map();
  let seeking = false;
  let drew = false;

  const isArray = (value) => ArrayBuffer.isView(value) || Array.isArray(value);
  const copyOf = (value, watch) => {
    if (value === null || typeof value !== 'object') return value;
    if (isArray(value) && !(value instanceof DataView)) {
      watch.copiedBytes += value.byteLength ?? value.length * 8;
      return value.slice();
    }
    // The page's objects of WebGL; anything else is a source of pixels that may change.
    if (Object.prototype.toString.call(value).startsWith('[object WebGL')) return value;
    return undefined;
  };
  const isSame = (before, now) => {
    if (Object.is(before, now)) return true;
    if (!isArray(before) || !isArray(now) || before.constructor !== now.constructor || before.length !== now.length) return false;
    for (let at = 0; at < before.length; at++) if (!Object.is(before[at], now[at])) return false;
    return true;
  };
  const isSameCall = (before, name, args) => {
    if (before === undefined || before.name !== name || before.args.length !== args.length) return false;
    for (let at = 0; at < args.length; at++) if (!isSame(before.args[at], args[at])) return false;
    return true;
  };

  /** What is known of one context. */
  class Watch {
    /** The calls of the seek before; null = not known. */
    stream = null;
    /** How often they were carried out in a row. */
    runs = 0;
    /** Whether repeating them changes nothing; null = not asked yet. */
    repeats = null;
    frame = '';
    /** Of the seek at work: how many calls were the same so far, and, from the first that was not, all of them. */
    same = 0;
    next = null;
    holding = false;
    /** Not to be compared before the next seek. */
    lost = true;
    copiedBytes = 0;

    constructor(gl, originals) {
      this.gl = gl;
      this.originals = originals;
      this.call = (name, ...args) => originals[name].apply(gl, args);
    }
    /** Changing these clears the canvas, or its colours. */
    frameNow() {
      const { gl } = this;
      return [gl.drawingBufferWidth, gl.drawingBufferHeight, gl.drawingBufferColorSpace, gl.unpackColorSpace].join();
    }
    begin() {
      if (this.runs === 2 && this.repeats === null) this.repeats = this.asksProof();
      this.holding = this.repeats === true && this.frame === this.frameNow();
      this.next = this.stream === null ? [] : null;
      this.lost = false;
      this.same = 0;
      this.copiedBytes = 0;
    }
    asksProof() {
      try {
        return prove(this.gl, this.call, this.stream);
      } catch {
        return false;
      }
    }
    /** Carries out what was held back. */
    release() {
      if (!this.holding) return;
      this.holding = false;
      for (let at = 0; at < this.same; at++) this.carryOut(this.stream[at].name, this.stream[at].args);
    }
    carryOut(name, args) {
      // What is drawn apart from the page may never be seen.
      if (/^(?:draw|clear$|clearBuffer|blit)/.test(name) && this.gl.canvas.isConnected) drew = true;
      return this.originals[name].apply(this.gl, args);
    }
    /** The calls of this seek are not to be compared with others. */
    lose() {
      this.release();
      this.lost = true;
      this.stream = null;
      this.next = null;
      this.runs = 0;
      this.repeats = null;
    }
    repeatableCall(name, args) {
      if (!seeking || this.lost) {
        if (!this.lost) this.lose();
        return this.carryOut(name, args);
      }
      if (this.next === null) {
        if (isSameCall(this.stream[this.same], name, args)) {
          this.same++;
          return this.holding ? undefined : this.carryOut(name, args);
        }
        this.release();
        this.next = this.stream.slice(0, this.same);
      }
      this.note(name, args);
      return this.carryOut(name, args);
    }
    note(name, args) {
      const copies = args.map((value) => copyOf(value, this));
      const unknown = copies.some((copy, at) => copy === undefined && args[at] !== undefined);
      if (unknown || this.next.length >= ${maxCalls} || this.copiedBytes > ${maxCopiedBytes}) {
        releaseAll();
        this.lose();
      } else this.next.push({ name, args: copies });
    }
    otherCall(name, args) {
      releaseAll();
      this.lose();
      return this.carryOut(name, args);
    }
    end() {
      if (this.lost) return;
      const frame = this.frameNow();
      const complete = this.next === null && this.same === this.stream.length && frame === this.frame;
      if (complete) {
        if (!this.holding && this.runs < 2) this.runs++;
      } else {
        this.release();
        this.stream = this.next ?? this.stream.slice(0, this.same);
        this.runs = 1;
        this.repeats = null;
        this.frame = frame;
      }
      this.holding = false;
      this.next = null;
    }
  }
  const releaseAll = () => {
    for (const watch of watches.values()) watch.release();
  };

  const watchOf = (gl, originals) => {
    let watch = watches.get(gl);
    if (watch === undefined) watches.set(gl, (watch = new Watch(gl, originals)));
    return watch;
  };
  /** Calls of an extension, such as those that draw many things at once, are not followed. */
  const watchExtension = (extension, watch) => {
    if (extension === null) return extension;
    for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(extension))) {
      const original = extension[name];
      if (name === 'constructor' || typeof original !== 'function' || Object.hasOwn(extension, name)) continue;
      Object.defineProperty(extension, name, {
        value: (...args) => {
          releaseAll();
          watch.lose();
          drew = true;
          return original.apply(extension, args);
        },
      });
    }
    return extension;
  };
  const watchMethods = (prototype) => {
    const originals = {};
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (typeof value !== 'function' || name === 'constructor') continue;
      originals[name] = value;
      if (passive.has(name)) continue;
      if (name === 'getExtension') {
        prototype[name] = function (...args) {
          return watchExtension(value.apply(this, args), watchOf(this, originals));
        };
      } else if (repeatable.has(name) || /${repeatablePattern}/.test(name)) {
        prototype[name] = function (...args) {
          return watchOf(this, originals).repeatableCall(name, args);
        };
      } else {
        prototype[name] = function (...args) {
          return watchOf(this, originals).otherCall(name, args);
        };
      }
    }
  };
  for (const kind of [window.WebGLRenderingContext, window.WebGL2RenderingContext]) if (kind) watchMethods(kind.prototype);

  /** What reads a canvas, or clears it, gets what the page has drawn. */
  const releaseBefore = (owner, name) => {
    const described = owner && Object.getOwnPropertyDescriptor(owner, name);
    if (!described) return;
    const kind = described.set ? 'set' : 'value';
    const original = described[kind];
    const before = (self) => {
      releaseAll();
      if (kind === 'set') for (const watch of watches.values()) if (watch.gl.canvas === self) watch.lose();
    };
    Object.defineProperty(owner, name, {
      ...described,
      [kind]: function (...args) {
        before(this);
        return original.apply(this, args);
      },
    });
  };
  for (const kind of ['HTMLCanvasElement', 'OffscreenCanvas']) {
    for (const name of ['width', 'height', 'toDataURL', 'toBlob', 'convertToBlob', 'transferToImageBitmap', 'captureStream'])
      releaseBefore(window[kind]?.prototype, name);
  }
  for (const kind of ['CanvasRenderingContext2D', 'OffscreenCanvasRenderingContext2D']) {
    for (const name of ['drawImage', 'createPattern']) releaseBefore(window[kind]?.prototype, name);
  }
  releaseBefore(window, 'createImageBitmap');

  Object.defineProperty(window, '__kodaCanvases', {
    value: {
      beginSeek: () => {
        for (const [gl, watch] of watches) {
          if (watch.call('isContextLost')) watches.delete(gl);
          else watch.begin();
        }
        drew = false;
        seeking = true;
      },
      /** Whether a canvas was drawn upon since then. */
      endSeek: () => {
        seeking = false;
        for (const watch of watches.values()) watch.end();
        return drew;
      },
    },
  });
})()`;
