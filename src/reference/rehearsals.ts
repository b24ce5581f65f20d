import type { SIMULATED_ERRORS } from '../domain/staging.ts';

/** For the reference pages of a staging deployment. docs/staging.md has the same texts. */

/** The names that may follow a test key and `~`, and what the client then sees. */
export const SIMULATIONS: Readonly<Record<(typeof SIMULATED_ERRORS)[number], string>> &
  Readonly<Record<string, string>> = {
  rate_limit_minute: '429, with the seconds to the end of the minute in `Retry-After`',
  rate_limit_day: '429, with the seconds to midnight UTC in `Retry-After`',
  api_key_banned: '429, as in the first second of a ban: `Retry-After: 300`',
  expired_api_key: '401, as after the expiry of the key',
  revoked_api_key: '401, as after the operator revoked the key',
  service_unavailable: '503 with `Retry-After: 1`; no pet is added',
  internal_error: '500; no pet is added',
  operation_removed: '410 from getPet, as after its removal; the other operations work',
  'slow-2s': 'the usual response, two seconds later; up to `slow-10s`',
  drop: 'the connection closes without a response; no pet is added',
  'drop-after-commit':
    'createPet adds the pet, but the connection closes without a response; a repetition with the same `Idempotency-Key` gets it',
  'flaky-30':
    'a 503 or no response for 30 % of the requests, in the same order after each restart; `flaky-1` to `flaky-100`',
};

interface Rehearsal {
  readonly id: string;
  readonly title: string;
  /** With `code` between backticks. */
  readonly text: string;
  /** Needs the variables API and KEY, and those that the text names. */
  readonly shell: string;
}

/** Makes the keys that the rehearsals use. */
export const KEYS_SHELL = `# KEY and LAST_KEY of one account
animal-store accounts create shop --plan free
animal-store keys create shop
animal-store keys create shop --expires 2031-02-28

# NIGHT_KEY of an account with three requests a day
animal-store accounts create night \\
  --plan enterprise --per-minute 60 --per-day 3
animal-store keys create night`;

export const REHEARSALS: readonly Rehearsal[] = [
  {
    id: 'removal-day',
    title: 'My client on removal day',
    text:
      'getPet will be removed on 5 December 2030. A minute before, it still works, and `Sunset` ' +
      'announces the removal. From midnight on, it returns 410 `operation_removed`, and the list ' +
      'replaces it. Compare the id: if no pet has the id 1, the list returns the next pet.',
    shell: `# The last minute: 200
curl -i "$API/pets/1" -H "Authorization: Bearer $KEY" \\
  -H 'X-Test-Time: 2030-12-04T23:59:00Z'
# The day of the removal: 410
curl -i "$API/pets/1" -H "Authorization: Bearer $KEY" \\
  -H 'X-Test-Time: 2030-12-05T00:00:00Z'
# The same pet from the list: 200
curl -i "$API/pets?after=0&limit=1" \\
  -H "Authorization: Bearer $KEY"`,
  },
  {
    id: 'midnight',
    title: 'Midnight UTC',
    text:
      'The day window starts at midnight UTC. `NIGHT_KEY` belongs to an account with three requests ' +
      'a day: the fourth gets 429 `rate_limit_day`, with the seconds to midnight in `Retry-After`. ' +
      'At midnight, requests work again.',
    shell: `# Four requests: 200, 200, 200, 429
curl -i "$API/pets?limit=1&request=[1-4]" \\
  -H "Authorization: Bearer $NIGHT_KEY" \\
  -H 'X-Test-Time: 2031-01-31T23:59:00Z'
# Midnight: 200
curl -i "$API/pets?limit=1" \\
  -H "Authorization: Bearer $NIGHT_KEY" \\
  -H 'X-Test-Time: 2031-02-01T00:00:00Z'`,
  },
  {
    id: 'ban',
    title: 'A ban and its end',
    text:
      'The first command ignores every 429 until the key is banned, which takes a second or two. ' +
      'Four minutes later, the key still gets 429 `api_key_banned`. The first ban lasts five ' +
      'minutes, so a quarter of an hour later the key works again.',
    shell: `# Ignore every 429 until the key is banned
until curl -s "$API/pets?limit=1&request=[1-100]" \\
  -H "Authorization: Bearer $KEY" \\
  -H 'X-Test-Time: 2031-02-02T12:00:00Z' |
  grep -q api_key_banned; do :; done
# During the ban: 429
curl -i "$API/pets?limit=1" \\
  -H "Authorization: Bearer $KEY" \\
  -H 'X-Test-Time: 2031-02-02T12:04:00Z'
# After the ban: 200
curl -i "$API/pets?limit=1" \\
  -H "Authorization: Bearer $KEY" \\
  -H 'X-Test-Time: 2031-02-02T12:15:00Z'`,
  },
  {
    id: 'last-minute',
    title: "A key's last minute",
    text:
      '`LAST_KEY` expires at the end of February 2031. A minute before, it works. At midnight, it ' +
      'gets 401 `expired_api_key`, while other keys of the account work.',
    shell: `# The last minute of the key: 200
curl -i "$API/pets?limit=1" \\
  -H "Authorization: Bearer $LAST_KEY" \\
  -H 'X-Test-Time: 2031-02-28T23:59:00Z'
# Midnight: 401
curl -i "$API/pets?limit=1" \\
  -H "Authorization: Bearer $LAST_KEY" \\
  -H 'X-Test-Time: 2031-03-01T00:00:00Z'
# Another key of the account: 200
curl -i "$API/pets?limit=1" \\
  -H "Authorization: Bearer $KEY"`,
  },
  {
    id: 'lost-response',
    title: 'A response lost after the commit',
    text:
      'A key that ends in `~drop-after-commit` loses its response: the pet is added, but the connection closes without ' +
      'a response, and your client cannot know. Without an `Idempotency-Key`, each repetition would ' +
      'add another pet. With one, the repetition returns the pet of the first request, with ' +
      '`Idempotent-Replayed: true`.',
    shell: `# The pet is added, but its response is lost
ORDER="order-$(date +%s)"
PET='{"name": "Rex", "categoryId": 7}'
curl -i "$API/pets" \\
  -H "Authorization: Bearer $KEY~drop-after-commit" \\
  -H 'Content-Type: application/json' \\
  -H "Idempotency-Key: $ORDER" -d "$PET"
# The same request again returns the same pet: 201
curl -i "$API/pets" \\
  -H "Authorization: Bearer $KEY~drop-after-commit" \\
  -H 'Content-Type: application/json' \\
  -H "Idempotency-Key: $ORDER" -d "$PET"`,
  },
];

/** Ends a rehearsal. */
export const BACK_TO_NOW = `curl -i "$API/pets?limit=1" \\
  -H "Authorization: Bearer $KEY" \\
  -H 'X-Test-Time: now'`;
