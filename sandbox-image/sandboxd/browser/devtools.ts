/** Loads the DevTools client with the first browser. It would double the daemon's startup time, and few sandboxes need it. */
export const devTools = () => import('puppeteer-core');
