import { z } from 'zod';
import { defineFormat, image, line, readingSeconds, shorten } from '../define-format.ts';

export const endCard = defineFormat({
  id: 'end-card',
  title: 'End card',
  use: 'The last scene: one thing to do, with an address or a handle.',
  avoid: 'A film that asks for nothing, or more than one action.',
  props: z.object({
    brand: line(30).nullable(),
    logo: image.nullable(),
    headline: line(60).nullable(),
    /** The label of the button. */
    action: line(28),
    url: line(40).nullable(),
    handle: line(30).nullable(),
  }),
  seconds: ({ brand, headline, action, url, handle }) =>
    1.5 + readingSeconds(brand, headline, action, handle) + (url === null ? 0 : 1.2) + 0.8,
  outline: ({ headline, action, url }) => ({
    title: shorten(action, 60),
    description: `${headline === null ? '' : `“${headline}”, then `}a button “${action}”${url === null ? '' : ` and ${url}`}.`,
  }),
  match: () => [],
  example: {
    brand: 'Halyard',
    logo: null,
    headline: 'Plan Monday before Sunday ends.',
    action: 'Start your first rota',
    url: 'halyard.example',
    handle: '@halyardapp',
  },
});
