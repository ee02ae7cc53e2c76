import { z } from 'zod';
import { clip, clipped, handleIn, isNamed } from '../author/read/fill.ts';
import type { Block } from '../author/read/reading.ts';
import { findAmounts } from '../author/read/values.ts';
import { defineFormat, icon, image, line, paragraph, readingSeconds, shorten } from './define-format.ts';

export const socialPost = defineFormat({
  id: 'social-post',
  title: 'Social post',
  use: 'A public post with its author, and its counts if given.',
  avoid: 'A quotation by a known person (use quote).',
  purposes: ['people', 'announce'],
  props: z.object({
    name: line(30).describe('name of the author'),
    handle: line(30).nullable().describe('handle, such as “@elmsbrook”'),
    avatar: image.nullable().describe('uploaded picture of the author'),
    icon: icon.nullable().describe('drawing instead of a picture'),
    text: paragraph(280).describe('the post'),
    emphasis: line(60).nullable().describe('phrase of the text to emphasise'),
    likes: z.int().min(0).max(1e9).nullable().describe('likes'),
    reposts: z.int().min(0).max(1e9).nullable().describe('reposts'),
    replies: z.int().min(0).max(1e9).nullable().describe('replies'),
  }),
  seconds: ({ name, text, likes }) => 1.2 + readingSeconds(name, text) + (likes === null ? 0 : 0.8) + 0.6,
  outline: ({ name, text }) => ({ title: shorten(name, 60), description: `${name} posts “${text}”.` }),
  match: (reading) => {
    const isCounts = (block: Block) =>
      block.kind === 'text' && /^(?:\d[\d.,\s]*\p{L}[\p{L} '’]{2,12}(?:[,;·]\s*|\s+and\s+|$))+$/u.test(block.piece.text);
    const post = reading.blocks.find((block) => block.kind === 'quote' || block.kind === 'text');
    const handle = handleIn(reading.text);
    const author = post?.kind === 'quote' ? (post.author ?? reading.brand?.text ?? handle) : (reading.brand?.text ?? handle);
    if (
      !isNamed(reading, 'social-post') ||
      post === undefined ||
      (post.kind !== 'quote' && post.kind !== 'text') ||
      author === null ||
      (post.kind === 'text' && handle === null)
    )
      return [];
    const count = (pattern: RegExp) =>
      findAmounts(reading.text, reading.language).find(({ end }) => pattern.test(reading.text.slice(end, end + 14)));
    const whole = (amount: { value: number } | undefined) =>
      amount === undefined || !Number.isInteger(amount.value) || amount.value < 0 || amount.value > 1e9 ? null : amount.value;
    const counts = reading.blocks.filter((block) => block !== post && isCounts(block));
    return [
      {
        score: 0.7,
        scenes: [
          {
            name: clip(author, 30),
            handle: clipped(handle, 30),
            avatar: null,
            icon: null,
            text: clip(post.piece.text, 280),
            emphasis: null,
            likes: whole(count(/^\s*(?:likes|gefällt|j.aime|me gusta)/iu)),
            reposts: whole(count(/^\s*(?:reposts|retweets|shares)/iu)),
            replies: whole(count(/^\s*(?:replies|comments|kommentare|commentaires|comentarios)/iu)),
          },
        ],
        spans: [post, ...counts],
        told: counts,
      },
    ];
  },
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
