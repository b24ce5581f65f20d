/** Words that do not help to find anything. */
export const STOP_WORDS = new Set(
  `
am an and any are as at be been being by can cannot cant did do does doesnt dont find for from get getting has have
how if im in is it just make many me mean my need no not of off on one only or our out over please should so some that the
there this to too us use using want was we what whats when where which who why will with would you your
`
    .trim()
    .split(/\s+/),
);

/**
 * The weight of a word, which is greater if it says more about what a reader looks for. A status says the most. The
 * words `api` and `pet` are in most queries, whatever these are about.
 */
export function weightOf(word: string): number {
  if (['api-', 'pet-'].includes(stemOf(word))) return 0.4;
  return /^[45]\d\d$/.test(word) ? 1.5 : 1;
}

/** Words that APIs use for the same thing, a line for each thing. The names of one section are in its `words`. */
const SYNONYMS = `
add create insert post new save
address url endpoint path route host
again repeat retry resend
authentication authorization auth login signin credential password
ban block blacklist unban unblock
bulk batch multiple
client library sdk package wrapper
compress gzip
console dashboard portal admin
day daily
delete remove destroy erase
deprecate obsolete sunset eol discontinue
duplicate twice double
error failure failed exception problem
example sample demo snippet
expire expiry lifetime ttl
fake mock dummy
get fetch read retrieve show view lookup
https tls ssl certificate cert
image photo picture avatar
integer int int64 bigint long number
key token secret credential
large big huge
left remaining
limit quota throttle cap
list all
malformed syntax parse
log trace debug correlationid
maximum max largest limit
order buy purchase checkout cart
outage down downtime maintenance uptime
page pagination cursor
permission scope role privilege
pet animal
plan tier subscription
price cost pay billing refund
require mandatory
revoke suspend disable deactivate
rotate renew regenerate
schema model
search find filter query
size length long
sort order
staging sandbox test
start begin tutorial quickstart guide
status state availability
support help contact
time date timestamp clock epoch
update edit modify patch put replace rename overwrite upsert
version semver
wait delay backoff
webhook event notify notification callback
`
  .trim()
  .split('\n');

/**
 * The words of a text in lower case. A name is followed by its parts: `X-Request-Id` becomes requestid,
 * request and id.
 */
export function wordsOf(text: string): string[][] {
  return (text.match(/[\p{L}\p{N}_-]*[\p{L}\p{N}]/gu) ?? []).map((name) => {
    const parts = name.split(/^[xX]-|[_-]+|(?<=[a-z])(?=[A-Z])/).filter((part) => part !== '');
    const words = parts.length > 1 ? [parts.join(''), ...parts] : parts;
    return words.map((word) => word.toLowerCase());
  });
}

/** The part that all forms of a word share, such as `retr-` for retry, retries and retrying. */
export function stemOf(word: string): string {
  const stem = word
    .replace(/^([a-z]{3,}?)(?:abil|abl|at(?=[ei])|ed|enc|ent|ing|ion|ity|ment|e|i|s|y)+$/, '$1')
    .replace(/([a-z])\1$/, '$1');
  return `${stem}-`;
}

const SYNONYMS_BY_STEM = Map.groupBy(
  SYNONYMS.flatMap((line) => line.split(' ').map((word) => ({ stem: stemOf(word), line }))),
  ({ stem }) => stem,
);

/** All words with the same meaning, including the word itself. */
export function synonymsOf(word: string): string[] {
  const groups = SYNONYMS_BY_STEM.get(stemOf(word)) ?? [];
  return groups.flatMap(({ line }) => line.split(' '));
}

/** True if up to `edits` letters were added, dropped, replaced or swapped. */
export function isNear(a: string, b: string, edits: number): boolean {
  if (a === b) return true;
  const [x, y] = [a.slice(1), b.slice(1)];
  if (a[0] === b[0]) return isNear(x, y, edits);
  if (edits === 0) return false;
  const swapped = a.slice(1, 2) + a.slice(0, 1) + a.slice(2);
  const ways = [
    [x, b],
    [a, y],
    [x, y],
    [swapped, b],
  ] as const;
  return ways.some(([a, b]) => isNear(a, b, edits - 1));
}
