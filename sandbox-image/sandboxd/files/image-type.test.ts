import { describe, expect, it } from 'vitest';
import { detectFileType } from './image-type.ts';

describe('detectFileType', () => {
  it.each([
    ['\x89PNG\r\n\x1a\nrest', 'image/png'],
    ['\xff\xd8\xff\xe0', 'image/jpeg'],
    ['GIF89a', 'image/gif'],
    ['RIFF\x10\0\0\0WEBPVP8 ', 'image/webp'],
    ['\0\0\0\x20ftypavif', 'image/avif'],
    ['BM\x10\0', 'image/bmp'],
    ['<svg xmlns="x"/>', 'image/svg+xml'],
    ['\xef\xbb\xbf<?xml version="1.0"?><!-- made by hand --><svg/>', 'image/svg+xml'],
  ])('T3: detects the image type of %j', (head, mediaType) => {
    expect(detectFileType(Buffer.from(head, 'latin1'))).toEqual({ kind: 'image', mediaType });
  });

  it.each([
    ['%PDF-1.7', 'pdf'],
    ['const svg = "<svg>";', 'text'],
    ['<html><svg></svg></html>', 'text'],
    ['', 'text'],
    ['RIFF\0\0\0\0WAVE', 'other'],
  ])('T3: does not mistake %j for an image', (head, kind) => {
    expect(detectFileType(Buffer.from(head, 'latin1'))).toEqual({ kind });
  });
});
