import type { FilmData, Part, Tween } from './film.ts';
import { ground, type Type, tween, typeStyle } from './parts.ts';

/**
 * Examples that the other renderers publish, rebuilt with the layout and timing of their sources, but without their code. The first is Remotion's
 * https://github.com/remotion-dev/template-helloworld, the second the graphics of the template `warm-grain` in the npm package
 * `hyperframes` (Apache-2.0, https://github.com/heygen-com/hyperframes), without its video, and in 10 instead of 14 s.
 */

function remotionHello(): FilmData {
  const arc = (turn: number, id: string): Part => {
    const gradient = `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#91eae4"/><stop offset="1" stop-color="#86a8e7"/></linearGradient>`;
    const ellipse = `<ellipse cx="960" cy="540" rx="135" ry="300" fill="none" stroke="url(#${id})" stroke-linecap="round" stroke-width="30"/>`;
    return {
      style: { inset: 0 },
      html: `<svg width="1920" height="1080"><defs>${gradient}</defs>${ellipse}</svg>`,
      tweens: [tween('rotation', [0, turn], 0, 0.8), tween('opacity', [0, 1], 0, 0.3)],
    };
  };
  const atom: Part = {
    style: {
      left: 890,
      top: 470,
      width: 140,
      height: 140,
      borderRadius: '50%',
      background: 'linear-gradient(90deg, #91eae4, #86a8e7)',
    },
    tweens: [tween('scale', [0, 1], 0, 0.8)],
  };
  const word: Type = { font: 'Inter', weight: 700, tracking: 0, size: 100, lineHeight: 120, color: '#000' };
  const subtitle: Type = { ...word, weight: 400, size: 40, lineHeight: 48 };
  const centred = { left: 0, width: 1920, display: 'flex', justifyContent: 'center' };
  return {
    fonts: ['Inter'],
    parts: [
      ground('#fff'),
      {
        style: { inset: 0 },
        tweens: [tween('opacity', [1, 0], 9.17, 0.33, 'linear')],
        children: [
          {
            style: { inset: 0 },
            tweens: [tween('y', [0, -150], 0.83, 0.8)],
            children: [
              {
                style: { inset: 0 },
                tweens: [tween('scale', [0, 1], 0, 0.7, 'spring'), tween('rotation', [0, 360], 0, 10, 'linear')],
                children: [arc(30, 'first'), arc(90, 'second'), arc(-30, 'third'), atom],
              },
            ],
          },
          {
            style: { ...centred, top: 735, gap: 20 },
            children: ['Welcome', 'to', 'Remotion'].map((text, index) => ({
              style: { ...typeStyle(word), position: 'relative' },
              text,
              tweens: [tween('scale', [0, 1], 1.17 + index / 6, 0.6)],
            })),
          },
          {
            style: { ...typeStyle(subtitle), ...centred, top: 892 },
            html: 'Edit <code style="margin: 0 10px; color: #86a8e7">src/Root.tsx</code> and save to reload.',
            tweens: [tween('opacity', [0, 1], 2.5, 1, 'linear')],
          },
        ],
      },
    ],
  };
}

function warmGrain(): FilmData {
  const big: Type = { font: 'Inter', weight: 700, tracking: -0.025, size: 80, lineHeight: 97, color: '#fff' };
  const centre = { display: 'flex', alignItems: 'center', justifyContent: 'center' };
  const words = (text: string, type: Type): Part => ({ style: { ...typeStyle(type), position: 'relative' }, text });
  const shown = (at: number, until: number, [x, y]: readonly [number, number]): Tween[] => [
    tween('opacity', [0, 1], at, 0.6),
    tween('x', [x, 0], at, 1.2),
    tween('y', [y, 0], at, 1.2),
    tween('scale', [0.8, 1], at, 1.2, 'spring'),
    tween('opacity', [1, 0], until, 0.3, 'in'),
    tween('scale', [1, 0.8], until, 0.3, 'in'),
  ];
  const card: Part['style'] = {
    left: 96,
    top: 405,
    padding: '40px 60px',
    background: '#3b5e3a',
    borderRadius: 30,
    boxShadow: '0 15px 40px #0003',
  };
  return {
    fonts: ['Inter'],
    parts: [
      ground('#f5f0e0'),
      {
        style: card,
        tweens: [
          ...[tween('opacity', [0, 1], 0.2, 0.8), tween('x', [-860, 0], 0.2, 0.8)],
          ...[tween('opacity', [1, 0], 1.8, 0.6, 'in'), tween('x', [0, -860], 1.8, 0.6, 'in')],
        ],
        children: [
          words('Hyperframes', { ...big, weight: 600, size: 100, lineHeight: 110, color: '#f5f0e0' }),
          words('Design simplified.', { ...big, weight: 400, size: 50, lineHeight: 70, tracking: 0, color: '#cc8832' }),
        ],
      },
      {
        style: {
          ...centre,
          flexDirection: 'column',
          left: 1150,
          top: 290,
          width: 500,
          height: 500,
          borderRadius: '50%',
          background: '#3b5e3a',
        },
        tweens: shown(1.8, 4.2, [40, 15]),
        children: [
          words('47%', big),
          words('Need Motion\nGraphics', {
            ...big,
            weight: 400,
            size: 36,
            lineHeight: 43,
            tracking: 0,
            extra: { textAlign: 'center' },
          }),
        ],
      },
      {
        style: { ...centre, left: 710, top: 90, width: 500, height: 220, borderRadius: 110, background: '#cc8832' },
        tweens: shown(4.6, 6.7, [10, -40]),
        children: [words('62%', big)],
      },
      {
        style: { ...centre, gap: 30, left: 85, top: 450, width: 550, height: 180, borderRadius: 40, background: '#c45d3e' },
        tweens: shown(7, 9.5, [-40, -10]),
        children: [
          {
            style: { position: 'relative', width: 80, height: 80 },
            html: '<svg viewBox="0 0 100 100"><rect x="12" y="12" width="76" height="76" rx="34" fill="#ffffffe6"/></svg>',
          },
          words('Editing Skills', { ...big, size: 54, lineHeight: 65, tracking: -0.02 }),
        ],
      },
    ],
  };
}

export const exampleFilms: Readonly<Record<string, FilmData>> = {
  'remotion-hello': remotionHello(),
  'warm-grain': warmGrain(),
};
