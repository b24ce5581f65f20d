import { API_VERSION, CHANGES_PAGE } from '#contract/api.ts';
import { OPERATIONS, type Operation } from '#contract/operations.ts';
import changelog from '../../CHANGELOG.md' with { type: 'text' };
import { Blocks } from './markdown.tsx';
import { deprecationNotice } from './operation-section.tsx';
import markdown from './pages/changes.md' with { type: 'text' };
import { parsePage } from './parse-page.tsx';
import type { Page } from './section.tsx';

export function changesPage(): Page {
  const notices = Object.entries<Operation>(OPERATIONS).flatMap(([name, operation]) =>
    deprecationNotice(name, operation),
  );
  return parsePage(CHANGES_PAGE, markdown, {
    deprecations: <>{notices}</>,
    apiVersion: API_VERSION,
    changes: <Versions />,
  });
}

/**
 * The part of the changelog that is for callers. The component takes no properties, because the search reads these,
 * and would then find what was true of an earlier version.
 */
function Versions() {
  const [, ...versions] = changelog.split(/^## /m);
  return versions.map((version) => {
    const [title = '', forCallers = ''] = version.split(/^### .*$/m);
    return (
      <div class="prose">
        <Blocks of={[`### ${title}`, forCallers]} />
      </div>
    );
  });
}
