import { API_VERSION, CHANGES_PAGE } from '../contract/api.ts';
import { API_TEXTS } from '../contract/description.ts';
import { OPERATIONS, type Operation } from '../contract/operations.ts';
import changes from './changes.json' with { type: 'json' };
import { deprecationNotice } from './operation-section.tsx';
import { type Page, Paragraphs } from './section.tsx';

export function changesPage(): Page {
  const sections = [
    {
      id: 'versions',
      title: 'Versioning',
      words: 'breaking compatibility v1 v2',
      prose: [API_TEXTS.versions],
    },
    {
      id: 'deprecations',
      title: 'Deprecated operations',
      words: 'deprecation migrate lifecycle endoflife goingaway alternative',
      prose: Object.entries<Operation>(OPERATIONS).flatMap(([name, operation]) =>
        deprecationNotice(name, operation),
      ),
    },
    {
      id: 'changelog',
      title: 'Changes by version',
      words: 'changelog release notes whatsnew history',
      prose: [
        `These are versions of the program. That of the API stays ${API_VERSION}. Stricter means that ` +
          'a request or a program that worked with the version before may have to change.',
        <Versions />,
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

/**
 * Everything that callers can notice, with the words of CHANGELOG.md. The component takes no properties,
 * because the search reads these, and would then find what was true of an earlier version.
 */
function Versions() {
  return Object.entries(changes).map(([version, entries]) => (
    <div key={version} class="prose">
      <h3>{version}</h3>
      <Paragraphs of={entries} />
    </div>
  ));
}
