export const API_VERSION = '1.0.0';
export const API_PREFIX = '/v1';

export const MAX_BODY_BYTES = 64 * 1024;
export const BODY_DEADLINE_SECONDS = 30;
