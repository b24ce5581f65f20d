import { CHANGES_PAGE } from '../contract/api.ts';
import { API_TEXTS } from '../contract/description.ts';
import { OPERATIONS, type Operation } from '../contract/operations.ts';
import { deprecationNotice } from './operation-section.tsx';
import type { Page } from './section.tsx';

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

export function changesPage(): Page {
  const sections = [
    {
      id: 'versions',
      title: 'Versioning',
      prose: [API_TEXTS.versions],
    },
    {
      id: 'deprecations',
      title: 'Deprecated operations',
      prose: Object.entries<Operation>(OPERATIONS).flatMap(([name, operation]) =>
        deprecationNotice(name, operation),
      ),
    },
    {
      id: 'changelog',
      title: 'Changes by version',
      prose: API_CHANGES.flatMap(({ version, changes }) => [
        <h3 key={version}>{version}</h3>,
        <ul key={`${version} changes`}>
          {changes.map((change) => (
            <li key={change}>{change}</li>
          ))}
        </ul>,
      ]),
    },
  ];
  return {
    path: CHANGES_PAGE,
    title: 'Changes',
    summary: 'Versions, deprecations and changes of the API.',
    introduction: [],
    groups: [{ title: 'Changes', sections }],
  };
}
