import { expect, test } from 'bun:test';
import { PET_STATUSES, type Pet } from '#domain/pet.ts';
import { exactBody, expectCode, startServiceForAll } from '../support/service.ts';

const service = await startServiceForAll();
const created = Array.from({ length: 130 }, (_, index) => {
  const status = PET_STATUSES[index % 3] as Pet['status'];
  return service.store.pets.createPet({ name: `Pet ${index}`, categoryId: BigInt(index), status });
});
await Promise.all(created);
const all = [...(await service.store.pets.listPets({ limit: 1_000 }))];

function nextPath(response: Response): string | undefined {
  const [, url] = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '') ?? [];
  return url?.slice(service.url.length);
}

test.each([
  ['&offset=5&LIMIT=9', Array(13).fill(10)],
  ['&status=sold', [10, 10, 10, 10, 3]],
])(
  'pages linked by rel="next" lead through all pets%s, and the last one has no such link, even when it is full',
  async (filter, sizes) => {
    const pages: Pet[][] = [];
    let path: string | undefined = `/pets?limit=10${filter}`;
    while (path !== undefined) {
      const response: Response = await service.call(path);
      pages.push((await exactBody(response)) as Pet[]);
      path = nextPath(response);
    }
    expect(pages.map(({ length }) => length)).toEqual(sizes);
    expect(pages.flat()).toEqual(
      all.filter(({ status }) => filter !== '&status=sold' || status === 'sold'),
    );
  },
);

test.each([
  ['limit=0', 'limit must be an integer from 1 to 100'],
  ['limit=1&limit=1', 'limit may be given only once; it must be an integer from 1 to 100'],
  ['status=lost', 'status must be one of available, pending, sold'],
  ['after=9223372036854775808', 'after must be an integer from -9223372036854775808'],
])('an invalid parameter is 400 invalid_parameter and states the rule: %s', async (query, rule) => {
  const response = await service.call(`/pets?${query}`);
  await expectCode(response, 'invalid_parameter', `The query parameter ${rule}`);
});
