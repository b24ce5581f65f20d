/** Where the pages about the API are, on the public listener. */
export const REFERENCE_PAGE = '/docs';
export const ERRORS_PAGE = '/docs/errors';
export const LIMITS_PAGE = '/docs/limits';
export const STYLE_SHEET = '/docs/style.css';
export const SCRIPT = '/docs/try-it.js';
export const DOCUMENT = '/openapi.json';
