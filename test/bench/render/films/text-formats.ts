import type { FilmData, Part } from './film.ts';
import { box, fadingLine, ground, growing, risingLine, type Type, tween, typeStyle, wave } from './parts.ts';

/** Films with the look of Koda's formats for text; see `films.ts`. */

export function title(): FilmData {
  const display = { font: 'Space Grotesk', weight: 500, tracking: -0.035 } as const;
  const small = { font: 'Inter', weight: 450, tracking: -0.012 } as const;
  const subtitle: Type = { ...small, size: 68, lineHeight: 88.4, color: '#abafbd' };
  const glow: Part = {
    style: {
      left: 38.4,
      top: 648,
      width: 2112,
      height: 928.8,
      background: 'radial-gradient(closest-side, #8fa8ff52, #8fa8ff1f 45%, transparent)',
    },
    waves: [wave('x', 0, 38.4, 16)],
  };
  const byHand: Type = { ...display, size: 366.952, lineHeight: 385.3, color: '#8fa8ff' };
  return {
    fonts: ['Space Grotesk', 'Inter'],
    parts: [
      ground('linear-gradient(#0b1020, #17203f)', [glow]),
      fadingLine('Essay 7', { ...small, size: 42, lineHeight: 54.6, color: '#8fa8ff' }, { x: 157.6, y: 86.67, at: 0 }),
      growing({ x: 153.6, y: 771.53, width: 1612.8, height: 3 }, 'linear-gradient(90deg, #8fa8ff20, #8fa8ff 55%, #8fa8ff20)', {
        at: 0,
        seconds: 0.55,
      }),
      risingLine(
        'Why we still write',
        { ...display, size: 138.973, lineHeight: 145.922, color: '#f4f6ff' },
        { x: 153.6, y: 185.27, at: 0.1 },
      ),
      {
        style: { inset: 0, transformOrigin: '153.6px 716.488px' },
        tweens: [tween('scale', [1, 1.012], 1.2, 8.8, 'linear')],
        children: [risingLine('by hand', byHand, { x: 153.6, y: 331.19, at: 0.45, seconds: 0.7, room: 0.32 })],
      },
      fadingLine('What a pen knows that', subtitle, { x: 157.6, y: 811.53, at: 0.8, seconds: 0.45 }),
      fadingLine('a keyboard forgets', subtitle, { x: 157.6, y: 899.93, at: 0.88, seconds: 0.45 }),
    ],
  };
}

export function checklist(): FilmData {
  const [blue, ink, muted] = ['#2f4ff0', '#0b0d12', '#57595d'];
  const heading: Type = { font: 'Inter Tight', weight: 660, tracking: -0.03, size: 113.28, lineHeight: 115.546, color: ink };
  const row: Type = { font: 'Inter', weight: 450, tracking: -0.012, size: 58.25, lineHeight: 65.24, color: ink };
  const items = [
    'Pots bone dry, no cold spots',
    'Shelves washed and level',
    'Cone 6 in the spyhole',
    'Vent open a hand’s width',
    'Lid down, both latches',
    'Someone awake until 1,200 °C',
  ];
  const strokes = [
    'M1363.5 127.8L1352.1 688.6',
    'M1476.5 141.4L1471.9 674.3',
    'M1575.1 122.2L1585 705',
    'M1694 110.6L1684.4 695.4',
    'M1282.6 561.5L1766.4 226.2',
  ];
  const tickAt = (index: number) => 1.2 + index * 1.18;
  const svg = (body: string) => `<svg width="72.8" height="72.8" viewBox="0 0 100 100" fill="none">${body}</svg>`;
  const empty = svg(`<rect x="6" y="6" width="88" height="88" rx="28.8" stroke="${muted}" stroke-width="7.5"/>`);
  const ticked = svg(
    `<rect x="3" y="3" width="94" height="94" rx="31" fill="${blue}"/><path d="M26 53L44 70L75 33" stroke="#fff" stroke-width="11" stroke-linecap="round" stroke-linejoin="round"/>`,
  );
  const columns: Part = {
    style: {
      inset: 0,
      opacity: 0.4,
      background: 'repeating-linear-gradient(90deg, transparent 0 318.5px, #c9cbce 318.5px 320px)',
      maskImage: 'linear-gradient(transparent, #000 60%)',
    },
  };
  const waiting = (mark: Part, centre: { x: number; y: number }): Part => ({
    style: { inset: 0, transformOrigin: `${centre.x}px ${centre.y}px` },
    waves: [wave('scale', 1, 0.04, 2.094)],
    children: [mark],
  });
  const score: Type = { font: 'Inter Tight', weight: 680, tracking: -0.025, size: 150, lineHeight: 157.5, color: blue };
  return {
    fonts: ['Inter', 'Inter Tight'],
    parts: [
      ground('linear-gradient(#fff, #f3f5fa)', [columns]),
      risingLine('Before the kiln', heading, { x: 153.6, y: 86.4, at: 0 }),
      risingLine('goes on', heading, { x: 153.6, y: 201.95, at: 0.08 }),
      // A stroke of the tally grows with its tick, behind a mask that moves away from it.
      ...strokes.map((path, index): Part => {
        const crossing = index === 4;
        const body = `<path d="${path}" stroke="${blue}" stroke-width="15.2" stroke-linecap="round"/>`;
        const seconds = 0.3;
        const at = tickAt(index) + 0.1;
        return {
          style: { inset: 0, overflow: 'hidden' },
          tweens: [tween(crossing ? 'x' : 'y', [-1080 - (crossing ? 840 : 0), 0], at, seconds, 'inOut')],
          children: [
            {
              style: { inset: 0 },
              html: `<svg width="1920" height="1080" fill="none">${body}</svg>`,
              tweens: [tween(crossing ? 'x' : 'y', [1080 + (crossing ? 840 : 0), 0], at, seconds, 'inOut')],
            },
          ],
        };
      }),
      ...[0, 1, 2, 3, 4, 5].map((done): Part => {
        const from = done === 0 ? 0.3 : tickAt(done - 1) + 0.1;
        const until = tickAt(done) + 0.1;
        const tweens = [tween('opacity', [0, 1], from, done === 0 ? 0.5 : 0.02, 'linear')];
        if (done < 5) tweens.push(tween('opacity', [1, 0], until, 0.02, 'linear'));
        return {
          style: { ...typeStyle(score), left: 1282.56, top: 836.1 },
          html: `${done}<span style="color: ${muted}">/6</span>`,
          tweens,
        };
      }),
      ...items.flatMap((text, index): Part[] => {
        const y = 385.094 + index * 104.018;
        const at = 0.5 + index * 0.096;
        const place = { x: 153.6, y, width: 72.8, height: 72.8 };
        const enter = [tween('opacity', [0, 1], at, 0.3, 'linear'), tween('scale', [0.7, 1], at, 0.45, 'spring')];
        const line = fadingLine(text, row, { x: 258.45, y: y + 3.79, at, seconds: 0.5 });
        const mark = { ...box(place, {}, enter), html: empty };
        if (index === 5) return [waiting(mark, { x: 190, y: y + 36.4 }), line];
        const check = {
          ...box(place, {}, [tween('opacity', [0, 1], tickAt(index), 0.4), tween('scale', [0.9, 1], tickAt(index), 0.4)]),
        };
        const grey = {
          ...line,
          style: { ...line.style, color: muted },
          tweens: [tween('opacity', [0, 1], tickAt(index) + 0.3, 0.05)],
        };
        return [mark, { ...check, html: ticked }, line, grey];
      }),
    ],
  };
}

export function quote(): FilmData {
  const [ink, red] = ['#3b1d1d', '#b02f47'];
  const words = { weight: 400, tracking: -0.02, size: 129.2, lineHeight: 134.4 } as const;
  const lines = [
    ['A', 'map', 'is', 'only'],
    ['an', 'argument'],
    ['about', 'which', 'roads'],
    ['deserve', 'a', 'name.'],
  ];
  const petals = [
    [1824.4, 429.4, 68, 0.7],
    [63.5, 322.3, 314.8, 0.6],
    [1857.5, 382, 329.7, 0.9],
    [57.2, 209.1, 194.9, 0.8],
    [1871.2, -100, 189.3, 0.7],
  ] as const;
  const petal = (scale: number) =>
    `<svg width="1" height="1" style="position: absolute; overflow: visible"><path transform="scale(${scale})" d="M0 -4C-22 -14 -22 -42 0 -44C22 -42 22 -14 0 -4Z" fill="${red}" opacity="0.42"/></svg>`;
  const mark: Type = { font: 'DM Serif Display', weight: 400, tracking: 0, size: 227, lineHeight: 227, color: red };
  let spoken = 0;
  return {
    fonts: ['DM Serif Display', 'DM Serif Italic', 'DM Sans'],
    parts: [
      ground(
        'linear-gradient(#fff4ef, #ffe5dc)',
        petals.map(
          ([x, y, turn, scale], index): Part => ({
            style: { left: 0, top: 0, transformOrigin: '0 0' },
            html: petal(scale),
            tweens: [tween('y', [y, y + 266.7], 0, 10, 'linear'), tween('rotation', [turn, turn + 200], 0, 10, 'linear')],
            waves: [wave('x', x, 18, 7.854, index * 2)],
          }),
        ),
      ),
      growing({ x: 277.6, y: 87.3, width: 1488.8, height: 2.5 }, red, { at: 0, seconds: 0.5 }),
      growing({ x: 153.6, y: 194.8, width: 2.5, height: 797.6 }, red, { at: 0, seconds: 0.5, from: 'top' }),
      growing({ x: 153.6, y: 992.5, width: 1488.8, height: 2.5 }, red, { at: 0.45, seconds: 0.4 }),
      growing({ x: 1766.4, y: 87.3, width: 2.5, height: 797.6 }, red, { at: 0.45, seconds: 0.4, from: 'top' }),
      {
        style: { ...typeStyle(mark), left: 138, top: 34 },
        text: '“',
        tweens: [tween('opacity', [0, 1], 0.15, 0.4), tween('x', [-20, 0], 0.15, 0.4)],
      },
      { style: { ...typeStyle(mark), left: 1685.6, top: 900 }, text: '”', tweens: [tween('opacity', [0, 1], 0.85, 0.4)] },
      ...lines.map((line, row): Part => {
        const stressed = row === 3;
        const type: Type = { ...words, font: stressed ? 'DM Serif Italic' : 'DM Serif Display', color: stressed ? red : ink };
        return {
          style: { left: 253.6, top: 187.3 + row * 134.4, whiteSpace: 'pre' },
          children: line.map((word, index): Part => {
            const at = 0.3 + (spoken++ + (stressed ? 1 : 0)) * 0.16;
            const tweens = [tween('opacity', [0.12, 1], at, 0.3)];
            const text = index === line.length - 1 ? word : `${word} `;
            return { style: { ...typeStyle(type), position: 'relative', display: 'inline-block' }, text, tweens };
          }),
        };
      }),
      fadingLine(
        'Inés Okafor',
        { font: 'DM Sans', weight: 640, tracking: -0.015, size: 46, lineHeight: 58.8, color: ink },
        { x: 1366.4, y: 784.9, width: 300, at: 2.73, seconds: 0.5 },
      ),
      fadingLine(
        'Cartographer',
        { font: 'DM Sans', weight: 460, tracking: -0.015, size: 38, lineHeight: 48.6, color: '#7a605d' },
        { x: 1366.4, y: 843.8, width: 300, at: 2.81, seconds: 0.5 },
      ),
    ],
  };
}
