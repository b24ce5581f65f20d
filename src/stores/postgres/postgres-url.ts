import { isServerUrl } from '#formats/server-url.ts';

/** The part before the hosts, the hosts, and the part after them. A password may have a comma, and even an `@`. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^@/?#]*)([^#]*)$/;
const WITHOUT_NAME = /^(:|$)/;

/** In libpq, this parameter chooses the server. The service always uses the server that accepts writes. */
const ATTRIBUTE = 'target_session_attrs';
const READ_WRITE = 'read-write';

export const POSTGRES_URL = 'postgres://user@host,host/database';

export function isPostgresUrl(text: string): boolean {
  return PARTS.test(text);
}

/** Says what is wrong with the URL, in words that follow the name of the setting. Never quotes the URL. */
export function postgresUrlProblem(text: string): string | undefined {
  const { hosts, urls } = parse(text);
  if (hosts.some((host) => WITHOUT_NAME.test(host))) {
    return `must name each host, as in ${POSTGRES_URL}`;
  }
  if (!urls.every((url) => isServerUrl(url, PARTS) && new URL(url).port !== '0')) {
    return 'must have ports from 1 to 65535, and a percent-encoded user and password';
  }
  const attribute = new URL(urls[0] as string).searchParams.get(ATTRIBUTE) ?? READ_WRITE;
  if ([READ_WRITE, 'primary'].includes(attribute)) return undefined;
  return `must have ${ATTRIBUTE}=${READ_WRITE} or primary, or leave it out`;
}

/** One URL for each host, because the driver accepts only one host. */
export function hostUrls(text: string): string[] {
  return parse(text).urls.map((each) => {
    const url = new URL(each);
    url.searchParams.delete(ATTRIBUTE);
    return url.href;
  });
}

/**
 * The URL in a form that may be shown to the operator, with all hosts. The tools of PostgreSQL accept this form,
 * without `prepare`, which they do not know. They must be told to choose the primary among several hosts.
 */
export function withoutPassword(text: string): string {
  const { hosts, urls } = parse(text);
  const shown = new URL(urls[0] as string);
  shown.password = '';
  shown.searchParams.delete('password');
  shown.searchParams.delete('prepare');
  if (hosts.length > 1) shown.searchParams.set(ATTRIBUTE, READ_WRITE);
  return shown.href.replace(PARTS, `$1${hosts}$3`);
}

function parse(text: string) {
  const [, before = '', list = '', after = ''] = PARTS.exec(text) ?? [];
  const hosts = list.split(',');
  return { hosts, urls: hosts.map((host) => before + host + after) };
}
