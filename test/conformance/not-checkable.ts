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

/** Checks that the reference server does not allow. */
export const ALWAYS_NOT_CHECKABLE = [
  ...NEVER_CHECKABLE,
  'getPet.removed',
  'errors.429.body',
  'versioning.deprecation',
];
