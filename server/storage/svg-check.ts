/**
 * Judges an SVG without changing it: null when it is a picture and nothing more, else why it was refused, in words
 * for its owner. Refused are scripts and event handlers, foreign (HTML) content, references to anything outside the
 * file, and whatever is not well-formed: a browser's own parser must not be able to read it in another way.
 */
export function svgProblem(bytes: Uint8Array): string | null {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return 'it is not UTF-8 text';
    throw error;
  }
  // None may be in XML, and with some of them other encodings begin.
  if (/[^\P{Cc}\t\n\r\x7F-\x9F]/u.test(text)) return 'it has control characters';
  return problemOf(text);
}

const nameToken = /[A-Za-z_][\w.:-]*/y;
const attributeToken = /\s+([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const tagEnd = /\s*(\/?)>/y;
/** A browser reads the bytes by the encoding that is named: only by one in which the signs of markup are those of UTF-8. */
const xmlDeclaration =
  /<\?xml\s+version\s*=\s*(["'])1\.[01]\1(?:\s+encoding\s*=\s*(["'])(?:utf-8|us-ascii|iso-8859-\d{1,2}|windows-125\d)\2)?(?:\s+standalone\s*=\s*(["'])(?:yes|no)\3)?\s*\?>/iy;
/** Without an internal subset, which could define entities. */
const documentType = /<!DOCTYPE\s[^<>[\]]*>/y;

const activeElements = new Set([
  'script',
  'foreignobject',
  'iframe',
  'object',
  'embed',
  'handler',
  'listener',
  'audio',
  'video',
  'link',
]);
const xhtmlNamespace = 'http://www.w3.org/1999/xhtml';
const inlinePicture = /^data:image\/(png|jpe?g|gif|webp);base64,[A-Za-z0-9+/=\s]*$/i;
const namedEntities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function problemOf(source: string): string | null {
  const open: string[] = [];
  let rootSeen = false;
  let style = '';
  let at = source.startsWith('\uFEFF') ? 1 : 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };

  take(xmlDeclaration);
  while (at < source.length) {
    const bracket = source.indexOf('<', at);
    const text = source.slice(at, bracket === -1 ? source.length : bracket);
    if (decodeEntities(text) === null) return 'it uses an unknown entity';
    if (open.length === 0 && text.trim() !== '') return 'it has text outside its root element';
    if (isStyle(open.at(-1))) style += decodeEntities(text) ?? '';
    if (bracket === -1) break;
    at = bracket;

    if (source.startsWith('<!--', at)) {
      const end = source.indexOf('-->', at + 4);
      if (end === -1) return 'a comment has no end';
      at = end + 3;
    } else if (source.startsWith('<![CDATA[', at)) {
      const end = source.indexOf(']]>', at);
      if (end === -1) return 'a CDATA section has no end';
      if (isStyle(open.at(-1))) style += source.slice(at + 9, end);
      at = end + 3;
    } else if (source.startsWith('</', at)) {
      at += 2;
      const name = take(nameToken)?.[0].toLowerCase();
      if (name === undefined || name !== open.pop() || take(tagEnd)?.[1] !== '') return 'its elements are not closed in order';
    } else if (!rootSeen && take(documentType) !== null) {
      // Skipped: it can define nothing.
    } else {
      at += 1;
      const name = take(nameToken)?.[0].toLowerCase();
      if (name === undefined) return 'it has a processing instruction, an entity definition or a broken tag';
      if (open.length === 0 && (rootSeen || localName(name) !== 'svg')) return 'its only root element must be <svg>';
      rootSeen = true;
      if (activeElements.has(localName(name))) return `it has a <${name}> element`;
      for (let attribute = take(attributeToken); attribute !== null; attribute = take(attributeToken)) {
        const problem = attributeProblem(attribute[1] ?? '', attribute[2] ?? attribute[3] ?? '');
        if (problem !== null) return problem;
      }
      const end = take(tagEnd);
      if (end === null) return `its <${name}> tag is broken`;
      if (end[1] === '') open.push(name);
    }
  }
  if (!rootSeen || open.length > 0) return 'it ends too early';
  return styleProblem(style);
}

/** A name without its prefix, which may be any. */
function localName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1);
}

function isStyle(name: string | undefined): boolean {
  return name !== undefined && localName(name) === 'style';
}

function attributeProblem(name: string, raw: string): string | null {
  const value = decodeEntities(raw);
  if (value === null) return 'it uses an unknown entity';
  const local = localName(name.toLowerCase());
  if (local.startsWith('on')) return `it has an event handler (${name})`;
  if (value.trim() === xhtmlNamespace) return 'it has HTML content';
  if (local === 'attributename' && /href|^\s*on/i.test(value)) return `it animates a reference (${value})`;
  // Spaces and control characters inside a scheme are ignored by browsers.
  const dense = value.replace(/[\s\p{Cc}]/gu, '').toLowerCase();
  if (/^(javascript|vbscript|livescript):/.test(dense)) return 'it has a script reference';
  if ((local === 'href' || local === 'src' || local === 'base') && !isInnerReference(value))
    return 'it refers to something outside the file';
  return styleProblem(value);
}

function isInnerReference(value: string): boolean {
  const reference = value.trim();
  return reference === '' || reference.startsWith('#') || inlinePicture.test(reference);
}

function styleProblem(style: string): string | null {
  const mayLoad = /url\s*\(|@import|image-set|expression\s*\(|-moz-binding|behavior\s*:/i;
  // An escape could spell any of these words differently.
  if (style.includes('\\') && /[{:;]/.test(style)) return 'its style uses escapes';
  if (!mayLoad.test(style)) return null;
  const rest = style.replace(/url\(([^()]*)\)/gi, (whole, target: string) => {
    const bare = target.trim().replace(/^(["'])(.*)\1$/s, '$2');
    return isInnerReference(bare) ? '' : whole;
  });
  return mayLoad.test(rest) ? 'its style loads something from outside the file' : null;
}

/** Null when an entity is not one of XML's own. */
function decodeEntities(text: string): string | null {
  if (/&(?!(?:#x[0-9a-fA-F]{1,6}|#[0-9]{1,7}|amp|lt|gt|quot|apos);)/.test(text)) return null;
  return text.replace(/&([^;]+);/g, (_, body: string) => namedEntities[body] ?? decodeNumber(body.slice(1)));
}

/** Numbers beyond Unicode become the replacement character, as in browsers. */
function decodeNumber(digits: string): string {
  const code = digits.startsWith('x') ? Number.parseInt(digits.slice(1), 16) : Number.parseInt(digits, 10);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD';
}
