import { type Definition, DefinitionList, type Section } from './section.tsx';

const UNSUPPORTED = [
  row(
    'no-update',
    'Update or delete a pet',
    'Once added, a pet stays as it is. The operator can correct its status or remove it.',
    'remove undo cancel change updatestatus setstatus mark soft archive restore transition',
  ),
  row(
    'no-search',
    'Search by name',
    'The only filter is one `status`. Read [all pages](#pagination) and compare in your program.',
    'byname bycategory breed species tag fulltext keyword wildcard contains',
  ),
  row(
    'no-sorting',
    'Sort or count pets',
    'Pets come in ascending order of id, so the newest are last. Read [all pages](#pagination), ' +
      'then sort or count them.',
    'count total newest latest oldest random previous orderby descending howmanypets numberofpets statistics aggregate',
  ),
  row(
    'no-webhooks',
    'Webhooks and events',
    'Poll: [list the pets](#listPets) `after` the last id that you have. This finds new pets, but ' +
      'no changes of their status.',
    'webhook push stream sse websocket realtime subscribe longpolling kafka',
  ),
  row(
    'no-bulk',
    'Many pets at once',
    'Each request adds one pet. The [TypeScript client](#clients) has `createPets`, which adds many ' +
      'as fast as the limits allow.',
    'bulk mass import export dump csv createpets',
  ),
  row(
    'no-orders',
    'Orders, users, categories and photos',
    'A pet has an id and the fields of [NewPet](#schema-NewPet). Keep other data in your own ' +
      'database, under the id of the pet.',
    'adopt customer inventory upload file attachment description createdat placeorder comment favorite currency gdpr',
  ),
  row(
    'no-formats',
    'GraphQL, XML and compression',
    'Bodies are JSON over HTTP. Neither requests nor responses are compressed, and responses have ' +
      'no `ETag`.',
    'grpc soap protobuf html form multipart brotli accept conditional ifnonematch http2 hateoas expand',
  ),
];

/** Tells readers early what they would look for in vain, and what to do instead. */
export const UNSUPPORTED_SECTION: Section = {
  id: 'unsupported',
  title: 'What this API does not do',
  words: 'unsupported notsupported limitation missing feature',
  prose: [<DefinitionList of={UNSUPPORTED} />],
};

function row(id: string, title: string, instead: string, words: string): Definition {
  return [title, instead, { id, words }];
}
