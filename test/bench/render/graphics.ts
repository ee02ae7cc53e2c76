/**
 * Makes WebGL fast without a GPU: Mesa's llvmpipe instead of SwiftShader, with the page composited in software. The product's
 * settings, used for all contenders.
 */
export const llvmpipeFlags: readonly string[] = [
  '--use-gl=angle',
  '--use-angle=gles-egl',
  '--ignore-gpu-blocklist',
  '--disable-gpu-compositing',
];

export const llvmpipeEnvironment: Readonly<Record<string, string>> = { LIBGL_ALWAYS_SOFTWARE: '1', EGL_PLATFORM: 'surfaceless' };

/** Without these, text has different pixels in different browsers, so images could not be compared. */
export const pictureFlags: readonly string[] = ['--force-color-profile=srgb', '--font-render-hinting=none', '--disable-lcd-text'];
