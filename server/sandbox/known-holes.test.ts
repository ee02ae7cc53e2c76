import { describe, expect, it } from 'vitest';
import { engineWarnings, knownHoles, knownHolesAsOf, versionsOf } from './known-holes.ts';

const current = { engine: '29.5.1', runc: '1.4.1', kernel: '7.1.2' };
const idsFor = (versions: Partial<typeof current>) =>
  engineWarnings({ ...current, ...versions }).map((text) => /(CVE-[\d-]+|loopback ports)/.exec(text)?.[0]);

describe('engineWarnings', () => {
  it('H4: has nothing to say about current versions, nor about unknown ones', () => {
    expect(engineWarnings(current)).toEqual([]);
    expect(engineWarnings({ engine: 'dev', runc: null, kernel: null })).toEqual([]);
  });

  it("H4: names the holes of Debian's packages, and that the distribution may have fixed them", () => {
    const warnings = engineWarnings({ engine: '26.1.5+dfsg1', runc: '1.1.5+ds1', kernel: '6.1.0-18-amd64' });
    expect(warnings).toHaveLength(knownHoles.length - 1);
    expect(warnings.every((text) => text.includes('Your distribution may have fixed it'))).toBe(true);
    expect(warnings[0]).toBe(
      'Docker Engine 26.1.5+dfsg1, loopback ports: computers on the same network can reach ports that are published on 127.0.0.1 only. Fixed in 28.0.0. Your distribution may have fixed it in this version.',
    );
    // Holes that Koda closes itself come last.
    expect(warnings.at(-1)).toContain('seccomp profile');
  });

  it('H4: compares a version with the fix of its own branch', () => {
    expect(idsFor({ runc: '1.1.11' })).toEqual(['CVE-2025-31133', 'CVE-2024-21626']);
    expect(idsFor({ runc: '1.1.15' })).toEqual(['CVE-2025-31133']);
    expect(idsFor({ runc: '1.2.7' })).toEqual(['CVE-2025-31133']);
    expect(idsFor({ runc: '1.2.8' })).toEqual([]);
    expect(idsFor({ runc: '1.3.2' })).toEqual(['CVE-2025-31133']);
    expect(idsFor({ runc: '1.4.0-rc.2' })).toEqual(['CVE-2025-31133']);
    expect(idsFor({ runc: '1.4.0-rc.3' })).toEqual([]);
    expect(idsFor({ runc: '1.4.0' })).toEqual([]);
    expect(idsFor({ kernel: '6.18.21' })).toEqual(['CVE-2026-31431', 'CVE-2026-43284', 'CVE-2026-43500']);
    expect(idsFor({ kernel: '6.18.44-fc-v669' })).toEqual([]);
    expect(idsFor({ kernel: '6.17.9' })).toEqual(['CVE-2026-31431', 'CVE-2026-43284', 'CVE-2026-43500']);
    expect(idsFor({ kernel: '4.10' })).toEqual([]);
    expect(idsFor({ engine: '28.1.0' })).toEqual(['CVE-2026-41567']);
    expect(idsFor({ engine: '28.2.2' })).toEqual(['CVE-2025-54388', 'CVE-2026-41567']);
  });

  it('H4: says nothing about distributions if the version is from upstream', () => {
    expect(engineWarnings({ ...current, engine: '27.5.1' }).join()).not.toContain('distribution');
  });

  it('H4: the list is dated, and every entry can be compared', () => {
    for (const { published, fixed } of knownHoles) {
      expect(published <= knownHolesAsOf).toBe(true);
      expect(fixed.every((version) => /^\d+\.\d+/.test(version))).toBe(true);
    }
  });
});

describe('versionsOf', () => {
  it("H4: reads runc and the kernel from the engine's answer", () => {
    const answer = {
      Version: '26.1.5+dfsg1',
      KernelVersion: '6.18.44',
      Components: [
        { Name: 'Engine', Version: '26.1.5+dfsg1' },
        { Name: 'runc', Version: '1.1.5+ds1', Details: { GitCommit: 'x' } },
      ],
    };
    expect(versionsOf(answer)).toEqual({ engine: '26.1.5+dfsg1', runc: '1.1.5+ds1', kernel: '6.18.44' });
    expect(versionsOf({ Version: '29.0.0' })).toEqual({ engine: '29.0.0', runc: null, kernel: null });
  });
});
