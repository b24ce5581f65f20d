/** Checks that only staging allows. */
export const NEEDS_STAGING = [
  'getPet.untilRemoval',
  'limits.free.perDay',
  'limits.exceeded.wait.day',
  'limits.exceeded.backoff',
  'limits.exceeded.ban',
  'limits.exceeded.ban.end',
  'limits.pro',
  'limits.business',
  'limits.enterprise',
];

/** The check that needs the address of a second deployment. */
export const NEEDS_OTHER_ADDRESS = ['service.addresses'];

/** Checks that --no-wait skips, except on staging. */
export const CHECKS_THAT_WAIT = ['limits.exceeded.wait', 'limits.headers.reset.kept'];

/** Checks that the reference server does not allow, not even as staging. */
export const NOT_CHECKABLE_ON_STAGING = [
  ...NEEDS_OTHER_ADDRESS,
  'errors.429.body',
  'versioning.deprecation',
];

/** Checks that the reference server does not allow. */
export const ALWAYS_NOT_CHECKABLE = [
  ...NOT_CHECKABLE_ON_STAGING,
  ...NEEDS_STAGING,
  'versioning.version',
  'versioning.stability',
  'getPet.removed',
];
