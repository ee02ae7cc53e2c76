/** The DevTools protocol's client. Loaded with the first browser: half of a daemon's start would be that, and few need one. */
export const devTools = () => import('puppeteer-core');
