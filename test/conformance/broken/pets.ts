import {
  broken,
  hasStatus,
  isCreatePet,
  isListPets,
  isSuccess,
  onQuery,
  onRequest,
  onResponse,
  query,
  withBody,
  withField,
  withQuery,
  withText,
} from '../faults.ts';

/** Deployments that store or list other pets than they should. */
export const PET_FAULTS = [
  broken(
    'stores names in capitals',
    changeField('name', (name) => (typeof name === 'string' ? name.toUpperCase() : name)),
    'resources.pet.name',
    'resources.pet.name.unicode',
    'listPets.contains',
    'getPet.found',
    'getPet.replacement',
  ),
  broken(
    'requires a status, and rejects pending pets',
    changeField('status', (status) => (status === 'pending' ? 'lost' : (status ?? 'lost'))),
    'resources.petStatus.values',
    'resources.newPet.status.optional',
  ),
  broken(
    'makes every pet available',
    changeField('status', (status) =>
      typeof status === 'object' || status === 'lost' ? status : 'available',
    ),
    'states.supplied',
    'listPets.contains',
    'getPet.found',
  ),
  broken(
    'rounds int64 values to doubles',
    onResponse(
      isSuccess,
      withText((text) => JSON.stringify(JSON.parse(text))),
    ),
    'resources.newPet.categoryId.int64',
    'resources.pets',
    'listPets.contains',
    'getPet.found',
  ),
  broken(
    'writes categoryId as a string',
    onResponse(isSuccess, withField('categoryId', String)),
    'resources.newPet.categoryId.int64',
    'resources.pet.categoryId',
    'resources.pets',
    'listPets.contains',
    'createPet.pet',
    'getPet.found',
    'getPet.replacement',
  ),
  broken(
    'writes ids as strings',
    onResponse(isSuccess, withField('id', String)),
    'resources.pet.id',
    'resources.pets',
    'createPet.pet',
  ),
  broken(
    'gives every pet the same id',
    onResponse(hasStatus(201), withField('id', 1n)),
    'resources.pet.id.unique',
    'listPets.contains',
    'getPet.found',
  ),
  broken(
    'uses an id that the caller chose',
    async (request, service) => {
      const [, chosen] = /"id":(\d+)/.exec(await request.clone().text()) ?? [];
      const response = await service(request);
      return chosen === undefined ? response : withField('id', BigInt(chosen))(response);
    },
    'resources.pet.id.assigned',
    'listPets.contains',
    'getPet.found',
  ),
  broken(
    'takes an invalid limit for 1',
    onRequest(
      (request) => !/^(100|[1-9]\d?)$/.test(query(request, 'limit') ?? '1'),
      withQuery('limit', '1'),
    ),
    'listPets.limit.aboveMaximum',
    'listPets.limit.belowMinimum',
    'listPets.limit.integer',
  ),
  broken(
    'has 10 pets on a page by default',
    onQuery('limit', null, '10'),
    'listPets.limit.default',
  ),
  broken(
    'returns 5 pets for a limit of 100',
    onQuery('limit', '100', '5'),
    'listPets.limit.maximum',
  ),
  broken(
    'adds one to the limit',
    onRequest(
      (request) => /^([1-9]|[1-9]\d)$/.test(query(request, 'limit') ?? ''),
      (request) => withQuery('limit', String(Number(query(request, 'limit')) + 1))(request),
    ),
    'listPets.limit.number',
    'listPets.limit.minimum',
  ),
  broken(
    'has an empty next page of a filtered list',
    onRequest(
      (request) => query(request, 'after') !== null && query(request, 'status') !== null,
      withQuery('after', '999999'),
    ),
    'listPets.paginated',
    'listPets.status.filter',
  ),
  broken(
    'wraps the list in an object',
    onResponse(
      ({ status }, request) => isListPets(request) && status === 200,
      withText((text) => `{"pets":${text}}`),
    ),
    'listPets.array',
  ),
  broken(
    'does not filter by status',
    onRequest((request) => query(request, 'status') !== null, withQuery('status', null)),
    'listPets.status.filter',
    'listPets.status.values',
  ),
  broken(
    'lists only available pets by default',
    onQuery('status', null, 'available'),
    'listPets.contains',
    'listPets.status.optional',
  ),
];

/** Changes a field of the createPet body before the service reads it. */
function changeField(field: string, change: (value: unknown) => unknown) {
  return onRequest(
    isCreatePet,
    withBody((body) => {
      const value = change(body[field]);
      if (value !== undefined) body[field] = value;
    }),
  );
}
