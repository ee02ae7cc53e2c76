import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizeProjectPath } from '#contract/paths.ts';
import { anyCharacter } from '../../test/fixtures/characters.ts';
import { safeAssetName } from './asset-type.ts';

const name = (upload: string, taken: string[] = []) =>
  safeAssetName(upload, { extension: 'png', fallback: 'image', taken: new Set(taken) });

describe('asset names', () => {
  it.each([
    ['Logo.PNG', 'logo.png'],
    ['my logo (final) v2.jpeg', 'my-logo-final-v2.png'],
    ['Ünïcödé.png', 'unicode.png'],
    ['../../etc/passwd', 'passwd.png'],
    ['C:\\Users\\me\\a.png', 'a.png'],
    ['猫.png', 'image.png'],
    ['.htaccess', 'htaccess.png'],
    ['', 'image.png'],
    ['CON.png', 'image.png'],
    ['a..b.svg', 'a.b.png'],
    ['<img src=x onerror=alert(1)>.png', 'img-src-x-onerror-alert-1.png'],
  ])('A25: %j becomes %j', (upload, safe) => {
    expect(name(upload)).toBe(safe);
  });

  it('A25: adds a number to a name that is already taken', () => {
    expect(name('a.png', ['a.png', 'a-2.png'])).toBe('a-3.png');
  });

  it('A25: any upload name results in a safe path and a unique name', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.array(fc.string()), (upload, taken) => {
        const safe = name(upload, taken);
        expect(safe).toMatch(/^[a-z0-9][a-z0-9._-]*\.png$/);
        expect(normalizeProjectPath(`public/assets/${safe}`)).toEqual({ ok: true, path: `public/assets/${safe}` });
        expect(taken).not.toContain(safe);
      }),
    );
  });
});
