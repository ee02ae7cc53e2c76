/**
 * Fonts and images required for the first frame. Components register them while they mount, and the stage waits until none is
 * pending, including those registered in the meantime.
 */
const pending = new Set<Promise<unknown>>();

/** Delays readiness until the promise settles. A rejection makes the page fail to load. */
export function holdReady<T>(promise: Promise<T>): Promise<T> {
  pending.add(promise);
  const done = () => pending.delete(promise);
  promise.then(done, () => undefined);
  return promise;
}

export async function everythingLoaded(): Promise<void> {
  while (pending.size > 0) {
    await Promise.all(pending);
    // Lets components rerender with the loaded data, which may register more.
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

export async function loadImage(src: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = src.startsWith('/') ? `.${src}` : src;
  try {
    await image.decode();
  } catch {
    throw new Error(`The image ${src} could not be loaded. Is the file in public${src}?`);
  }
  return image;
}
