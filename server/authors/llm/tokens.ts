import type { ContentBlock, ModelMessage } from './models/model.ts';

/**
 * Bytes of UTF-8 that a token has at least. English has 4 to 5, code 3, most other scripts 3 a character and a token;
 * the newest tokenizers cut finer than that by up to a third.
 */
const bytesPerToken = 2.5;
/** A picture of up to 1568 pixels a side (platform.claude.com, vision: width × height / 750, at most about 1,600). */
const tokensPerImage = 1_600;
/** What roles and brackets around a block take. */
const tokensPerBlock = 8;

/** About how many tokens a text has, rather too many than too few. */
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
