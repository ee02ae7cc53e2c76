import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonError } from './json-position.ts';
import { applyMessages, messagesOf, parseSurface, printSurface, readSurface } from './messages.ts';
import { componentNames, kodaCatalog, type Surface } from './surface.ts';

const published = new URL('../../../test/fixtures/a2ui/', import.meta.url);
const json = (path: string) => JSON.parse(readFileSync(new URL(path, published), 'utf8'));
const examples = readdirSync(new URL('examples/', published)).map((name) => ({
  name,
  messages: json(`examples/${name}`).messages as unknown[],
}));
const catalog = json('catalog.json');
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(json('common_types.json'));
// The message schema references its catalog by a relative URL.
ajv.addSchema({ ...catalog, $id: 'https://a2ui.org/specification/v0_9/catalog.json' });
const validates = ajv.compile(json('server_to_client.json'));
const isPublished = (messages: readonly unknown[]) => messages.every((message) => validates(message));

const create = (surfaceId = 's') => ({ version: 'v0.9', createSurface: { surfaceId, catalogId: kodaCatalog } });
const components = (...list: unknown[]) => ({ version: 'v0.9', updateComponents: { surfaceId: 's', components: list } });
const data = (value: unknown, path = '/') => ({ version: 'v0.9', updateDataModel: { surfaceId: 's', path, value } });
const text = (id: string, words: unknown = id) => ({ id, component: 'Text', text: words });
const issueOf = (...messages: unknown[]) => {
  const read = readSurface(messages);
  return read.ok ? null : read.issue;
};

describe('the published examples of A2UI', () => {
  const drawn = new Set(componentNames);
  const functions = new Set(['formatDate', 'regex', 'pluralize', 'openUrl']);
  it.each(examples)('V1 V2: accepts $name, unless it uses a component that Koda does not draw', ({ messages }) => {
    const words = JSON.stringify(messages);
    const foreign = [...words.matchAll(/"component":"(\w+)"/g)].map(([, name = '']) => name).filter((name) => !drawn.has(name));
    const isUncalled = [...words.matchAll(/"call":"(\w+)"/g)].some(([, name = '']) => functions.has(name));
    const read = parseSurface(words);
    expect(isPublished(messages)).toBe(true);
    if (foreign.length > 0) expect(read).toMatchObject({ issue: { code: 'UNKNOWN_COMPONENT', allowed: componentNames } });
    else if (isUncalled) expect(read).toMatchObject({ issue: { code: 'SCHEMA_INVALID' } });
    else expect(read).toMatchObject({ ok: true });
    if (read.ok) expect(isPublished(messagesOf(read.value))).toBe(true);
  });

  it('V2: accepts only what the published schema accepts', () => {
    const places = examples.flatMap(({ messages }) => {
      if (!readSurface(messages).ok) return [];
      return placesIn(messages).map((path) => ({ messages, path }));
    });
    const change = fc.constantFrom<unknown>(undefined, 7, 'x', null, true, [], {}, { path: '/a' }, { call: 'eval', args: {} });
    let refused = 0;
    fc.assert(
      fc.property(fc.constantFrom(...places), change, ({ messages, path }, value) => {
        const changed = withChange(messages, path, value);
        if (isPublished(changed)) return;
        refused += 1;
        expect(readSurface(changed).ok, `${path.join('.')} = ${JSON.stringify(value)}`).toBe(false);
      }),
      { numRuns: 1000 },
    );
    expect(refused).toBeGreaterThan(200);
  });
});

/** Lists the paths of all values in messages, except those in the data model, which may contain anything. */
function placesIn(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null || path.at(-1) === 'updateDataModel') return [];
  return Object.entries(value).flatMap(([name, inner]) => [[...path, name], ...placesIn(inner, [...path, name])]);
}

function withChange(messages: readonly unknown[], path: readonly string[], value: unknown): unknown[] {
  const copy = structuredClone(messages) as unknown[];
  const holder = path.slice(0, -1).reduce<object>((inner, name) => Reflect.get(inner, name) as object, copy);
  if (value === undefined && !Array.isArray(holder)) Reflect.deleteProperty(holder, path.at(-1) ?? '');
  else Reflect.set(holder, path.at(-1) ?? '', value);
  return copy;
}

const jsonValue = fc
  .jsonValue({ maxDepth: 3, noUnicodeString: false })
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const words = fc.oneof(fc.string({ maxLength: 40 }), fc.record({ path: fc.string({ maxLength: 10 }).map((name) => `/${name}`) }));
const anySurface = fc
  .record({
    leaves: fc.array(
      fc.oneof(
        fc.record({ component: fc.constant('Text'), text: words }),
        fc.record({ component: fc.constant('CheckBox'), label: words, value: fc.boolean() }),
        fc.record({ component: fc.constant('Slider'), max: fc.integer(), value: fc.integer() }),
        fc.record({ component: fc.constant('TextField'), label: words, value: words }),
        fc.record({ component: fc.constant('ColorPicker'), label: words, value: fc.record({ path: fc.constant('/colour') }) }),
        fc.record({ component: fc.constant('Alert'), text: words, tone: fc.constantFrom('info', 'error') }),
      ),
      { minLength: 1, maxLength: 20 },
    ),
    data: fc.dictionary(fc.string({ maxLength: 8 }), jsonValue),
    theme: fc.boolean(),
    sendDataModel: fc.boolean(),
  })
  .map(({ leaves, data, theme, sendDataModel }) =>
    readSurface([
      {
        version: 'v0.9',
        createSurface: { surfaceId: 's', catalogId: kodaCatalog, sendDataModel, ...(theme && { theme: { a: 1 } }) },
      },
      { version: 'v0.9', updateDataModel: { surfaceId: 's', value: data } },
      components(
        { id: 'root', component: 'Column', children: leaves.map((_, index) => `c${index}`) },
        ...leaves.map((leaf, index) => ({ id: `c${index}`, ...leaf })),
      ),
    ]),
  )
  .filter((read) => read.ok)
  .map((read) => (read as { value: Surface }).value);

describe('parse and print', () => {
  it('V2: restores the same surface from its printed text', () => {
    fc.assert(
      fc.property(anySurface, (surface) => {
        expect(parseSurface(printSurface(surface))).toEqual({ ok: true, value: surface });
      }),
      { numRuns: 300 },
    );
  });

  it('V2: builds the same surface from several messages as from one', () => {
    fc.assert(
      fc.property(anySurface, fc.integer({ min: 1 }), (surface, seed) => {
        const [first, ...rest] = messagesOf(surface);
        const leaves = [...surface.components.values()].filter(({ id }) => id !== 'root');
        const at = seed % (leaves.length + 1);
        const pieces = [leaves.slice(0, at), leaves.slice(at)].filter((piece) => piece.length > 0);
        const begun = applyMessages(null, [first, rest[0], ...pieces.slice(0, -1).map((piece) => components(...piece))]);
        // Without its root, the surface is invalid.
        expect(begun.ok).toBe(pieces.length < 2);
        const whole = applyMessages(null, [
          first,
          rest[0],
          ...pieces.map((piece) => components(...piece)),
          components(surface.components.get('root')),
        ]);
        expect(whole.ok && whole.value && new Map(whole.value.components)).toEqual(surface.components);
        expect(whole.ok && whole.value?.data).toEqual(surface.data);
      }),
      { numRuns: 100 },
    );
  });

  it('V2: reports JSON_SYNTAX with the position of the first wrong character', () => {
    expect(parseSurface('[{"a": bad}]')).toMatchObject({
      issue: { code: 'JSON_SYNTAX', position: { offset: 7, line: 1, column: 8 } },
    });
    expect(parseSurface('[\n  {"a": 1},\n  {"b" 2}\n]')).toMatchObject({ issue: { position: { line: 3, column: 8 } } });
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.constantFrom('', '}', ']', ',', '"', ':', 'x', '\\', '0'), (whole, at, mark) => {
        const place = at % (whole.length + 1);
        const broken = whole.slice(0, place) + mark + whole.slice(place + 1);
        const fault = findJsonError(broken);
        expect(fault === null).toBe(isJson(broken));
        // The input before the reported position must be a valid prefix.
        if (fault !== null) expect(fault.offset).toBeLessThanOrEqual(broken.length);
      }),
      { numRuns: 500 },
    );
  });
});

function isJson(value: string): boolean {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}

describe('rejected surfaces', () => {
  it('V2: names the field of SCHEMA_INVALID', () => {
    expect(issueOf(create(), components({ id: 'root', component: 'Slider', value: 1 }))).toMatchObject({
      code: 'SCHEMA_INVALID',
      field: '1.updateComponents.components.0.max',
      message: expect.stringContaining('Component "root", max'),
    });
    expect(issueOf({ version: 'v0.9', show: {} })).toMatchObject({ code: 'SCHEMA_INVALID', field: '0' });
    expect(issueOf({ version: 'v0.8', deleteSurface: { surfaceId: 's' } })).toMatchObject({ field: '0.version' });
    const alien = components(text('root', { call: 'openUrl', args: { url: 'https://example.com' } }));
    expect(issueOf(create(), alien)).toMatchObject({ message: expect.stringContaining('use one of: required') });
  });

  it('V2: lists the allowed components in UNKNOWN_COMPONENT', () => {
    expect(issueOf(create(), components({ id: 'root', component: 'IFrame', url: 'x' }))).toMatchObject({
      code: 'UNKNOWN_COMPONENT',
      allowed: componentNames,
    });
  });

  it('V2: reports INVALID_REFERENCE for a missing root, unknown or duplicate ids, cycles and missing surfaces', () => {
    const column = (id: string, ...children: string[]) => ({ id, component: 'Column', children });
    expect(issueOf(create(), components(text('other')))?.code).toBe('INVALID_REFERENCE');
    expect(issueOf(create(), components(column('root', 'gone')))).toMatchObject({ code: 'INVALID_REFERENCE', field: 'gone' });
    expect(issueOf(create(), components(text('root'), text('root')))?.code).toBe('INVALID_REFERENCE');
    expect(issueOf(create(), components(column('root', 'a'), column('a', 'b'), column('b', 'a')))).toMatchObject({
      code: 'INVALID_REFERENCE',
      message: expect.stringContaining('root → a → b → a'),
    });
    expect(issueOf(create(), create())?.code).toBe('INVALID_REFERENCE');
    expect(issueOf(create('other'), components(text('root')))?.code).toBe('INVALID_REFERENCE');
    expect(issueOf(create(), { version: 'v0.9', deleteSurface: { surfaceId: 's' } })?.code).toBe('INVALID_REFERENCE');
  });

  it.each([
    '<script>alert(1)</script>',
    '< SCRIPT src=//x>',
    '<img src=x onerror=alert(1)>',
    '<svg/onload =alert(1)>'.replace('/', ' '),
    '<iframe srcdoc=x>',
    'javascript:alert(1)',
    '  JavaScript: alert(1)',
    'data:text/html;base64,AAAA',
  ])('V2: SECURITY_VIOLATION: %s', (script) => {
    expect(issueOf(create(), components(text('root', script)))?.code).toBe('SECURITY_VIOLATION');
    expect(issueOf(create(), data({ rows: [{ name: script }] }), components(text('root')))?.code).toBe('SECURITY_VIOLATION');
  });

  it('V2: reports SECURITY_VIOLATION for script properties and prototype access', () => {
    expect(issueOf(create(), components({ ...text('root'), onClick: 'x' }))?.code).toBe('SECURITY_VIOLATION');
    expect(issueOf(create(), components({ ...text('root'), dangerouslySetInnerHTML: {} }))?.code).toBe('SECURITY_VIOLATION');
    expect(issueOf(create(), JSON.parse(JSON.stringify(data(1)).replace('"value"', '"__proto__"')))?.code).toBe(
      'SECURITY_VIOLATION',
    );
    expect(issueOf(create(), data(1, '/__proto__/polluted'))?.code).toBe('SECURITY_VIOLATION');
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('V2: accepts text that mentions scripts', () => {
    for (const plain of [
      'JavaScript: The Good Parts (2008)',
      'a < b and c > d',
      'onset = 3',
      'The script is <b>bold</b>',
      'data: 3',
    ]) {
      expect(issueOf(create(), components(text('root', plain)))).toBeNull();
    }
  });

  it('V1: rejects 10,000 components, endless depth and exponential growth, and names the limit', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => text(`c${index}`));
    expect(issueOf(create(), components(text('root'), ...many))).toMatchObject({
      code: 'SCHEMA_INVALID',
      message: 'The form is too large to show: 10,001 parts, 300 are allowed.',
    });
    const nested = (count: number, width: number) =>
      Array.from({ length: count }, (_, index) => ({
        id: index === 0 ? 'root' : `c${index}`,
        component: 'Column',
        children: index === count - 1 ? [] : Array(width).fill(`c${index + 1}`),
      }));
    expect(issueOf(create(), components(...nested(40, 1)))?.code).toBe('SCHEMA_INVALID');
    expect(issueOf(create(), components(...nested(15, 2)))?.code).toBe('SCHEMA_INVALID');
    expect(issueOf(create(), components(...nested(20, 1)))).toBeNull();
    expect(parseSurface('['.repeat(400_000))).toMatchObject({ issue: { code: 'JSON_SYNTAX' } });
    expect(parseSurface(' '.repeat(600_000))).toMatchObject({ issue: { code: 'SCHEMA_INVALID' } });
    expect(parseSurface(`["${'<a '.repeat(160_000)}"]`).ok).toBe(false);
  });

  it('V1: rejects a megabyte of text and accepts unbounded numbers', () => {
    const long = [create(), components(text('root', 'a'.repeat(1_000_000)))];
    expect(readSurface(long)).toMatchObject({ issue: { code: 'SCHEMA_INVALID' } });
    expect(parseSurface(JSON.stringify(long))).toMatchObject({ issue: { code: 'SCHEMA_INVALID' } });
    const slider = (numbers: object) => components({ id: 'root', component: 'Slider', max: 1, value: 0, ...numbers });
    expect(issueOf(create(), slider({ min: -1e308, max: 1e308, value: 1e308 }))).toBeNull();
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(issueOf(create(), slider({ max: value }))?.code).toBe('SCHEMA_INVALID');
    }
  });
});
