import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { collectLicences, importedPackages } from './collect.ts';

const root = mkdtempSync(join(tmpdir(), 'koda-licences-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}
const install = (path: string, manifest: object, licence?: string): void => {
  write(`${path}/package.json`, JSON.stringify({ version: '1.0.0', ...manifest }));
  if (licence !== undefined) write(`${path}/LICENSE`, licence);
};

describe('licences', () => {
  it('are those of what is named and of all that it needs, each once, with the words shared', () => {
    install('node_modules/a', { name: 'a', license: 'MIT', dependencies: { b: '1', missing: '1' } }, 'same\r\nwords\n');
    install('node_modules/b', { name: 'b', license: { type: 'ISC' }, dependencies: { a: '1' } }, 'same\nwords');
    install('node_modules/b/node_modules/c', { name: 'c', license: 'MIT' }, 'never');
    install('node_modules/@s/font', { name: '@s/font', license: 'OFL-1.1' });
    install('node_modules/alone', { name: 'alone' }, 'alone');
    const { packages, texts } = collectLicences([
      { part: 'page', from: root, names: ['@s/font', 'a'] },
      { part: 'server', from: root, names: ['b'] },
    ]);
    expect(packages).toEqual([
      { name: '@s/font', version: '1.0.0', licence: 'OFL-1.1', parts: ['page'], text: null },
      { name: 'a', version: '1.0.0', licence: 'MIT', parts: ['page', 'server'], text: 0 },
      { name: 'b', version: '1.0.0', licence: 'ISC', parts: ['page', 'server'], text: 0 },
    ]);
    expect(texts).toEqual(['same\nwords']);
  });

  it('a package of its own comes before one of the same name further up', () => {
    install('node_modules/d', { name: 'd', license: 'MIT', dependencies: { a: '2' } });
    install('node_modules/d/node_modules/a', { name: 'a', version: '2.0.0', license: 'MIT' });
    expect(
      collectLicences([{ part: 'page', from: root, names: ['d'] }]).packages.map(({ name, version }) => `${name} ${version}`),
    ).toEqual(['a 2.0.0', 'd 1.0.0']);
  });

  it('imports are found in code and styles, and tests do not count', () => {
    write(
      'src/x.ts',
      `import { a } from '@scope/a/deep';\nimport 'b';\nimport type { T } from "c";\nimport { d } from './d.ts';\nimport 'node:fs';`,
    );
    write('src/y.tsx', `const View = lazy(() => import('e'));\nconst about = import('virtual:about');`);
    write('src/z.css', '@import "f";\n@import "@scope/g/wght.css";');
    write('src/x.test.ts', `import 'vitest';`);
    expect(importedPackages(join(root, 'src'))).toEqual(['@scope/a', '@scope/g', 'b', 'c', 'e', 'f']);
  });
});
