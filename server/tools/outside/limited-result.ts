import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { imageSize } from 'image-size';
import type { OutsideResult } from './protocol.ts';

const maxTextCharacters = 200_000;
const maxErrorCharacters = 4_000;
const maxImages = 4;
const maxImageBytes = 2 * 1024 * 1024;
const maxImagePixels = 4_096;

/** Reduces a result to what the agent gets. */
export function limitedResult({ content, structuredContent, isError = false }: CallToolResult): OutsideResult {
  const images: OutsideResult['images'] = [];
  const texts: string[] = [];
  for (const block of content) {
    const image = block.type === 'image' && images.length < maxImages ? usableImage(block.data, block.mimeType) : null;
    if (image === null) texts.push(textOf(block));
    else images.push(image);
  }
  const joined = texts.join('\n').trim();
  const whole = (joined === '' && structuredContent !== undefined ? JSON.stringify(structuredContent) : joined).toWellFormed();
  const text = whole.slice(0, isError ? maxErrorCharacters : maxTextCharacters).toWellFormed();
  return { isError, text, leftOutCharacters: whole.length - text.length, images };
}

function textOf(block: CallToolResult['content'][number]): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
      return '[image left out: only PNG and JPEG up to 2 MB and 4,096 pixels, at most four]';
    case 'audio':
      return '[audio left out]';
    case 'resource_link':
      return `${block.name}: ${block.uri}`;
    case 'resource':
      return 'text' in block.resource ? block.resource.text : `[file left out: ${block.resource.uri}]`;
  }
}

const imageTypes = { jpg: 'image/jpeg', png: 'image/png' } as const;

/** Returns an image that a model service accepts, or `null`. One that it refuses would fail every later request of the run. */
function usableImage(base64: string, declaredType: string): OutsideResult['images'][number] | null {
  if (base64.length > (maxImageBytes * 4) / 3) return null;
  const bytes = Buffer.from(base64, 'base64');
  try {
    const { type, width, height } = imageSize(bytes);
    if (type !== 'jpg' && type !== 'png') return null;
    if (imageTypes[type] !== declaredType || Math.max(width, height) > maxImagePixels) return null;
    return { mediaType: imageTypes[type], base64: bytes.toString('base64') };
  } catch {
    // Not an image.
    return null;
  }
}
