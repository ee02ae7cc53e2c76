import { z } from 'zod';
import { clip, clipped, isName, isNamed, plain, splitText } from '../author/read/fill.ts';
import type { Block, BlockOf, Reading } from '../author/read/reading.ts';
import { spansOf } from '../author/read/reading.ts';
import type { Match } from './define-format.ts';
import { defineFormat, image, line, paragraph, readingSeconds, shorten } from './define-format.ts';

const schema = z.object({
  text: paragraph(220).describe('the words, without quotation marks'),
  emphasis: line(60).nullable().describe('phrase of the text to emphasise'),
  author: line(40).nullable().describe('who said it'),
  role: line(60).nullable().describe('who that is'),
  portrait: image.nullable().describe('uploaded picture of the author'),
  stars: z.int().min(1).max(5).nullable().describe('filled stars out of five, for a review'),
});
type Props = z.infer<typeof schema>;

function matchQuote(reading: Reading): Match<Props>[] {
  const { blocks } = reading;
  const guest = blocks.find((block) => block.kind === 'text' && block.role === 'author');
  return blocks.flatMap((block, index) => {
    if (block.kind !== 'quote') return [];
    const parts = splitText(plain(block.piece.text), 220);
    const build = (author: string | null, role: string | null): Props[] =>
      parts.map((text) => ({
        text: clip(text, 220),
        emphasis: null,
        author: clipped(author, 40),
        role: clipped(role, 60),
        portrait: null,
        stars: reading.instructions.stars,
      }));
    const next = blocks[index + 1];
    const named = nameAfter(next, reading);
    const anonymous = { score: scoreOf(block, reading), scenes: build(null, null), spans: spansOf(block) };
    if (block.author !== null)
      return [{ score: 0.85, scenes: build(block.author, block.authorRole), spans: spansOf(block) }, anonymous];
    if (guest?.kind === 'text')
      return [{ score: 0.85, scenes: build(guest.piece.text, null), spans: [...spansOf(block), guest] }, anonymous];
    if (named === null || next === undefined) return [anonymous];
    return [{ score: 0.85, scenes: build(named.author, named.role), spans: [...spansOf(block), ...spansOf(next)] }, anonymous];
  });
}

/** Reads the author and the role from a line after a quotation. Returns `null` if the line is something else. */
function nameAfter(next: Block | undefined, reading: Reading): { author: string; role: string } | null {
  if (next === undefined || (next.kind !== 'text' && (next.kind !== 'list' || next.marks !== 'inline'))) return null;
  // “Tom, Ellie and Max” is a list of people, not an author with a role.
  if (next.kind === 'list' && next.items.length >= 4) return null;
  const hasAnd = / (?:and|und|et|y|&) /iu.test(reading.text.slice(next.start, next.end));
  if (next.kind === 'list' && next.items.length === 3 && hasAnd) return null;
  const whole = next.kind === 'text' ? next.piece.text : next.items.map(({ text }) => text).join(', ');
  const [author = '', ...role] = whole.split(/,\s+|\s+[–—-]\s+|\s+(?=\()/u);
  if (!isName(author) || whole.length > 100) return null;
  return {
    author,
    role: role
      .join(', ')
      .replace(/[.]$/u, '')
      .replace(/^\((.*)\)$/u, '$1'),
  };
}

function scoreOf(block: BlockOf<'quote'>, reading: Reading): number {
  if (isNamed(reading, 'quote')) return 0.7;
  return block.piece.text.length > 60 ? 0.6 : 0.44;
}

export const quote = defineFormat({
  id: 'quote',
  title: 'Quote',
  use: 'A statement with its author, or a review with its stars.',
  avoid: 'Text of more than 220 characters.',
  purposes: ['people'],
  props: schema,
  seconds: ({ text, author, role }) => 0.8 + readingSeconds(text) + readingSeconds(author, role) * 0.6 + 0.8,
  outline: ({ text, author }) => ({
    title: shorten(author ?? 'Quote', 60),
    description: `“${text}”${author === null ? '' : ` by ${author}`}.`,
  }),
  match: (reading) => matchQuote(reading),
  example: {
    text: 'A map is only an argument about which roads deserve a name.',
    emphasis: 'deserve a name.',
    author: 'Inés Okafor',
    role: 'Cartographer',
    portrait: null,
    stars: null,
  },
});
