import { z } from 'zod';
import { defineFormat, icon, image, line, readingSeconds, shorten } from '../define-format.ts';
import { clip, clipped, isNamed, urlIn } from '../read/fill.ts';
import { lineIconsFor } from '../read/icons.ts';
import type { BlockOf, Span } from '../read/reading.ts';
import { spansOf } from '../read/reading.ts';

const buttonWords =
  /(?:button|schaltfläche|knopf|bouton|botón|cta)\W*(?:that says|saying|labelled|says|mit|qui dit|que dice)?\W*$/iu;

function frameFor(words: string): 'phone' | 'laptop' | 'browser' {
  if (/\b(?:phone|app|mobile|handy|móvil|téléphone)\b/u.test(words)) return 'phone';
  return /\blaptop\b/u.test(words) ? 'laptop' : 'browser';
}

export const mockup = defineFormat({
  id: 'mockup',
  title: 'Mock-up',
  use: 'A website or an app in a browser, a phone or a laptop, with a headline, rows and a button that is pressed.',
  avoid: 'A request that mentions no screen, site or app.',
  purposes: ['product'],
  props: z.object({
    frame: z.enum(['browser', 'phone', 'laptop']),
    url: line(36).nullable(),
    screenshot: image.nullable(),
    headline: line(40),
    subline: line(60).nullable(),
    rows: z.array(z.object({ icon: icon.nullable(), text: line(28) })).max(5),
    button: line(24).nullable(),
  }),
  seconds: ({ headline, subline, rows, button }) => 2 + readingSeconds(headline, subline, button) + rows.length * 0.6 + 0.8,
  outline: ({ frame, headline, button }) => ({
    title: shorten(headline, 60),
    description: `“${headline}” in a ${frame}${button === null ? '' : `; the button “${button}” is pressed`}.`,
  }),
  match: (reading) => {
    const { blocks } = reading;
    const [first, second] = blocks;
    if (!isNamed(reading, 'mockup') || first?.kind !== 'text' || first.piece.text.length > 40) return [];
    const isButton = ({ start }: Span) => buttonWords.test(reading.text.slice(Math.max(0, start - 30), start));
    const button = blocks.find((block): block is BlockOf<'text'> => block.kind === 'text' && block !== first && isButton(block));
    const list = blocks.find((block) => block.kind === 'list');
    const url = urlIn(reading.text);
    const words = reading.instructions.words.join(' ');
    const subline = second?.kind === 'text' && second !== button && second.piece.text.length <= 60 ? second : null;
    const rows = list?.kind === 'list' && list.items.every(({ text }) => text.length <= 28) ? list.items.slice(0, 5) : [];
    const icons = lineIconsFor(rows.map(({ text }) => text));
    return [
      {
        score: 0.66,
        scenes: [
          {
            frame: frameFor(words),
            url: url !== null && url.length <= 40 ? url : null,
            screenshot: null,
            headline: clip(first.piece.text, 40),
            subline: clipped(subline?.piece.text, 60),
            rows: rows.map(({ text }, at) => ({ icon: icons[at] ?? null, text: clip(text, 28) })),
            button: clipped(button?.piece.text, 24),
          },
        ],
        spans: [
          first,
          ...(button === undefined ? [] : [button]),
          ...(subline === null ? [] : [subline]),
          ...(rows.length > 0 && list !== undefined ? spansOf(list) : []),
        ],
      },
    ];
  },
  example: {
    frame: 'browser',
    url: 'fixhouse.example/saturday',
    screenshot: null,
    headline: 'Bring it broken. Leave with it working.',
    subline: 'Saturday from ten until three, Ropewalk Hall',
    rows: [
      { icon: 'lucide:lamp-desk', text: 'Lamps and kettles' },
      { icon: 'lucide:scissors', text: 'Zips and seams' },
      { icon: 'lucide:bike', text: 'Bikes and prams' },
      { icon: 'lucide:speaker', text: 'Loudspeakers' },
    ],
    button: 'Save my seat',
  },
});
