import { z } from 'zod';

/** Area of the frame, in fractions of its width and height. */
interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const maxPlaces = 50;
const maxTextCharacters = 300;
/** A click this close to a text counts as a click on it, in fractions of the frame's height. */
const reach = 0.02;

/** A letter in a text node, from one index to another. */
interface Letter {
  readonly node: Text;
  readonly from: number;
  readonly to: number;
}

/**
 * One line, label or other block of text as drawn on screen, because formats break titles into lines and lines into letters.
 */
interface Block {
  readonly element: Element;
  readonly nodes: Text[];
}

const questionSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('koda:find-text'), requestId: z.number(), text: z.string() }),
  z.object({ type: z.literal('koda:text-at'), requestId: z.number(), point: z.object({ x: z.number(), y: z.number() }) }),
]);

/** Responds to the studio's requests about texts on screen; returns `null` for other messages. */
export function answerAboutTexts(stage: HTMLElement, message: unknown): Record<string, unknown> | null {
  const parsed = questionSchema.safeParse(message);
  if (!parsed.success) return null;
  const question = parsed.data;
  const { requestId } = question;
  if (question.type === 'koda:find-text') return { type: 'koda:texts', requestId, boxes: placesOf(stage, question.text) };
  return { type: 'koda:text', requestId, text: textAt(stage, question.point) };
}

/**
 * Returns where a text is on screen, ignoring case, white space and line breaks: whole blocks first, otherwise parts of
 * blocks.
 */
function placesOf(stage: HTMLElement, text: string): Place[] {
  const wanted = comparable(text);
  if (wanted === '') return [];
  const letters: Letter[] = [];
  const blockEnds = new Set([0]);
  let all = '';
  for (const { nodes } of blocksOn(stage)) {
    for (const node of nodes) {
      let from = 0;
      for (const letter of node.data) {
        const to = from + letter.length;
        const kept = comparable(letter);
        all += kept;
        for (let part = 0; part < kept.length; part += 1) letters.push({ node, from, to });
        from = to;
      }
    }
    blockEnds.add(all.length);
  }
  const whole: Place[] = [];
  const parts: Place[] = [];
  for (let at = all.indexOf(wanted); at >= 0 && parts.length < maxPlaces; at = all.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    const place = placeAround(stage, letters.slice(at, end));
    if (place.width === 0 || place.height === 0) continue;
    parts.push(place);
    if (blockEnds.has(at) && blockEnds.has(end)) whole.push(place);
  }
  return whole.length > 0 ? whole : parts;
}

/** Returns the text of the block at or near a point, in fractions of the frame, or `null` if there is none. */
function textAt(stage: HTMLElement, point: { readonly x: number; readonly y: number }): string | null {
  const frame = stage.getBoundingClientRect();
  const x = frame.left + point.x * frame.width;
  const y = frame.top + point.y * frame.height;
  let best: Block | null = null;
  let nearest = reach * frame.height;
  for (const block of blocksOn(stage)) {
    const distance = Math.min(...block.nodes.map((node) => distanceTo(node, x, y)));
    // The block drawn last is on top.
    if (distance > nearest) continue;
    nearest = distance;
    best = block;
  }
  const text = best?.nodes.map(({ data }) => data).join('');
  return text?.replace(/\s+/gu, ' ').trim().slice(0, maxTextCharacters) || null;
}

/** Returns every block of text on screen, in drawing order. */
function blocksOn(stage: HTMLElement): Block[] {
  const blocks: Block[] = [];
  const walker = document.createTreeWalker(stage, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!(node instanceof Text) || parent === null || node.data.trim() === '') continue;
    if (!parent.checkVisibility({ visibilityProperty: true })) continue;
    const element = blockAround(parent, stage);
    const last = blocks.at(-1);
    if (last?.element === element) last.nodes.push(node);
    else blocks.push({ element, nodes: [node] });
  }
  return blocks;
}

function blockAround(element: Element, stage: HTMLElement): Element {
  let block = element;
  while (block !== stage && block.parentElement !== null && getComputedStyle(block).display.startsWith('inline'))
    block = block.parentElement;
  return block;
}

function distanceTo(node: Text, x: number, y: number): number {
  const range = document.createRange();
  range.selectNodeContents(node);
  const { left, right, top, bottom } = range.getBoundingClientRect();
  return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
}

/** A range over several blocks would have the boxes of the blocks themselves, so every node is measured separately. */
function placeAround(stage: HTMLElement, letters: readonly Letter[]): Place {
  const spans = new Map<Text, { from: number; to: number }>();
  for (const { node, from, to } of letters) spans.set(node, { from: spans.get(node)?.from ?? from, to });
  const range = document.createRange();
  const boxes = [...spans].map(([node, { from, to }]) => {
    range.setStart(node, from);
    range.setEnd(node, to);
    return range.getBoundingClientRect();
  });
  const frame = stage.getBoundingClientRect();
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  return {
    x: (left - frame.left) / frame.width,
    y: (top - frame.top) / frame.height,
    width: (Math.max(...boxes.map((box) => box.right)) - left) / frame.width,
    height: (Math.max(...boxes.map((box) => box.bottom)) - top) / frame.height,
  };
}

/** Returns a text without case, white space and the marks that keep numbers in their direction. */
const comparable = (text: string): string => text.toLowerCase().replace(/[\s\u200e\u200f]/gu, '');
