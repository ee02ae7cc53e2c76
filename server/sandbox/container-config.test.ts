import { describe, expect, it } from 'vitest';
import { cacheLabelsOf, containerConfig, labelsOf } from './container-config.ts';

const spec = {
  sandboxId: 'sbx_0123456789abcdefghjk',
  projectId: 'prj_0123456789abcdefghjk',
  token: 't'.repeat(64),
  memoryBytes: 512 * 1024 ** 2,
  cpus: 1.5,
  diskBytes: 1024 ** 3,
};
const labels = labelsOf('test', spec, Date.UTC(2026, 0, 1));
const inFolder = containerConfig(
  { instance: 'test', image: 'image', openFiles: 'koda', sockets: { hostFolder: '/sockets' } },
  spec,
  labels,
);
const inVolume = containerConfig(
  { instance: 'test', image: 'image', openFiles: 'koda', sockets: { volume: 'sockets' } },
  spec,
  labels,
);

describe('containerConfig', () => {
  it('X3: grants no network, capabilities or new privileges, and a read-only root', () => {
    expect(inFolder.HostConfig).toMatchObject({
      NetworkMode: 'none',
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges:true'],
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
