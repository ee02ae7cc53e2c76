import { round } from './frame.ts';
import type { EaseName, KeyChannels, KeyStop, KeyTrack } from './keyframes.ts';

const lineWidth = 130;

/** A string literal with single quotes, whatever is in it. */
export function quote(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  // Line separators are legal in strings but invisible in an editor.
  return `'${inner.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}

/** Text for a line or block comment: one line, nothing that would end the comment. */
export function commentText(text: string, limit = 150): string {
  const flat = text.replace(/\s+/gu, ' ').replaceAll('*/', '* /').trim();
  const signs = [...flat];
  return signs.length > limit
    ? `${signs
        .slice(0, limit - 1)
        .join('')
        .trimEnd()}…`
    : flat;
}

export function identifier(id: string): string {
  const camel = id.replace(/[^a-zA-Z0-9]+(.)?/gu, (_, next: string | undefined) => (next ?? '').toUpperCase());
  return /^[a-zA-Z_]/u.test(camel) ? camel : `item${camel}`;
}

export function number(value: number): string {
  return String(round(value));
}

export function indent(text: string, spaces: number): string {
  const pad = ' '.repeat(spaces);
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : pad + line))
    .join('\n');
}

/** `{ a: 1, b: 2 }`, on one line when it fits. */
export function objectLiteral(entries: readonly (readonly [key: string, code: string])[], spaces = 0): string {
  const inline = `{ ${entries.map(([key, code]) => `${key}: ${code}`).join(', ')} }`;
  if (inline.length + spaces <= lineWidth && !inline.includes('\n')) return inline;
  return `{\n${entries.map(([key, code]) => indent(`${key}: ${code},`, 2)).join('\n')}\n}`;
}

export function arrayLiteral(items: readonly string[], spaces = 0): string {
  const inline = `[${items.join(', ')}]`;
  const objects = items.length > 1 && items.every((item) => item.startsWith('{'));
  if (!objects && inline.length + spaces <= lineWidth && !inline.includes('\n')) return inline;
  return `[\n${items.map((item) => indent(`${item},`, 2)).join('\n')}\n]`;
}

/** A JSX element without children; attributes are `name="text"` or `name={code}`, one a line when there are many. */
export function element(name: string, attributes: readonly (readonly [string, string])[], spaces = 0): string {
  const printed = attributes.map(([key, code]) => (code === 'true' ? key : `${key}=${code}`));
  const inline = `<${[name, ...printed].join(' ')} />`;
  if (inline.length + spaces <= lineWidth && !inline.includes('\n')) return inline;
  return `<${name}\n${printed.map((attribute) => indent(attribute, 2)).join('\n')}\n/>`;
}

/** An attribute's value as a string; with signs that JSX would read otherwise, as an expression. */
export function textAttribute(text: string): string {
  return /^[^"&{}<>\\\n\r\t\u2028\u2029]*$/u.test(text) ? `"${text}"` : `{${quote(text)}}`;
}

function stopCode({ time, value, code, ease }: KeyStop): string {
  const place = `${number(time)}, ${code ?? number(value)}`;
  return ease === null || ease === 'linear' ? `at(${place})` : `at(${place}, ${ease})`;
}

function channelCode(stops: readonly KeyStop[] | number, spaces: number): string {
  if (typeof stops === 'number') return number(stops);
  const inline = `keys([${stops.map(stopCode).join(', ')}])`;
  if (inline.length + spaces <= lineWidth && stops.every((stop) => stop.note === null)) return inline;
  const lines = stops.map((stop) => `  ${stopCode(stop)},${stop.note === null ? '' : ` // ${commentText(stop.note, 60)}`}`);
  return `keys([\n${lines.join('\n')}\n])`;
}

function channelsCode(channels: KeyChannels): string {
  const lines = Object.entries(channels).map(([name, stops]) => `${name}: ${channelCode(stops, name.length + 6)},`);
  return `{\n${indent(lines.join('\n'), 2)}\n}`;
}

/** The `defineTracks` call of a scene. */
export function tracksCode(sceneId: string, tracks: readonly KeyTrack[]): string {
  const parts = tracks.map(
    ({ name, comment, channels }) =>
      `${comment === null ? '' : `// ${commentText(comment)}\n`}${name}: ${channelsCode(channels)},`,
  );
  return `const tracks = defineTracks(${quote(sceneId)}, {\n${indent(parts.join('\n'), 2)}\n});`;
}

/** Which names of the easing module these tracks need. */
export function easesOf(tracks: readonly KeyTrack[]): EaseName[] {
  const used = new Set<EaseName>();
  for (const { channels } of tracks) {
    for (const stops of Object.values(channels)) {
      if (typeof stops === 'number') continue;
      for (const { ease } of stops) if (ease !== null && ease !== 'linear') used.add(ease);
    }
  }
  return [...used].sort();
}
