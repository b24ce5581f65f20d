import { API_VERSION } from '../contract/api.ts';
import { API_TEXTS } from '../contract/description.ts';
import { OPERATIONS, type Operation } from '../contract/operations.ts';
import { CHANGES_PAGE, REFERENCE_PAGE } from '../contract/page-paths.ts';
import { calendarDay } from './calendar-day.ts';
import { Changelog } from './changelog.tsx';
import { MethodChip } from './chips.tsx';
import type { Page, Section } from './page.tsx';
import { Prose } from './prose.tsx';
import { proseSection } from './prose-section.tsx';
import { relative } from './relative.ts';

const REFERENCE_HREF = relative(CHANGES_PAGE, REFERENCE_PAGE);

export function changesPage(programVersion: string): Page {
  return {
    path: CHANGES_PAGE,
    title: 'Changes',
    summary: 'Versions, deprecations and the changelog of Animal Store.',
    groups: [
      { title: 'Changes', sections: [versions(programVersion), deprecations(), changelog()] },
    ],
  };
}

function versions(programVersion: string): Section {
  return proseSection({
    id: 'versions',
    title: 'Versions',
    summary: `API ${API_VERSION}, program ${programVersion}`,
    prose: (
      <>
        <p>
          The API has version <strong>{API_VERSION}</strong>, and the program that serves it has
          version <strong>{programVersion}</strong>. A new version of the program can serve the same
          API.
        </p>
        <p>
          <Prose text={API_TEXTS.versions} />
        </p>
      </>
    ),
  });
}

function deprecations(): Section {
  const deprecated = Object.entries<Operation>(OPERATIONS).flatMap(([name, operation]) =>
    operation.deprecation === undefined
      ? []
      : [{ name, ...operation, deprecation: operation.deprecation }],
  );
  return proseSection({
    id: 'deprecations',
    title: 'Deprecations',
    summary: 'Operations that will be removed, and what to use instead',
    prose: (
      <>
        {deprecated.map(({ name, summary, method, deprecation }) => (
          <div key={name} class="notice">
            <p>
              <a href={`${REFERENCE_HREF}#${name}`}>
                <s>{summary}</s>
              </a>{' '}
              <MethodChip method={method} /> deprecated on {calendarDay(deprecation.deprecatedAt)},
              to be removed on <strong>{calendarDay(deprecation.removedAt)}</strong>
            </p>
            <p>
              <Prose text={deprecation.advice} />
            </p>
          </div>
        ))}
      </>
    ),
  });
}

function changelog(): Section {
  return proseSection({
    id: 'changelog',
    title: 'Changelog',
    summary: 'What is new in each release',
    prose: <Changelog />,
  });
}
