/** Where the pages about the API are, on the public listener. */
export const REFERENCE_PAGE = '/docs';
export const ERRORS_PAGE = '/docs/errors';
export const LIMITS_PAGE = '/docs/limits';
export const CHANGES_PAGE = '/docs/changes';
export const STYLE_SHEET = '/docs/style.css';
export const SCRIPT = '/docs/reference.js';
export const SEARCH_INDEX = '/docs/search.json';
export const SEARCH_SCRIPT = '/docs/search.js';
export const ICON = '/docs/icon.svg';
export const DOCUMENT = '/openapi.json';
export const YAML_DOCUMENT = '/openapi.yaml';
