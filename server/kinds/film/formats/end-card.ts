import { z } from 'zod';
import { clip, clipped, handleIn, isName, phoneIn, plain, urlIn } from '../author/read/fill.ts';
import { lexiconOf, tokensOf } from '../author/read/lexicon.ts';
import type { BlockOf, Piece, Reading } from '../author/read/reading.ts';
import { spansOf } from '../author/read/reading.ts';
import actions from '../author/words/actions.json' with { type: 'json' };
import type { Match } from './define-format.ts';
import { defineFormat, image, line, readingSeconds, shorten } from './define-format.ts';

const schema = z
  .object({
    brand: line(30).nullable().describe('name'),
    logo: image.nullable().describe('uploaded image instead of the name'),
    headline: line(60).nullable().describe('sentence above the button'),
    action: line(28).nullable().describe('button; null shows address, handle or brand on it'),
    url: line(40).nullable().describe('address'),
    handle: line(30).nullable().describe('handle, such as “@halyard”'),
  })
  .refine((fields) => Object.values(fields).some((field) => field !== null), 'an end card needs at least one field');
type Props = z.infer<typeof schema>;

const calls = lexiconOf(actions);

/** A text that may end a film, with the contact details and call to action found in it. */
interface Ending {
  readonly text: string;
  readonly url: string | null;
  readonly handle: string | null;
  readonly phone: string | null;
  readonly call: ReturnType<typeof calls.find>[number] | undefined;
}

function matchEndCard(reading: Reading): Match<Props>[] {
  const { blocks, brand } = reading;
  return blocks.flatMap((block, index) => {
    if (block.kind !== 'text' || block.piece.text.length > 110) return [];
    const text = plain(block.piece.text);
    const ending: Ending = {
      text,
      url: urlIn(text),
      handle: handleIn(text),
      phone: phoneIn(text),
      call: calls.find(tokensOf(text))[0],
    };
    if (!endsFilm(block, ending, index, blocks.length)) return [];
    // A long sentence without contact details is read better as a title, which does not shorten it.
    const hasContact = ending.url !== null || ending.handle !== null || ending.phone !== null;
    if (text.length > 60 && !hasContact) return [];
    return [{ score: scoreOf(block, ending), scenes: [cardOf(ending, brand)], spans: spansOf(block) }];
  });
}

/** Returns whether a text near the end is a call to action, or a lone name that serves as a signature. */
function endsFilm(
  block: BlockOf<'text'>,
  { text, url, handle, phone, call }: Ending,
  index: number,
  blockCount: number,
): boolean {
  if (block.role === 'end' || block.role === 'button') return true;
  if (index === 0 || index < blockCount - 3) return false;
  if ((call !== undefined && call.at <= 1) || url !== null || handle !== null || phone !== null) return true;
  const isLast = index === blockCount - 1 && block.role === null && !block.isHeading;
  return isLast && text.length <= 30 && isName(text.replace(/[.!]$/u, ''));
}

function scoreOf(block: BlockOf<'text'>, { url, phone, call }: Ending): number {
  if (block.role === 'end' || block.role === 'button') return 0.85;
  return call !== undefined && (url !== null || phone !== null) ? 0.7 : 0.58;
}

function cardOf({ text, url, handle, call }: Ending, brand: Piece | null): Props {
  // An address inside a sentence stays there. One at the end is shown separately.
  const fits = url !== null && url.length <= 40 && /^[\s.!)]*$/u.test(text.slice(text.indexOf(url) + url.length));
  const rest = (fits ? text.replace(url, ' ') : text)
    .replace(handle ?? '', ' ')
    .replace(/\s+(?:at|on|auf|unter|sur|en|su|em|bei)?\s*[.,;:–—-]*\s*$/iu, '')
    .replace(/\s+/gu, ' ')
    .trim();
  const [head = '', ...tail] = rest.split(/\s+[–—]\s+|\s+-\s+|(?<=[.!?])\s+/u);
  const startsWithName = !/^(?:tel|fon|phone|mail)\b/iu.test(head) && isName(head) && tail.length > 0 && head.length <= 30;
  const words = startsWithName ? tail.join(' ') : rest;
  const card = (name: string | null, headline: string | null, action: string | null): Props => ({
    brand: name === null ? null : clip(name, 30),
    logo: null,
    headline,
    action,
    url: fits ? url : null,
    handle: clipped(handle, 30),
  });
  if (isName(rest) && rest.length <= 30 && call === undefined) return card(rest.replace(/[.]$/u, ''), null, null);
  const name = startsWithName ? head : (brand?.text ?? null);
  if (words === '' || words === brand?.text) return card(name, name === null ? clipped(rest, 60) : null, null);
  if (words.length <= 28 && call !== undefined) return card(name, null, clip(words.replace(/[.]$/u, ''), 28));
  return card(
    name,
    clipped(
      words.replace(/^\p{Ll}(?=\p{Ll}|\s)/u, (letter) => letter.toUpperCase()),
      60,
    ),
    null,
  );
}

export const endCard = defineFormat({
  id: 'end-card',
  title: 'End card',
  use: 'The last scene: one call to action, with an address or a handle.',
  avoid: 'A film without a call to action, or with several.',
  purposes: ['announce', 'product'],
  props: schema,
  seconds: ({ brand, headline, action, url, handle }) =>
    1.5 + readingSeconds(brand, headline, action, handle) + (url === null ? 0 : 1.2) + 0.8,
  outline: ({ brand, headline, action, url, handle }) => ({
    title: shorten(action ?? headline ?? brand ?? url ?? 'End card', 60),
    description: `${[brand, headline, action, url, handle]
      .filter((part) => part !== null)
      .map((part) => `“${part}”`)
      .join(', ')} to end with.`,
  }),
  match: (reading) => matchEndCard(reading),
  example: {
    brand: 'Halyard',
    logo: null,
    headline: 'Plan Monday before Sunday ends.',
    action: 'Start your first rota',
    url: 'halyard.example',
    handle: '@halyardapp',
  },
});
