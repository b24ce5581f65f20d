import { ERRORS_PAGE, LIMITS_PAGE } from '../contract/api.ts';
import { planLimits } from '../contract/description.ts';
import type { ErrorCode } from '../contract/errors.ts';
import { HEADERS } from '../contract/headers.ts';
import { BAN_RULES } from '../domain/ban.ts';
import { HOUR_SECONDS, MINUTE_SECONDS } from '../domain/durations.ts';
import { PLANS } from '../domain/plan.ts';
import { Code } from './code.tsx';
import { errorExample, headersExample, JsonExample } from './example.tsx';
import { DefinitionList, type Page, Prose, relative, type Section } from './section.tsx';

const LIMIT_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

export function limitsPage(): Page {
  return {
    path: LIMITS_PAGE,
    title: 'Limits',
    summary: 'The plans of the Animal Store API, what counts, and what happens beyond the limits.',
    introduction: [
      'Rate limiting is by account: its plan has a quota of requests per minute and per day. Every ' +
        'response says how much is left.',
    ],
    words: 'limit',
    groups: [{ title: 'Limits', sections: [plans(), counting(), headers(), refusals(), bans()] }],
  };
}

function plans(): Section {
  return {
    id: 'plans',
    title: 'Plans',
    prose: [
      <table class="figures">
        <thead>
          <tr>
            <th>Plan</th>
            <th>Requests per minute</th>
            <th>Requests per day</th>
          </tr>
        </thead>
        <tbody>
          {planLimits().map(([plan, perMinute, perDay]) => (
            <tr key={plan}>
              <th scope="row">{plan}</th>
              <td>{perMinute}</td>
              <td>{perDay}</td>
            </tr>
          ))}
        </tbody>
      </table>,
    ],
  };
}

function counting(): Section {
  const rules = [
    'Requests count against the account, across all its keys.',
    'Every request counts, except those refused with 429, CORS preflights, and those that get a 503 before their key is checked.',
    'A request counts against both the minute and the day, or against neither.',
    'The minute starts at a different second for each account. The day starts at midnight UTC.',
    `Requests without a valid key count against their IP address, with the limits of the ${PLANS.free.title} plan.`,
  ];
  return {
    id: 'counting',
    title: 'What counts',
    prose: [
      <ul>
        {rules.map((rule) => (
          <li key={rule}>
            <Prose text={rule} />
          </li>
        ))}
      </ul>,
    ],
  };
}

function headers(): Section {
  return {
    id: 'headers',
    title: 'Limit headers',
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
    words: 'throttled',
    side: <JsonExample of={errorExample('rate_limit_minute')} />,
    prose: [
      `The response is 429 with ${linkTo('rate_limit_minute')} or ${linkTo('rate_limit_day')}. Wait ` +
        'for the number of seconds in `Retry-After`, then send the request again. If it is refused ' +
        'again, use exponential backoff with jitter: wait a random part of one second, then of two, ' +
        'of four, and so on.',
      'The TypeScript client `@animal-store/client` does this for you.',
    ],
  };
}

function bans(): Section {
  const { strikesToBan, strikeMemorySeconds, mostInFlight, firstBanSeconds, longestBanSeconds } =
    BAN_RULES;
  return {
    id: 'bans',
    title: 'Bans',
    side: <JsonExample of={errorExample('api_key_banned')} />,
    prose: [
      `A key that keeps sending while it is refused gets strikes. ${strikesToBan} strikes within ` +
        `${strikeMemorySeconds} seconds ban the key for ${firstBanSeconds / MINUTE_SECONDS} ` +
        `minutes. Each further ban lasts twice as long, up to ${longestBanSeconds / HOUR_SECONDS} ` +
        'hour. After a day without a ban, the next one is short again.',
      `A banned key gets 429 ${linkTo('api_key_banned')}. Requests during a ban do not extend it.`,
      `A client that waits for \`Retry-After\` is never banned, with up to ${mostInFlight} requests ` +
        'in flight at once.',
    ],
  };
}

function linkTo(code: ErrorCode): string {
  return `[\`${code}\`](${relative(LIMITS_PAGE, ERRORS_PAGE)}#${code})`;
}
