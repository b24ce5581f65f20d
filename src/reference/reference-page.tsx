import { API_PREFIX, API_VERSION } from '../contract/api.ts';
import { API_SUMMARY, API_TITLE } from '../contract/description.ts';
import { OPERATIONS } from '../contract/operations.ts';
import { DOCUMENT, REFERENCE_PAGE, YAML_DOCUMENT } from '../contract/page-paths.ts';
import { STAGING_OPERATIONS } from '../contract/staging.ts';
import { basicsSections, stagingSection } from './basics.tsx';
import { headersSection, objectSections } from './object-section.tsx';
import { operationSections } from './operation-section.tsx';
import { relative } from './prose.tsx';
import { quickstartSection } from './quickstart.tsx';
import { rehearseSection } from './rehearse.tsx';
import type { Page } from './section.tsx';

export function referencePage(publicUrl: string, programVersion: string, isStaging: boolean): Page {
  const baseUrl = publicUrl + API_PREFIX;
  const operations = isStaging ? STAGING_OPERATIONS : OPERATIONS;
  return {
    path: REFERENCE_PAGE,
    title: API_TITLE,
    summary: API_SUMMARY,
    introduction: (
      <>
        <p class="lead">{API_SUMMARY}</p>
        <dl class="facts">
          <div>
            <dt>Base address</dt>
            <dd>
              <code>{baseUrl}</code>
            </dd>
          </div>
          <div>
            <dt>API version</dt>
            <dd>{API_VERSION}</dd>
          </div>
          <div>
            <dt>Program version</dt>
            <dd>{programVersion}</dd>
          </div>
          <div>
            <dt>OpenAPI 3.1 document</dt>
            <dd class="buttons">
              <a class="button" href={relative(REFERENCE_PAGE, DOCUMENT)} download="openapi.json">
                Download openapi.json
              </a>
              <a href={relative(REFERENCE_PAGE, YAML_DOCUMENT)}>openapi.yaml</a>
            </dd>
          </div>
        </dl>
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
      { title: 'Operations', sections: operationSections(baseUrl, operations) },
      { title: 'Objects', sections: [...objectSections(), headersSection(isStaging)] },
    ],
  };
}
