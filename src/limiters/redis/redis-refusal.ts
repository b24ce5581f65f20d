/** The meaning of errors. A mistake is one that only the operator can correct. */
const MEANINGS: readonly (readonly [words: RegExp, meaning: string, kind?: 'mistake'])[] = [
  [/\bWRONGPASS\b/, 'Redis refused the user or the password of REDIS_URL', 'mistake'],
  [/\bNOAUTH\b/, 'Redis requires a password, and REDIS_URL has none', 'mistake'],
  [/without any password configured/, 'REDIS_URL has a password, and Redis has none', 'mistake'],
  [/\bNOPERM\b/, 'The user of REDIS_URL may not run the script of the limiter', 'mistake'],
  [/DB index is out of range/, 'Redis does not have the database of REDIS_URL', 'mistake'],
  [/cluster support disabled/, 'Redis is not a node of a cluster: use redis://', 'mistake'],
  [/No such master/, 'The Sentinels do not know the master of REDIS_URL', 'mistake'],
  [/unknown command '?SENTINEL/, 'The hosts of REDIS_URL are not Sentinels', 'mistake'],
  [/\b(MOVED|ASK) \d/, 'Redis is a node of a cluster: use redis+cluster://', 'mistake'],
  [/\bREADONLY\b/, 'Redis is a replica and accepts no writes'],
  [/\bMASTERDOWN\b/, 'Redis is a replica that lost its master'],
  [/\bLOADING\b/, 'Redis is still loading its data'],
  [/\bOOM\b/, 'Redis has no memory left (maxmemory)'],
  [/\bMISCONF\b/, 'Redis accepts no writes because it cannot save its data'],
  [/\bNOREPLICAS\b/, 'Redis accepts no writes because it has too few replicas'],
  [/\bCLUSTERDOWN\b/, 'A part of the Redis cluster is down'],
  [/max number of clients/, 'Redis has too many connections (maxclients)'],
  [
    /SELF_SIGNED_CERT|UNABLE_TO_(VERIFY|GET_ISSUER)|CERT_UNTRUSTED/,
    'The certificate of Redis is not trusted: if your own authority signed it, set ' +
      'NODE_EXTRA_CA_CERTS to the file with the certificate of that authority',
    'mistake',
  ],
  [/ERR_TLS_CERT_ALTNAME/, 'The certificate of Redis is for another host', 'mistake'],
  [/CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/, 'The certificate of Redis is not valid today'],
  [/\bDENIED\b/, 'Redis accepts connections only from its own machine (protected mode)', 'mistake'],
];

/** An error response of Redis, or a certificate that cannot be used, with its meaning. */
export class RedisRefusal extends Error {
  override readonly name = 'RedisRefusal';
  /** Only the operator can correct it. */
  readonly isMistake: boolean;

  constructor(meaning: string, { isMistake, cause }: { isMistake: boolean; cause?: Error }) {
    super(cause === undefined ? meaning : `${meaning} (${firstWords(cause.message)})`, {
      cause,
    });
    this.isMistake = isMistake;
  }
}

/** Other errors stay as they are. */
export function explained(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof RedisRefusal) return error;
  const { code = '' } = error as { code?: string };
  const found = MEANINGS.find(([words]) => words.test(`${code} ${error.message}`));
  if (found === undefined) return error;
  return new RedisRefusal(found[1], { isMistake: found[2] === 'mistake', cause: error });
}

/** Of several servers that failed, one that says what to correct, rather than one that is away. */
export function mostTelling(errors: readonly unknown[]): unknown {
  return errors.find((error) => error instanceof RedisRefusal) ?? errors[0];
}

function firstWords(text: string): string {
  return text.split(/[.,](?:\s|$)/)[0] ?? text;
}
