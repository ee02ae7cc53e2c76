/** What a frame needs and the page still loads. The daemon sees the page's requests; only the page knows when it can use them. */
export interface PendingLoads {
  /** Call after the page has drawn. Lays it out, because text requests its font only then. */
  any(): boolean;
}

/** Must run before the page's own code. */
export function trackLoads(): PendingLoads {
  let faces = 0;
  const { load } = FontFace.prototype;
  FontFace.prototype.load = function () {
    const loading = load.call(this);
    faces++;
    // The page's own handlers come first, and add the font to the document.
    const done = () => queueMicrotask(() => faces--);
    loading.then(done, done);
    return loading;
  };
  return {
    any: () => {
      document.body?.getBoundingClientRect();
      if (faces > 0 || document.fonts.status === 'loading') return true;
      for (const image of document.images) if (!image.complete && image.loading !== 'lazy') return true;
      return false;
    },
  };
}
