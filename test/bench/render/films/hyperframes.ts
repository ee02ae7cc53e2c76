import type { PageSettings } from '../film.ts';
import { cssValue, type Ease, type FilmData, fontFaces, type Part, type Wave } from './film.ts';

/** Writes a film as a HyperFrames composition: HTML with timeline attributes, moved by one paused GSAP timeline. */

const eases: Readonly<Record<Ease, string>> = {
  linear: 'none',
  in: 'power2.in',
  out: 'power4.out',
  inOut: 'power2.inOut',
  spring: 'back.out(1.7)',
};

export function filmComposition(film: FilmData, { width, height, fps, durationSeconds }: PageSettings): string {
  const steps: string[] = [];
  const body = film.parts.map((part, index) => element(part, `part-${index}`, { steps, durationSeconds })).join('\n      ');
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Benchmark</title>
    <script src="assets/gsap.min.js"></script>
    <style>
      ${fontFaces(film, (file) => `assets/${file}`)}
      html, body { margin: 0; width: ${width}px; height: ${height}px; overflow: hidden; }
      #root { position: relative; width: ${width}px; height: ${height}px; overflow: hidden; }
      #root div { position: absolute; }
    </style>
  </head>
  <body>
    <div id="root" data-composition-id="main" data-start="0" data-duration="${durationSeconds}" data-width="${width}" data-height="${height}" data-fps="${fps}">
      ${body}
    </div>
    <script>
      const tl = gsap.timeline({ paused: true });
      const count = (id, { from, to, decimals, at, seconds }) => {
        const counter = { value: from };
        const options = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
        const show = () => { document.getElementById(id).textContent = counter.value.toLocaleString('en-US', options); };
        show();
        tl.to(counter, { value: to, duration: seconds, ease: 'power2.inOut', onUpdate: show }, at);
      };
      ${steps.join('\n      ')}
      window.__timelines = { main: tl };
    </script>
  </body>
</html>
`;
}

function element(part: Part, id: string, film: { steps: string[]; durationSeconds: number }): string {
  film.steps.push(...stepsOf(part, id, film.durationSeconds));
  const style = Object.entries(part.style).map(([property, value]) => {
    const name = property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return `${name}: ${cssValue(property, value)}`;
  });
  const children = (part.children ?? []).map((child, index) => element(child, `${id}-${index}`, film)).join('');
  // Top-level elements are clips, which are on a track for the whole film.
  const clip = /^part-\d+$/.test(id)
    ? ` class="clip" data-start="0" data-duration="${film.durationSeconds}" data-track-index="${id.slice(5)}"`
    : '';
  return `<div id="${id}"${clip} style="${style.join('; ').replaceAll('"', "'")}">${part.html ?? part.text ?? ''}${children}</div>`;
}

function stepsOf(part: Part, id: string, durationSeconds: number): string[] {
  const target = `'#${id}'`;
  const seen = new Set<string>();
  const steps = (part.tweens ?? []).map(({ property, from, to, at, seconds, ease }) => {
    // Only the first movement of a property sets the value before it.
    const immediateRender = !seen.has(property);
    seen.add(property);
    const until = { [property]: to, duration: seconds, ease: eases[ease], immediateRender };
    return `tl.fromTo(${target}, ${JSON.stringify({ [property]: from })}, ${JSON.stringify(until)}, ${at});`;
  });
  for (const wave of part.waves ?? []) steps.push(...swings(wave, target, durationSeconds));
  if (part.count) steps.push(`count('${id}', ${JSON.stringify(part.count)});`);
  return steps;
}

/** Returns the swings of a wave from one turning point to the next, starting where the wave is at the beginning. */
function swings({ property, centre, amplitude, periodSeconds, phase }: Wave, target: string, durationSeconds: number): string[] {
  const at = (seconds: number) => centre + amplitude * Math.sin((2 * Math.PI * seconds) / periodSeconds + phase);
  const half = periodSeconds / 2;
  const steps = [`gsap.set(${target}, ${JSON.stringify({ [property]: at(0) })});`];
  const turn = (((Math.PI / 2 - phase) / Math.PI) * half) % half;
  let from = 0;
  for (let until = turn <= 0 ? turn + half : turn; from < durationSeconds; until += half) {
    const ease = from === 0 ? 'sine.out' : 'sine.inOut';
    steps.push(`tl.to(${target}, ${JSON.stringify({ [property]: at(until), duration: until - from, ease })}, ${from});`);
    from = until;
  }
  return steps;
}
