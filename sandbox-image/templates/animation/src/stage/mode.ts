const query = new URLSearchParams(window.location.search);

/** True when a renderer drives the page (`?export`): nothing moves but by `__exportSeekTo`. */
export const exporting = query.has('export');

/** True when the film is drawn without its background (`?transparent`), for videos with an alpha channel. */
export const transparent = query.has('transparent');
