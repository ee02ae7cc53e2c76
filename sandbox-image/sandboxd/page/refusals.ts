/**
 * Reports what the film's time cannot drive, so that the check names it. It still works, because a film may use it without
 * showing it.
 */
export function reportUncontrolled(): void {
  const reported = new Set<string>();
  const report = (what: string, why: string, remedy: string) => {
    if (reported.has(what)) return;
    reported.add(what);
    // The end of the middle sentence is `mayDiffer` in the protocol, which cannot be imported because of zod.
    console.error(`The page ${what}. ${why}, so two renders may differ. ${remedy}`);
  };
  const ownClock = 'It has a clock and random numbers of its own';
  const remedies = {
    Worker: ['a Worker', 'Do its work in the page.'],
    SharedWorker: ['a SharedWorker', 'Do its work in the page.'],
    AudioContext: ['an AudioContext', 'Use OfflineAudioContext, or compute the values beforehand.'],
  } as const;
  for (const [name, [what, remedy]] of Object.entries(remedies)) {
    const original: unknown = Reflect.get(window, name);
    if (typeof original !== 'function') continue;
    const construct = (target: object, args: unknown[], newTarget: object) => {
      report(`starts ${what}`, ownClock, remedy);
      return Reflect.construct(target as typeof Function, args, newTarget as typeof Function);
    };
    Reflect.set(window, name, new Proxy(original, { construct }));
  }
  document.addEventListener(
    'play',
    ({ target }) => {
      if (!(target instanceof HTMLVideoElement)) return;
      report(
        'plays a video',
        'Its pictures follow the real clock',
        'Use pictures, or draw the motion as a function of the time.',
      );
    },
    true,
  );
  // Pages without a secure origin have no such keys.
  if (!('SubtleCrypto' in window)) return;
  const { generateKey } = SubtleCrypto.prototype;
  Object.assign(SubtleCrypto.prototype, {
    generateKey(this: SubtleCrypto, ...args: unknown[]) {
      report('generates a key', 'A key is random', 'Use a constant.');
      return Reflect.apply(generateKey, this, args);
    },
  });
}
