import { describe, expect, it } from 'vitest';
import { messagesOf, parseSurface, readSurface } from './messages.ts';
import { surfaceActionSchema, versions } from './surface.ts';

const catalogId = 'https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json';
const field = { id: 'root', component: 'TextField', label: 'Name', value: { path: '/name' } };

/** One surface in each version's own form. */
const v09 = [
  { version: 'v0.9', createSurface: { surfaceId: 's', catalogId } },
  { version: 'v0.9', updateDataModel: { surfaceId: 's', value: { name: 'Ada' } } },
  {
    version: 'v0.9',
    updateComponents: {
      surfaceId: 's',
      components: [
        {
          ...field,
          accessibility: { label: 'Your name' },
          checks: [{ message: 'This value is not valid.', condition: { call: 'required', args: { value: { path: '/name' } } } }],
        },
      ],
    },
  },
];
const draft = {
  ...field,
  ...{ catalogId, placeholder: 'Ada', metadata: { extensions: { own: 1 } } },
  accessibility: { label: 'Your name', live: 'polite', hidden: false },
  checks: [{ condition: { call: 'required', catalogId, args: { value: { path: '/name' } } } }],
};
const released = {
  ...{ id: 'root', component: 'TextField', label: 'Name', value: { '@path': '/name' } },
  ...{ '@catalogId': catalogId, '@metadata': { extensions: { own: 1 } } },
  '@accessibility': { label: 'Your name', live: 'polite' },
  '@checks': [{ condition: { '@call': 'required', args: { value: { '@path': '/name' } } } }],
};
const created = (version: string, component: object, more: object = {}) => [
  { version, createSurface: { surfaceId: 's', catalogId, components: [component], dataModel: { name: 'Ada' }, ...more } },
];
const surface = () => {
  const read = readSurface(v09);
  if (!read.ok) throw new Error(read.issue.message);
  return read.value;
};

describe('versions of A2UI', () => {
  it.each([
    ['v0.9.1', v09.map((message) => ({ ...message, version: 'v0.9.1' }))],
    ['v1.0 as drafted', created('v1.0', draft)],
    ['v1.0 as released', created('1.0', released, { metadata: { extensions: {} } })],
    [
      'v1.0 in several messages',
      [
        { version: '1.0', createSurface: { surfaceId: 's', catalogId } },
        { version: '1.0', updateDataModel: { surfaceId: 's', value: { name: 'Ada', old: 1 } } },
        { version: '1.0', updateDataModel: { surfaceId: 's', path: '/old', value: null } },
        { version: '1.0', updateComponents: { surfaceId: 's', components: [released] } },
      ],
    ],
  ])('F6: %s describes the same surface as v0.9, in which Koda keeps it', (_version, messages) => {
    const version = messages[0]?.version;
    const read = readSurface(messages);
    expect(read).toEqual({ ok: true, value: { ...surface(), version } });
    expect(parseSurface(messages.map((message) => JSON.stringify(message)).join('\n'))).toEqual(read);
    // The version in which its actions are phrased is kept with it.
    const [created, ...others] = read.ok ? messagesOf(read.value) : [];
    expect(created?.version).toBe(version);
    expect(others.map((message) => message.version)).toEqual(['v0.9', 'v0.9']);
    expect(readSurface([created, ...others])).toEqual(read);
  });

  it('F6: an action is accepted in each version, with the sentence of v1.0', () => {
    const action = { name: 'submit', surfaceId: 's', sourceComponentId: 'b', timestamp: '2026-11-29T12:00:00Z', context: {} };
    const accepts = (message: object) => surfaceActionSchema.safeParse(message).success;
    for (const version of versions) expect(accepts({ version, action })).toBe(true);
    expect(accepts({ version: 'v2.0', action })).toBe(false);
    expect(accepts({ version: '1.0', action: { ...action, userMessage: 'Send it' } })).toBe(true);
    expect(accepts({ version: 'v0.9', action: { ...action, userMessage: 'Send it' } })).toBe(false);
    const button = (more: object) => [
      { id: 'root', component: 'Button', child: 'label', action: { event: { name: 'submit', ...more } } },
      { id: 'label', component: 'Text', text: 'Send' },
    ];
    const of = (components: object[]) => readSurface([{ version: '1.0', createSurface: { surfaceId: 's', components } }]);
    expect(of(button({ userMessage: 'I send it' }))).toEqual(of(button({})));
  });

  it('F6: a surface without a catalog is drawn with Koda’s', () => {
    const read = readSurface([{ version: '1.0', createSurface: { surfaceId: 's', components: [field] } }]);
    expect(read).toMatchObject({ ok: true, value: { catalogId: 'koda:catalog/v1' } });
  });

  it('F6: an unknown version, message, catalog or component of v1.0 is refused with what is known', () => {
    const issueOf = (messages: unknown) => {
      const read = readSurface(messages);
      return read.ok ? null : read.issue;
    };
    expect(issueOf([{ version: 'v2.0', deleteSurface: { surfaceId: 's' } }])).toMatchObject({
      field: '0.version',
      message: expect.stringContaining('v0.9, v0.9.1, 1.0, v1.0'),
    });
    const call = { version: '1.0', callRendererFunction: { functionCallId: 'a', callFunction: { '@call': 'openUrl' } } };
    expect(issueOf([call])?.message).toContain('must have one of: createSurface');
    expect(issueOf(created('1.0', { ...released, '@catalogId': 'https://evil.example' }))?.message).toContain('evil.example');
    expect(issueOf(created('1.0', { id: 'root', component: 'Video', url: 'x' }))?.code).toBe('UNKNOWN_COMPONENT');
    const openUrl = { ...field, value: { '@call': 'openUrl', args: { url: 'https://example.com' } } };
    expect(issueOf(created('1.0', openUrl))?.code).toBe('SCHEMA_INVALID');
  });

  it('F6: the limits and the protection from scripts hold for v1.0 too', () => {
    const code = (messages: unknown[]) => {
      const read = readSurface(messages);
      return read.ok ? null : read.issue.code;
    };
    const many = Array.from({ length: 10_000 }, (_, index) => ({ id: `c${index}`, component: 'Text', text: 'a' }));
    expect(code([{ version: '1.0', createSurface: { surfaceId: 's', catalogId, components: many } }])).toBe('SCHEMA_INVALID');
    expect(code(created('1.0', released, { dataModel: { name: '<script>alert(1)</script>' } }))).toBe('SECURITY_VIOLATION');
    expect(code(created('1.0', { ...field, onClick: 'x' }))).toBe('SECURITY_VIOLATION');
    const polluting = JSON.parse('{"__proto__": {"polluted": 1}}') as object;
    expect(code(created('1.0', released, { dataModel: polluting }))).toBe('SECURITY_VIOLATION');
    expect(code(created('1.0', released, { dataModel: { onClick: 'a text' } }))).toBeNull();
  });
});
