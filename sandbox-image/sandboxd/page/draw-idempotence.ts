/** Covers both versions: WebGL2 members are undefined in a WebGL1 context. */
export type Gl = WebGL2RenderingContext;

export interface GlCall {
  readonly name: string;
  readonly args: readonly unknown[];
}

type GlMethod = { [Name in keyof Gl]: Gl[Name] extends (...args: never[]) => unknown ? Name : never }[keyof Gl];
/** Calls the browser's original method, bypassing the page's and Koda's wrappers. */
export type CallGl = <Name extends GlMethod>(name: Name, ...args: Parameters<Gl[Name]>) => ReturnType<Gl[Name]>;

/** A render target or source. */
type Part = WebGLTexture | WebGLRenderbuffer | 'canvas';
type Framebuffer = WebGLFramebuffer | null;

// Stencil masks have 8 bits; a mask may have more.
const isWholeMask = (mask: unknown) => (Number(mask) & 0xff) === 0xff;

const draws = (name: string) =>
  name.startsWith('draw') ||
  (name.startsWith('clear') && !/^clear(Color|Depth|Stencil)$/.test(name)) ||
  name === 'blitFramebuffer';

/**
 * Returns whether repeating a stream of WebGL calls is idempotent. A stream that has run twice starts with the state in which
 * it ends, so its images can depend only on the previous content of its render targets. It must therefore clear each target
 * before drawing, and sample only textures that it has already redrawn. Trails and accumulation do not qualify; neither do
 * calls that this class does not support.
 */
export function isIdempotent(gl: Gl, call: CallGl, stream: readonly GlCall[]): boolean {
  return new IdempotenceCheck(gl, call, stream).holds();
}

class IdempotenceCheck {
  readonly #gl: Gl;
  readonly #call: CallGl;
  readonly #stream: readonly GlCall[];
  readonly #isSecond: boolean;
  readonly #on: Map<number, boolean>;
  #wholeColour: boolean;
  #wholeDepth: boolean;
  #wholeStencil: boolean;
  #target: Framebuffer;
  #source: Framebuffer;
  #program: WebGLProgram | null;
  readonly #firstUnit: number;
  #unit: number;
  /** Bound textures by unit and kind. */
  readonly #units: readonly Map<unknown, WebGLTexture | null>[];
  readonly #parts = new Map<Framebuffer, readonly Part[]>();
  readonly #sources = new Map<Framebuffer, readonly Part[]>();
  /** Texture units that each program samples, from its current uniforms and the stream. */
  readonly #read = new Map<WebGLProgram, Set<unknown>>();
  readonly #cleared = new Map<Framebuffer, number>();
  readonly #filled = new Set<Framebuffer>();

  constructor(gl: Gl, call: CallGl, stream: readonly GlCall[]) {
    this.#gl = gl;
    this.#call = call;
    this.#stream = stream;
    this.#isSecond = gl.DRAW_FRAMEBUFFER !== undefined;
    const switches = [gl.SCISSOR_TEST, gl.DEPTH_TEST, gl.STENCIL_TEST, ...(this.#isSecond ? [gl.RASTERIZER_DISCARD] : [])];
    this.#on = new Map(switches.map((one) => [one, call('isEnabled', one)]));
    const colourMask: boolean[] = call('getParameter', gl.COLOR_WRITEMASK);
    this.#wholeColour = colourMask.every(Boolean);
    this.#wholeDepth = call('getParameter', gl.DEPTH_WRITEMASK);
    this.#wholeStencil = [gl.STENCIL_WRITEMASK, gl.STENCIL_BACK_WRITEMASK].every((name) =>
      isWholeMask(call('getParameter', name)),
    );
    this.#target = call('getParameter', gl.FRAMEBUFFER_BINDING);
    this.#source = this.#isSecond ? call('getParameter', gl.READ_FRAMEBUFFER_BINDING) : this.#target;
    this.#program = call('getParameter', gl.CURRENT_PROGRAM);
    this.#firstUnit = call('getParameter', gl.ACTIVE_TEXTURE);
    this.#unit = this.#firstUnit - gl.TEXTURE0;
    this.#units = this.#query(() => this.#boundTextures());
  }

  holds(): boolean {
    this.#findParts();
    this.#findReads();
    return this.#stream.every((call) => this.#apply(call));
  }

  /** Restores the state that queries change. */
  #query<T>(ask: () => T): T {
    try {
      return ask();
    } finally {
      this.#call('activeTexture', this.#firstUnit);
      this.#call('bindFramebuffer', this.#gl.FRAMEBUFFER, this.#target);
      if (this.#isSecond) this.#call('bindFramebuffer', this.#gl.READ_FRAMEBUFFER, this.#source);
    }
  }

  #boundTextures(): Map<unknown, WebGLTexture | null>[] {
    const gl = this.#gl;
    const kinds = [
      [gl.TEXTURE_2D, gl.TEXTURE_BINDING_2D],
      [gl.TEXTURE_CUBE_MAP, gl.TEXTURE_BINDING_CUBE_MAP],
      [gl.TEXTURE_3D, gl.TEXTURE_BINDING_3D],
      [gl.TEXTURE_2D_ARRAY, gl.TEXTURE_BINDING_2D_ARRAY],
    ] as const;
    const count: number = this.#call('getParameter', gl.MAX_COMBINED_TEXTURE_IMAGE_UNITS);
    return Array.from({ length: count }, (_, index) => {
      this.#call('activeTexture', gl.TEXTURE0 + index);
      const known = kinds.slice(0, this.#isSecond ? kinds.length : 2);
      return new Map(known.map(([kind, binding]) => [kind, this.#call('getParameter', binding)]));
    });
  }

  #findParts(): void {
    let [drawn, copied] = [this.#target, this.#source];
    for (const { name, args } of this.#stream) {
      if (name === 'bindFramebuffer' && args[0] !== this.#gl.READ_FRAMEBUFFER) drawn = args[1] as Framebuffer;
      if (name === 'bindFramebuffer' && args[0] !== this.#gl.DRAW_FRAMEBUFFER) copied = args[1] as Framebuffer;
      if (draws(name)) this.#parts.set(drawn, []);
      if (name === 'blitFramebuffer') this.#sources.set(copied, []);
    }
    this.#query(() => {
      for (const found of [this.#parts, this.#sources]) {
        for (const framebuffer of found.keys()) found.set(framebuffer, this.#partsOf(framebuffer));
      }
    });
  }

  #partsOf(framebuffer: Framebuffer): Part[] {
    if (framebuffer === null) return ['canvas'];
    const gl = this.#gl;
    this.#call('bindFramebuffer', gl.FRAMEBUFFER, framebuffer);
    const colours: number = this.#isSecond ? this.#call('getParameter', gl.MAX_COLOR_ATTACHMENTS) : 1;
    const attachments = Array.from({ length: colours }, (_, index) => gl.COLOR_ATTACHMENT0 + index);
    const ask = (point: number, name: number) => this.#call('getFramebufferAttachmentParameter', gl.FRAMEBUFFER, point, name);
    return [gl.DEPTH_ATTACHMENT, gl.STENCIL_ATTACHMENT, ...attachments]
      .filter((point) => ask(point, gl.FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE) !== gl.NONE)
      .map((point) => ask(point, gl.FRAMEBUFFER_ATTACHMENT_OBJECT_NAME));
  }

  #findReads(): void {
    let used = this.#program;
    for (const { name, args } of this.#stream) {
      if (name === 'useProgram') used = args[0] as WebGLProgram | null;
      else if (used !== null && name === 'uniform1i') this.#unitsOf(used).add(args[1]);
      else if (used !== null && name === 'uniform1iv') {
        for (const value of args[1] as Iterable<number>) this.#unitsOf(used).add(value);
      }
    }
  }

  #unitsOf(program: WebGLProgram): Set<unknown> {
    const known = this.#read.get(program);
    if (known) return known;
    const found = new Set<unknown>();
    this.#read.set(program, found);
    const samplers = samplerTypes(this.#gl);
    const count: number = this.#call('getProgramParameter', program, this.#gl.ACTIVE_UNIFORMS);
    for (let index = 0; index < count; index++) {
      const uniform = this.#call('getActiveUniform', program, index);
      if (!uniform || !samplers.has(uniform.type)) continue;
      for (let at = 0; at < uniform.size; at++) {
        const location = this.#call('getUniformLocation', program, uniform.name.replace(/\[0\]$/, `[${at}]`));
        if (location) found.add(this.#call('getUniform', program, location));
      }
    }
    return found;
  }

  /** Applies one call to the tracked state. Returns `false` if idempotence cannot be proven. */
  #apply({ name, args }: GlCall): boolean {
    const gl = this.#gl;
    const [first] = args;
    if (name === 'enable' || name === 'disable') this.#on.set(first as number, name === 'enable');
    else if (name === 'colorMask') this.#wholeColour = args.every(Boolean);
    else if (name === 'depthMask') this.#wholeDepth = Boolean(first);
    else if (name === 'stencilMask') this.#wholeStencil = isWholeMask(first);
    else if (name === 'stencilMaskSeparate') return false;
    else if (name === 'useProgram') this.#program = first as WebGLProgram | null;
    else if (name === 'activeTexture') this.#unit = Number(first) - gl.TEXTURE0;
    else if (name === 'bindTexture') this.#units[this.#unit]?.set(first, args[1] as WebGLTexture | null);
    else if (name === 'bindFramebuffer') {
      if (first !== gl.READ_FRAMEBUFFER) this.#target = args[1] as Framebuffer;
      if (first !== gl.DRAW_FRAMEBUFFER) this.#source = args[1] as Framebuffer;
    } else if (name === 'clear') this.#clear(Number(first));
    else if (name === 'blitFramebuffer') {
      if (!this.#sources.get(this.#source)?.every((part) => this.#isRedrawn(part))) return false;
      this.#filled.add(this.#target);
    } else if (draws(name)) return this.#canDraw();
    return true;
  }

  #clear(buffers: number): void {
    const gl = this.#gl;
    if (this.#on.get(gl.SCISSOR_TEST) || this.#on.get(gl.RASTERIZER_DISCARD)) return;
    const whole =
      (this.#wholeColour ? gl.COLOR_BUFFER_BIT : 0) |
      (this.#wholeDepth ? gl.DEPTH_BUFFER_BIT : 0) |
      (this.#wholeStencil ? gl.STENCIL_BUFFER_BIT : 0);
    const cleared = (this.#cleared.get(this.#target) ?? 0) | (buffers & whole);
    this.#cleared.set(this.#target, cleared);
    if (cleared & gl.COLOR_BUFFER_BIT) this.#filled.add(this.#target);
  }

  #has(framebuffer: Framebuffer, part: Part): boolean {
    return this.#parts.get(framebuffer)?.includes(part) ?? false;
  }

  #isRedrawn(part: Part): boolean {
    return [...this.#parts.keys()].every((framebuffer) => !this.#has(framebuffer, part) || this.#filled.has(framebuffer));
  }

  #canDraw(): boolean {
    const gl = this.#gl;
    const needed =
      gl.COLOR_BUFFER_BIT |
      (this.#on.get(gl.DEPTH_TEST) ? gl.DEPTH_BUFFER_BIT : 0) |
      (this.#on.get(gl.STENCIL_TEST) ? gl.STENCIL_BUFFER_BIT : 0);
    if (((this.#cleared.get(this.#target) ?? 0) & needed) !== needed || this.#program === null) return false;
    for (const index of this.#unitsOf(this.#program)) {
      for (const texture of this.#units[Number(index)]?.values() ?? []) {
        if (texture !== null && (this.#has(this.#target, texture) || !this.#isRedrawn(texture))) return false;
      }
    }
    return true;
  }
}

function samplerTypes(gl: Gl): ReadonlySet<number> {
  return new Set([
    ...[gl.SAMPLER_2D, gl.SAMPLER_CUBE, gl.SAMPLER_3D, gl.SAMPLER_2D_SHADOW, gl.SAMPLER_2D_ARRAY],
    ...[gl.SAMPLER_2D_ARRAY_SHADOW, gl.SAMPLER_CUBE_SHADOW, gl.INT_SAMPLER_2D, gl.INT_SAMPLER_3D, gl.INT_SAMPLER_CUBE],
    ...[gl.INT_SAMPLER_2D_ARRAY, gl.UNSIGNED_INT_SAMPLER_2D, gl.UNSIGNED_INT_SAMPLER_3D, gl.UNSIGNED_INT_SAMPLER_CUBE],
    gl.UNSIGNED_INT_SAMPLER_2D_ARRAY,
  ]);
}
