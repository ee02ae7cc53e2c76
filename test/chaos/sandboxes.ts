import { readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const packages = join(import.meta.dirname, '../../node_modules');
const stateSchema = z.object({ projectId: z.string(), pid: z.int().nullable() });

export interface FoundSandbox {
  readonly id: string;
  readonly folder: string;
  /** Owner of the folder; `null` if the folder does not name one. */
  readonly state: z.output<typeof stateSchema> | null;
}

/** Lists the sandboxes on this machine, independently of the server. */
export function findSandboxes(socketsDir: string): FoundSandbox[] {
  return namesOf(socketsDir)
    .filter((name) => name !== 'cache')
    .map((id) => {
      const folder = join(socketsDir, id);
      return { id, folder, state: readState(folder) };
    });
}

/** Sends SIGKILL to a project's sandbox, as the kernel does when memory runs out. */
export function killSandbox(socketsDir: string, projectId: string): void {
  for (const { state } of findSandboxes(socketsDir)) {
    if (state?.projectId === projectId && state.pid !== null) killGroup(state.pid);
  }
}

/** Links this repository's packages into a project's sandbox, which has no copy without containers. */
export function linkPackages(socketsDir: string, projectId: string): void {
  for (const { folder, state } of findSandboxes(socketsDir)) {
    if (state?.projectId !== projectId) continue;
    const place = join(folder, 'workspace/node_modules');
    rmSync(place, { recursive: true, force: true });
    symlinkSync(packages, place);
  }
}

export function markedProcesses(socketsDir: string): { pid: number; sandboxId: string }[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const environment = readOrEmpty(`/proc/${name}/environ`);
    const sandboxId = /(?:^|\0)KODA_SANDBOX_MARK=([^\0]+)/.exec(environment)?.[1];
    return sandboxId !== undefined && environment.includes(socketsDir) ? [{ pid: Number(name), sandboxId }] : [];
  });
}

/** Lists a folder; empty if it does not exist. */
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

/** Kills a process group; does nothing if it is empty. */
export function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** The process has ended, or belongs to another user. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ENOENT', 'ESRCH', 'EACCES', 'ENOTDIR'].includes(String(error.code));
}
