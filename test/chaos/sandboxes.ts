import { readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const packages = join(import.meta.dirname, '../../node_modules');
const stateSchema = z.object({ projectId: z.string(), pid: z.int().nullable() });

export interface FoundSandbox {
  readonly id: string;
  readonly folder: string;
  /** Null: a folder that does not say whose it is. */
  readonly state: z.output<typeof stateSchema> | null;
}

/** The sandboxes as they are on this machine, whatever the server thinks. */
export function findSandboxes(socketsDir: string): FoundSandbox[] {
  return namesOf(socketsDir)
    .filter((name) => name !== 'cache')
    .map((id) => {
      const folder = join(socketsDir, id);
      return { id, folder, state: readState(folder) };
    });
}

/** `kill -9` of a project's sandbox, as the kernel does when memory is short. */
export function killSandbox(socketsDir: string, projectId: string): void {
  for (const { state } of findSandboxes(socketsDir)) {
    if (state?.projectId === projectId && state.pid !== null) killGroup(state.pid);
  }
}

/** Gives a project's sandbox the packages of this repository, which has no copy of its own without containers. */
export function linkPackages(socketsDir: string, projectId: string): void {
  for (const { folder, state } of findSandboxes(socketsDir)) {
    if (state?.projectId !== projectId) continue;
    const place = join(folder, 'workspace/node_modules');
    rmSync(place, { recursive: true, force: true });
    symlinkSync(packages, place);
  }
}

/** Ids of the sandboxes that running processes were started for, by what stands in their environment. */
export function markedProcesses(socketsDir: string): { pid: number; sandboxId: string }[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const environment = readOrEmpty(`/proc/${name}/environ`);
    const sandboxId = /(?:^|\0)KODA_SANDBOX_MARK=([^\0]+)/.exec(environment)?.[1];
    return sandboxId !== undefined && environment.includes(socketsDir) ? [{ pid: Number(name), sandboxId }] : [];
  });
}

/** What is in a folder; nothing when it is not there. */
export function namesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function readState(folder: string): FoundSandbox['state'] {
  const text = readOrEmpty(join(folder, 'state.json'));
  return text === '' ? null : stateSchema.parse(JSON.parse(text));
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return '';
    throw error;
  }
}

/** Ends a process group at once; does nothing when nobody is left in it. */
export function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** It ended or was removed in between, or is somebody else's. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ENOENT', 'ESRCH', 'EACCES', 'ENOTDIR'].includes(String(error.code));
}
