import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { surfaceIssueCodes } from '#contract/surface/issues.ts';
import { readSurface } from '#contract/surface/messages.ts';
import { SurfaceView } from './surface-view.tsx';

const picture = '/storage/renders/rnd_0123456789abcdef0123/thumbnail.jpg';
const video = '/storage/renders/rnd_0123456789abcdef0123/video.mp4';
const texts = [
  ...['Hello', '<script>window.ran = 1</script>', '<img src=x onerror="window.ran = 1">', '<b onclick="window.ran=1">a</b>'],
  ...['javascript:window.ran=1', 'data:text/html,<script>1</script>', '</p><iframe src="//evil.example">', '{{constructor}}'],
  ...[
    'https://evil.example/a.png',
    '//evil.example/a.png',
    `${picture}/../../x`,
    picture,
    video,
    `${video}?x`,
    `//evil.example${video}`,
    '&lt;script&gt;',
    '\u202Egpj.exe',
  ],
  // As in Koda's own question for permission.
  ...['Allow sending branches.csv?', 'Allow in this conversation', 'Allow once', 'Koda asks for your permission'],
  'x'.repeat(5000),
] as const;
const paths = ['/a', 'a', '/__proto__/polluted', '../a', '/a/../../b', '/constructor/prototype/polluted', '/~2', '/', ''];
const text = fc.oneof(
  fc.constantFrom(...texts),
  fc.constantFrom(...paths).map((path) => ({ path })),
  fc.constantFrom(7, null, [], {}, { call: 'eval', args: { value: 'window.ran = 1' } }, { call: 'openUrl', args: {} }),
);
const id = fc.constantFrom('root', 'a', 'b', 'c', 'd', '__proto__', 'constructor');
const components = [
  ...['Text', 'Row', 'Column', 'List', 'Card', 'Tabs', 'Divider', 'Button', 'CheckBox', 'TextField', 'ChoicePicker', 'Slider'],
  ...['ColorPicker', 'Image', 'Chart', 'Progress', 'Alert', 'Table', 'Script', 'Dialog', 'Modal', 'iframe', 'Video', ''],
];
const kinds = ['TextInput', 'Select', 'Checkbox', 'Text', 'Alert', 'Table', 'Button', 'Script', 'Permission'];
const part = fc.record(
  {
    id,
    component: fc.constantFrom(...components),
    type: fc.constantFrom(...kinds),
    text,
    label: text,
    title: text,
    url: text,
    description: text,
    caption: text,
    value: text,
    child: id,
    children: fc.oneof(fc.array(id, { maxLength: 6 }), fc.record({ componentId: id, path: fc.constantFrom(...paths) })),
    max: fc.constantFrom<unknown>(1, -1, Number.NaN, Number.POSITIVE_INFINITY, '7'),
    rows: fc.constantFrom(...paths),
    statePath: fc.constantFrom(...paths),
    columns: fc.constant([{ title: 'A', path: 'a' }]),
    tabs: fc.constant([{ title: 'A', child: 'a' }]),
    options: fc.constant([{ label: 'A', value: 'a' }]),
    bars: fc.constant([{ label: 'A', value: 1 }]),
    action: fc.constantFrom<unknown>({ event: { name: 'submit' } }, { event: { name: 'allow' } }, 'submit', {
      functionCall: { call: 'openUrl', args: { url: 'https://evil.example' } },
    }),
    variant: fc.constantFrom('primary', 'destructive', 'h1', 'body', 'info', 'position:fixed'),
    onClick: fc.constant('window.ran = 1'),
    style: fc.constant({ position: 'fixed', inset: 0, zIndex: 9999 }),
    className: fc.constant('fixed inset-0'),
    dangerouslySetInnerHTML: fc.constant({ __html: '<script>window.ran = 1</script>' }),
  },
  { requiredKeys: ['id', 'component'] },
);
const data = fc.oneof(
  fc.record({ a: text, b: text, rows: fc.array(text, { maxLength: 3 }) }),
  fc.constant(JSON.parse('{"__proto__": {"polluted": 1}}') as unknown),
  fc.constant({ a: Array(3000).fill('row') }),
  text,
);

/** Valid parts with hostile words and values, so that some surfaces pass the schema and are drawn. */
const inert = fc.constantFrom(
  ...['Allow sending branches.csv?', 'Allow in this conversation', 'Koda asks for your permission', '\u202Egpj.exe'],
  ...['<b>bold</b>', '&lt;script&gt;', '"><svg/onload=alert(1)>', 'https://evil.example', '//evil.example/a.png', picture],
  ...[video, `//evil.example${video}`, `${video}/../../x`],
);
const shown = fc.oneof(
  inert,
  fc.constantFrom('/a', '/b', 'c', '/constructor/name').map((path) => ({ path })),
);
const drawable = fc.oneof(
  fc.record({ component: fc.constant('Text'), text: shown, variant: fc.constantFrom('h1', 'body', 'caption') }),
  fc.record({ component: fc.constant('Alert'), title: shown, text: shown, tone: fc.constantFrom('info', 'error') }),
  fc.record({ component: fc.constant('Image'), url: fc.oneof(fc.constant(picture), shown), description: shown }),
  fc.record({
    component: fc.constant('Button'),
    child: fc.constantFrom('a', 'b'),
    action: fc.constant({ event: { name: 'allow' } }),
  }),
  fc.record({ component: fc.constant('TextField'), label: shown, value: shown }),
  fc.record({ component: fc.constant('CheckBox'), label: shown, value: fc.constant({ path: '/a' }) }),
  fc.record({
    component: fc.constant('ChoicePicker'),
    label: shown,
    options: fc.constant([{ label: 'A', value: 'a' }]),
    value: shown,
  }),
  fc.record({ component: fc.constant('Slider'), label: shown, max: fc.double({ noNaN: true }), value: shown }),
  fc.record({ component: fc.constant('ColorPicker'), label: shown, value: shown }),
  fc.record({ component: fc.constant('Progress'), label: shown, value: shown, secondsLeft: fc.integer() }),
  fc.record({
    ...{ component: fc.constant('Chart'), label: shown, shape: fc.constantFrom('bar', 'bars') },
    bars: fc.array(fc.record({ label: shown, value: fc.double({ noNaN: true, noDefaultInfinity: true }) }), {
      minLength: 1,
      maxLength: 3,
    }),
  }),
  fc.record({
    component: fc.constant('Table'),
    caption: shown,
    columns: fc.constant([{ title: 'A', path: 'a' }]),
    rows: fc.constantFrom('/rows', '/a'),
  }),
);
const state = fc.record({
  a: inert,
  b: fc.oneof(inert, fc.integer()),
  rows: fc.array(fc.record({ a: inert }), { maxLength: 30 }),
});
const surfaceId = 's';
const ofVersion09 = fc
  .oneof(
    { weight: 4, arbitrary: fc.record({ list: fc.array(drawable, { minLength: 1, maxLength: 6 }), data: state }) },
    { weight: 1, arbitrary: fc.record({ list: fc.array(fc.oneof(drawable, part), { minLength: 1, maxLength: 6 }), data }) },
  )
  .map(({ list, data: value }) => [
    { version: 'v0.9', createSurface: { surfaceId, catalogId: 'koda:catalog/v1' } },
    { version: 'v0.9', updateDataModel: { surfaceId, value } },
    {
      version: 'v0.9',
      updateComponents: {
        surfaceId,
        components: [
          { id: 'root', component: 'Column', children: list.map((_, index) => `p${index}`) },
          ...list.map((one, index) => ({ ...one, id: `p${index}` })),
          ...['a', 'b', 'c', 'd'].map((name) => ({ id: name, component: 'Text', text: 'Leaf' })),
        ],
      },
    },
  ]);
const messages = fc.oneof(
  { weight: 3, arbitrary: ofVersion09 },
  fc
    .record({ list: fc.array(part, { maxLength: 5 }), version: fc.constantFrom('v0.9', '1.0', 'v9') })
    .map(({ list, version }) => [
      { version, createSurface: { surfaceId, components: list } },
      { version, updateComponents: { surfaceId, components: list } },
    ]),
  fc
    .array(part, { maxLength: 5 })
    .map((list) => [{ surfaceUpdate: { surfaceId, components: list.map(({ component: _, ...one }) => one), state: { a: 1 } } }]),
  fc.constantFrom(10_000, 301).map((count) => [
    {
      surfaceUpdate: {
        surfaceId,
        components: Array.from({ length: count }, (_, index) => ({ id: `c${index}`, type: 'Text' })),
      },
    },
  ]),
  fc.jsonValue().map((value) => [value]),
);

it('V2: of 1,000 hostile surfaces none is executed, and each is refused with its code or drawn as inert text', () => {
  let drawn = 0;
  let refused = 0;
  fc.assert(
    fc.property(messages, (list) => {
      const read = readSurface(list);
      if (!read.ok) {
        refused += 1;
        expect(surfaceIssueCodes).toContain(read.issue.code);
        return;
      }
      drawn += 1;
      const html = renderToStaticMarkup(<SurfaceView surface={read.value} onData={() => undefined} onAction={() => undefined} />);
      // All of it is inside the frame, in elements and attributes that the studio chose.
      expect(html).toMatch(/^<div data-surface="s" class="surface-frame">/);
      expect(html).not.toMatch(/<(?:script|iframe|object|embed|link|meta|base|dialog|form|svg[^>]* on)\b/i);
      expect(html).not.toMatch(/<[^>]*\s(?:on\w+|srcdoc|action)=/i);
      for (const [, address] of html.matchAll(/\shref="([^"]*)"/g))
        expect(address).toMatch(/^\/(?:p\/prj_\w+|schedules|storage\/renders\/rnd_\w+\/video\.mp4(?:\?download)?)$/);
      expect(html).not.toMatch(/role="(?:dialog|alertdialog)"|position|z-index/);
      for (const [, source] of html.matchAll(/\ssrc="([^"]*)"/g))
        expect(source).toMatch(/\/storage\/renders\/rnd_\w+\/thumbnail\.jpg$/);
    }),
    { numRuns: 1000 },
  );
  expect(refused).toBeGreaterThan(100);
  expect(drawn).toBeGreaterThan(100);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  expect(Reflect.get(globalThis, 'ran')).toBeUndefined();
});
