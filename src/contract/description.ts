import { BAN_RULES } from '#domain/ban.ts';
import { HOUR_SECONDS, MINUTE_SECONDS } from '#domain/durations.ts';
import { PLANS } from '#domain/plan.ts';
import { fillIn } from '#formats/template.ts';
import { API_PREFIX, MAX_BODY_BYTES } from './api.ts';
import introduction from './introduction.md' with { type: 'text' };
import { PAGE_SIZE } from './parameters.ts';
import rules from './rules.md' with { type: 'text' };

export const API_TITLE = 'Animal Store API';
export const API_SUMMARY = 'A store of pets for sale, as JSON over HTTP.';

/** The command that an operator types where the service was started. */
export const PROGRAM = Bun.isStandaloneExecutable ? 'animal-store' : 'npx --no animal-store';

const filled = fillIn(rules, {
  ...PAGE_SIZE,
  ...BAN_RULES,
  bodyKibibytes: MAX_BODY_BYTES / 1024,
  freePlan: PLANS.free.title,
  firstBanMinutes: BAN_RULES.firstBanSeconds / MINUTE_SECONDS,
  longestBanHours: BAN_RULES.longestBanSeconds / HOUR_SECONDS,
  apiPrefix: API_PREFIX,
});

/** The rules of the whole API as paragraphs of Markdown, by the headings in `rules.md`. */
export const API_RULES: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from(filled.matchAll(/^## (\w+)\n+([^#]+)\n/gm), ([, name = '', text = '']) => [
    name,
    // A line of a paragraph continues the line before.
    text.trim().replace(/(?<!\n)\n *(?=[^\n -])/g, ' '),
  ]),
);

const format = (limit: number | undefined) => limit?.toLocaleString('en-US') ?? 'custom';

/** A row for each plan: its title, and its limits per minute and per day. */
export const PLAN_LIMITS = Object.values(PLANS).map(({ title, limits }) => [
  title,
  format(limits?.perMinute),
  format(limits?.perDay),
]);

/** The introduction of the OpenAPI document, in Markdown. */
export const API_DESCRIPTION = fillIn(introduction, {
  ...API_RULES,
  plans: PLAN_LIMITS.map((plan) => `| ${plan.join(' | ')} |`).join('\n'),
});
