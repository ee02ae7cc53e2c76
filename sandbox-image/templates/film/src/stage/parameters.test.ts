import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';

async function page(given?: Record<string, unknown>) {
  const reported: string[] = [];
  const window = {
    location: { search: '?export' },
    ...(given ? { __exportParameters: given } : {}),
    __reportError: (message: string) => reported.push(message),
  } as unknown as Window;
  vi.resetModules();
  vi.stubGlobal('window', window);
  const module = await import('./parameters.ts');
  const { sceneProps } = await import('./scene-props.ts');
  const declare = () =>
    module.declareParameters({
      title: z.string().max(10).default('Hello').describe('The words'),
      ball: module.color('#e2654a').describe('The ball'),
      count: z.int().min(1).max(5).default(3),
      size: z.number().default(1.5),
      shadow: z.boolean().default(true),
      side: z.enum(['left', 'right']).default('left'),
    });
  return { ...module, declare, sceneProps, window, reported };
}

afterEach(() => vi.unstubAllGlobals());

describe('parameters of a film', () => {
  it('T11: have their defaults when nothing is set', async () => {
    const { declare, refuseBadParameters, window, reported } = await page();
    expect(declare()).toEqual({ title: 'Hello', ball: '#e2654a', count: 3, size: 1.5, shadow: true, side: 'left' });
    refuseBadParameters();
    expect([window.__exportParameterError, reported]).toEqual([undefined, []]);
  });

  it('T11: take what is set, wherever they are declared', async () => {
    const { declare, declareParameters, refuseBadParameters, window } = await page({ title: 'Hi', count: 5, other: 'x' });
    expect(declare()).toMatchObject({ title: 'Hi', count: 5, side: 'left' });
    expect(declareParameters({ other: z.string().default('') })).toEqual({ other: 'x' });
    refuseBadParameters();
    expect(window.__exportParameterError).toBeUndefined();
  });

  it('T11: are the fields of a scene, with names and descriptions that count from 1', async () => {
    const { sceneProps, declaredParameters } = await page();
    sceneProps('scene-2', { title: 'Prices', items: [{ text: 'Bread', value: 4 }] });
    expect(declaredParameters().map(({ name, description }) => [name, description])).toEqual([
      ['scene2Title', 'title of scene-2'],
      ['scene2Items1Text', 'items 1 text of scene-2'],
      ['scene2Items1Value', 'items 1 value of scene-2'],
    ]);
  });

  it('T11: describe themselves, so that others can show a field', async () => {
    const { declare, declareParameters, declaredParameters } = await page();
    declare();
    declareParameters({ last: z.string().default('') }, { scene: 'scene-9' });
    const nothing = { description: '', format: null, options: null, minimum: null, maximum: null, maxLength: null, scene: null };
    expect(declaredParameters()).toEqual([
      { ...nothing, name: 'title', type: 'string', default: 'Hello', description: 'The words', maxLength: 10 },
      { ...nothing, name: 'ball', type: 'string', default: '#e2654a', description: 'The ball', format: 'color' },
      { ...nothing, name: 'count', type: 'integer', default: 3, minimum: 1, maximum: 5 },
      { ...nothing, name: 'size', type: 'number', default: 1.5 },
      { ...nothing, name: 'shadow', type: 'boolean', default: true },
      { ...nothing, name: 'side', type: 'string', default: 'left', options: ['left', 'right'] },
      { ...nothing, name: 'last', type: 'string', default: '', scene: 'scene-9' },
    ]);
  });

  it('T11: refuse a value with the name of the parameter and what is allowed, and go on with the default', async () => {
    const { declare, refuseBadParameters, window, reported } = await page({ title: 'far too long a title', side: 'up' });
    expect(declare()).toMatchObject({ title: 'Hello', side: 'left' });
    refuseBadParameters();
    expect(window.__exportParameterError).toMatch(/"title" cannot be "far too long a title".*at most 10 characters/u);
    expect(window.__exportParameterError).toMatch(/"side" cannot be "up".*one of "left", "right"/u);
    expect(reported).toEqual([window.__exportParameterError]);
  });

  it.each([
    [{ titel: 'x' }, /no parameter "titel". It has: title, ball, count/u],
    [{ ball: 'red' }, /"ball" cannot be "red": it is not a colour such as #ff8800. It is a colour as #rrggbb/u],
    [{ count: 2.5 }, /"count".*a whole number from 1 up to 5/u],
    [{ count: '2' }, /"count"/u],
    [{ shadow: 'yes' }, /true or false/u],
    [{ constructor: 'x' }, /no parameter "constructor"/u],
  ])('T11: tell what is wrong with %o before anything is rendered', async (values, message) => {
    const { declare, window } = await page();
    declare();
    expect(window.__exportCheckParameters?.([{}, values, { title: 'ok' }])).toEqual([null, expect.stringMatching(message), null]);
  });

  it('T11: cannot be declared without a default, with an unsupported type, or under a name that cannot be set', async () => {
    const { declareParameters } = await page();
    // @ts-expect-error A value may be missing.
    expect(() => declareParameters({ title: z.string() })).toThrow('needs a default');
    // @ts-expect-error A list is no parameter.
    expect(() => declareParameters({ list: z.array(z.string()).default([]) })).toThrow('must be a string');
    expect(() => declareParameters({ 'a-b': z.string().default('') })).toThrow('no name');
  });
});
