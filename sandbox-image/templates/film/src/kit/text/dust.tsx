import { useMemo, useRef } from 'react';
import { useMoment } from '../../stage/clock.ts';
import { ease, easeInCubic, easeOutCubic } from '../../stage/easing.ts';
import { between, hash } from '../random.ts';

/** A pixel of the letters, in em from the block's centre, or from its left edge if the text is left-aligned. */
interface Grain {
  readonly x: number;
  readonly y: number;
}

/** More grains would take too long per frame. */
const mostGrains = 3600;
const samplePixels = 72;

export interface SetText {
  readonly lines: readonly string[];
  readonly font: (pixels: number) => string;
  readonly tracking: number;
  readonly lineHeight: number;
  readonly align: 'left' | 'center';
}

/** Returns the pixels of the letters, at most `maxGrains`, and their spacing in em. */
function grainsOf({ lines, font, tracking, lineHeight, align }: SetText): { grains: Grain[]; step: number } {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context || lines.length === 0) return { grains: [], step: 1 };
  const type = () => {
    context.font = font(samplePixels);
    context.letterSpacing = `${tracking * samplePixels}px`;
  };
  type();
  const widths = lines.map((line) => context.measureText(line).width);
  canvas.width = Math.ceil(Math.max(...widths) + samplePixels);
  canvas.height = Math.ceil(lines.length * lineHeight * samplePixels);
  type();
  lines.forEach((line, index) => {
    const left = align === 'left' ? samplePixels / 2 : (canvas.width - (widths[index] ?? 0)) / 2;
    const { fontBoundingBoxAscent: ascent, fontBoundingBoxDescent: descent } = context.measureText(line);
    context.fillText(line, left, (index + 0.5) * lineHeight * samplePixels + (ascent - descent) / 2);
  });
  const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height);
  const covered = data.reduce((sum, value, index) => sum + (index % 4 === 3 && value > 127 ? 1 : 0), 0);
  const stride = Math.max(2, Math.ceil(Math.sqrt(covered / mostGrains)));
  const grains: Grain[] = [];
  for (let y = Math.floor(stride / 2); y < height; y += stride) {
    for (let x = Math.floor(stride / 2); x < width; x += stride) {
      if ((data[(y * width + x) * 4 + 3] ?? 0) < 110) continue;
      grains.push({
        x: (align === 'left' ? x - samplePixels / 2 : x - width / 2) / samplePixels,
        y: (y - height / 2) / samplePixels,
      });
    }
  }
  return { grains, step: stride / samplePixels };
}

interface TextDustProps {
  readonly text: SetText;
  readonly kind: 'particles' | 'wind';
  readonly color: string;
  /** Anchor of the block and size of one em, in per cent of the frame's width and height. */
  readonly anchor: { readonly x: number; readonly y: number; readonly size: number };
  /** Returns the fraction of the text that is in place: 0 is scattered, 1 is complete. */
  readonly presence: () => number;
  readonly seed: number;
}

/** Draws text as the pixels of its letters while they move into or out of place. */
export function TextDust({ text, kind, color, anchor, presence, seed }: TextDustProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { grains, step } = useMemo(() => grainsOf(text), [text]);
  useMoment((seconds) => {
    const sheet = canvas.current;
    const context = sheet?.getContext('2d');
    if (!sheet || !context) return;
    const present = presence();
    const drawn = present > 0 && present < 1;
    sheet.style.visibility = drawn ? 'visible' : 'hidden';
    if (!drawn) return;
    // The frame is drawn at the stage's size, so its own size does not tell the number of pixels.
    const scale = Math.min(window.devicePixelRatio, 2) * Number(getComputedStyle(sheet).getPropertyValue('--pixel-scale') || 1);
    const [width, height] = [Math.round(sheet.clientWidth * scale), Math.round(sheet.clientHeight * scale)];
    if (sheet.width !== width || sheet.height !== height) Object.assign(sheet, { width, height });
    context.clearRect(0, 0, width, height);
    context.fillStyle = color;
    const em = (anchor.size / 100) * height;
    const [left, top] = [(anchor.x / 100) * width, (anchor.y / 100) * height];
    const span = Math.max(1, ...grains.map(({ x }) => Math.abs(x))) * 2;
    grains.forEach((grain, index) => {
      // The wind blows to the right, so the right-hand end blows away first.
      const along = kind === 'wind' ? 0.5 + grain.x / span : hash(index, seed, 1);
      const turn = 0.85 * Math.min(1, Math.max(0, along)) + 0.15 * hash(index, seed, 2);
      const x = Math.min(1, Math.max(0, (present - turn * 0.55) / 0.45));
      const away = 1 - ease(easeOutCubic, x);
      const { dx, dy } = offset(kind, index, seed, away, seconds);
      const size = step * (1.16 - 0.55 * away) * em;
      context.globalAlpha = Math.min(1, 1 - ease(easeInCubic, 1 - x));
      if (context.globalAlpha < 0.01) return;
      context.fillRect(left + (grain.x + dx) * em - size / 2, top + (grain.y + dy) * em - size / 2, size, size);
    });
  }, 'overlay');
  return (
    <canvas
      ref={canvas}
      aria-hidden
      style={{ position: 'absolute', inset: 0, width: '100%', height: '100%', visibility: 'hidden' }}
    />
  );
}

/** Returns a grain's offset in em when it is `away` (0 to 1). */
function offset(
  kind: 'particles' | 'wind',
  index: number,
  seed: number,
  away: number,
  seconds: number,
): { dx: number; dy: number } {
  if (kind === 'wind') {
    const gust = Math.sin(seconds * 2.2 + between(0, 6, index, seed, 3)) * 0.25 * away;
    return {
      dx: away * between(1.5, 7, index, seed, 4),
      dy: away * between(-1.5, 0.5, index, seed, 5) * (0.4 + away) + gust,
    };
  }
  const angle = between(0, Math.PI * 2, index, seed, 6) + away * 1.4;
  const distance = away * between(0.4, 2.6, index, seed, 7);
  return { dx: Math.cos(angle) * distance * 1.5, dy: Math.sin(angle) * distance };
}
