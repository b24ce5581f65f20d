import { API_PREFIX } from '../contract/api.ts';
import { API_SUMMARY, API_TITLE } from '../contract/description.ts';
import { OPERATIONS, type Operation } from '../contract/operations.ts';
import { REFERENCE_PAGE } from '../contract/page-paths.ts';
import { STAGING_OPERATIONS } from '../contract/staging.ts';
import { basicsSections, stagingSection } from './basics.tsx';
import { headersSection, objectSections } from './object-section.tsx';
import { operationSection } from './operation-section.tsx';
import { quickstartSection } from './quickstart.tsx';
import { rehearseSection } from './rehearse.tsx';
import type { Page } from './section.tsx';

export function referencePage(publicUrl: string, isStaging: boolean): Page {
  const baseUrl = publicUrl + API_PREFIX;
  const operations: Readonly<Record<string, Operation>> = isStaging
    ? STAGING_OPERATIONS
    : OPERATIONS;
  return {
    path: REFERENCE_PAGE,
    title: API_TITLE,
    summary: API_SUMMARY,
    introduction: (
      <>
        <p class="lead">{API_SUMMARY}</p>
        <p>
          Base address: <code>{baseUrl}</code>
        </p>
        <noscript>
          <p class="notice">To send requests from this page, allow it to run JavaScript.</p>
        </noscript>
      </>
    ),
    groups: [
      {
        title: 'Start',
        sections: isStaging
          ? [quickstartSection(baseUrl), rehearseSection(baseUrl), ...basicsSections(baseUrl)]
          : [quickstartSection(baseUrl), ...basicsSections(baseUrl), stagingSection()],
      },
      {
        title: 'Operations',
        sections: Object.entries(operations).map(([name, operation]) =>
          operationSection(name, operation, baseUrl),
        ),
      },
      { title: 'Objects', sections: [...objectSections(), headersSection(isStaging)] },
    ],
  };
}
