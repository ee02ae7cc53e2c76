import { z } from 'zod';
import { defineFormat, icon, image, line, paragraph, readingSeconds, shorten } from '../define-format.ts';

export const socialPost = defineFormat({
  id: 'social-post',
  title: 'Social post',
  use: 'A public post with its author, and its counts if they are given.',
  avoid: 'A quotation by a known person (use quote).',
  props: z.object({
    name: line(30),
    handle: line(30).nullable(),
    avatar: image.nullable(),
    icon: icon.nullable(),
    text: paragraph(280),
    emphasis: line(60).nullable(),
    likes: z.int().min(0).max(1e9).nullable(),
    reposts: z.int().min(0).max(1e9).nullable(),
    replies: z.int().min(0).max(1e9).nullable(),
  }),
  seconds: ({ name, text, likes }) => 1.2 + readingSeconds(name, text) + (likes === null ? 0 : 0.8) + 0.6,
  outline: ({ name, text }) => ({ title: shorten(name, 60), description: `${name} posts “${text}”.` }),
  match: () => [],
  example: {
    name: 'Elmsbrook Council',
    handle: '@elmsbrook',
    avatar: null,
    icon: null,
    text: 'The footbridge is open again after nine years, four mayors and a patient heron.',
    emphasis: 'a patient heron.',
    likes: 31_477,
    reposts: 2906,
    replies: 418,
  },
});
