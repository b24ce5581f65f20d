/** The pages of the reference. */
export const PAGES = ['/docs', '/docs/errors', '/docs/limits', '/usage', '/docs/changes'];

/** The same pages as Markdown, and what else programs read. */
const DOCUMENTS = [...PAGES.map((path) => `${path}.md`), '/llms.txt', '/llms-full.txt'];

/** Everything that the public listener serves in addition to the API and the package of the client. */
export const FILES = [
  ...PAGES,
  ...DOCUMENTS,
  '/docs/style.css',
  '/docs/reference.js',
  '/docs/search.json',
  '/docs/icon.svg',
  '/openapi.json',
  '/openapi.yaml',
];
