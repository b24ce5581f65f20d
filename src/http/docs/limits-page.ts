import { planLimits } from '../../contract/description.ts';
import { HEADERS } from '../../contract/headers.ts';
import { BAN_RULES } from '../../domain/ban.ts';
import { HOUR_SECONDS, MINUTE_SECONDS } from '../../domain/durations.ts';
import type { ErrorCode } from '../../domain/error.ts';
import { PLANS } from '../../domain/plan.ts';
import { type Html, html, prose } from './html.ts';
import { layout, relative } from './layout.ts';
import { ERRORS_PAGE, LIMITS_PAGE } from './paths.ts';

const TOLD_BY = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

export function limitsPage(): string {
  const { strikesToBan, strikeMemorySeconds, mostInFlight } = BAN_RULES;
  return layout({
    title: 'Limits',
    path: LIMITS_PAGE,
    contents: [
      { id: 'plans', title: 'Plans' },
      { id: 'counting', title: 'What counts' },
      { id: 'headers', title: 'Headers' },
      { id: 'refusals', title: 'When a request is refused' },
      { id: 'bans', title: 'Bans' },
    ],
    main: html`
<section id="plans">
<h2>Plans</h2>
<table>
<thead><tr><th>Plan</th><th class="number">Requests a minute</th><th class="number">Requests a day</th></tr></thead>
<tbody>
${planLimits().map(
  ([title, perMinute, perDay]) =>
    html`<tr><td>${title}</td><td class="number">${perMinute}</td><td class="number">${perDay}</td></tr>\n`,
)}</tbody>
</table>
</section>
<section id="counting">
<h2>What counts</h2>
<ul>
<li>Requests are counted for an account, over all its keys.</li>
<li>Every request counts, whatever its answer, unless that is 429.</li>
<li>A request takes from the minute and from the day, or from neither.</li>
<li>The day is that of UTC. A minute begins at a second of its own for each account.</li>
<li>Requests without a valid key count for the address they come from, as on the ${PLANS.free.title} plan.</li>
</ul>
</section>
<section id="headers">
<h2>Headers</h2>
<p>Every answer says where the account stands.</p>
<dl>
${TOLD_BY.map((name) => html`<dt><code>${name}</code></dt><dd>${prose(HEADERS[name].description)}</dd>\n`)}</dl>
</section>
<section id="refusals">
<h2>When a request is refused</h2>
<p>The answer is 429 with ${linkTo('rate_limit_minute')} or
${linkTo('rate_limit_day')}. Wait as many seconds as
<code>Retry-After</code> says, then send the request again. If it is refused once more, wait longer
each time: a random part of one second, then of two, of four, and so on. The TypeScript client
<code>animal-store/client</code> does this by itself.</p>
</section>
<section id="bans">
<h2>Bans</h2>
<p>A key that keeps sending while it is refused gets strikes: ${strikesToBan} within
${strikeMemorySeconds} seconds ban it for ${minutes(BAN_RULES.firstBanSeconds)} minutes, and each
further ban for twice as long, up to ${hours(BAN_RULES.longestBanSeconds)} hour. A day without a ban
wipes the slate clean. A banned key is answered 429
${linkTo('api_key_banned')}; requests during a ban do not make
it longer.</p>
<p>A client that waits as <code>Retry-After</code> says is never banned, with up to ${mostInFlight}
requests under way at once.</p>
</section>
`,
  });
}

function linkTo(code: ErrorCode): Html {
  return html`<a href="${relative(LIMITS_PAGE, ERRORS_PAGE)}#${code}"><code>${code}</code></a>`;
}

function minutes(seconds: number): number {
  return seconds / MINUTE_SECONDS;
}

function hours(seconds: number): number {
  return seconds / HOUR_SECONDS;
}
