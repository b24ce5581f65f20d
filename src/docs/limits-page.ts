import { planLimits } from '../contract/description.ts';
import type { ErrorCode } from '../contract/errors.ts';
import { HEADERS } from '../contract/headers.ts';
import { ERRORS_PAGE, LIMITS_PAGE } from '../contract/page-paths.ts';
import { BAN_RULES } from '../domain/ban.ts';
import { HOUR_SECONDS, MINUTE_SECONDS } from '../domain/durations.ts';
import { PLANS } from '../domain/plan.ts';
import { type Html, html, prose } from './html.ts';
import { layout, relative } from './layout.ts';

const LIMIT_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

export function limitsPage(): string {
  const { strikesToBan, strikeMemorySeconds, mostInFlight, firstBanSeconds, longestBanSeconds } =
    BAN_RULES;
  return layout({
    title: 'Limits',
    path: LIMITS_PAGE,
    sections: [
      {
        id: 'plans',
        title: 'Plans',
        body: html`<table>
<thead><tr><th>Plan</th><th class="number">Requests per minute</th><th class="number">Requests per day</th></tr></thead>
<tbody>
${planLimits().map(
  ([title, perMinute, perDay]) =>
    html`<tr><td>${title}</td><td class="number">${perMinute}</td><td class="number">${perDay}</td></tr>\n`,
)}</tbody>
</table>`,
      },
      {
        id: 'counting',
        title: 'What counts',
        body: html`<ul>
<li>Requests count against the account, across all its keys.</li>
<li>Every request counts, except those refused with 429.</li>
<li>A request counts against both the minute and the day, or against neither.</li>
<li>Days start at midnight UTC. Minutes start at a different second for each account.</li>
<li>Requests without a valid key count against their IP address, with the limits of the ${PLANS.free.title} plan.</li>
</ul>`,
      },
      {
        id: 'headers',
        title: 'Headers',
        body: html`<p>Every response carries these headers.</p>
<dl>
${LIMIT_HEADERS.map((name) => html`<dt><code>${name}</code></dt><dd>${prose(HEADERS[name].description)}</dd>\n`)}</dl>`,
      },
      {
        id: 'refusals',
        title: 'When a request is refused',
        body: html`<p>The response is 429 with ${linkTo('rate_limit_minute')} or
${linkTo('rate_limit_day')}. Wait for the number of seconds in
<code>Retry-After</code>, then send the request again. If it is refused again, back off exponentially
with jitter: a random part of one second, then of two, of four, and so on. The TypeScript client
<code>@animal-store/client</code> does this for you.</p>`,
      },
      {
        id: 'bans',
        title: 'Bans',
        body: html`<p>A key that keeps sending while it is refused gets strikes. ${strikesToBan} strikes within
${strikeMemorySeconds} seconds ban the key for ${firstBanSeconds / MINUTE_SECONDS} minutes. Each
further ban lasts twice as long, up to ${longestBanSeconds / HOUR_SECONDS} hour. After a day without
a ban, the next one is short again. A banned key gets 429 ${linkTo('api_key_banned')}. Requests during a
ban do not extend it.</p>
<p>A client that waits for <code>Retry-After</code> is never banned, with up to ${mostInFlight}
requests in flight at once.</p>`,
      },
    ],
  });
}

function linkTo(code: ErrorCode): Html {
  return html`<a href="${relative(LIMITS_PAGE, ERRORS_PAGE)}#${code}"><code>${code}</code></a>`;
}
