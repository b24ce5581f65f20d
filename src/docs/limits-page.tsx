import { planLimits } from '../contract/description.ts';
import { ERRORS, type ErrorCode, errorBody } from '../contract/errors.ts';
import { HEADERS } from '../contract/headers.ts';
import { ERRORS_PAGE, LIMITS_PAGE } from '../contract/page-paths.ts';
import { BAN_RULES } from '../domain/ban.ts';
import { HOUR_SECONDS, MINUTE_SECONDS } from '../domain/durations.ts';
import { PLANS } from '../domain/plan.ts';
import { Code } from './code.tsx';
import { writeExample } from './object-section.tsx';
import type { Page, Section } from './page.tsx';
import { Prose } from './prose.tsx';
import { relative } from './relative.ts';
import { exampleOf } from './response-headers.tsx';
import { Row, SectionHeading } from './row.tsx';

const ERRORS_HREF = relative(LIMITS_PAGE, ERRORS_PAGE);
const LIMIT_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

export function limitsPage(): Page {
  return {
    path: LIMITS_PAGE,
    title: 'Limits',
    summary: 'The plans of the Animal Store API, what counts, and what happens beyond the limits.',
    introduction: (
      <p class="lead">
        Each plan allows a number of requests per minute and per day. Every response says how many
        are left.
      </p>
    ),
    groups: [{ title: 'Limits', sections: [plans(), counting(), headers(), refusals(), bans()] }],
  };
}

function plans(): Section {
  const id = 'plans';
  const title = 'Plans';
  return {
    ...{ id, title, summary: 'Requests per minute and per day' },
    body: (
      <Row>
        <SectionHeading id={id}>{title}</SectionHeading>
        <table class="figures">
          <thead>
            <tr>
              <th>Plan</th>
              <th class="number">Requests per minute</th>
              <th class="number">Requests per day</th>
            </tr>
          </thead>
          <tbody>
            {planLimits().map(([plan, perMinute, perDay]) => (
              <tr key={plan}>
                <th scope="row">{plan}</th>
                <td class="number">{perMinute}</td>
                <td class="number">{perDay}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Row>
    ),
  };
}

function counting(): Section {
  const id = 'counting';
  const title = 'What counts';
  return {
    ...{ id, title, summary: 'Which requests count, against what, and when windows start' },
    body: (
      <Row side={<Windows />}>
        <SectionHeading id={id}>{title}</SectionHeading>
        <ul>
          <li>Requests count against the account, across all its keys.</li>
          <li>Every request counts, except those refused with 429.</li>
          <li>A request counts against both the minute and the day, or against neither.</li>
          <li>
            Requests without a valid key count against their IP address, with the limits of the{' '}
            {PLANS.free.title} plan.
          </li>
        </ul>
      </Row>
    ),
  };
}

function Windows() {
  return (
    <table class="figures">
      <thead>
        <tr>
          <th>Window</th>
          <th>Starts</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">Minute</th>
          <td>at a different second for each account</td>
        </tr>
        <tr>
          <th scope="row">Day</th>
          <td>at midnight UTC</td>
        </tr>
      </tbody>
    </table>
  );
}

function headers(): Section {
  const id = 'headers';
  const title = 'Limit headers';
  return {
    ...{ id, title, summary: LIMIT_HEADERS.join(', ') },
    body: (
      <Row side={<Code language="http" code={exampleOf(LIMIT_HEADERS)} />}>
        <SectionHeading id={id}>{title}</SectionHeading>
        <p>Every response carries these headers.</p>
        <dl class="headers">
          {LIMIT_HEADERS.map((name) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd>
                <Prose text={HEADERS[name].description} />
              </dd>
            </div>
          ))}
        </dl>
      </Row>
    ),
  };
}

function refusals(): Section {
  const id = 'refusals';
  const title = 'When a request is refused';
  return {
    ...{ id, title, summary: 'Wait for Retry-After, then back off exponentially' },
    body: (
      <Row side={<ErrorExample code="rate_limit_minute" />}>
        <SectionHeading id={id}>{title}</SectionHeading>
        <p>
          The response is 429 with <ErrorLink code="rate_limit_minute" /> or{' '}
          <ErrorLink code="rate_limit_day" />. Wait for the number of seconds in{' '}
          <code>Retry-After</code>, then send the request again. If it is refused again, back off
          exponentially with jitter: a random part of one second, then of two, of four, and so on.
        </p>
        <p>
          The TypeScript client <code>@animal-store/client</code> does this for you.
        </p>
      </Row>
    ),
  };
}

function bans(): Section {
  const id = 'bans';
  const title = 'Bans';
  const { strikesToBan, strikeMemorySeconds, mostInFlight, firstBanSeconds, longestBanSeconds } =
    BAN_RULES;
  return {
    ...{ id, title, summary: 'When a key is banned, and for how long' },
    body: (
      <Row side={<ErrorExample code="api_key_banned" />}>
        <SectionHeading id={id}>{title}</SectionHeading>
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
      </Row>
    ),
  };
}

function ErrorExample({ code }: { code: ErrorCode }) {
  return <Code language="json" code={writeExample(errorBody(code, ERRORS[code].example))} />;
}

function ErrorLink({ code }: { code: ErrorCode }) {
  return (
    <a href={`${ERRORS_HREF}#${code}`}>
      <code>{code}</code>
    </a>
  );
}
