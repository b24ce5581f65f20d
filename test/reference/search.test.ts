import { describe, expect, test } from 'bun:test';
import { ERROR_CODES } from '#contract/errors.ts';
import { newSearch, type SearchEntry } from '#reference/browser/search.ts';
import { ReferencePages } from '#reference/reference-pages.tsx';

const publicUrl = 'https://animal-store.example';
const pages = new ReferencePages({ publicUrl, programVersion: '0.0.0' });
const path = '/docs/search.json';
const file = pages.read(new Request(publicUrl + path), path);
const find = newSearch(JSON.parse(`${file?.body}`) as SearchEntry[]);

/** The results that a reader of the pages gets. */
const search = (query: string) => find(query).map(({ href }) => href);

/** What people ask of any API, with the entry that answers: most of it was collected without these pages. */
const QUERIES = `
docs: base url; endpoint; host; production url; what can I do with this API
docs#authentication: leaked key; authentification; bearer; password; x-api-key; api key; key rotation;
  authroization header; barer token; jwt
docs#clients: swagger; .net; go; python; swift ios; javascript; ruby gem; java sdk
docs#compatibility: OPTIONS request
docs#connections: http2; minimum tls version; ip allow-list; allow only certain ips; mutual tls; client certs
docs#createPet: add a pet; what does createPet return; POST /pets
docs#get-a-key: register; enviroment variable; how do I get an api key; sign up; obtain a token;
  can I create keys via the api; lost my key
docs#getPet: getPetById; getPet deprecated; GET /v1/pets/{petId}; show pet; single pet
docs#header-Cache-Control: caching
docs#header-Retry-After: retry-after seconds or date
docs#header-X-RateLimit-Reset: ratelimit-reset
docs#header-X-Request-Id: request id; X-Request-Id; xrequestid
docs#listPets: list pets; GET /pets
docs#no-bulk: import csv; export csv; bulk
docs#no-categories: list of categories; which categories exist; add a new category; pet types
docs#no-fields: field selection; return only the name field; sparse fieldsets; ?fields=name
docs#no-formats: gzip; form data; accept header; xml
docs#no-integrations: terraform provider; MCP server; model context protocol
docs#no-orders: buy a pet; upload photo; user endpoint; photoUrls
docs#no-search: filter by category; filter by tag; search
docs#no-sorting: sort; sorting options; sort by name; newest first; random pet; total count
docs#no-timestamps: timestamps; does the response include a timestamp; createdAt; when was a pet created; last modified date
docs#no-update: set status to sold; PATCH; PUT /pets/5; delete; mark as sold
docs#no-webhooks: callback url; notify me when a pet is sold; websocket
docs#numbers: are ids strings or numbers; id too big; int64
docs#pagination: how to know when there are no more results; pagination curser; page size; offset; page=2;
  only getting 20 results
docs#parameter-createPet-Idempotency-Key: Idempotency-Key header; indempotency key
docs#parameter-createPet-name: max length name; name length
docs#parameter-listPets-after: read pets added after 42
docs#parameter-listPets-status: available; default status
docs#polling: poll for new pets; how often should I poll; changes since; new arrivals
docs#quickstart: get started; hello world; tutorial
docs#retries: double post; duplicate pets created; idempotent; is it safe to retry POST; retry; socket hang
  up; ECONNRESET
docs#schema-NewPet: NewPet; optional fields; required fields; request body
docs#schema-PetStatus: status values; pendng
docs#staging: advance time; reset staging data; simulate expired key; test clock; time travel; mocking in
  unit tests; how to test 429; test key
docs#support: pricing; delete my account; health check; ping; report a bug
docs#web-pages: cors; hide api key in frontend; localhost; read-only; browser
docs/changes#changelog: what's new
docs/changes#deprecations: depricated; migrate; migration guide
docs/changes#versions: breaking changes; versioning; v2
docs/errors#malformed_json: 400 bad request
docs/errors#rate_limit_minute: recieve 429
docs/errors#read_only_key: 403 forbidden on POST
docs/errors#unsupported_media_type: 415 content type
docs/limits: daily limit; quota; rate limit
docs/limits#bans: unban; how long does a ban last; parallel requests; ban
docs/limits#counting: do failed requests count towards the limit; timezone
docs/limits#headers: how many calls do I have left; quota reset time; reset; IETF draft
docs/limits#plans: upgarde; free plan
docs/limits#refusals: retry loop; retry example; backoff; exponental backof; jitter
`;

describe('the first result', () => {
  const lines = QUERIES.trim().split(/\n(?! )/);
  const byHref = lines.map((line) => line.split(': ') as [string, string]);

  test.each(byHref)('is %s', (href, queries) => {
    const wrong = queries.split(/;\s+/).map((query) => {
      const text = query.replace(/\s+/g, ' ');
      return [text, search(text)[0]];
    });
    expect(wrong.filter(([, first]) => first !== href)).toEqual([]);
  });

  test('for a status is an error, or the table of all errors', () => {
    expect(search('429')[0]).toStartWith('docs/errors#');
    expect(search('409')[0]).toBe('docs/errors');
  });

  test.each(ERROR_CODES)('for %p explains it', (code) => {
    expect(search(code)[0]).toBe(`docs/errors#${code}`);
  });
});

test('the results match most words of a query, and are few', () => {
  expect(search('category nonsense')[0]).toBe('docs#no-categories');
  expect(search('quickst')[0]).toBe('docs#quickstart');
  expect(search('pet').length).toBe(12);
  expect(search('deprecated').length).toBeLessThan(4);
  expect(search('xyzzy')).toEqual([]);
  expect(search(' ')).toEqual([]);
});
