const sheet = new CSSStyleSheet();
// Same colour as `glyphMark` in the protocol, which cannot be imported because zod must not be bundled into pages.
sheet.replaceSync(`
  *, *::before, *::after { -webkit-text-fill-color: rgb(255 0 255) !important; }
  text, text * { fill: rgb(255 0 255) !important; }
`);

/** Changes the colour of glyphs alone: borders and grounds that follow the text colour keep theirs. */
export function markGlyphs(isMarked: boolean): void {
  const others = document.adoptedStyleSheets.filter((other) => other !== sheet);
  document.adoptedStyleSheets = isMarked ? [...others, sheet] : others;
}
