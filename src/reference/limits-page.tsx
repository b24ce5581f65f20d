import { API_PREFIX, ERRORS_PAGE, LIMITS_PAGE, REFERENCE_PAGE } from '../contract/api.ts';
import { API_TEXTS, PLAN_LIMITS } from '../contract/description.ts';
import { HEADERS } from '../contract/headers.ts';
import { Island } from './browser/islands.tsx';
import { Code } from './code.tsx';
import { ErrorExample, headersExample } from './example.tsx';
import { requestOf } from './operation-section.tsx';
import { DefinitionList, type Page, type Section, Table } from './section.tsx';

const LIMIT_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

export function limitsPage(publicUrl: string): Page {
  return {
    path: LIMITS_PAGE,
    title: 'Limits',
    summary: 'The limits of each plan, and what happens beyond them.',
    introduction: [
      'Rate limits apply to an account: its plan has a quota of requests per minute and per day. Every ' +
        'response says how much of it is left.',
    ],
    words: 'ratelimit requestlimit manyrequests quota usage fairuse monthly rps burst',
    groups: [{ title: 'Limits', sections: [...SECTIONS, refusals(publicUrl), BANS] }],
  };
}

const SECTIONS: readonly Section[] = [
  {
    id: 'plans',
    title: 'Plans',
    words: 'increase higher raise unlimited upgrade',
    prose: [
      <Table
        name="figures"
        columns={['Plan', 'Requests per minute', 'Requests per day']}
        rows={PLAN_LIMITS}
      />,
    ],
  },
  {
    id: 'counting',
    title: 'What counts',
    words: 'ip timezone midnight window shared toward consume credit',
    prose: [
      <ul>
        {API_TEXTS.counting.map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>,
    ],
  },
  {
    id: 'headers',
    title: 'Limit headers',
    words: 'remaining reset ratelimitheader',
    side: <Code language="http" code={headersExample(LIMIT_HEADERS)} />,
    prose: [
      'Every response carries these headers.',
      <DefinitionList of={LIMIT_HEADERS.map((name) => [name, HEADERS[name].description])} />,
    ],
  },
];

const BANS: Section = {
  id: 'bans',
  title: 'Bans',
  words: 'concurrent parallel simultaneous abuse spam penalty',
  side: <ErrorExample code="api_key_banned" />,
  prose: API_TEXTS.bans.map(linkCodes),
};

function refusals(publicUrl: string): Section {
  const header = { 'Idempotency-Key': 'order-1042-rex' };
  const request = requestOf('createPet', publicUrl + API_PREFIX, { header });
  return {
    id: 'refusals',
    title: 'When a request is refused',
    words: 'retryloop retryexample exceeded throttling slowdown cooldown backoff',
    side: (
      <>
        <ErrorExample code="rate_limit_minute" />
        <Island name="loop-panel" props={{ loop: 'retryLoop', request }} />
      </>
    ),
    prose: [
      linkCodes(API_TEXTS.refusals),
      'The samples make up to 6 attempts. They also repeat a request whose response did not arrive ' +
        `completely, which [is safe](${REFERENCE_PAGE}#retries) with the \`Idempotency-Key\`. They stop ` +
        `at an error that [is not retried](${ERRORS_PAGE}), and if \`Retry-After\` is more than two ` +
        'minutes.',
    ],
  };
}

/** Links each error code to its explanation. */
function linkCodes(text: string): string {
  return text.replace(/`(\w+)`/g, (code, name) => `[${code}](${ERRORS_PAGE}#${name})`);
}
