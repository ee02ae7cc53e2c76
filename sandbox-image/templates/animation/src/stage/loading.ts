/**
 * What has to be there before the first frame counts: fonts, images. Components say so while they mount;
 * the stage waits until nothing is left, also of what was added meanwhile.
 */
const pending = new Set<Promise<unknown>>();

/** Keeps the stage from being ready until the promise settles; a rejection makes the page fail to load. */
export function holdReady<T>(promise: Promise<T>): Promise<T> {
  pending.add(promise);
  const done = () => pending.delete(promise);
  promise.then(done, () => undefined);
  return promise;
}

export async function everythingLoaded(): Promise<void> {
  while (pending.size > 0) {
    await Promise.all(pending);
    // Lets components render with what has arrived; they may ask for more.
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

/** An image of the project, decoded, e.g. `/assets/logo.png`. */
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
