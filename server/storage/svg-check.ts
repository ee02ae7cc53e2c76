/**
 * Checks that an SVG is a plain image. Returns `null`, or the reason for rejecting it as a phrase for its owner. It rejects
 * scripts, event handlers, embedded HTML, references to anything outside the file, and malformed markup, which a browser might
 * parse differently.
 */
export function svgProblem(bytes: Uint8Array): string | null {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return 'it is not UTF-8 text';
    throw error;
  }
  // Characters that XML does not allow. Some of them mark other encodings.
  if (/[^\P{Cc}\t\n\r\x7F-\x9F]/u.test(text)) return 'it has control characters';
  return new SvgScanner(text).scan();
}

const nameToken = /[A-Za-z_][\w.:-]*/y;
const attributeToken = /\s+([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const tagEnd = /\s*(\/?)>/y;
/** A browser decodes using the declared encoding. Only encodings with the same markup characters as UTF-8 are allowed. */
const xmlDeclaration =
  /<\?xml\s+version\s*=\s*(["'])1\.[01]\1(?:\s+encoding\s*=\s*(["'])(?:utf-8|us-ascii|iso-8859-\d{1,2}|windows-125\d)\2)?(?:\s+standalone\s*=\s*(["'])(?:yes|no)\3)?\s*\?>/iy;
/** An internal subset could define entities, so none is allowed. */
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
const inlineImage = /^data:image\/(png|jpe?g|gif|webp);base64,[A-Za-z0-9+/=\s]*$/i;
const namedEntities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

class SvgScanner {
  readonly #source: string;
  readonly #open: string[] = [];
  #rootSeen = false;
  #style = '';
  #at: number;

  constructor(source: string) {
    this.#source = source;
    this.#at = source.startsWith('\uFEFF') ? 1 : 0;
  }

  scan(): string | null {
    this.#take(xmlDeclaration);
    while (this.#at < this.#source.length) {
      const problem = this.#text() ?? (this.#at < this.#source.length ? this.#markup() : null);
      if (problem !== null) return problem;
    }
    if (!this.#rootSeen || this.#open.length > 0) return 'it ends too early';
    return styleProblem(this.#style);
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#source);
    if (match !== null) this.#at = pattern.lastIndex;
    return match;
  }

  #text(): string | null {
    const bracket = this.#source.indexOf('<', this.#at);
    const end = bracket === -1 ? this.#source.length : bracket;
    const text = this.#source.slice(this.#at, end);
    const decoded = decodeEntities(text);
    if (decoded === null) return 'it uses an unknown entity';
    if (this.#open.length === 0 && text.trim() !== '') return 'it has text outside its root element';
    if (isStyle(this.#open.at(-1))) this.#style += decoded;
    this.#at = end;
    return null;
  }

  #markup(): string | null {
    if (this.#source.startsWith('<!--', this.#at)) return this.#comment();
    if (this.#source.startsWith('<![CDATA[', this.#at)) return this.#cdata();
    if (this.#source.startsWith('</', this.#at)) return this.#closingTag();
    // A document type without an internal subset cannot define anything.
    if (!this.#rootSeen && this.#take(documentType) !== null) return null;
    return this.#openingTag();
  }

  #comment(): string | null {
    const end = this.#source.indexOf('-->', this.#at + 4);
    if (end === -1) return 'a comment has no end';
    this.#at = end + 3;
    return null;
  }

  #cdata(): string | null {
    const end = this.#source.indexOf(']]>', this.#at);
    if (end === -1) return 'a CDATA section has no end';
    if (isStyle(this.#open.at(-1))) this.#style += this.#source.slice(this.#at + 9, end);
    this.#at = end + 3;
    return null;
  }

  #closingTag(): string | null {
    this.#at += 2;
    const name = this.#take(nameToken)?.[0].toLowerCase();
    const isInOrder = name !== undefined && name === this.#open.pop() && this.#take(tagEnd)?.[1] === '';
    return isInOrder ? null : 'its elements are not closed in order';
  }

  #openingTag(): string | null {
    this.#at += 1;
    const name = this.#take(nameToken)?.[0].toLowerCase();
    if (name === undefined) return 'it has a processing instruction, an entity definition or a broken tag';
    if (this.#open.length === 0 && (this.#rootSeen || localName(name) !== 'svg')) return 'its only root element must be <svg>';
    this.#rootSeen = true;
    if (activeElements.has(localName(name))) return `it has a <${name}> element`;
    for (let attribute = this.#take(attributeToken); attribute !== null; attribute = this.#take(attributeToken)) {
      const problem = attributeProblem(attribute[1] ?? '', attribute[2] ?? attribute[3] ?? '');
      if (problem !== null) return problem;
    }
    const end = this.#take(tagEnd);
    if (end === null) return `its <${name}> tag is broken`;
    if (end[1] === '') this.#open.push(name);
    return null;
  }
}

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
  // Browsers ignore spaces and control characters inside a scheme.
  const dense = value.replace(/[\s\p{Cc}]/gu, '').toLowerCase();
  if (/^(javascript|vbscript|livescript):/.test(dense)) return 'it has a script reference';
  if ((local === 'href' || local === 'src' || local === 'base') && !isInnerReference(value))
    return 'it refers to something outside the file';
  return styleProblem(value);
}

function isInnerReference(value: string): boolean {
  const reference = value.trim();
  return reference === '' || reference.startsWith('#') || inlineImage.test(reference);
}

function styleProblem(style: string): string | null {
  const mayLoad = /url\s*\(|@import|image-set|expression\s*\(|-moz-binding|behavior\s*:/i;
  // An escape could disguise these words.
  if (style.includes('\\') && /[{:;]/.test(style)) return 'its style uses escapes';
  if (!mayLoad.test(style)) return null;
  const rest = style.replace(/url\(([^()]*)\)/gi, (whole, target: string) => {
    const bare = target.trim().replace(/^(["'])(.*)\1$/s, '$2');
    return isInnerReference(bare) ? '' : whole;
  });
  return mayLoad.test(rest) ? 'its style loads something from outside the file' : null;
}

/** Returns `null` if the text contains an entity other than XML's predefined ones. */
function decodeEntities(text: string): string | null {
  if (/&(?!(?:#x[0-9a-fA-F]{1,6}|#[0-9]{1,7}|amp|lt|gt|quot|apos);)/.test(text)) return null;
  return text.replace(/&([^;]+);/g, (_, body: string) => namedEntities[body] ?? decodeNumber(body.slice(1)));
}

/** Code points beyond Unicode become the replacement character, as in browsers. */
function decodeNumber(digits: string): string {
  const code = digits.startsWith('x') ? Number.parseInt(digits.slice(1), 16) : Number.parseInt(digits, 10);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD';
}
