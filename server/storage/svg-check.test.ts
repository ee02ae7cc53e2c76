import { describe, expect, it } from 'vitest';
import { svgProblem } from './svg-check.ts';

const problem = (text: string) => svgProblem(new TextEncoder().encode(text));
const svg = (inner: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"${attributes}>${inner}</svg>`;

describe('svg check', () => {
  it.each([
    ['shapes', svg('<g><path d="M0 0L1 1"/><circle r="1" fill="#f00"/></g>')],
    [
      'an export of Inkscape',
      `<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<!-- Created with Inkscape -->\n${svg('<sodipodi:namedview id="n"/><metadata><rdf:RDF><cc:Work/></rdf:RDF></metadata>', ' xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:cc="http://creativecommons.org/ns#"')}`,
    ],
    [
      'an export of Illustrator',
      `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">${svg('')}`,
    ],
    [
      'gradients, clips and inner links',
      svg('<defs><linearGradient id="a"/></defs><use xlink:href="#a"/><rect fill="url(#a)" clip-path="url(\'#b\')"/>'),
    ],
    ['its own style', svg('<style>.a{fill:url("#g");font-family:"A B"}</style><style><![CDATA[.b > .c{fill:red}]]></style>')],
    ['an embedded image', svg('<image href="data:image/png;base64,iVBORw0KGgo="/>')],
    ['animation', svg('<rect><animate attributeName="x" from="0" to="1" dur="1s"/></rect>')],
    ['text with entities and emoji', svg('<text>A &amp; B &#169; 🎈 javascript: onload=</text>')],
    ['an older export of Illustrator', `<?xml version="1.0" encoding="iso-8859-1"?>\n<!-- Generator -->${svg('')}`],
    ['a byte order mark', `\uFEFF${svg('')}`],
  ])('A25: lets %s through', (_, text) => {
    expect(problem(text)).toBeNull();
  });

  it.each([
    ['a script', svg('<script>alert(1)</script>')],
    ['an empty script with a source', svg('<script href="x.js"/>')],
    ['a script in capitals', svg('<SCRIPT>alert(1)</SCRIPT>')],
    ['a script under a prefix', svg('<x:script xmlns:x="http://www.w3.org/2000/svg">1</x:script>')],
    ['an event handler', svg('<g onclick="x()"/>')],
    ['an event handler on the root', svg('', ' onload="x()"')],
    ['an event handler with a line break', svg('<g \n\t onload\n=\n"x()"/>')],
    ['HTML', svg('<foreignObject><body/></foreignObject>')],
    ['HTML by namespace', svg('<b xmlns="http://www.w3.org/1999/xhtml"/>')],
    ['a script link', svg('<a href="javascript:x()"/>')],
    ['a script link that is written with entities', svg('<a href="&#106;ava&#x73;cript:x()"/>')],
    ['a script link with a tab', svg('<a href="java&#9;script:x()"/>')],
    ['an outer link', svg('<image href="https://example.org/a.png"/>')],
    ['an outer link without protocol', svg('<use xlink:href="//example.org/a.svg#b"/>')],
    ['an SVG inside as data', svg('<image href="data:image/svg+xml;base64,AAAA"/>')],
    ['an animated link', svg('<a><set attributeName="xlink:href" to="#"/></a>')],
    ['a style that loads', svg('<style>@import "x.css";</style>')],
    ['a style attribute that loads', svg('<g style="fill:url(https://example.org)"/>')],
    ['a style that is split over sections', svg('<style>a{fill:ur<![CDATA[l(https://example.org)}]]></style>')],
    ['a style under a prefix that loads', svg('<s:style xmlns:s="http://www.w3.org/2000/svg">@import "x.css";</s:style>')],
    ['another encoding', `<?xml version="1.0" encoding="ISO-2022-JP"?>${svg('')}`],
    ['another encoding in capitals', `<?XML VERSION="1.0" ENCODING="UTF-7"?>${svg('')}`],
    ['an encoding that is said twice', `<?xml version="1.0" encoding="utf-8" encoding="UTF-16"?>${svg('')}`],
    ['the beginning of another encoding', svg('<text>\u001b$B</text><text>\u001b(B</text>')],
    ['a NUL', svg('<text>\u0000</text>')],
    ['a style with escapes', svg('<style>a{fill:\\75rl(https://example.org)}</style>')],
    ['an entity definition', `<!DOCTYPE svg [<!ENTITY a "b">]>${svg('&a;')}`],
    ['an unknown entity', svg('<text>&a;</text>')],
    ['a style sheet instruction', `<?xml-stylesheet href="x.css"?>${svg('')}`],
    ['a tag without an end', svg('<g')],
    ['unquoted attributes', svg('<g id=a/>')],
    ['elements closed out of order', svg('<a><b></a></b>')],
    ['no end', '<svg>'],
    ['two roots', `${svg('')}${svg('')}`],
    ['another root', '<html/>'],
    ['nothing', ''],
    ['text after the root', `${svg('')}<!-- -->x`],
  ])('A25: refuses %s', (_, text) => {
    expect(problem(text)).toMatch(/^[a-z]/);
  });

  it('A25: rejects encodings in which the same bytes may mean something else', () => {
    const utf16 = Buffer.from(svg('<script/>'), 'utf16le');
    expect(svgProblem(utf16)).not.toBeNull();
    expect(svgProblem(Buffer.concat([Buffer.from('<svg>'), Buffer.from([0xff, 0xfe]), Buffer.from('</svg>')]))).toBe(
      'it is not UTF-8 text',
    );
  });
});
