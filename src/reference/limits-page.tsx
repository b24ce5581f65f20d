import { ERRORS_PAGE, LIMITS_PAGE } from '../contract/api.ts';
import { API_TEXTS, PLAN_LIMITS } from '../contract/description.ts';
import { HEADERS } from '../contract/headers.ts';
import { Code } from './code.tsx';
import { errorExample, headersExample, JsonExample } from './example.tsx';
import { DefinitionList, type Page, type Section, Table } from './section.tsx';

const LIMIT_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

export function limitsPage(): Page {
  return {
    path: LIMITS_PAGE,
    title: 'Limits',
    summary: 'The limits of each plan, and what happens beyond them.',
    introduction: [
      'Rate limiting is by account: its plan has a quota of requests per minute and per day. Every ' +
        'response says how much is left.',
    ],
    words: 'ratelimit quota',
    groups: [{ title: 'Limits', sections: [plans(), counting(), headers(), refusals(), bans()] }],
  };
}

function plans(): Section {
  return {
    id: 'plans',
    title: 'Plans',
    words: 'increase upgrade',
    prose: [
      <Table
        name="figures"
        columns={['Plan', 'Requests per minute', 'Requests per day']}
        rows={PLAN_LIMITS}
      />,
    ],
  };
}

function counting(): Section {
  return {
    id: 'counting',
    title: 'What counts',
    words: 'ip timezone',
    prose: [
      <ul>
        {API_TEXTS.counting.map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>,
    ],
  };
}

function headers(): Section {
  return {
    id: 'headers',
    title: 'Limit headers',
    words: 'remaining reset',
    side: <Code language="http" code={headersExample(LIMIT_HEADERS)} />,
    prose: [
      'Every response carries these headers.',
      <DefinitionList of={LIMIT_HEADERS.map((name) => [name, HEADERS[name].description])} />,
    ],
  };
}

function refusals(): Section {
  return {
    id: 'refusals',
    title: 'When a request is refused',
    words: 'exceeded throttled backoff',
    side: <JsonExample of={errorExample('rate_limit_minute')} />,
    prose: [
      linkCodes(API_TEXTS.refusals),
      'The TypeScript client `@animal-store/client` does this for you.',
    ],
  };
}

function bans(): Section {
  return {
    id: 'bans',
    title: 'Bans',
    words: 'blocked unban concurrent parallel',
    side: <JsonExample of={errorExample('api_key_banned')} />,
    prose: API_TEXTS.bans.map(linkCodes),
  };
}

/** Links each error code to its explanation. */
function linkCodes(text: string): string {
  return text.replace(/`(\w+)`/g, (code, name) => `[${code}](${ERRORS_PAGE}#${name})`);
}
