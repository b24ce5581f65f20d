import { API_VERSION } from '../contract/api.ts';
import { API_TEXTS } from '../contract/description.ts';
import { OPERATIONS, type Operation } from '../contract/operations.ts';
import { CHANGES_PAGE, REFERENCE_PAGE } from '../contract/page-paths.ts';
import { calendarDay } from './calendar-day.ts';
import { Changelog } from './changelog.tsx';
import { MethodChip } from './chips.tsx';
import type { Page, Section } from './page.tsx';
import { Prose } from './prose.tsx';
import { relative } from './relative.ts';
import { Row, SectionHeading } from './row.tsx';

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
  const id = 'versions';
  const title = 'Versions';
  return {
    ...{ id, title, summary: `API ${API_VERSION}, program ${programVersion}` },
    body: (
      <Row
        side={
          <dl class="facts">
            <div>
              <dt>API version</dt>
              <dd>{API_VERSION}</dd>
            </div>
            <div>
              <dt>Program version</dt>
              <dd>{programVersion}</dd>
            </div>
          </dl>
        }
      >
        <SectionHeading id={id}>{title}</SectionHeading>
        <p>
          The API and the program that serves it each have a version. A new version of the program
          can serve the same API.
        </p>
        <p>
          <Prose text={API_TEXTS.versions} />
        </p>
      </Row>
    ),
  };
}

function deprecations(): Section {
  const id = 'deprecations';
  const title = 'Deprecations';
  const deprecated = Object.entries<Operation>(OPERATIONS).flatMap(([name, operation]) =>
    operation.deprecation === undefined
      ? []
      : [{ name, ...operation, deprecation: operation.deprecation }],
  );
  return {
    ...{ id, title, summary: 'Operations that will be removed, and what to use instead' },
    body: (
      <Row>
        <SectionHeading id={id}>{title}</SectionHeading>
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
      </Row>
    ),
  };
}

function changelog(): Section {
  const id = 'changelog';
  const title = 'Changelog';
  return {
    ...{ id, title, summary: 'What is new in each release' },
    body: (
      <Row>
        <SectionHeading id={id}>{title}</SectionHeading>
        <Changelog />
      </Row>
    ),
  };
}
