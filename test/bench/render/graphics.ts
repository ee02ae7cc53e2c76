/**
 * What makes WebGL fast without a GPU: Mesa's llvmpipe instead of SwiftShader, the page itself composited in
 * software. The product's way, given to everybody.
 */
export const llvmpipeFlags: readonly string[] = [
  '--use-gl=angle',
  '--use-angle=gles-egl',
  '--ignore-gpu-blocklist',
  '--disable-gpu-compositing',
];

export const llvmpipeEnvironment: Readonly<Record<string, string>> = { LIBGL_ALWAYS_SOFTWARE: '1', EGL_PLATFORM: 'surfaceless' };

/** Without these a text has different pixels in different browsers, and no two pictures could be compared. */
export const pictureFlags: readonly string[] = ['--force-color-profile=srgb', '--font-render-hinting=none', '--disable-lcd-text'];
