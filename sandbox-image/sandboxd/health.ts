import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Health, protocolVersion } from '#contract/sandbox/answers.ts';
import { errnoOf } from './http.ts';

/** cgroup v1 represents "no limit" by a number just below 2^63. */
const unlimitedBytes = 2 ** 62;

/** Returns the protocol's version, the daemon's uptime, and the sandbox's memory usage. */
export async function readHealth(workspace: string): Promise<Health> {
  const memory = (await readMemoryV2()) ?? (await readMemoryV1());
  return {
    version: protocolVersion,
    uptimeMs: Math.round(process.uptime() * 1000),
    workspaceReady: (await lstat(join(workspace, 'node_modules')).catch(missingAsNull)) !== null,
    memoryBytes: memory?.usedBytes ?? null,
    oomKills: memory?.oomKills ?? null,
  };
}

interface Memory {
  readonly usedBytes: number;
  readonly oomKills: number;
}

/** Returns `null` if there is no memory limit, because the numbers would be the whole machine's. */
async function readMemoryV2(): Promise<Memory | null> {
  const limit = await readOrNull('/sys/fs/cgroup/memory.max');
  const used = await readOrNull('/sys/fs/cgroup/memory.current');
  const events = await readOrNull('/sys/fs/cgroup/memory.events');
  if (limit === null || used === null || limit.trim() === 'max') return null;
  return { usedBytes: Number(used), oomKills: counter(events ?? '', 'oom_kill') };
}

async function readMemoryV1(): Promise<Memory | null> {
  const limit = await readOrNull('/sys/fs/cgroup/memory/memory.limit_in_bytes');
  const used = await readOrNull('/sys/fs/cgroup/memory/memory.usage_in_bytes');
  const control = await readOrNull('/sys/fs/cgroup/memory/memory.oom_control');
  if (limit === null || used === null || Number(limit) >= unlimitedBytes) return null;
  return { usedBytes: Number(used), oomKills: counter(control ?? '', 'oom_kill') };
}

function counter(text: string, name: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
  return line ? Number(line.slice(name.length + 1)) : 0;
}

async function readOrNull(path: string): Promise<string | null> {
  return await readFile(path, 'utf8').catch(missingAsNull);
}

function missingAsNull(error: unknown): null {
  const code = errnoOf(error);
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return null;
  throw error;
}
