import { describe, expect, it } from 'vitest';
import { type ContainerTemplate, cacheLabelsOf, containerConfig, labelsOf } from './container-config.ts';
import profile from './seccomp.json' with { type: 'json' };

const spec = {
  sandboxId: 'sbx_0123456789abcdefghjk',
  projectId: 'prj_0123456789abcdefghjk',
  token: 't'.repeat(64),
  memoryBytes: 512 * 1024 ** 2,
  cpus: 1.5,
  diskBytes: 1024 ** 3,
};
const labels = labelsOf('test', spec, Date.UTC(2026, 0, 1));
const template: ContainerTemplate = {
  instance: 'test',
  image: 'image',
  openFiles: 'koda',
  runtime: null,
  sockets: { hostFolder: '/sockets' },
};
const inFolder = containerConfig(template, spec, labels);
const inVolume = containerConfig({ ...template, sockets: { volume: 'sockets' } }, spec, labels);

describe('containerConfig', () => {
  it('X3: grants no network, capabilities or new privileges, and a read-only root', () => {
    expect(inFolder.HostConfig).toMatchObject({
      NetworkMode: 'none',
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges:true', `seccomp=${JSON.stringify(profile)}`],
      ReadonlyRootfs: true,
      Privileged: false,
    });
    expect(inFolder.HostConfig).not.toHaveProperty('CapAdd');
    expect(inFolder.HostConfig).not.toHaveProperty('Binds');
    expect(inFolder.HostConfig).not.toHaveProperty('Devices');
    expect(inFolder.User).toBe('1000:1000');
  });

  it('limits memory, CPUs, processes and files, and disables swap', () => {
    expect(inFolder.HostConfig).toMatchObject({
      Memory: 536_870_912,
      MemorySwap: 536_870_912,
      NanoCpus: 1_500_000_000,
      PidsLimit: 1024,
    });
  });

  it('H7: gives a sandbox an eighth of the CPU shares of the app, and makes it the first to end without memory', () => {
    expect(inFolder.HostConfig).toMatchObject({ CpuShares: 256, OomScoreAdj: 900 });
  });

  it('H4: passes on a runtime only if one is set', () => {
    expect(inFolder.HostConfig).not.toHaveProperty('Runtime');
    expect(containerConfig({ ...template, runtime: 'runsc' }, spec, labels).HostConfig?.Runtime).toBe('runsc');
  });

  it('H4: the seccomp profile is an allow-list of 64-bit calls, without those that reach into the kernel or other processes', () => {
    expect(profile).toMatchObject({ defaultAction: 'SCMP_ACT_ERRNO', defaultErrnoRet: 1 });
    expect(profile.archMap.flatMap(({ subArchitectures }) => subArchitectures)).toEqual([]);
    const rules = profile.syscalls;
    const unconditional = new Set(rules.filter((rule) => !('args' in rule)).flatMap(({ names }) => names));
    expect([...unconditional].filter((name) => rules.some((rule) => 'args' in rule && rule.names.includes(name)))).toEqual([]);
    const allowed = new Set(rules.flatMap(({ names, action }) => (action === 'SCMP_ACT_ALLOW' ? names : [])));
    const refused = [
      'bpf',
      'clone3',
      'keyctl',
      'mount',
      'perf_event_open',
      'ptrace',
      'setns',
      'unshare',
      'userfaultfd',
      'vmsplice',
    ];
    expect([...allowed].filter((name) => refused.includes(name) || name.startsWith('io_uring') || name === 'socketcall')).toEqual(
      [],
    );
    const families = rules
      .filter(({ names }) => names.includes('socket'))
      .map((rule) => ('args' in rule ? rule.args?.[0] : null));
    expect(new Set(families.map((argument) => argument?.value))).toEqual(new Set([1, 2, 10, 16]));
    expect(families.every((argument) => argument?.index === 0 && argument.op === 'SCMP_CMP_EQ')).toBe(true);
  });

  it("mounts only the workspace, the project's cache and the socket folder", () => {
    const targets = (config: typeof inFolder) =>
      config.HostConfig?.Mounts?.map(({ Type, Source, Target }) => [Type, Source, Target]);
    expect(targets(inFolder)).toEqual([
      ['volume', `koda-test-${spec.sandboxId}`, '/workspace'],
      ['volume', `koda-test-cache-${spec.projectId}`, '/cache'],
      ['bind', `/sockets/${spec.sandboxId}`, '/run/koda'],
    ]);
    expect(targets(inVolume)).toEqual([...(targets(inFolder)?.slice(0, 2) ?? []), ['volume', 'sockets', '/run/koda']]);
    expect(inVolume.HostConfig?.Mounts?.[2]?.VolumeOptions).toMatchObject({ Subpath: spec.sandboxId });
  });

  it('labels containers and caches of this instance', () => {
    expect(inFolder.Labels).toMatchObject({
      'koda.instance': 'test',
      'koda.project': spec.projectId,
      'koda.sandbox': spec.sandboxId,
    });
    expect(cacheLabelsOf('test', spec.projectId)).toEqual({
      'koda.instance': 'test',
      'koda.project': spec.projectId,
      'koda.cache': '1',
    });
  });
});
