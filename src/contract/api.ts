import { DAY_MS } from '#domain/durations.ts';

export const API_VERSION = '1.0.0';
export const API_PREFIX = '/v1';

export const MAX_BODY_BYTES = 64 * 1024;
/** The number of members and elements that a JSON body may have, counted at every depth. */
export const MAX_BODY_VALUES = 400;
/**
 * The number of pieces in which a body may arrive: chunks, or packets that arrive one by one. Each packet takes up to
 * half as much time as a getPet. A pet arrives in a few pieces, and a body of 64 KiB in about 50 on a slow
 * network.
 */
export const MAX_BODY_PIECES = 80;
export const BODY_DEADLINE_SECONDS = 30;

/** The paths of the pages about the API, on the public listener. */
export const REFERENCE_PAGE = '/docs';
export const ERRORS_PAGE = '/docs/errors';
export const LIMITS_PAGE = '/docs/limits';
export const CHANGES_PAGE = '/docs/changes';
/** A page on which callers see the limits and the requests of their key. As JSON, it is data for programs. */
export const USAGE_PAGE = '/usage';
export const STYLE_SHEET = '/docs/style.css';
export const SCRIPT = '/docs/reference.js';
export const SEARCH_INDEX = '/docs/search.json';
export const ICON = '/docs/icon.svg';
export const DOCUMENT = '/openapi.json';
export const YAML_DOCUMENT = '/openapi.yaml';
/** Text for programs: an overview with links, and all pages. */
export const OVERVIEW = '/llms.txt';
export const FULL_TEXT = '/llms-full.txt';
/** The npm package of the client. */
export const CLIENT = '/client.tgz';

export type Deprecation = typeof GET_PET_DEPRECATION;

export const GET_PET_DEPRECATION = {
  deprecatedAt: new Date('2026-11-14T00:00:00Z'),
  removedAt: new Date('2030-12-05T00:00:00Z'),
  successor: 'listPets',
  /** Says what replaces the operation, in complete sentences with `code`. */
  advice:
    `Use \`GET ${API_PREFIX}/pets\` with the \`status\` filter. To read one pet, use ` +
    '`after={petId - 1}&limit=1` and compare the id: if no pet has this id, the response has the next pet.',
} as const;

/** Returns the number of days left, rounded up, or 0 once the time has passed. */
export function daysUntil(atMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((atMs - nowMs) / DAY_MS));
}
