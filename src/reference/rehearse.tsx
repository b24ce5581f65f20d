import type { VNode } from 'preact';
import { PROGRAM } from '../contract/description.ts';
import { REHEARSALS } from '../contract/environment.ts';
import type { Environment } from '../domain/environment.ts';
import { CodeBlock } from './code.tsx';
import { DefinitionList, type Part, type Section } from './section.tsx';

/** Without it, a command uses the store of production. */
export const USE_STAGING = `# The store of staging:
export DATABASE_URL=sqlite:data/staging.db

`;

/** On staging, these sections say how to rehearse later dates and failures. In production, one refers to staging. */
export function rehearseSections(baseUrl: string, environment: Environment): Section[] {
  if (environment === 'production') return [STAGING_SECTION];
  const setUp = `# A test key from the operator:
export API=${baseUrl}
export ANIMAL_STORE_API_KEY=ask_test_…`;
  const introduction = {
    id: 'staging',
    title: 'Rehearse',
    words: 'staging environment',
    side: <CodeBlock language="curl" code={setUp} />,
    prose: [
      'This is a staging deployment. Here you can rehearse in a moment what takes a minute, a day or ' +
        'years in production. Keys begin with `ask_test_` and work only here. Every response carries ' +
        '`X-Environment: staging`.',
    ],
  };
  const recipes = { ...partOf(KEYS), steps: RECIPES.map(partOf) };
  return [introduction, partOf(CLOCK), partOf(FAILURES), recipes];
}

const STAGING_SECTION: Section = {
  id: 'staging',
  title: 'Staging',
  words:
    'environment test development qa playground locally simulate trigger fake integration time travel',
  prose: [
    'On a staging deployment, you can move the clock of your account, and get each failure on ' +
      'demand. Its keys begin with `ask_test_`. Ask the operator for one.',
  ],
};

interface Recipe {
  readonly title: string;
  readonly text: string;
  readonly list?: VNode;
  /** The commands. They need the variables API and ANIMAL_STORE_API_KEY, and those that the text names. */
  readonly shell: string;
}

function partOf({ title, text, list, shell }: Recipe): Part {
  return {
    id: title.toLowerCase().replace(/\W+/g, '-'),
    title,
    side: <CodeBlock language="curl" code={shell} />,
    prose: list ? [text, list] : [text],
  };
}

const CLOCK: Recipe = {
  title: 'The clock of your account',
  text:
    'A request with the header `X-Test-Time`, such as `2030-12-05T00:00:00Z`, moves the clock of your ' +
    'account to that time, from which it runs on. All later requests of the account are served at the ' +
    'time of this clock: windows, bans, the expiry of keys, removals and the 24 hours of an ' +
    '`Idempotency-Key` follow it. The clock never goes back, except with `X-Test-Time: now`, which also ' +
    'clears counts and bans. Other accounts keep their own time.',
  shell: `# Back to the real time\n${curl('pets?limit=1', 'now')}`,
};

const FAILURES: Recipe = {
  title: 'Failures on demand',
  text:
    'Put `~` and the name of a failure after your key. Requests with that key then fail in this way, with ' +
    'the headers of the real failure.',
  list: <DefinitionList of={Object.entries(REHEARSALS)} />,
  shell: `# No response, and no pet\n${curl('pets', undefined, 'ANIMAL_STORE_API_KEY~drop')}`,
};

/** Makes the keys that the recipes use. */
export const KEYS_SHELL = `${USE_STAGING}# ANIMAL_STORE_API_KEY and LAST_KEY of one account
${PROGRAM} accounts create shop --plan free
${PROGRAM} keys create shop
${PROGRAM} keys create shop --expires 2031-02-28

# NIGHT_KEY of an account with three requests a day
${PROGRAM} accounts create night \\
  --plan enterprise --per-minute 60 --per-day 3
${PROGRAM} keys create night`;

const KEYS: Recipe = {
  title: 'Recipes',
  text:
    'The operator creates these keys. Put them into the variables that the comments name, and follow the ' +
    'recipes from top to bottom, because each of them moves the clock further.',
  shell: KEYS_SHELL,
};

/**
 * Each comment in a recipe ends with the statuses of the requests below it, which a test compares.
 * docs/staging.md has the recipes for CI.
 */
export const RECIPES: readonly Recipe[] = [
  {
    title: 'My client on removal day',
    text:
      'The `Sunset` header announces the day. From midnight UTC on, getPet returns 410 ' +
      '`operation_removed`, and the list replaces it. Compare the id: if no pet has the id 1, the list ' +
      'returns the next pet.',
    shell: `# The last minute: 200
${curl('pets/1', '2030-12-04T23:59:00Z')}
# The day of the removal: 410
${curl('pets/1', '2030-12-05T00:00:00Z')}
# The same pet from the list: 200
${curl('pets?after=0&limit=1')}`,
  },
  {
    title: 'Midnight UTC',
    text:
      'The fourth request of the day gets 429 `rate_limit_day`, with the seconds to midnight UTC in ' +
      '`Retry-After`. At midnight, requests work again.',
    shell: `# Four requests: 200, 200, 200, 429
${curl('pets?limit=1&request=[1-4]', '2031-01-31T23:59:00Z', 'NIGHT_KEY')}
# Midnight: 200
${curl('pets?limit=1', '2031-02-01T00:00:00Z', 'NIGHT_KEY')}`,
  },
  {
    title: 'A ban and its end',
    text:
      'The first command ignores every 429 until the key is banned, which takes a second or two. ' +
      'For five minutes, it then gets 429 `api_key_banned`.',
    shell: `# Ignore every 429 until the key is banned
until curl -s "$API/pets?limit=1&request=[1-100]" \\
  -H "Authorization: Bearer $ANIMAL_STORE_API_KEY" \\
  -H 'X-Test-Time: 2031-02-02T12:00:00Z' |
  grep -q api_key_banned; do :; done
# During the ban: 429
${curl('pets?limit=1', '2031-02-02T12:04:00Z')}
# After the ban: 200
${curl('pets?limit=1', '2031-02-02T12:15:00Z')}`,
  },
  {
    title: "A key's last minute",
    text:
      'From the end of February 2031 on, `LAST_KEY` gets 401 `expired_api_key`, while other keys of ' +
      'the account work.',
    shell: `# The last minute of the key: 200
${curl('pets?limit=1', '2031-02-28T23:59:00Z', 'LAST_KEY')}
# Midnight: 401
${curl('pets?limit=1', '2031-03-01T00:00:00Z', 'LAST_KEY')}
# Another key of the account: 200
${curl('pets?limit=1')}`,
  },
  {
    title: 'A response lost after the commit',
    text:
      'The pet is added, but your client cannot know. Without an `Idempotency-Key`, each repetition ' +
      'would add another pet. With one, it returns the first pet, with `Idempotent-Replayed: true`.',
    shell: `ORDER="order-$(date +%s)"
add_pet() {
  curl -i "$API/pets" \\
    -H "Authorization: Bearer $ANIMAL_STORE_API_KEY~drop-after-commit" \\
    -H 'Content-Type: application/json' \\
    -H "Idempotency-Key: $ORDER" \\
    -d '{"name": "Rex", "categoryId": 7}'
}
# The pet is added, but its response is lost
add_pet
# The same request again returns the same pet: 201
add_pet`,
  },
];

/** A request of a recipe, at the time of a test clock. */
function curl(path: string, time?: string, key = 'ANIMAL_STORE_API_KEY'): string {
  const options = [`-H "Authorization: Bearer $${key}"`];
  if (time !== undefined) options.push(`-H 'X-Test-Time: ${time}'`);
  return [`curl -i "$API/${path}"`, ...options].join(' \\\n  ');
}
