import fc from 'fast-check';
import { serveWithKey } from '../test/support/command.ts';
import { atLeast, type Fault, none, tryInParallel } from './fault.ts';
import { below } from './random.ts';
import { errorLines } from './service.ts';

const CALLERS = 16;
/** How many bodies are made at once. */
const BATCH = 500;
/** At least this share of the bodies must be accepted. If most were refused, the attack would prove little. */
const ACCEPTED_SHARE = 0.2;
const SHOWN = 10;
const LIMIT = 2n ** 63n;

interface SentPet {
  readonly name: string;
  readonly categoryId: bigint;
  readonly status: string;
}

interface ParsedPet {
  readonly name?: unknown;
  readonly categoryId?: unknown;
  readonly status?: unknown;
}

/** A body for createPet, and the result that it must have. */
interface Body {
  readonly bytes: Buffer<ArrayBuffer>;
  /** The pet that the body adds, or undefined if the service may accept or refuse the body. */
  readonly expected: SentPet | 'refused' | undefined;
}

const character = fc
  .oneof(
    fc.integer({ min: 0x20, max: 0x7e }),
    fc.integer({ min: 0xa0, max: 0x3000 }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  )
  .map((codePoint) => String.fromCodePoint(codePoint));
const name = fc
  .string({ unit: character, minLength: 1, maxLength: 255, size: 'max' })
  .filter((text) => text.trim() !== '');
const wrongName = fc
  .tuple(name, fc.constantFrom('\u0000', '\u001f', '\u007f', '\u009f', '\ud800', '\udfff'))
  .map(([text, wrong]) => wrong + text);

const integer = fc.oneof(
  fc.bigInt({ min: -LIMIT, max: LIMIT - 1n }),
  fc.bigInt({ min: 2n ** 53n - 2n, max: 2n ** 53n + 2n }),
);
const wrongInteger = fc.oneof(
  fc.bigInt({ min: LIMIT, max: 2n * LIMIT }),
  fc.bigInt({ min: -2n * LIMIT, max: -LIMIT - 1n }),
);

const petOf = (names: fc.Arbitrary<string>, integers: fc.Arbitrary<bigint>) =>
  fc.record({
    name: names,
    categoryId: integers,
    status: fc.constantFrom('available', 'pending', 'sold'),
  });

/** Ways to write the same JSON number. */
const NUMBERS: readonly ((value: bigint) => string)[] = [
  (value) => `${value}`,
  (value) => `${value}.000`,
  (value) => `${value}E+00`,
  (value) => (value === 0n ? '-0' : `${value}000e-3`),
];
/** Ways to write the same JSON string. The last one escapes every character. */
const STRINGS: readonly ((text: string) => string)[] = [
  (text) => JSON.stringify(text),
  (text) => {
    const units = text.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
    return `"${units.map((digits) => `\\u${digits}`).join('')}"`;
  },
];

/** The text of a pet, with a member that the service ignores. */
const textOf = (pets: fc.Arbitrary<SentPet>) =>
  fc
    .record({
      pet: pets,
      number: fc.constantFrom(...NUMBERS),
      string: fc.constantFrom(...STRINGS),
      space: fc.constantFrom('', ' ', '\r\n\t'),
      unknown: fc.constantFrom('', 'id', '__proto__', 'constructor', 'Name'),
      value: fc.json(),
    })
    .map(({ pet, number, string, space, unknown, value }) => {
      const members = [
        [string('status'), string(pet.status)],
        [string('categoryId'), number(pet.categoryId)],
        [string(unknown), value],
        [string('name'), string(pet.name)],
      ];
      const text = members.map((member) => member.join(`${space}:${space}`)).join(`${space},`);
      return { pet, bytes: Buffer.from(`${space}{${text}${space}}${space}`) };
    });

const valid = textOf(petOf(name, integer));
const TOKENS = [
  '',
  '{',
  ']',
  ',',
  ':',
  '"',
  '\\',
  'null',
  '0',
  '-',
  'e',
  '.',
  '/**/',
  '\0',
  '\xff',
];

const BODY: fc.Arbitrary<Body> = fc.oneof(
  { weight: 6, arbitrary: valid.map(({ pet, bytes }) => ({ bytes, expected: pet })) },
  {
    weight: 2,
    arbitrary: textOf(fc.oneof(petOf(wrongName, integer), petOf(name, wrongInteger))).map(
      ({ bytes }) => ({ bytes, expected: 'refused' as const }),
    ),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(valid, fc.nat(), fc.nat(3), fc.constantFrom(...TOKENS))
      .map(([{ bytes }, place, removed, added]) => {
        const at = place % bytes.length;
        const parts = [
          bytes.subarray(0, at),
          Buffer.from(added, 'latin1'),
          bytes.subarray(at + removed),
        ];
        return { bytes: Buffer.concat(parts), expected: undefined };
      }),
  },
);

export const jsonFuzz: Fault = {
  name: 'json',
  title: 'Pets in every valid JSON notation, and the same bodies with errors',
  unit: 'bodies',
  amounts: { full: 100_000, short: 1_000 },
  async run(trial) {
    await using service = await serveWithKey();
    const get = async (path: string) => (await service.get(path)).text();
    const totals = { wrongStatus: 0, different: 0, created: 0 };
    let batch: Body[] = [];
    const next = (): Body => {
      if (batch.length === 0) {
        batch = fc.sample(BODY, { numRuns: BATCH, seed: below(2 ** 31, trial.random) });
      }
      return batch.pop() as Body;
    };
    await tryInParallel(trial, CALLERS, next, async (body) => {
      const response = await service.post(body.bytes);
      const { status } = response;
      const texts = [await response.text()];
      if (!isRight(body, status) && totals.wrongStatus++ < SHOWN) show(body, status, texts);
      if (status !== 201) return;
      totals.created++;
      const { id } = readPet(texts[0]);
      const list = await get(`/pets?limit=1&after=${id - 1n}`);
      texts.push(await get(`/pets/${id}`), list.slice(1, -1));
      const isSame = texts.every((text) => isSamePet(readPet(text), body));
      if (!isSame && totals.different++ < SHOWN) show(body, status, texts);
    });
    return [
      none('responses with a wrong status', totals.wrongStatus),
      none('pets stored differently from what was sent', totals.different),
      none('error lines in the log', errorLines(service).length),
      atLeast(Math.floor(trial.amount * ACCEPTED_SHARE), 'pets created', totals.created),
    ];
  },
};

/** A body with a mistake may still be valid, but only if it is JSON. */
function isRight({ bytes, expected }: Body, status: number): boolean {
  if (expected === undefined)
    return status === 400 || (status === 201 && parse(bytes) !== undefined);
  return status === (expected === 'refused' ? 400 : 201);
}

/** Returns undefined for anything that is not JSON in UTF-8. */
function parse(bytes: Uint8Array): ParsedPet | undefined {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** Compares a stored pet with a body. The runtime's parser, which rounds large numbers, reads a body with a mistake. */
function isSamePet({ name, categoryId, status }: SentPet, { bytes, expected }: Body): boolean {
  const sent = typeof expected === 'object' ? expected : parse(bytes);
  const sentId = sent?.categoryId;
  return (
    name === sent?.name &&
    (typeof sentId === 'bigint' ? categoryId === sentId : Number(categoryId) === sentId) &&
    status === (sent.status ?? 'available')
  );
}

/** Parses a pet, and keeps every digit of its numbers. */
function readPet(text = ''): SentPet & { readonly id: bigint } {
  const revive = (_: string, value: unknown, context?: { source: string }) =>
    typeof value === 'number' ? BigInt(context?.source ?? value) : value;
  return JSON.parse(text, revive);
}

function show({ bytes, expected }: Body, status: number, texts: readonly string[]): void {
  const sent = JSON.stringify(bytes.toString('latin1').slice(0, 500));
  const wanted =
    typeof expected === 'object' ? '201' : expected === 'refused' ? '400' : '400 or 201';
  console.error(
    `Expected ${wanted}, with the pet as sent, got ${status} ${texts.join(' ')} for ${sent}`,
  );
}
