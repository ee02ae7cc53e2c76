import { describe, expect, it } from 'vitest';
import { mentionedPaths } from './doc-paths.ts';

const roots = ['server', 'scripts', 'compose.yaml', 'LICENSE'];

describe('mentionedPaths', () => {
  it('finds paths in code spans and relative links', () => {
    const text = 'See `server/main.ts`, [the licence](LICENSE) and `compose.yaml`. Run `bash scripts/start.sh`.';
    expect(mentionedPaths(text, roots)).toEqual(['LICENSE', 'server/main.ts', 'compose.yaml', 'scripts/start.sh']);
  });

  it('skips URLs, anchors, placeholders, other folders and fenced code', () => {
    const text = [
      '[home](https://example.org/server/x) [top](#top) `server/tools/<name>.ts` `server/*.ts` `src/App.tsx` `server`',
      '```sh\nnode server/none.ts # `server/none.ts`\n```',
    ].join('\n');
    expect(mentionedPaths(text, roots)).toEqual([]);
  });

  it('drops line numbers, anchors and trailing punctuation', () => {
    expect(mentionedPaths('`server/config.ts:12` [x](server/a.md#part) `scripts/dev.sh`.', roots)).toEqual([
      'server/a.md',
      'server/config.ts',
      'scripts/dev.sh',
    ]);
  });
});
