/** The rules that all frameworks share. */

const STATUSES = ['available', 'pending', 'sold'];
export const DAY_MS = 24 * 60 * 60 * 1000;
export const ERRORS = {
  invalidParameter: { code: 'invalid_parameter', message: 'Invalid parameter.', status: 400 },
  validationFailed: { code: 'validation_failed', message: 'Invalid pet.', status: 400 },
  invalidApiKey: { code: 'invalid_api_key', message: 'Invalid API key.', status: 401 },
  petNotFound: { code: 'pet_not_found', message: 'Pet not found.', status: 404 },
  rateLimitDay: { code: 'rate_limit_day', message: 'Daily limit exceeded.', status: 429 },
};

export function keyFrom(authorization) {
  return /^Bearer +(.+)$/i.exec(authorization ?? '')?.[1] ?? '';
}

/** Counts a request of an account in the UTC day. Returns the limit headers, as pairs of name and value. */
export function countRequest(account) {
  const now = Date.now();
  if (now >= account.resetAtMs) {
    account.used = 0;
    account.resetAtMs = Math.ceil((now + 1) / DAY_MS) * DAY_MS;
  }
  const isAllowed = account.used < account.perDay;
  if (isAllowed) account.used++;
  const limits = [
    ['X-RateLimit-Limit', String(account.perDay)],
    ['X-RateLimit-Remaining', String(account.perDay - account.used)],
    ['X-RateLimit-Reset', String(account.resetAtMs / 1000)],
  ];
  return { isAllowed, limits };
}

/** The three operations. Each returns a status, headers and a body. */
export function operationsOf({ find, list, insert }) {
  return {
    async listPets({ limit: limitText = '20', status, after: afterText = '0' }) {
      const [limit, after] = [Number(limitText), Number(afterText)];
      const isPage = Number.isInteger(limit) && limit >= 1 && limit <= 100;
      const isStatus = status === undefined || STATUSES.includes(status);
      if (!(isPage && isStatus && Number.isSafeInteger(after))) return fail('invalidParameter');
      // Reading one pet more than fits on the page shows whether another page follows.
      const pets = await list({ status, after, limit: limit + 1 });
      if (pets.length <= limit) return { status: 200, headers: {}, body: pets };
      pets.pop();
      const filter = status === undefined ? '' : `status=${status}&`;
      const next = `/v1/pets?${filter}limit=${limit}&after=${pets.at(-1).id}`;
      return { status: 200, headers: { Link: `<${next}>; rel="next"` }, body: pets };
    },
    async getPet(id) {
      const pet = await find(Number(id));
      return pet === undefined ? fail('petNotFound') : { status: 200, headers: {}, body: pet };
    },
    async createPet({ name, categoryId, status = 'available' }) {
      const isName = typeof name === 'string' && name.trim() !== '' && name.length <= 255;
      const isValid = isName && Number.isSafeInteger(categoryId) && STATUSES.includes(status);
      if (!isValid) return fail('validationFailed');
      const pet = await insert({ name, categoryId, status });
      return { status: 201, headers: { Location: `/v1/pets/${pet.id}` }, body: pet };
    },
  };
}

function fail(name) {
  return { status: ERRORS[name].status, headers: {}, body: ERRORS[name] };
}
