import { afterAll, describe, expect, test } from 'bun:test';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { OPERATION_NAMES, OPERATIONS, type OperationName } from '#contract/operations.ts';
import { type NewPet, newPetToJson } from '#domain/pet.ts';
import { INT64_MAX } from '#formats/int64.ts';
import { exactJson, type JsonValue, parseJson } from '#formats/json.ts';
import { requestOf as shownRequest } from '#reference/operation-section.tsx';
import { LANGUAGES } from '#reference/samples/languages.ts';
import type { SampleRequest } from '#reference/samples/sample-request.ts';
import { runLine } from '../support/command.ts';
import { requireProgram } from '../support/programs.ts';
import { startService } from '../support/service.ts';
import { newFolder } from '../support/temporary-folder.ts';

/** Every sample runs as a reader would run it, against a service. */

const REPOSITORY = join(import.meta.dir, '../..');
const NASTY = `it's "$(rm -rf x)" \`id\` $HOME %s \\n \\\\ #{a} {b} !! </script> é 👩‍👩‍👧 \u202e\ufeff`;

const ALL_FIELDS = {
  name: NASTY,
  categoryId: INT64_MAX,
  status: 'available',
} as const satisfies Record<keyof NewPet, unknown>;

type LanguageId = (typeof LANGUAGES)[number]['id'];

interface Case {
  readonly title: string;
  readonly operation: OperationName;
  readonly values?: Partial<SampleRequest['values']>;
  readonly otherBody?: string;
  /** The code of the error that every sample prints. */
  readonly code?: string;
  /** The client throws a TypeError instead, and sends nothing. */
  readonly isTypeError?: boolean;
}

const CASES: readonly Case[] = [
  {
    title: 'adds a pet with a nasty name, the largest int64 and an Idempotency-Key',
    operation: 'createPet',
    values: {
      header: { 'Idempotency-Key': `k'"$(id)\`id\`\\%5C{}[]*?!#;&|<>` },
      body: ALL_FIELDS,
    },
  },
  {
    title: 'has fields that the service ignores',
    operation: 'createPet',
    otherBody:
      '{"name":"Rex","categoryId":7,"a-b":[true,false,null,{}],"__proto__":{"$":[]},"\\u0000":""}',
  },
  {
    title: 'lists some pets',
    operation: 'listPets',
    values: { query: { limit: '2', status: 'available', after: '-9223372036854775808' } },
  },
  { title: 'gets a pet', operation: 'getPet', values: { path: { petId: '2' } } },
  {
    title: 'gets a pet that does not exist',
    operation: 'getPet',
    values: { path: { petId: '9223372036854775807' } },
    code: 'pet_not_found',
  },
  {
    title: 'has an id that is not valid',
    operation: 'getPet',
    values: { path: { petId: NASTY } },
    code: 'pet_not_found',
    isTypeError: true,
  },
  {
    title: 'has a body that is not JSON',
    operation: 'createPet',
    otherBody: `{"name": ${NASTY},\r\n\t'\u2028"""`,
    code: 'malformed_json',
  },
];

/** A request of a sample, and its response. */
interface Exchange {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string;
  readonly status: number;
  readonly response: string;
}

const service = await startService();
// The pets that the samples get. Samples run at the same time, and add more.
await service.post({ name: 'Rex', categoryId: 7 });
await service.post(newPetToJson(ALL_FIELDS));

/** The requests and responses of the samples, by the name that begins the path. */
const exchanges: Record<string, Exchange[]> = {};

/** Passes requests on to the service unchanged, and records them. */
const recorder = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const [, name = '', path = ''] = /^\w+:\/\/[^/]+\/([^/]*)(.*)$/s.exec(request.url) ?? [];
    const { method, headers } = request;
    const body = await request.text();
    const url = new URL(path, service.url);
    const sent = await fetch(url, { method, headers, ...(body !== '' && { body }) });
    const { status } = sent;
    const response = await sent.text();
    exchanges[name] ??= [];
    exchanges[name].push({ method, url, headers, body, status, response });
    return new Response(response, { status, headers: sent.headers });
  },
});

const REX = '{"id":1,"name":"Rex","categoryId":7}';
/** What a proxy responds to each attempt of a loop, by key. Otherwise it closes the connection. */
const RESPONSES: Readonly<Record<string, readonly string[]>> = {
  succeeds: [
    '429 Whole\r\nRetry-After: 1',
    '408 Whole\r\nRetry-After: Thu, 01 Jan 2026 00:00:00 GMT',
    '503 Cut\r\nRetry-After: 1\r\nRetry-After: 1',
    '',
    '201 Cut',
    '201 Whole',
  ],
  gives_up: Array(6).fill('504 Whole'),
  is_banned: ['429 Whole\r\nRetry-After: 121'],
  fails: ['500 Whole'],
};
/** When each attempt arrived, by language and key. */
const arrivals: Record<string, number[]> = {};

const proxy = createServer((socket) => {
  let request = '';
  socket.on('data', (bytes) => {
    request += bytes;
    const [, language, key = ''] = /^POST \/(\w+).*Bearer (\w+).*\}$/s.exec(request) ?? [];
    if (key === '') return;
    const attempts = arrivals[language + key] ?? [];
    const response = RESPONSES[key]?.[attempts.length];
    arrivals[language + key] = [...attempts, performance.now()];
    const body = response?.includes('Cut') ? '{' : REX;
    const rest = `\r\nContent-Length: ${REX.length}\r\n\r\n${body}`;
    socket.end(response ? `HTTP/1.1 ${response}${rest}` : '');
  });
}).listen(0, '127.0.0.1');

const folder = newFolder();
const fileOf = (name: string) => join(folder, name);

afterAll(async () => {
  await recorder.stop(true);
  proxy.close();
  await service[Symbol.asyncDispose]();
});

describe.each([...LANGUAGES])('in $title', (sample) => {
  const { id: language } = sample;
  test.concurrent('each sample sends its request and prints the response', async () => {
    const samples = CASES.map((example, at) => sample.request(requestOf(example, language, at)));
    // Pages of one pet, so that the loop reads several pages.
    const page = shownRequest('listPets', { query: { limit: '1' } });
    const firstPage = { ...page, baseUrl: service.url };
    samples.push(sample.pageLoop(firstPage).replace('pageSize: 100', 'pageSize: 1'));
    const header = { 'Idempotency-Key': language };
    const { port } = proxy.address() as AddressInfo;
    const baseUrl = `http://127.0.0.1:${port}/${language}/v1`;
    const retried = { ...shownRequest('createPet', { header }), baseUrl };
    const retryLoop = sample.retryLoop(retried);
    // This waits a tenth of the time, instead of a random part.
    const random = /(Math|random|rand)\.\w+\(\)|\$random \/ 65536/;
    samples.push(retryLoop.replace(random, '(0.1 + 0*$&)'));
    const run = await RUNNERS[language](samples);
    for (const [at, example] of CASES.entries()) {
      const finished = await run(at, { ANIMAL_STORE_API_KEY: service.key.secret });
      try {
        check(language, example, finished, exchanges[`${language}-${at}`] ?? []);
      } catch (error) {
        const { stdout, stderr } = finished;
        const seen = `${samples[at]}\n${stdout}\n${stderr}`;
        throw new Error(`The sample that ${example.title}: ${(error as Error).message}\n${seen}`);
      }
    }
    // Other samples add pets at the same time.
    const pets = parseJson(await (await service.call('/pets')).text());
    const looped = await run(CASES.length, { ANIMAL_STORE_API_KEY: service.key.secret });
    expect([looped.exitCode, looped.stderr]).toEqual([0, '']);
    expectPets(looped.stdout, pets);
    await checkRetries(run, language);
  });
});

async function checkRetries(run: Run, language: LanguageId) {
  const runs = Object.keys(RESPONSES).map(async (key) => {
    const { exitCode } = await run(CASES.length + 1, { ANIMAL_STORE_API_KEY: key });
    expect(exitCode === 0).toBe(key === 'succeeds');
    return arrivals[language + key] ?? [];
  });
  const attempts = await Promise.all(runs);
  expect(attempts.map(({ length }) => length)).toEqual([6, 6, 1, 1]);
  // The client has its own tests.
  if (language === 'typescript') return;
  for (const [i, leastMs] of [1100, 200, 1400, 800, 1600].entries()) {
    const [before = 0, after = 0] = attempts[0]?.slice(i) ?? [];
    // A timer may fire some milliseconds early.
    expect(after - before).toBeGreaterThan(leastMs - 50);
  }
}

test.each(OPERATION_NAMES)('%s has a sample, with a body if the contract has one', (name) => {
  const hasBody = CASES.filter(({ operation }) => operation === name)
    .filter(({ otherBody }) => otherBody === undefined)
    .map(({ values }) => values?.body !== undefined);
  expect(new Set(hasBody)).toEqual(new Set(['body' in OPERATIONS[name]]));
});

function requestOf(example: Case, language: LanguageId, at: number): SampleRequest {
  const { operation, values, otherBody } = example;
  const baseUrl = `${recorder.url.origin}/${language}-${at}/v1`;
  return { ...shownRequest(operation, { body: undefined, ...values }), baseUrl, otherBody };
}

/** Prepares to run the samples of a language. */
const RUNNERS: Readonly<Record<LanguageId, (samples: readonly string[]) => Promise<Run>>> = {
  curl: async (samples) => (at, settings) =>
    runLine(['sh', '-c', samples[at] ?? ''], settings, folder),
  typescript: typescriptRunner,
  fetch: (samples) => fileRunner(samples, Bun.which('node') ?? 'node', 'mjs'),
  python: (samples) => fileRunner(samples, requireProgram('python3'), 'py'),
  go: goRunner,
};

type Run = (at: number, settings: { ANIMAL_STORE_API_KEY: string }) => ReturnType<typeof runLine>;

async function fileRunner(
  samples: readonly string[],
  program: string,
  extension: string,
): Promise<Run> {
  const files = samples.map((_, at) => fileOf(`${at}.${extension}`));
  await Promise.all(files.map((file, at) => Bun.write(file, samples[at] ?? '')));
  return (at, settings) => runLine([program, files[at] ?? ''], settings);
}

/** Also checks the types of the samples that the client accepts. */
async function typescriptRunner(samples: readonly string[]): Promise<Run> {
  const run = await fileRunner(samples, process.execPath, 'ts');
  const compilerOptions = {
    moduleDetection: 'force',
    typeRoots: [join(REPOSITORY, 'node_modules/@types')],
  };
  const files = CASES.flatMap(({ isTypeError }, at) => (isTypeError ? [] : [`${at}.ts`]));
  files.push(`${CASES.length}.ts`, `${CASES.length + 1}.ts`);
  const base = join(REPOSITORY, 'tsconfig.json');
  const settings = { extends: base, include: [], compilerOptions, files };
  await Bun.write(fileOf('tsconfig.json'), JSON.stringify(settings));
  await succeed([join(REPOSITORY, 'node_modules/.bin/tsc'), '-p', folder]);
  return run;
}

/** Compiles all samples as packages of one program, because linking each takes a second. */
async function goRunner(samples: readonly string[]): Promise<Run> {
  const go = requireProgram('go');
  const program = fileOf('samples');
  const names = samples.map((_, at) => `sample${at}`);
  for (const [at, name] of names.entries()) {
    const sample = `${samples[at]}\n`;
    await Bun.write(
      fileOf(`go/${name}/main.go`),
      sample.replace('package main\n', `package ${name}\n`).replace('func main()', 'func Main()'),
    );
  }
  await Bun.write(fileOf('go/go.mod'), 'module samples\n\ngo 1.19\n');
  await Bun.write(
    fileOf('go/main.go'),
    `package main\n\nimport (\n\t"os"\n${names.map((name) => `\n\t"samples/${name}"`).join('')}\n)\n
func main() {
	map[string]func(){
${names.map((name, at) => `\t\t"${at}": ${name}.Main,\n`).join('')}	}[os.Args[1]]()
}\n`,
  );
  await succeed([go, 'build', '-o', program, '.'], fileOf('go'));
  const unformatted = await succeed(['gofmt', '-l', ...names], fileOf('go'));
  expect(unformatted).toBe('');
  return (at, settings) => runLine([program, String(at)], settings);
}

async function succeed(words: string[], where?: string) {
  const { exitCode, stdout, stderr } = await runLine(words, {}, where);
  if (exitCode === 0) return stdout;
  throw new Error(`${words.join(' ')} failed: ${stdout}${stderr}`);
}

function check(
  language: LanguageId,
  example: Case,
  { exitCode, stdout, stderr }: Awaited<ReturnType<Run>>,
  sent: readonly Exchange[],
): void {
  const { operation, values = {}, otherBody, code, isTypeError } = example;
  const body = otherBody ?? (values.body && exactJson(values.body));
  if (language === 'typescript' && isTypeError) {
    expect(sent).toEqual([]);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain('TypeError');
    return;
  }
  expect(sent).toHaveLength(1);
  const { method, url, headers, status, ...exchange } = sent[0] as Exchange;
  expect(method).toBe(OPERATIONS[operation].method);
  const path = OPERATIONS[operation].path.replace('{petId}', () => `${values.path?.['petId']}`);
  expect(decodeURIComponent(url.pathname)).toBe(`/v1${path}`);
  expect(Object.fromEntries(url.searchParams)).toEqual(values.query ?? {});
  expect(headers.get('authorization')).toBe(`Bearer ${service.key.secret}`);
  for (const [name, value] of Object.entries(values.header ?? {})) {
    expect(headers.get(name)).toBe(value);
  }
  expect(headers.get('content-type')).toBe(body === undefined ? null : 'application/json');
  expect(valueOrText(exchange.body)).toEqual(valueOrText(body ?? ''));

  const response = parseJson(exchange.response);
  if (language === 'typescript' && code === 'pet_not_found') {
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'undefined\n' });
    return;
  }
  if (language !== 'typescript') expect(stdout + stderr).toContain(String(status));
  if (code === undefined) {
    expect([exitCode, language === 'curl' ? '' : stderr]).toEqual([0, '']);
    expectPets(stdout, response);
  } else {
    expect(response).toMatchObject({ code, status: BigInt(status) });
    expect(exitCode).not.toBe(0);
    expect(stdout + stderr).toContain(code);
    const { message } = response as { message: string };
    // The text is compared up to a quote, which JSON escapes.
    expect(stdout + stderr).toContain(message.split('"')[0] ?? '');
  }
}

/** Each language prints pets in its own form, but with every word and every digit. */
function expectPets(stdout: string, response: JsonValue) {
  const pets = [response].flat() as Record<string, JsonValue>[];
  for (const pet of pets) {
    const words =
      Object.values(pet)
        .join(' ')
        .match(/[\p{L}\p{N}\p{Emoji_Presentation}]+/gu) ?? [];
    expect(words.length).toBeGreaterThan(3);
    for (const word of words) expect(stdout).toContain(word);
  }
}

/** Programs may write the same JSON in another way. Everything else is sent as it is. */
function valueOrText(body: string): JsonValue {
  try {
    return parseJson(body);
  } catch {
    return body;
  }
}
