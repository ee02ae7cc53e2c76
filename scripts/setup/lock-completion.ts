/** Subset of an entry in package-lock.json, version 3. */
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

/**
 * Returns the path at which Node resolves `name` for the package at `from`, or `null` if the lock file has no such package.
 */
function locate(lock: Lock, from: string, name: string): string | null {
  for (let folder = from; ; ) {
    const candidate = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (lock.packages[candidate] !== undefined) return candidate;
    if (folder === '') return null;
    const cut = folder.lastIndexOf('node_modules/');
    folder = cut <= 0 ? '' : folder.slice(0, cut - 1);
  }
}

/** Returns the platform in a binary package's name (`…-linux-x64-musl`), as npm's lock files write it. */
export function platformOf(name: string): Pick<LockEntry, 'os' | 'cpu' | 'libc'> {
  const parts = name.split(/[-/]/);
  const system = parts.find((part) => systems.includes(part));
  const processor = parts.some((part) => /^arm-|^armv7|eabi/.test(part))
    ? 'arm'
    : parts.find((part) => processors.includes(part));
  const libc = system === 'linux' ? libcOf(name) : undefined;
  return {
    ...(processor === undefined ? {} : { cpu: [processor] }),
    ...(system === undefined || processor === 'wasm32' ? {} : { os: [system] }),
    ...(libc === undefined ? {} : { libc: [libc] }),
  };
}

function libcOf(name: string): string | undefined {
  if (name.includes('musl')) return 'musl';
  return name.includes('gnu') ? 'glibc' : undefined;
}

/**
 * Returns the optional packages that the lock file lists as dependencies but does not contain, by path. npm omits packages
 * for platforms that its registry does not serve, and `npm ci` then fails on every machine. Throws Error if a dependency has
 * a version range, because its exact version is unknown.
 */
export function missingPackages(lock: Lock): Record<string, LockEntry> {
  const missing: Record<string, LockEntry> = {};
  for (const [path, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (locate(lock, path, name) !== null) continue;
      if (!/^\d/.test(version))
        throw new Error(`${path} depends on ${name}@${version}, and the lock file does not contain its exact version.`);
      // A second version of the same package is nested under its dependant.
      const top = `node_modules/${name}`;
      const target = missing[top] === undefined || missing[top].version === version ? top : `${path}/${top}`;
      missing[target] = { version, ...(entry.dev === true ? { dev: true } : {}), optional: true, ...platformOf(name) };
    }
  }
  return missing;
}

/** Returns the lock file with its missing packages added, in npm's order. */
export function completeLock(lock: Lock): Lock {
  const { '': root, ...others } = { ...lock.packages, ...missingPackages(lock) };
  const sorted = Object.entries(others).sort(([left], [right]) => left.localeCompare(right, 'en'));
  return { ...lock, packages: { ...(root === undefined ? {} : { '': root }), ...Object.fromEntries(sorted) } };
}
