import { z } from 'zod';
import { clip, clipped, isNamed, urlIn } from '../author/read/fill.ts';
import { lineIconsFor } from '../author/read/icons.ts';
import type { BlockOf, Span } from '../author/read/reading.ts';
import { spansOf } from '../author/read/reading.ts';
import { defineFormat, icon, image, line, readingSeconds, shorten } from './define-format.ts';

const buttonWords =
  /(?:button|schaltfläche|knopf|bouton|botón|cta)\W*(?:that says|saying|labelled|says|mit|qui dit|que dice)?\W*$/iu;

function frameFor(words: string): 'phone' | 'laptop' | 'browser' {
  if (/\b(?:phone|app|mobile|handy|móvil|téléphone)\b/u.test(words)) return 'phone';
  return /\blaptop\b/u.test(words) ? 'laptop' : 'browser';
}

export const mockup = defineFormat({
  id: 'mockup',
  title: 'Mock-up',
  use: 'A website or app in a browser, phone or laptop, with a headline, rows and a button that is pressed.',
  avoid: 'A request that mentions no screen, site or app.',
  purposes: ['product'],
  props: z.object({
    frame: z.enum(['browser', 'phone', 'laptop']).describe('device around the page'),
    url: line(36).nullable().describe('address in the browser'),
    screenshot: image.nullable().describe('uploaded image instead of the drawn page'),
    headline: line(40).describe('large text on the page'),
    subline: line(60).nullable().describe('text below the headline'),
    rows: z
      .array(z.object({ icon: icon.nullable().describe('drawing before the row'), text: line(28).describe('row') }))
      .max(5)
      .default([])
      .describe('list on the page'),
    button: line(24).nullable().describe('button that is pressed'),
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
