import { USAGE_PAGE } from '#contract/api.ts';
import { USAGE_READS_PER_MINUTE } from '#domain/usage-report.ts';
import { Island } from './browser/islands.tsx';
import markdown from './pages/usage.md' with { type: 'text' };
import { parsePage } from './parse-page.tsx';
import type { Page } from './section.tsx';

export function usagePage(publicUrl: string): Page {
  const view = (
    <div class="needs-script">
      <Island name="usage-view" props={{}} />
    </div>
  );
  return parsePage(USAGE_PAGE, markdown, {
    publicUrl,
    readsPerMinute: `${USAGE_READS_PER_MINUTE}`,
    view,
  });
}
