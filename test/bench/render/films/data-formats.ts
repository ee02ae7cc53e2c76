import type { FilmData, Part } from './film.ts';
import { box, fadingLine, ground, growing, risingLine, type Type, tween, typeStyle, wave } from './parts.ts';

/** Films with the look of Koda's formats for data; see `films.ts`. */

export function barChart(): FilmData {
  const [navy, red, ink] = ['#003a5d', '#b00f1b', '#101418'];
  const heading: Type = {
    font: 'Archivo',
    weight: 800,
    tracking: -0.018,
    size: 94,
    lineHeight: 94,
    color: ink,
    extra: { fontStretch: 'semi-condensed' },
  };
  const serif = { font: 'Source Serif 4', weight: 460, tracking: -0.008, extra: { fontVariationSettings: "'opsz' 60" } } as const;
  const value: Type = { font: 'Archivo', weight: 800, tracking: -0.02, size: 62, lineHeight: 62, color: '#f5f6f8' };
  const bars = [
    ['Hot water', 640, 829],
    ['Cooking', 470, 608.797],
    ['Standby', 385, 498.695],
    ['Fridge', 290, 375.641],
    ['Laundry', 240, 310.875],
    ['Lights', 165, 213.727],
  ] as const;
  const dots: Part['style'] = {
    backgroundImage: `radial-gradient(circle, ${red} 2px, transparent 2.6px)`,
    backgroundSize: '11px 5px',
    transformOrigin: '0 0',
  };
  return {
    fonts: ['Archivo', 'Source Serif 4'],
    parts: [
      ground('linear-gradient(#f5f6f8, #e8ebf0)', [box({ x: 0, y: 0, width: 1920, height: 14 }, { background: red })]),
      risingLine('Standby uses more', heading, { x: 691.2, y: 78.4, at: 0 }),
      risingLine('than the fridge', heading, { x: 691.2, y: 172.4, at: 0.08 }),
      fadingLine(
        'kWh a year in a flat for two',
        { ...serif, size: 40, lineHeight: 48.8, color: '#575b5e' },
        { x: 695.2, y: 282.4, at: 0.3 },
      ),
      ...bars.flatMap(([label, number, height], index) => {
        const x = 153.6 + index * 268.8;
        const at = 0.35 + index * 0.06;
        const marked = label === 'Standby';
        const name: Type = { ...serif, size: 42, lineHeight: 46.2, color: marked ? red : ink };
        return [
          growing({ x, y: 921.4 - height, width: 231.168, height }, marked ? red : navy, {
            at,
            seconds: 0.8,
            from: 'foot',
            ease: 'out',
          }),
          fadingLine(label, name, { x, y: 943.4, at }),
          fadingLine(String(number), value, { x: x + 24, y: 933.9 - height, at: at + 0.45, seconds: 0.4 }),
        ];
      }),
      box({ x: 922.368, y: 421.705, width: 806.4, height: 5 }, dots, [tween('scaleX', [0, 1], 1.3, 0.5, 'inOut')]),
      growing({ x: 153.6, y: 921.4, width: 1612.8, height: 2.5 }, ink, { at: 0.1, seconds: 0.6 }),
    ],
  };
}

export function table(): FilmData {
  const [ink, muted, faint] = ['#17321f', '#56695a', '#c1cabe'];
  const heading: Type = {
    font: 'Bricolage Grotesque',
    weight: 700,
    tracking: -0.014,
    size: 104,
    lineHeight: 104,
    color: ink,
    extra: { fontVariationSettings: "'opsz' 96" },
  };
  const text = { font: 'Source Sans 3', tracking: 0 } as const;
  const small: Type = { ...text, weight: 430, size: 34, lineHeight: 42.1, color: muted };
  const ends = [0, 1249.4, 1384.8, 1486.5, 1633.8, 1766.3];
  const columns = ['Club', 'Won', 'Drawn', 'Lost', 'Goals', 'Points'];
  const rows = [
    ['Ferry Town', '8', '1', '1', '24:7', '25'],
    ['Lighthouse FC', '6', '3', '1', '19:9', '21'],
    ['Redmarsh Rovers', '6', '1', '3', '17:12', '19'],
    ['Port Ellery', '4', '4', '2', '15:11', '16'],
    ['Kilnwood', '3', '2', '5', '10:16', '11'],
    ['Ashby Vale', '1', '1', '8', '6:22', '4'],
  ];
  const startOf = (row: number) => 0.6 + row * 0.6;
  const cell = (value: string, column: number, type: Type, { y, at }: { y: number; at: number }) =>
    column === 0
      ? fadingLine(value, type, { x: 798.7, y, at, seconds: 0.45 })
      : fadingLine(value, type, { x: (ends[column] ?? 0) - 200, y, width: 200, at, seconds: 0.45 });
  const leaves = Array.from({ length: 9 }, (_, index) => {
    const [x, y] = [40 + index * 42, 330 - index * 30 - index * index * 1.6];
    return `<path transform="translate(${x} ${y}) rotate(${index % 2 === 0 ? -78 : 12}) scale(${1.35 - x / 700})" d="M0 0C17 -38 68 -38 96 0C70 19 24 24 0 0Z"/>`;
  }).join('');
  const branch: Part = {
    style: { left: 1920, top: 1080, width: 0, height: 0, transformOrigin: '23px -425.5px' },
    html: `<svg width="1" height="1" style="position: absolute; overflow: visible"><g transform="scale(-1.15 1.15) translate(-20 -370)" fill="#2a7046" opacity="0.1">${leaves}</g></svg>`,
    waves: [wave('rotation', 0, -1.2, 7)],
  };
  return {
    fonts: ['Bricolage Grotesque', 'Source Sans 3'],
    parts: [
      ground('linear-gradient(#f3f5ef, #e4ebdd)', [branch]),
      ...['Harbour', 'League', 'after ten', 'rounds'].map((line, index) =>
        risingLine(line, heading, { x: 153.6, y: 140.3 + index * 104, at: index * 0.08 }),
      ),
      growing({ x: 798.7, y: 209.8, width: 967.6, height: 4 }, ink, { at: 0.15, seconds: 0.7 }),
      ...rows.map((_, index) =>
        growing({ x: 798.7, y: 315.9 + index * 106.12, width: 967.6, height: 4 }, faint, {
          at: startOf(index + 1),
          seconds: 0.55,
        }),
      ),
      growing({ x: 776.7, y: 324.9, width: 1011.6, height: 92.1 }, '#c5d6c6', {
        at: startOf(6) + 0.35,
        seconds: 0.6,
        radius: 11,
      }),
      ...columns.map((name, column) => cell(name, column, small, { y: 140.3, at: 0.2 + column * 0.05 })),
      ...rows.flatMap((row, index) =>
        row.map((value, column) => {
          const weight = index === 1 || column === 0 ? 610 : 430;
          const type: Type = {
            ...text,
            weight,
            size: 44.5,
            lineHeight: 55.2,
            color: ink,
            extra: { fontVariantNumeric: 'tabular-nums' },
          };
          return cell(value, column, type, { y: 237.2 + index * 106.1, at: startOf(index) + column * 0.045 });
        }),
      ),
      fadingLine('Three points for a win', small, { x: 153.6, y: 951.1, at: 0.8 }),
    ],
  };
}

export function number(): FilmData {
  const [ink, muted, yellow] = ['#0a0a0a', '#584808', '#ffd60a'];
  const text: Type = { font: 'Archivo', weight: 620, tracking: -0.015, size: 44, lineHeight: 51.9, color: ink };
  const strong: Type = { ...text, weight: 800, tracking: -0.02 };
  const anton = { font: 'Anton', weight: 400, tracking: 0, extra: { fontVariantNumeric: 'tabular-nums' } } as const;
  const cards = [
    { value: 94, decimals: 0, suffix: '%', suffixSize: 65.1, trend: null, label: 'left on time' },
    { value: 31, decimals: 0, suffix: '', suffixSize: 0, trend: '+9', label: 'cities, Oslo to Bari' },
    { value: 2.6, decimals: 1, suffix: 'kg', suffixSize: 46.2, trend: '−0.8', label: 'of CO₂ a passenger' },
  ];
  const figure: Type = { ...anton, size: 105, lineHeight: 105, color: yellow };
  const still = (line: string, type: Type, style: Part['style']): Part => ({
    style: { ...typeStyle(type), ...style },
    text: line,
  });
  return {
    fonts: ['Archivo', 'Anton'],
    parts: [
      ground('linear-gradient(#ffd60a, #ffc300)'),
      risingLine(
        'PASSENGERS WHO SLEPT ON BOARD THIS SEASON',
        { ...text, size: 56, lineHeight: 66, color: muted },
        { x: 153.6, y: 86.4, at: 0 },
      ),
      growing({ x: 153.6, y: 632.6, width: 1612.8, height: 10 }, '#cea606', { at: 0.1, seconds: 0.7, ease: 'out' }),
      growing({ x: 153.6, y: 623.6, width: 1329.1, height: 28 }, '#a30f19', { at: 0.2, seconds: 1.5 }),
      {
        style: { ...typeStyle({ ...anton, size: 407.2, lineHeight: 407.2, color: ink }), left: 141.3, top: 167 },
        count: { from: 412_068 * 0.92, to: 412_068, decimals: 0, at: 0.2, seconds: 1.5 },
        tweens: [tween('opacity', [0, 1], 0.1, 0.4), tween('y', [20, 0], 0.1, 0.7)],
      },
      fadingLine('265,000 last season', text, { x: 312.3, y: 675.6, at: 0.8, seconds: 0.5 }),
      fadingLine('+55 %', { ...strong, lineHeight: 50.6, color: '#1d3557' }, { x: 153.6, y: 675.6, at: 0.7, seconds: 0.5 }),
      fadingLine('500,000', { ...text, color: muted }, { x: 1466.4, y: 675.6, width: 300, at: 0.8, seconds: 0.5 }),
      ...cards.map(({ value, decimals, suffix, suffixSize, trend, label }, index): Part => {
        const at = 1 + index * 0.096;
        const unit: Part = still(suffix, { ...figure, size: suffixSize }, { position: 'relative', marginLeft: '0.12em' });
        const counter: Part = {
          style: { position: 'relative' },
          count: { from: 0, to: value, decimals, at: at + 0.1, seconds: 1 },
        };
        return {
          style: { left: 153.6 + index * 545.6, top: 783.6, width: 521.6, height: 210, overflow: 'hidden' },
          children: [
            {
              style: { inset: 0, background: ink },
              tweens: [tween('y', [210, 0], at)],
              children: [
                {
                  style: { ...typeStyle(figure), left: 42, top: 22, display: 'flex' },
                  children: suffix === '' ? [counter] : [counter, unit],
                },
                ...(trend === null
                  ? []
                  : [still(trend, { ...strong, size: 38, lineHeight: 43.7, color: yellow }, { right: 42, top: 26 })]),
                still(label, { ...text, lineHeight: 50.6, color: yellow }, { left: 42, top: 137.4 }),
              ],
            },
          ],
        };
      }),
    ],
  };
}
