import { launch } from 'puppeteer-core';
import type { ContenderName } from './contenders/contender.ts';
import type { Result } from './result.ts';
import { rounds, titles } from './table.ts';

/** Draws the result as HTML, with one group of bars per scene, and captures it using the same Chromium. */

const colours: Readonly<Record<ContenderName, string>> = {
  ours: '#e4572e',
  remotion: '#3d6fb6',
  hyperframes: '#3a9d7c',
  naive: '#9aa0a6',
};
const order: readonly ContenderName[] = ['ours', 'remotion', 'hyperframes', 'naive'];
const chartWidth = 1200;
const barAreaPixels = 760;

export function chartPage(result: Result): string {
  const used = order.filter((name) => result.rows.some((row) => row.details[name]));
  const fastest = Math.max(...result.rows.flatMap((row) => used.map((name) => row.details[name]?.framesPerSecond ?? 0)));
  const bar = (name: ContenderName, value: number | undefined): string => {
    if (value === undefined) return '';
    const width = Math.max(2, (value / fastest) * barAreaPixels);
    return `<div class="bar"><i style="width:${width.toFixed(1)}px;background:${colours[name]}"></i><span>${value.toFixed(1)}</span></div>`;
  };
  const groups = result.rows
    .map((row) => {
      const bars = used.map((name) => bar(name, row.details[name]?.framesPerSecond)).join('');
      return `<section><div class="name"><b>${row.name}</b><small>${row.nature}</small></div><div>${bars}</div></section>`;
    })
    .join('');
  const legend = used.map((name) => `<span><i style="background:${colours[name]}"></i>${titles[name]}</span>`).join('');
  const { film, machine } = result;
  return `<!doctype html><meta charset="utf-8"><style>
    body { margin: 0; padding: 36px 40px; width: ${chartWidth - 80}px; background: #fff; color: #202124; font: 15px/1.3 Inter, system-ui, sans-serif; }
    h1 { margin: 0; font-size: 26px; } p { margin: 6px 0 18px; color: #5f6368; }
    .legend span { margin-right: 26px; } .legend i { display: inline-block; width: 14px; height: 14px; border-radius: 3px; margin-right: 8px; vertical-align: -2px; }
    section { display: grid; grid-template-columns: 270px 1fr; gap: 20px; align-items: center; padding: 13px 0; border-top: 1px solid #e8eaed; }
    .legend { padding-bottom: 16px; } small { display: block; color: #5f6368; font-size: 12.5px; }
    .bar { display: flex; align-items: center; height: 19px; } .bar i { display: block; height: 14px; border-radius: 0 4px 4px 0; } .bar span { margin-left: 8px; font-size: 13px; font-variant-numeric: tabular-nums; }
  </style><h1>Frames per second, ${film.width}×${film.height}, H.264</h1>
  <p>${machine.cpus} cores, no GPU; capture and encoding together, medians of ${rounds(film.rounds)}, contenders taking turns. Longer is faster.</p>
  <div class="legend">${legend}</div>${groups}`;
}

export async function drawChart(
  result: Result,
  options: { readonly path: `${string}.png`; readonly chromiumPath: string },
): Promise<void> {
  await using browser = await launch({
    executablePath: options.chromiumPath,
    args: ['--no-sandbox'],
    defaultViewport: { width: chartWidth, height: 100, deviceScaleFactor: 1.5 },
  });
  const page = await browser.newPage();
  await page.setContent(chartPage(result));
  await page.screenshot({ path: options.path, fullPage: true });
}
