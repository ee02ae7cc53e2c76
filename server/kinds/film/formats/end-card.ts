import { z } from 'zod';
import type { Match } from '../define-format.ts';
import { defineFormat, image, line, readingSeconds, shorten } from '../define-format.ts';
import { clip, clipped, handleIn, isName, phoneIn, plain, urlIn } from '../read/fill.ts';
import { lexiconOf, tokensOf } from '../read/lexicon.ts';
import type { Reading } from '../read/reading.ts';
import { spansOf } from '../read/reading.ts';
import actions from '../words/actions.json' with { type: 'json' };

const schema = z
  .object({
    brand: line(30).nullable(),
    logo: image.nullable(),
    headline: line(60).nullable(),
    /** Label of the button. `null` shows the address, handle or brand on it. */
    action: line(28).nullable(),
    url: line(40).nullable(),
    handle: line(30).nullable(),
  })
  .refine((fields) => Object.values(fields).some((field) => field !== null), 'an end card needs at least one field');
type Props = z.infer<typeof schema>;

const calls = lexiconOf(actions);

function matchEndCard(reading: Reading): Match<Props>[] {
  const { blocks, brand } = reading;
  return blocks.flatMap((block, index) => {
    if (block.kind !== 'text' || block.piece.text.length > 110) return [];
    const text = plain(block.piece.text);
    const isEnd = block.role === 'end';
    // A name on its own at the end of the request signs the film.
    const isSignature =
      index === blocks.length - 1 &&
      block.role === null &&
      !block.isHeading &&
      isName(text.replace(/[.!]$/u, '')) &&
      text.length <= 30;
    const [url, handle, phone] = [urlIn(text), handleIn(text), phoneIn(text)];
    const call = calls.find(tokensOf(text))[0];
    const isCall = (call !== undefined && call.at <= 1) || url !== null || handle !== null || phone !== null;
    if (!isEnd && !((isCall || isSignature) && index >= blocks.length - 3 && index > 0)) return [];
    // An address within a sentence stays there; one at its end stands alone.
    const fits = url !== null && url.length <= 40 && /^[\s.!)]*$/u.test(text.slice(text.indexOf(url) + url.length));
    const rest = (fits ? text.replace(url ?? '', ' ') : text)
      .replace(handle ?? '', ' ')
      .replace(/\s+(?:at|on|auf|unter|sur|en|su|em|bei)?\s*[.,;:–—-]*\s*$/iu, '')
      .replace(/\s+/gu, ' ')
      .trim();
    const [head = '', ...tail] = rest.split(/\s+[–—]\s+|\s+-\s+|(?<=[.!?])\s+/u);
    const isBrand = !/^(?:tel|fon|phone|mail)\b/iu.test(head) && isName(head) && tail.length > 0 && head.length <= 30;
    const words = isBrand ? tail.join(' ') : rest;
    const isSole = isName(rest) && rest.length <= 30 && call === undefined;
    const isOwnName = words === '' || (brand !== null && words === brand.text);
    const isAction = !isOwnName && words.length <= 28 && call !== undefined;
    return [
      {
        score: isEnd ? 0.85 : call !== undefined && (url !== null || phone !== null) ? 0.7 : 0.58,
        scenes: [
          {
            brand:
              isBrand || isSole
                ? clip(isSole ? rest.replace(/[.]$/u, '') : head, 30)
                : brand === null
                  ? null
                  : clip(brand.text, 30),
            logo: null,
            headline: isSole
              ? null
              : isOwnName || isAction
                ? isOwnName && !isBrand && brand === null
                  ? clipped(rest, 60)
                  : null
                : clipped(words, 60),
            action: isAction ? clip(words.replace(/[.]$/u, ''), 28) : null,
            url: fits ? url : null,
            handle: clipped(handle, 30),
          },
        ],
        spans: spansOf(block),
      },
    ];
  });
}

export const endCard = defineFormat({
  id: 'end-card',
  title: 'End card',
  use: 'The last scene: one thing to do, with an address or a handle.',
  avoid: 'A film that asks for nothing, or more than one action.',
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
