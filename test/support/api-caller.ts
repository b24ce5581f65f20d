interface ListedPet {
  readonly id: number;
  readonly name: string;
}

/** A caller of the API with a key. Ids are small enough for numbers. */
export interface ApiCaller {
  get(path: string): Promise<Response>;
  post(body: BodyInit, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Posts a pet. */
  add(name?: string, idempotencyKey?: string): Promise<Response>;
  /** Every pet after an id, page by page. Throws if a page cannot be read. */
  petsAfter(id: number): AsyncGenerator<ListedPet>;
}

export function apiCaller(api: string, secret = ''): ApiCaller {
  const authorization = { Authorization: `Bearer ${secret}` };
  const get = (path: string) => fetch(`${api}${path}`, { headers: authorization });
  const post: ApiCaller['post'] = (body, headers) =>
    fetch(`${api}/pets`, {
      method: 'POST',
      headers: { ...authorization, 'Content-Type': 'application/json', ...headers },
      body,
    });
  return {
    get,
    post,
    add: (name = 'Rex', key) =>
      post(
        JSON.stringify({ name, categoryId: 1 }),
        key === undefined ? {} : { 'Idempotency-Key': key },
      ),
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
