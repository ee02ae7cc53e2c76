import { z } from 'zod';
import { defineFormat, icon, image, line, readingSeconds, shorten } from '../define-format.ts';

export const mockup = defineFormat({
  id: 'mockup',
  title: 'Mock-up',
  use: 'A website or an app in a browser, a phone or a laptop, with a headline, rows and a button that is pressed.',
  avoid: 'A request without any screen, site or app in it.',
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
  match: () => [],
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
