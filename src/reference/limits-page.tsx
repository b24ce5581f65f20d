import { planLimits } from '../contract/description.ts';
import type { ErrorCode } from '../contract/errors.ts';
import { HEADERS } from '../contract/headers.ts';
import { ERRORS_PAGE, LIMITS_PAGE } from '../contract/page-paths.ts';
import { BAN_RULES } from '../domain/ban.ts';
import { HOUR_SECONDS, MINUTE_SECONDS } from '../domain/durations.ts';
import { PLANS } from '../domain/plan.ts';
import { Code } from './code.tsx';
import { errorExample, headersExample, JsonExample } from './example.tsx';
import { CodeLink, DefinitionList, relative } from './prose.tsx';
import { type Page, proseSection, type Section } from './section.tsx';

const ERRORS_HREF = relative(LIMITS_PAGE, ERRORS_PAGE);
const LIMIT_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

export function limitsPage(): Page {
  return {
    path: LIMITS_PAGE,
    title: 'Limits',
    summary: 'The plans of the Animal Store API, what counts, and what happens beyond the limits.',
    introduction: (
      <p class="lead">
        Rate limiting is by account: its plan has a quota of requests per minute and per day. Every
        response says how much is left.
      </p>
    ),
    words: 'limit',
    groups: [{ title: 'Limits', sections: [plans(), counting(), headers(), refusals(), bans()] }],
  };
}

function plans(): Section {
  return proseSection({
    id: 'plans',
    title: 'Plans',
    prose: (
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
      </table>
    ),
  });
}

function counting(): Section {
  return proseSection({
    id: 'counting',
    title: 'What counts',
    prose: (
      <ul>
        <li>Requests count against the account, across all its keys.</li>
        <li>
          Every request counts, except those refused with 429, CORS preflights, and those that get a
          503 before their key is checked.
        </li>
        <li>A request counts against both the minute and the day, or against neither.</li>
        <li>
          The minute starts at a different second for each account. The day starts at midnight UTC.
        </li>
        <li>
          Requests without a valid key count against their IP address, with the limits of the{' '}
          {PLANS.free.title} plan.
        </li>
      </ul>
    ),
  });
}

function headers(): Section {
  return proseSection({
    id: 'headers',
    title: 'Limit headers',
    side: <Code language="http" code={headersExample(LIMIT_HEADERS)} />,
    prose: (
      <>
        <p>Every response carries these headers.</p>
        <DefinitionList
          definitions={LIMIT_HEADERS.map((name) => ({ name, meaning: HEADERS[name].description }))}
        />
      </>
    ),
  });
}

function refusals(): Section {
  return proseSection({
    id: 'refusals',
    title: 'When a request is refused',
    words: 'throttled',
    side: <JsonExample of={errorExample('rate_limit_minute')} />,
    prose: (
      <>
        <p>
          The response is 429 with <ErrorLink code="rate_limit_minute" /> or{' '}
          <ErrorLink code="rate_limit_day" />. Wait for the number of seconds in{' '}
          <code>Retry-After</code>, then send the request again. If it is refused again, use
          exponential backoff with jitter: wait a random part of one second, then of two, of four,
          and so on.
        </p>
        <p>
          The TypeScript client <code>@animal-store/client</code> does this for you.
        </p>
      </>
    ),
  });
}

function bans(): Section {
  const { strikesToBan, strikeMemorySeconds, mostInFlight, firstBanSeconds, longestBanSeconds } =
    BAN_RULES;
  return proseSection({
    id: 'bans',
    title: 'Bans',
    side: <JsonExample of={errorExample('api_key_banned')} />,
    prose: (
      <>
        <p>
          A key that keeps sending while it is refused gets strikes. {strikesToBan} strikes within{' '}
          {strikeMemorySeconds} seconds ban the key for {firstBanSeconds / MINUTE_SECONDS} minutes.
          Each further ban lasts twice as long, up to {longestBanSeconds / HOUR_SECONDS} hour. After
          a day without a ban, the next one is short again.
        </p>
        <p>
          A banned key gets 429 <ErrorLink code="api_key_banned" />. Requests during a ban do not
          extend it.
        </p>
        <p>
          A client that waits for <code>Retry-After</code> is never banned, with up to{' '}
          {mostInFlight} requests in flight at once.
        </p>
      </>
    ),
  });
}

function ErrorLink({ code }: { code: ErrorCode }) {
  return <CodeLink href={`${ERRORS_HREF}#${code}`} name={code} />;
}
