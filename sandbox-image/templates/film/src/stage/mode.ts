const query = new URLSearchParams(window.location.search);

/** Whether a renderer drives the page (`?export`). Only `__exportSeekTo` then changes the time. */
export const exporting = query.has('export');

/** Aspect in which a renderer asks for the film (`?aspect=9:16`); `null` for the film's own. */
export const requestedAspect = query.get('aspect');

/** Whether the film is drawn without its background (`?transparent`), for videos with an alpha channel. */
export const transparent = query.has('transparent');
