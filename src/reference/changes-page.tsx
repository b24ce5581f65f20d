import { API_VERSION } from '../contract/api.ts';
import { API_TEXTS } from '../contract/description.ts';
import { OPERATIONS, type Operation } from '../contract/operations.ts';
import { CHANGES_PAGE, REFERENCE_PAGE } from '../contract/page-paths.ts';
import { calendarDay, MethodBadge, Prose, relative } from './prose.tsx';
import { type Page, proseSection, type Section } from './section.tsx';

const REFERENCE_HREF = relative(CHANGES_PAGE, REFERENCE_PAGE);

/** Changes of the API by version, the newest first. CHANGELOG.md has those of the program. */
export const API_CHANGES = [
  {
    version: '1.0.0',
    changes: [
      'The first version: list pets, add a pet, and get a pet by its id.',
      'Getting a pet by its id is deprecated from the start. Use the list instead.',
    ],
  },
] as const;

export function changesPage(programVersion: string): Page {
  return {
    path: CHANGES_PAGE,
    title: 'Changes',
    summary: 'Versions, deprecations and changes of the Animal Store API.',
    groups: [{ title: 'Changes', sections: [versions(programVersion), deprecations(), changes()] }],
  };
}

function versions(programVersion: string): Section {
  return proseSection({
    id: 'versions',
    title: 'Versioning',
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
  return proseSection({
    id: 'deprecations',
    title: 'Deprecated operations',
    prose: Object.entries<Operation>(OPERATIONS).map(
      ([name, { summary, method, deprecation }]) =>
        deprecation && (
          <div key={name} class="notice">
            <p>
              <a href={`${REFERENCE_HREF}#${name}`}>
                <s>{summary}</s>
              </a>{' '}
              <MethodBadge method={method} /> deprecated on {calendarDay(deprecation.deprecatedAt)},
              to be removed on <strong>{calendarDay(deprecation.removedAt)}</strong>
            </p>
            <p>
              <Prose text={deprecation.advice} />
            </p>
          </div>
        ),
    ),
  });
}

function changes(): Section {
  return proseSection({
    id: 'changelog',
    title: 'Changes by version',
    prose: API_CHANGES.map(({ version, changes }) => (
      <>
        <h3>{version}</h3>
        <ul>
          {changes.map((change) => (
            <li key={change}>{change}</li>
          ))}
        </ul>
      </>
    )),
  });
}
