/** Checks that are never possible from outside. */
export const NEVER_CHECKABLE = [
  'service.addresses',
  'versioning.version',
  'versioning.stability',
  'limits.free.perDay',
  'limits.pro',
  'limits.business',
  'limits.enterprise',
  'limits.exceeded.backoff',
  'limits.exceeded.ban',
];

/** Checks that --no-wait skips. */
export const CHECKS_THAT_WAIT = ['limits.exceeded.wait', 'limits.headers.reset.kept'];
