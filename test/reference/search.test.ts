import { describe, expect, test } from 'bun:test';
import { ERROR_CODES } from '../../src/contract/errors.ts';
import { newSearch, type SearchEntry } from '../../src/reference/browser/search.ts';
import { ReferencePages } from '../../src/reference/reference-pages.tsx';

const publicUrl = () => 'https://animal-store.example';
const pages = new ReferencePages({ publicUrl, programVersion: '0.0.0' });
const path = '/docs/search.json';
const file = pages.read(new Request(publicUrl() + path), path);
const find = newSearch(JSON.parse(`${file?.body}`) as SearchEntry[]);

/** The results that a reader of the pages gets. */
const search = (query: string) => find(query).map(({ href }) => href);

/** What people ask of any API, with the entry that answers: most of it was collected without these pages. */
const QUERIES = `
docs: base url; endpoint; endpoints list; host; production url; what can I do with this API; what is
  this api
docs#authentication: leaked key; authentification; token; log in; auth; authentication; authorization; autentication;
  authentcation; basic auth; bearer; bearer token; bearertoken; credentials; login; oauth; oauth2
  client credentials; password; refresh token; sso; x-api-key; api key; api keys; api-key; api_key;
  apikey; api key in query string; access token; where do I find my api key; hide key; I leaked my
  key on github; compromised key; key rotation; rotate; revoke; revoke acces; old key still works
  after rotation; authetication; authorisation; authorise; authroization header; barer token; jwt;
  leaked secret; regenerate key; roatate key; rotate api key without downtime; aip key; how do I get
  an api key; wehre is the api key
docs#clients: rest client; swagger; postman; .net; axios; c#; client library; go; golang client; import insomnia;
  java; kotlin; language; licence; license; node; nodejs; openapi; openapi-generator; php; postman
  collection; powershell; python; python sdk; rust; sdk; swagger json; swift ios; typescript;
  typescript types; curl; curl windows; swagger ui; deno; generate client; javascript; javascrpit;
  npm install; open api spec; openapi.yaml; postmen; ruby gem; swager; typescript client; typscript
docs#compatibility: OPTIONS request
docs#createPet: add a pet; add pet; addPet; creat pet; insert; what does createPet return; create pet; createPet; add a new pet; POST /pets
docs#first-request: first request
docs#get-a-key: register; enviroment variable
docs#getPet: get pet by id; getPetById; getPet deprecated; GET /v1/pets/{petId}; show pet; single pet
docs#header-Access-Control-Expose-Headers: Access-Control-Expose-Headers
docs#header-Cache-Control: caching
docs#header-Location: Location header
docs#header-Retry-After: retry-after; retry-after seconds or date; retryafter
docs#header-Sunset: sunset header
docs#header-X-RateLimit-Remaining: X-RateLimit-Remaining
docs#header-X-RateLimit-Reset: ratelimit-reset
docs#header-X-Request-Id: request id; requestid; trace; X-Request-Id
docs#headers: response headers
docs#listPets: list pets; listpets; GET /pets; GET /v1/pets?limit=5
docs#no-bulk: bulk create pets; import csv; export csv; batch; bulk
docs#no-formats: gzip; compression; etag; form data; graphql; accept header; grpc; xml
docs#no-orders: GDPR; buy a pet; currency; images; inventory; upload photo; user endpoint; photoUrls; orders
docs#no-search: filter by category; filter by breed; filter by tag; search; search by name
docs#no-sorting: sort; sorting; newest first; random pet; total count; count total
docs#no-update: set status to sold; PATCH; soft delete; PUT /pets/5; upsert; delete; update; delete a pet; edit pet; rename pet; undo; update a pet; PUT; change status
  from pending to sold; mark as sold
docs#no-webhooks: SSE; events; notify me when a pet is sold; polling; webhook; websocket; how often can I poll; web
  hooks; webhooks
docs#numbers: precision; are ids strings or numbers; big int; id too big; int64; number precision;
  bigint; id rounded last digits zero; long numbers
docs#pagination: how do I page; how do I get the next page of results; how to know when there are no more results;
  last page; next page; nextpage; paginate; pagination curser; paginaton; paging; page size; max
  page size; per_page; offset; page number; page=2; cursor; nextCursor; pagination; pagnation; only
  getting 20 results; text of the next page; descriptor next page
docs#parameter-createPet-Idempotency-Key: Idempotency-Key header; idempotency key; indempotency key
docs#parameter-createPet-name: max length name; maximum length of name; name length
docs#parameter-listPets-status: available; default status; status; status filter
docs#quickstart: get started; quickstart; getting started; hello world; tutorial
docs#retries: double post; duplicate; duplicate pets created; idempodent; idempotent; is it safe to retry POST;
  retry; retry safe; retyr; connection reset; resend request safely; socket hang up; ECONNRESET
docs#schema-NewPet: optional fields; required fields; request body
docs#schema-Pet: pet; pet object
docs#schema-PetStatus: status values; pendng
docs#staging: advance time; clock; fake data; reset staging data; sandbox; simulate expired key; stageing;
  staging; staging url; test clock; test clocks; test data; test environment; test mode; time
  travel; mocking in unit tests; how to test 429; sandobx; test key; testclock
docs#support: pricing; support; SLA; contact; cost; delete my account; downgrade; feature request; health check;
  help; how much does it cost; invoice; is the api down; maintenance; maintenence; priceing;
  roadmap; status page; trial; uptime; vulnerability; billing; price; downtime; email;
  privacy; ping; report a bug; terms; terms of service; latency
docs#web-pages: cors; cors error; corse error; hide api key in frontend; localhost; react; permissions; read only
  key; read-only; readonly; roles; scopes; browser; crosorigin
docs/changes#changelog: what's new; changelog; release notes
docs/changes#deprecations: depricated; migrate; deprecated; deprication; end of life; migration guide
docs/changes#versions: breaking changes; versioning; v2; api version header
docs/errors#account_suspended: suspended
docs/errors#idempotency_key_reused: idempotency key reused with different body
docs/errors#internal_error: internal server error; server error
docs/errors#invalid_api_key: invalid api key
docs/errors#malformed_json: 400 bad request
docs/errors#method_not_allowed: method not allowed
docs/errors#payload_too_large: payload too large
docs/errors#pet_not_found: pet not found
docs/errors#rate_limit_minute: recieve 429; Request failed with status code 429
docs/errors#read_only_key: 403 forbidden on POST; forbidden; forbiden
docs/errors#request_timeout: timeout
docs/errors#service_unavailable: service unavailable
docs/errors#unsupported_media_type: unsupported media type; 415 content type
docs/errors#validation_failed: validation error
docs/limits: daily limit; qouta; quota; rate limit; rate limits; rate limitting; ratelimiting
docs/limits#bans: unban; blocked; how long does a ban last; concurrency; parallel requests; ban; baned; banned;
  bannned
docs/limits#counting: do failed requests count towards the limit; timezone
docs/limits#headers: how many calls do I have left; quota reset time; reset
docs/limits#plans: upgarde; enterprise; plan; plans; pro; free plan
docs/limits#refusals: retry loop; retry example; backoff; exponental backof; exponential backoff; jitter; throttled; throttling; back off;
  throtling
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
  expect(search('category nonsense')[0]).toEndWith('-categoryId');
  expect(search('quickst')[0]).toBe('docs#quickstart');
  expect(search('pet').length).toBe(12);
  expect(search('deprecated').length).toBeLessThan(4);
  expect(search('xyzzy')).toEqual([]);
  expect(search(' ')).toEqual([]);
});
