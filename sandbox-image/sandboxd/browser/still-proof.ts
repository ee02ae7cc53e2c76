/**
 * Whether a stream of WebGL calls leaves the same pictures however often it is repeated.
 *
 * A stream that was carried out twice in a row begins with every setting that it makes as it leaves it. So what it
 * draws can only change by what it draws upon and by what it drew the last time: it has to clear whatever it draws
 * upon, and may look only at pictures that it has drawn anew by then. Trails, feedback and pictures that are built up
 * over frames do neither. What is not understood counts as no proof.
 */
export const stillProofFunction = String.raw`(gl, call, stream) => {
  const get = (name) => call('getParameter', gl[name]);
  const second = gl.DRAW_FRAMEBUFFER !== undefined;
  const isOn = (name) => call('isEnabled', gl[name]);
  const on = new Map(['SCISSOR_TEST', 'DEPTH_TEST', 'STENCIL_TEST', 'RASTERIZER_DISCARD']
    .filter((name) => gl[name] !== undefined)
    .map((name) => [gl[name], isOn(name)]));
  let wholeColour = get('COLOR_WRITEMASK').every(Boolean);
  let wholeDepth = get('DEPTH_WRITEMASK');
  // A mask has as many bits as it likes; those of a stencil are eight.
  const wholeMask = (mask) => (mask & 0xff) === 0xff;
  let wholeStencil = wholeMask(get('STENCIL_WRITEMASK')) && wholeMask(get('STENCIL_BACK_WRITEMASK'));
  let target = get('FRAMEBUFFER_BINDING');
  let source = second ? get('READ_FRAMEBUFFER_BINDING') : target;
  let program = get('CURRENT_PROGRAM');
  const firstUnit = get('ACTIVE_TEXTURE');
  let unit = firstUnit - gl.TEXTURE0;

  const kinds = ['2D', 'CUBE_MAP', ...(second ? ['3D', '2D_ARRAY'] : [])];
  /** Leaves the context as it was. */
  const asking = (ask) => {
    try {
      return ask();
    } finally {
      call('activeTexture', firstUnit);
      call('bindFramebuffer', gl.FRAMEBUFFER, target);
      if (second) call('bindFramebuffer', gl.READ_FRAMEBUFFER, source);
    }
  };
  const units = asking(() => Array.from({ length: get('MAX_COMBINED_TEXTURE_IMAGE_UNITS') }, (_, index) => {
    call('activeTexture', gl.TEXTURE0 + index);
    return new Map(kinds.map((kind) => [gl['TEXTURE_' + kind], get('TEXTURE_BINDING_' + kind)]));
  }));

  /** What a framebuffer draws upon: textures, renderbuffers, or the canvas. */
  const partsOf = (framebuffer) => {
    if (framebuffer === null) return ['canvas'];
    call('bindFramebuffer', gl.FRAMEBUFFER, framebuffer);
    const colours = second ? get('MAX_COLOR_ATTACHMENTS') : 1;
    const points = [gl.DEPTH_ATTACHMENT, gl.STENCIL_ATTACHMENT, ...Array.from({ length: colours }, (_, index) => gl.COLOR_ATTACHMENT0 + index)];
    const ask = (point, name) => call('getFramebufferAttachmentParameter', gl.FRAMEBUFFER, point, gl['FRAMEBUFFER_ATTACHMENT_OBJECT_' + name]);
    return points.filter((point) => ask(point, 'TYPE') !== gl.NONE).map((point) => ask(point, 'NAME'));
  };
  const parts = new Map();
  const draws = (name) => name.startsWith('draw') || name.startsWith('clear') && !/^clear(Color|Depth|Stencil)$/.test(name) || name === 'blitFramebuffer';
  const sources = new Map();
  let [drawn, copied] = [target, source];
  for (const { name, args } of stream) {
    if (name === 'bindFramebuffer' && args[0] !== gl.READ_FRAMEBUFFER) drawn = args[1];
    if (name === 'bindFramebuffer' && args[0] !== gl.DRAW_FRAMEBUFFER) copied = args[1];
    if (draws(name)) parts.set(drawn, null);
    if (name === 'blitFramebuffer') sources.set(copied, null);
  }
  asking(() => {
    for (const found of [parts, sources]) for (const framebuffer of found.keys()) found.set(framebuffer, partsOf(framebuffer));
  });

  const samplers = new Set([gl.SAMPLER_2D, gl.SAMPLER_CUBE, gl.SAMPLER_3D, gl.SAMPLER_2D_SHADOW, gl.SAMPLER_2D_ARRAY,
    gl.SAMPLER_2D_ARRAY_SHADOW, gl.SAMPLER_CUBE_SHADOW, gl.INT_SAMPLER_2D, gl.INT_SAMPLER_3D, gl.INT_SAMPLER_CUBE,
    gl.INT_SAMPLER_2D_ARRAY, gl.UNSIGNED_INT_SAMPLER_2D, gl.UNSIGNED_INT_SAMPLER_3D, gl.UNSIGNED_INT_SAMPLER_CUBE,
    gl.UNSIGNED_INT_SAMPLER_2D_ARRAY]);
  /** By program: the units that it reads, as it was left and as the stream says. */
  const read = new Map();
  const unitsOf = (one) => {
    if (read.has(one)) return read.get(one);
    const found = new Set();
    for (let index = 0; index < call('getProgramParameter', one, gl.ACTIVE_UNIFORMS); index++) {
      const { name, size, type } = call('getActiveUniform', one, index);
      if (!samplers.has(type)) continue;
      for (let at = 0; at < size; at++) {
        const location = call('getUniformLocation', one, name.replace(/\[0\]$/, '[' + at + ']'));
        if (location) found.add(call('getUniform', one, location));
      }
    }
    read.set(one, found);
    return found;
  };
  let used = program;
  for (const { name, args } of stream) {
    if (name === 'useProgram') used = args[0];
    else if (used !== null && name === 'uniform1i') unitsOf(used).add(args[1]);
    else if (used !== null && name === 'uniform1iv') for (const value of args[1]) unitsOf(used).add(value);
  }

  const cleared = new Map();
  const filled = new Set();
  const has = (framebuffer, part) => parts.get(framebuffer).includes(part);
  /** Whether the stream has drawn this anew by now, or never does. */
  const isNew = (part) => [...parts.keys()].every((framebuffer) => !has(framebuffer, part) || filled.has(framebuffer));
  const mayDraw = () => {
    const needed = gl.COLOR_BUFFER_BIT | (on.get(gl.DEPTH_TEST) ? gl.DEPTH_BUFFER_BIT : 0) | (on.get(gl.STENCIL_TEST) ? gl.STENCIL_BUFFER_BIT : 0);
    if (((cleared.get(target) ?? 0) & needed) !== needed || program === null) return false;
    for (const index of unitsOf(program)) {
      for (const texture of units[index]?.values() ?? []) {
        if (texture !== null && (has(target, texture) || !isNew(texture))) return false;
      }
    }
    return true;
  };

  for (const { name, args } of stream) {
    if (name === 'enable' || name === 'disable') on.set(args[0], name === 'enable');
    else if (name === 'colorMask') wholeColour = args.every(Boolean);
    else if (name === 'depthMask') wholeDepth = Boolean(args[0]);
    else if (name === 'stencilMask') wholeStencil = wholeMask(args[0]);
    else if (name === 'stencilMaskSeparate') return false;
    else if (name === 'useProgram') program = args[0];
    else if (name === 'activeTexture') unit = args[0] - gl.TEXTURE0;
    else if (name === 'bindTexture') units[unit]?.set(args[0], args[1]);
    else if (name === 'bindFramebuffer') {
      if (args[0] !== gl.READ_FRAMEBUFFER) target = args[1];
      if (args[0] !== gl.DRAW_FRAMEBUFFER) source = args[1];
    } else if (name === 'clear') {
      if (on.get(gl.SCISSOR_TEST) || on.get(gl.RASTERIZER_DISCARD)) continue;
      const whole = (wholeColour ? gl.COLOR_BUFFER_BIT : 0) | (wholeDepth ? gl.DEPTH_BUFFER_BIT : 0) | (wholeStencil ? gl.STENCIL_BUFFER_BIT : 0);
      cleared.set(target, (cleared.get(target) ?? 0) | (args[0] & whole));
      if (cleared.get(target) & gl.COLOR_BUFFER_BIT) filled.add(target);
    } else if (name === 'blitFramebuffer') {
      if (!sources.get(source).every(isNew)) return false;
      filled.add(target);
    } else if (draws(name) && !mayDraw()) return false;
  }
  return true;
}`;
