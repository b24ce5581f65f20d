interface ListedPet {
  readonly id: number;
  readonly name: string;
}

/** A caller of the API with a key. Ids are small enough for numbers. */
export interface ApiCaller {
  get(path: string): Promise<Response>;
  add(name: string, idempotencyKey?: string): Promise<Response>;
  /** Every pet after an id, page by page. Throws if a page cannot be read. */
  petsAfter(id: number): AsyncGenerator<ListedPet>;
}

export function apiCaller(api: string, secret: string): ApiCaller {
  const authorization = { Authorization: `Bearer ${secret}` };
  const get = (path: string) => fetch(`${api}${path}`, { headers: authorization });
  return {
    get,
    add: (name, key) =>
      fetch(`${api}/pets`, {
        method: 'POST',
        headers: {
          ...authorization,
          'Content-Type': 'application/json',
          ...(key !== undefined && { 'Idempotency-Key': key }),
        },
        body: JSON.stringify({ name, categoryId: 1 }),
      }),
    async *petsAfter(id) {
      for (let after = id; ; ) {
        const response = await get(`/pets?limit=100&after=${after}`);
        if (response.status !== 200) throw new Error(`The list responded ${response.status}`);
        const pets = (await response.json()) as ListedPet[];
        yield* pets;
        if (pets.length === 0) return;
        after = pets.at(-1)?.id ?? after;
      }
    },
  };
}
