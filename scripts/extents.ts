import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { svgPathBbox } from 'svg-path-bbox';
import { drawingOf } from '../server/authors/director/drawings.ts';

/**
 * Writes `server/authors/director/extents.json`: how wide and how high each drawing is, as shares of its longer side, in
 * twentieths. What is as wide as high is left out. Run it again after `node scripts/nouns.ts`: `node scripts/extents.ts`.
 */
type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];
const identity: Matrix = [1, 0, 0, 1, 0, 0];

const times = ([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix => [
  a * g + c * h,
  b * g + d * h,
  a * i + c * j,
  b * i + d * j,
  a * k + c * l + e,
  b * k + d * l + f,
];

function transformOf(tag: string): Matrix {
  const text = / transform="([^"]*)"/.exec(tag)?.[1] ?? '';
  return [...text.matchAll(/(\w+)\(([^)]*)\)/g)].reduce((sum: Matrix, [, name, list = '']) => {
    const [p = 0, q, r = 0, s = 0, t = 0, u = 0] = list.split(/[\s,]+/).map(Number);
    if (name === 'translate') return times(sum, [1, 0, 0, 1, p, q ?? 0]);
    if (name === 'scale') return times(sum, [p, 0, 0, q ?? p, 0, 0]);
    if (name === 'matrix') return times(sum, [p, q ?? 0, r, s, t, u]);
    if (name !== 'rotate') throw new Error(`The transform “${name}” is not known.`);
    const [sin, cos] = [Math.sin((p * Math.PI) / 180), Math.cos((p * Math.PI) / 180)];
    return times(times(times(sum, [1, 0, 0, 1, q ?? 0, r]), [cos, sin, -sin, cos, 0, 0]), [1, 0, 0, 1, -(q ?? 0), -r]);
  }, identity);
}

/** Left, top, right, bottom of one outline; null for what draws nothing. */
function boxOf(tag: string): readonly [number, number, number, number] | null {
  const value = (name: string): number => Number(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? 0);
  const [, kind] = /^<(\w+)/.exec(tag) ?? [];
  const path = / d="([^"]*)"/.exec(tag)?.[1];
  if (kind === 'path' && path !== undefined) return svgPathBbox(path);
  if (kind === 'rect') return [value('x'), value('y'), value('x') + value('width'), value('y') + value('height')];
  if (kind !== 'circle' && kind !== 'ellipse') return null;
  const [across, up] = kind === 'circle' ? [value('r'), value('r')] : [value('rx'), value('ry')];
  return [value('cx') - across, value('cy') - up, value('cx') + across, value('cy') + up];
}

function extentOf(svg: string): { readonly wide: number; readonly high: number } {
  const stack = [identity];
  const [xs, ys]: [number[], number[]] = [[], []];
  for (const [tag] of svg.matchAll(/<[^>]+>/g)) {
    const around = stack.at(-1) ?? identity;
    if (tag.startsWith('</g')) stack.pop();
    else if (tag.startsWith('<g')) stack.push(times(around, transformOf(tag)));
    const box = boxOf(tag);
    if (box === null) continue;
    const [a, b, c, d, e, f] = times(around, transformOf(tag));
    for (const [x, y] of [
      [box[0], box[1]],
      [box[2], box[1]],
      [box[0], box[3]],
      [box[2], box[3]],
    ] as const) {
      xs.push(a * x + c * y + e);
      ys.push(b * x + d * y + f);
    }
  }
  const [wide, high] = [Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)];
  return { wide: wide / Math.max(wide, high), high: high / Math.max(wide, high) };
}

const folder = join(import.meta.dirname, '../server/authors/director');
const names = new Set(
  readFileSync(join(folder, 'brief/nouns/en.txt'), 'utf8')
    .split('\n')
    .map((line) => (line.split('\t')[1] ?? '').replace('*', ''))
    .filter((name) => name !== ''),
);
const found = new Map<string, string[]>();
for (const name of [...names].sort()) {
  const { wide, high } = extentOf(drawingOf(name).svg);
  const extent = [wide, high].map((share) => Math.round(share * 20) / 20).join(' ');
  if (extent !== '1 1') found.set(extent, [...(found.get(extent) ?? []), name]);
}
const lines = Object.fromEntries([...found].sort().map(([extent, drawings]) => [extent, drawings.join('|')]));
writeFileSync(join(folder, 'extents.json'), `${JSON.stringify(lines, null, 1)}\n`);
console.log(`${[...found.values()].flat().length} of ${names.size} drawings are not as wide as high`);
