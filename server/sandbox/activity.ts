import { type SandboxCall, sandboxCalls } from '../contract/sandbox-calls.ts';
import type { Sandbox } from './sandbox.ts';

const work: ReadonlySet<string | symbol> = new Set(
  Object.entries<SandboxCall>(sandboxCalls).flatMap(([name, { isWork }]) => (isWork ? [name] : [])),
);

/** The same sandbox, telling when work begins; what `begin` returns is called when that work is over. */
export function observed(sandbox: Sandbox, begin: () => () => void): Sandbox {
  return new Proxy(sandbox, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      const call = (...args: unknown[]): unknown => Reflect.apply(member, target, args);
      return work.has(name) ? (...args: unknown[]) => during(begin, () => call(...args)) : call;
    },
  });
}

function during(begin: () => () => void, call: () => unknown): unknown {
  const result = call();
  if (result instanceof Promise) return result.finally(begin());
  // A stream works from its first step to its last, not from when it was made.
  return isIterable(result) ? iterate(begin, result) : result;
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

async function* iterate(begin: () => () => void, values: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  const end = begin();
  try {
    yield* values;
  } finally {
    end();
  }
}
