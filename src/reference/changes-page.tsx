import { CHANGES_PAGE } from '../contract/api.ts';
import { API_TEXTS } from '../contract/description.ts';
import { OPERATIONS, type Operation } from '../contract/operations.ts';
import { deprecationNotice } from './operation-section.tsx';
import type { Page } from './section.tsx';

export function changesPage(): Page {
  const sections = [
    {
      id: 'versions',
      title: 'Versioning',
      words: 'breaking breakingchange compatibility v1 v2',
      prose: [API_TEXTS.versions],
    },
    {
      id: 'deprecations',
      title: 'Deprecated operations',
      words: 'deprecated deprecation migrate lifecycle endoflife goingaway alternative',
      prose: Object.entries<Operation>(OPERATIONS).flatMap(([name, operation]) =>
        deprecationNotice(name, operation),
      ),
    },
    {
      id: 'changelog',
      title: 'Changes by version',
      words: 'changelog release notes whatsnew history',
      prose: [
        '1.0.0 is the first version: list pets, add a pet, and get a pet by its id, which is ' +
          'deprecated from the start. Added since: read-only keys, with 403 `read_only_key`.',
      ],
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
