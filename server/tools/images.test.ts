import { describe, expect, it } from 'vitest';
import { toolContextOver } from '../../test/fixtures/tool-context.ts';
import { filmTools } from '../kinds/film/tools.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { browserScreenshot } from './browser.ts';
import type { ToolContext } from './context.ts';
import { imageForModel, viewFile } from './images.ts';
import { screenshot } from './preview.ts';

/** Returns the start of a JPEG, followed by this many bytes. */
const jpegOf = (moreBytes: number) => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(moreBytes)]);

/** Creates a project whose sandbox returns these bytes as a JPEG for every image request. */
function sending(bytes: Buffer): ToolContext {
  const picture = { mediaType: 'image/jpeg', base64: bytes.toString('base64') } as const;
  const sandbox = {
    screenshot: async () => bytes,
    readImage: async () => ({ ...picture, width: 1, height: 1, sizeBytes: 1 }),
    browse: async () => ({ url: '', title: '', console: [], scroll: { x: 0, y: 0, maxX: 0, maxY: 0 }, picture }),
  } as unknown as Sandbox;
  return toolContextOver(sandbox, {
    checkAll: async () => ({
      problems: [],
      warnings: [],
      differences: [],
      info: null,
      contactSheet: picture.base64,
      failure: null,
    }),
  });
}

const checkAnimation = filmTools.find(({ name }) => name === 'check_animation') ?? viewFile;

const takers = [
  [viewFile, { path: 'a.jpg' }],
  [screenshot, { seek_to: 0 }],
  [browserScreenshot, {}],
  [checkAnimation, {}],
] as const;

describe('images for a model', () => {
  it('F10: a screenshot has the requested size, and none is offered that a model does not accept', async () => {
    const sizeOf = async (size: object) => await screenshot.call({ seek_to: 0, ...size }, sending(jpegOf(100)));
    expect(await sizeOf({})).toMatchObject({ output: { width: 1280, height: 720 } });
    expect(await sizeOf({ width: 720, height: 1280 })).toMatchObject({ output: { width: 720, height: 1280 } });
    expect(await sizeOf({ width: 3840, height: 2160 })).toMatchObject({ status: 'error' });
  });

  it.each(takers)('T5: returns small images from $name', async (tool, input) => {
    expect(await tool.call(input, sending(jpegOf(100)))).toMatchObject({
      status: 'completed',
      images: [{ mediaType: 'image/jpeg', base64: expect.stringMatching(/^\/9j\//) }],
    });
  });

  it.each(takers)('T5: returns no image from $name that would fill the conversation', async (tool, input) => {
    expect(await tool.call(input, sending(jpegOf(1_600_000)))).toMatchObject({
      status: 'error',
      code: 'TOO_LARGE',
      message: expect.stringContaining('1.6 MB'),
    });
  });

  it.each(takers)('T5: returns no image from $name for other data', async (tool, input) => {
    expect(await tool.call(input, sending(Buffer.from('<svg onload="x"/>')))).toMatchObject({
      status: 'error',
      code: 'CAPTURE_FAILED',
      message: expect.stringContaining('JPEG'),
    });
  });

  it('T5: checks that an image has its declared type', () => {
    const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1').toString('base64');
    expect(imageForModel({ mediaType: 'image/png', base64: png }).base64).toBe(png);
    expect(() => imageForModel({ mediaType: 'image/jpeg', base64: png })).toThrow('not a valid JPEG');
    expect(() => imageForModel({ mediaType: 'image/png', base64: '' })).toThrow('not a valid PNG');
  });
});
