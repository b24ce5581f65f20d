/** The pages of the reference. */
export const PAGES = ['/docs', '/docs/errors', '/docs/limits', '/docs/changes'];

/** Everything that the public listener serves in addition to the API and the package of the client. */
export const FILES = [
  ...PAGES,
  '/docs/style.css',
  '/docs/reference.js',
  '/docs/search.js',
  '/docs/search.json',
  '/docs/icon.svg',
  '/openapi.json',
  '/openapi.yaml',
];
