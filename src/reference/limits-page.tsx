import { LIMITS_PAGE, USAGE_PAGE } from '#contract/api.ts';
import { PLAN_LIMITS } from '#contract/description.ts';
import { COMMON_HEADERS } from '#contract/headers.ts';
import { Island } from './browser/islands.tsx';
import { errorText, headersExample } from './example.tsx';
import { headerDefinition } from './object-section.tsx';
import { requestOf } from './operation-section.tsx';
import markdown from './pages/limits.md' with { type: 'text' };
import usage from './pages/usage.md' with { type: 'text' };
import { parsePage } from './parse-page.tsx';
import { DefinitionList, type Page } from './section.tsx';
import { Table } from './table.tsx';

const LIMIT_HEADERS = COMMON_HEADERS.filter((name) => name.includes('RateLimit'));

export function limitsPage(): Page {
  const header = { 'Idempotency-Key': 'order-1042-rex' };
  const request = requestOf('createPet', { header });
  return parsePage(LIMITS_PAGE, markdown, {
    plans: (
      <Table
        name="figures"
        columns={['Plan', 'Requests per minute', 'Requests per day']}
        rows={PLAN_LIMITS}
      />
    ),
    headers: <DefinitionList of={LIMIT_HEADERS.map((name) => headerDefinition(name))} />,
    headersExample: headersExample(LIMIT_HEADERS),
    rate_limit_minute: errorText('rate_limit_minute'),
    retryLoop: <Island name="loop-panel" props={{ loop: 'retryLoop', request }} />,
    api_key_banned: errorText('api_key_banned'),
  });
}

/** The page on which callers see what they have used of their limits. */
export function usagePage(): Page {
  const view = (
    <div class="needs-script">
      <Island name="usage-view" props={{}} />
    </div>
  );
  return parsePage(USAGE_PAGE, usage, { view });
}
