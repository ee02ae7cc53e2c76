/** The parts of a package-lock.json (version 3) that matter here. */
export type LockEntry = {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
};
export type Lock = { packages: Record<string, LockEntry> };

const systems = ['aix', 'android', 'cygwin', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

/** Where Node would find `name` for the package at `from`; null when the lock has no such package. */
function locate(lock: Lock, from: string, name: string): string | null {
  for (let folder = from; ; ) {
    const candidate = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (lock.packages[candidate] !== undefined) return candidate;
    if (folder === '') return null;
    const cut = folder.lastIndexOf('node_modules/');
    folder = cut <= 0 ? '' : folder.slice(0, cut - 1);
  }
}

/** The platform that a binary package's name speaks of (`…-linux-x64-musl`), as npm notes it in a lock file. */
export function platformOf(name: string): Pick<LockEntry, 'os' | 'cpu' | 'libc'> {
  const parts = name.split(/[-/]/);
  const system = parts.find((part) => systems.includes(part));
  const processor = parts.some((part) => /^arm-|^armv7|eabi/.test(part))
    ? 'arm'
    : parts.find((part) => processors.includes(part));
  const libc = system !== 'linux' ? undefined : /musl/.test(name) ? 'musl' : /gnu/.test(name) ? 'glibc' : undefined;
  return {
    ...(processor === undefined ? {} : { cpu: [processor] }),
    ...(system === undefined || processor === 'wasm32' ? {} : { os: [system] }),
    ...(libc === undefined ? {} : { libc: [libc] }),
  };
}

/**
 * The optional packages of other platforms that the lock names as dependencies but does not hold. A registry that
 * serves only some platforms makes npm leave them out of the lock, and then `npm ci` refuses that lock everywhere.
 * Throws when one is asked for by a range: its exact version cannot be known.
 */
export function missingOptional(lock: Lock): Record<string, LockEntry> {
  const missing: Record<string, LockEntry> = {};
  for (const [path, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (locate(lock, path, name) !== null) continue;
      if (!/^\d/.test(version))
        throw new Error(`${path} asks for ${name}@${version}, and the lock does not say which version that is.`);
      // A second version of the same package stands beside the one that needs it.
      const top = `node_modules/${name}`;
      const place = missing[top] === undefined || missing[top].version === version ? top : `${path}/${top}`;
      missing[place] = { version, ...(entry.dev === true ? { dev: true } : {}), optional: true, ...platformOf(name) };
    }
  }
  return missing;
}

/** The lock with those packages, in npm's order. */
export function completed(lock: Lock): Lock {
  const { '': root, ...others } = { ...lock.packages, ...missingOptional(lock) };
  const sorted = Object.entries(others).sort(([left], [right]) => left.localeCompare(right, 'en'));
  return { ...lock, packages: { ...(root === undefined ? {} : { '': root }), ...Object.fromEntries(sorted) } };
}
