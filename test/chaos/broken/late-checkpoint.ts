// Breaks the store when loaded before the server: a commit's objects reach the repository only after its row.
import childProcess, { type SpawnOptions } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { lateMs } from './late.ts';

const memory = mkdtempSync(join(process.env['KODA_SOCKETS_DIR'] ?? tmpdir(), '..', 'late-'));
const spawn = childProcess.spawn;

/** git writes its objects to a folder of this process and reads existing ones from the repository. */
function lateSpawn(command: string, args: readonly string[], options: SpawnOptions): childProcess.ChildProcess {
  // `command` is the wrapper that limits git, so git is recognised by its environment.
  const repository = options.env?.['GIT_DIR'];
  if (repository === undefined || !basename(repository).endsWith('.git')) return spawn(command, args, options);
  const kept = join(repository, 'objects');
  const late = join(memory, basename(repository));
  mkdirSync(join(late, 'pack'), { recursive: true });
  const env = { ...options.env, GIT_OBJECT_DIRECTORY: late, GIT_ALTERNATE_OBJECT_DIRECTORIES: kept };
  const child = spawn(command, args, { ...options, env });
  child.once('exit', () => {
    setTimeout(() => existsSync(kept) && cpSync(late, kept, { recursive: true, force: false }), lateMs);
  });
  return child;
}

childProcess.spawn = lateSpawn as typeof spawn;
syncBuiltinESMExports();
