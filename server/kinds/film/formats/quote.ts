import { z } from 'zod';
import type { Match } from '../define-format.ts';
import { defineFormat, image, line, paragraph, readingSeconds, shorten } from '../define-format.ts';
import { clip, clipped, isName, isNamed, plain, splitText } from '../read/fill.ts';
import type { Reading } from '../read/reading.ts';
import { spansOf } from '../read/reading.ts';

const schema = z.object({
  text: paragraph(220),
  /** A stressed phrase of `text`. */
  emphasis: line(60).nullable(),
  author: line(40).nullable(),
  role: line(60).nullable(),
  portrait: image.nullable(),
  /** Number of filled stars out of five, for a review. */
  stars: z.int().min(1).max(5).nullable(),
});
type Props = z.infer<typeof schema>;

function matchQuote(reading: Reading): Match<Props>[] {
  const { blocks } = reading;
  const named = isNamed(reading, 'quote');
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
        stars: reading.wishes.stars,
      }));
    const found: Match<Props>[] = [];
    const next = blocks[index + 1];
    if (block.author !== null) found.push({ score: 0.85, scenes: build(block.author, block.authorRole), spans: spansOf(block) });
    else if (guest?.kind === 'text')
      found.push({ score: 0.85, scenes: build(guest.piece.text, null), spans: [...spansOf(block), guest] });
    else if (next !== undefined && (next.kind === 'text' || (next.kind === 'list' && next.marks === 'inline'))) {
      // A line with a name behind a quotation says who spoke.
      const whole = next.kind === 'text' ? next.piece.text : next.items.map(({ text }) => text).join(', ');
      const [author = '', ...role] = whole.split(/,\s+|\s+[–—-]\s+|\s+(?=\()/u);
      // “Tom, Ellie and Max” are several people, no author with a role.
      const isGroup =
        next.kind === 'list' &&
        next.items.length >= 3 &&
        (next.items.length >= 4 || / (?:and|und|et|y|&) /iu.test(reading.text.slice(next.start, next.end)));
      if (!isGroup && isName(author) && whole.length <= 100)
        found.push({
          score: 0.85,
          scenes: build(
            author,
            role
              .join(', ')
              .replace(/[.]$/u, '')
              .replace(/^\((.*)\)$/u, '$1'),
          ),
          spans: [...spansOf(block), ...spansOf(next)],
        });
    }
    found.push({
      score: named ? 0.7 : block.piece.text.length > 60 ? 0.6 : 0.44,
      scenes: build(null, null),
      spans: spansOf(block),
    });
    return found;
  });
}

export const quote = defineFormat({
  id: 'quote',
  title: 'Quote',
  use: 'Something that somebody said or wrote, with the author, or a review with its stars.',
  avoid: 'A text of more than 220 characters.',
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
