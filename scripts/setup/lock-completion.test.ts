import { describe, expect, it } from 'vitest';
import { completeLock, type Lock, missingPackages, platformOf } from './lock-completion.ts';

const lock: Lock = {
  packages: {
    '': {},
    'node_modules/tool': {
      version: '2.0.0',
      dev: true,
      optionalDependencies: {
        '@tool/cli-linux-x64': '2.0.0',
        '@tool/cli-linux-x64-musl': '2.0.0',
        '@tool/cli-darwin-arm64': '2.0.0',
      },
    },
    'node_modules/@tool/cli-linux-x64': { version: '2.0.0', dev: true, optional: true },
  },
};

describe('platformOf', () => {
  it.each([
    ['@tool/cli-darwin-arm64', { cpu: ['arm64'], os: ['darwin'] }],
    ['@tool/cli-linux-x64-musl', { cpu: ['x64'], os: ['linux'], libc: ['musl'] }],
    ['@tool/oxide-linux-arm-gnueabihf', { cpu: ['arm'], os: ['linux'], libc: ['glibc'] }],
    ['@tool/win32-ia32-msvc', { cpu: ['ia32'], os: ['win32'] }],
    ['@tool/oxide-wasm32-wasi', { cpu: ['wasm32'] }],
    ['fsevents', {}],
  ])('reads %s', (name, platform) => {
    expect(platformOf(name)).toEqual(platform);
  });
});

describe('missingPackages', () => {
  it('returns optional dependencies that the lock file does not contain', () => {
    expect(missingPackages(lock)).toEqual({
      'node_modules/@tool/cli-darwin-arm64': { version: '2.0.0', dev: true, optional: true, cpu: ['arm64'], os: ['darwin'] },
      'node_modules/@tool/cli-linux-x64-musl': {
        version: '2.0.0',
        dev: true,
        optional: true,
        cpu: ['x64'],
        os: ['linux'],
        libc: ['musl'],
      },
    });
  });

  it('finds a package that is nested under its dependant', () => {
    const nested: Lock = {
      packages: {
        'node_modules/a': { version: '1.0.0', optionalDependencies: { 'a-linux-x64': '1.0.0' } },
        'node_modules/a/node_modules/a-linux-x64': { version: '1.0.0', optional: true },
      },
    };
    expect(missingPackages(nested)).toEqual({});
  });

  it('nests a second version instead of overwriting the first', () => {
    const two: Lock = {
      packages: {
        'node_modules/a': { version: '1.0.0', optionalDependencies: { 'a-darwin-x64': '1.0.0' } },
        'node_modules/b/node_modules/a': { version: '2.0.0', optionalDependencies: { 'a-darwin-x64': '2.0.0' } },
      },
    };
    expect(Object.entries(missingPackages(two)).map(([path, entry]) => [path, entry.version])).toEqual([
      ['node_modules/a-darwin-x64', '1.0.0'],
      ['node_modules/b/node_modules/a/node_modules/a-darwin-x64', '2.0.0'],
    ]);
  });

  it('throws for a version range', () => {
    expect(() => missingPackages({ packages: { 'node_modules/a': { optionalDependencies: { b: '^1.0.0' } } } })).toThrow(
      /b@\^1\.0\.0/,
    );
  });
});

describe('completeLock', () => {
  it('adds all missing packages in npm’s order', () => {
    const whole = completeLock(lock);
    expect(missingPackages(whole)).toEqual({});
    expect(Object.keys(whole.packages)).toEqual([
      '',
      'node_modules/@tool/cli-darwin-arm64',
      'node_modules/@tool/cli-linux-x64',
      'node_modules/@tool/cli-linux-x64-musl',
      'node_modules/tool',
    ]);
  });
});
