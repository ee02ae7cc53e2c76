import type { ContentBlock, ModelMessage } from './models/model.ts';

/**
 * Minimum UTF-8 bytes per token. English has 4 to 5, code 3, most other scripts 3 (one character per token); the newest
 * tokenizers split up to a third finer.
 */
const bytesPerToken = 2.5;
/**
 * Tokens of an image with up to 1568 pixels per side (platform.claude.com, vision: width × height / 750, at most about 1,600).
 */
const tokensPerImage = 1_600;
const tokensPerBlock = 8;

/** Estimates the number of tokens in a string, erring on the high side. */
export function tokensOfText(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}

export function tokensOf(messages: readonly ModelMessage[]): number {
  return messages.flatMap((message) => message.content).reduce((sum, block) => sum + tokensOfBlock(block), 0);
}

function tokensOfBlock(block: ContentBlock): number {
  switch (block.type) {
    case 'text':
      return tokensPerBlock + tokensOfText(block.text);
    case 'thinking':
      return tokensPerBlock + tokensOfText(block.thinking) + tokensOfText(block.signature);
    case 'redacted_thinking':
      return tokensPerBlock + tokensOfText(block.data);
    case 'tool_use':
      return tokensPerBlock + tokensOfText(block.name) + tokensOfText(JSON.stringify(block.input ?? {}));
    case 'tool_result':
      return tokensPerBlock + tokensOfText(block.shown ?? block.content) + (block.images?.length ?? 0) * tokensPerImage;
  }
}
