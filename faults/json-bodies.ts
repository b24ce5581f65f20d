import type { Dice } from './random.ts';

/** First and last code points of the kinds that names are made of. */
const LETTERS: readonly (readonly [number, number])[] = [
  [0x20, 0x7e],
  [0x61, 0x7a],
  [0xa0, 0x17f],
  [0x300, 0x36f],
  [0x370, 0x5ff],
  [0x900, 0x97f],
  [0x1100, 0x11ff],
  [0x2000, 0x206f],
  [0x4e00, 0x9fff],
  [0xe000, 0xf8ff],
  [0xfe00, 0xfeff],
  [0xfff0, 0xffff],
  [0x1f300, 0x1f6ff],
  [0x20000, 0x2a6df],
  [0xe0000, 0xe007f],
  [0x10fff0, 0x10ffff],
];
/** Those that a name must not have, or not only. */
const UNUSUAL: readonly (readonly [number, number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xd800, 0xdbff],
  [0xdc00, 0xdfff],
  [0x20, 0x20],
  [0x2000, 0x200a],
  [0x3000, 0x3000],
];
const LENGTHS = [1, 1, 2, 3, 8, 30, 127, 254, 255];
const NEAR_LENGTHS = [0, 255, 256, 257, 510, 511, 2_000];

const EDGES = [
  0n,
  1n,
  7n,
  2n ** 31n,
  2n ** 32n,
  2n ** 53n,
  2n ** 63n,
  10n ** 18n,
  10n ** 19n,
  2n ** 64n,
];
const STATUSES = ['"available"', '"pending"', '"sold"', '"\\u0073old"'];
const WRONG_STATUSES = [
  '"Sold"',
  '"sold "',
  '""',
  '"gone"',
  'null',
  '0',
  '["sold"]',
  '{}',
  'true',
  '"\\u0000"',
];
const WRONG_NUMBERS = [
  '"7"',
  'null',
  'true',
  '[]',
  '[7]',
  '{}',
  '7.5',
  '07',
  '+7',
  '7.',
  '.7',
  '0x7',
  '7n',
  '7e',
  '7e+',
  '1_000',
  '-',
  '--7',
  'NaN',
  'Infinity',
  '-Infinity',
  '7e-1',
  '1e400',
  '-1e400',
  '1e99999999999999999999',
  '1e-99999999999999999999',
  '٧',
  '',
];
const WRONG_NAMES = [
  'null',
  '7',
  'true',
  '[]',
  '["Rex"]',
  '{}',
  "'Rex'",
  'Rex',
  '"Rex',
  '"\\x41"',
  '"\\u12"',
  '"\\"',
  '""',
];
const TOKENS = [
  '{',
  '}',
  '[',
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
  ' ',
  '\n',
  '\u00a0',
  '\ufeff',
  '/**/',
  '\u0000',
  '\ud83d',
];
const WHITE_SPACE = ['', '', '', ' ', '\n', '\r\n', '\t', ' \t\r\n '];
const TOP_LEVEL = [
  '',
  ' ',
  'null',
  'true',
  '7',
  '"Rex"',
  '[]',
  '{}',
  '[{"name":"Rex","categoryId":7}]',
  'undefined',
  '{',
  '}',
  '\u0000',
];

type Make = (dice: Dice) => Uint8Array<ArrayBuffer>;

function character(dice: Dice, kinds = LETTERS): string {
  const [first, last] = dice.pick(kinds);
  return String.fromCodePoint(dice.between(first, last));
}

function text(dice: Dice, length: number, oddities = 0): string {
  const characters = Array.from({ length }, () => character(dice));
  for (let count = 0; count < oddities; count++) {
    characters[dice.below(length)] = character(dice, UNUSUAL);
  }
  return characters.join('');
}

/** A JSON string. Some characters are escaped, in every way that JSON knows. */
function jsonString(value: string, dice: Dice): string {
  const share = dice.pick([0, 0, 0.2, 1]);
  const escaped = (unit: string) => {
    const digits = unit.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${dice.chance(0.5) ? digits : digits.toUpperCase()}`;
  };
  const units = [...value].map((each) => {
    if (each === '/' && dice.chance(0.5)) return '\\/';
    // A lone surrogate has no form in UTF-8, so it is always escaped.
    if (dice.chance(share) || !each.isWellFormed()) return each.split('').map(escaped).join('');
    return JSON.stringify(each).slice(1, -1);
  });
  return `"${units.join('')}"`;
}

function validName(dice: Dice): string {
  return jsonString(text(dice, dice.pick(LENGTHS)), dice);
}

function nearName(dice: Dice): string {
  return dice.pick<() => string>([
    () => dice.pick(WRONG_NAMES),
    () => jsonString(text(dice, dice.pick(LENGTHS), 1), dice),
    () => jsonString(text(dice, dice.pick(NEAR_LENGTHS)), dice),
    () =>
      jsonString(
        Array.from({ length: dice.between(1, 4) }, () => character(dice, UNUSUAL)).join(''),
        dice,
      ),
    () => `"${character(dice, [[0x00, 0x1f]])}"`,
  ])();
}

/** An integer near an edge, or any of 64 bits. */
function anyInteger(dice: Dice): bigint {
  const sign = dice.chance(0.5) ? -1n : 1n;
  if (dice.chance(0.5)) return sign * (dice.pick(EDGES) + BigInt(dice.between(-2, 2)));
  const half = () => BigInt(dice.below(2 ** 32));
  return BigInt.asIntN(64, ((half() << 32n) | half()) >> BigInt(dice.below(64)));
}

/** A JSON number with this value, written in one of many ways. */
function jsonNumber(value: bigint, dice: Dice): string {
  const exponent = dice.pick(['e', 'E']);
  const shift = dice.between(1, 25);
  const sign = value < 0n ? '-' : '';
  const digits = `${value}`.replace('-', '');
  const point = dice.between(1, digits.length);
  return dice.pick<() => string>([
    () => `${value}`,
    () => `${value}`,
    () => `${value}`,
    () => `${value}.${'0'.repeat(shift)}`,
    () => `${value}${exponent}${dice.pick(['', '+', '-'])}${'0'.repeat(shift)}`,
    () => `${value}${'0'.repeat(shift)}${exponent}-${shift}`,
    () => `${value}.${'0'.repeat(shift)}${exponent}${dice.below(shift + 1)}`,
    () =>
      `${sign}0.${digits.padStart(shift + digits.length, '0')}${exponent}+${shift + digits.length}`,
    () =>
      `${sign}${digits.slice(0, point)}.${digits.slice(point)}0${exponent}${digits.length - point}`,
    () => `${value}.${'0'.repeat(shift)}1`,
    () => `${value}${exponent}${dice.pick(['', '+', '-'])}${dice.below(20)}`,
    () => (value === 0n ? '-0' : `${value}`),
  ])();
}

function nearNumber(dice: Dice): string {
  return dice.chance(0.7)
    ? dice.pick(WRONG_NUMBERS)
    : `${dice.pick(['', '-'])}${'9'.repeat(dice.pick([19, 20, 400, 5_000]))}`;
}

type Member = readonly [name: string, value: string];

function unknownMember(dice: Dice): Member {
  const name = dice.pick([
    'id',
    'colour',
    '__proto__',
    'constructor',
    'Name',
    'name ',
    'toString',
    '',
    'naïve',
  ]);
  const value = dice.pick([
    'null',
    '1e999',
    '{"name":7}',
    '[[],{}]',
    '"\\ud800"',
    '-0.0',
    '"\\u0000"',
    '{"a":1,"b":{"a":2}}',
  ]);
  return [jsonString(name, dice), value];
}

function validMembers(dice: Dice): Member[] {
  const members: Member[] = [
    [jsonString('name', dice), validName(dice)],
    [jsonString('categoryId', dice), jsonNumber(anyInteger(dice), dice)],
  ];
  if (dice.chance(0.6)) members.push([jsonString('status', dice), dice.pick(STATUSES)]);
  if (dice.chance(0.2)) members.push(unknownMember(dice));
  return members;
}

/** Writes the members in any order, with any white space. */
function object(members: readonly Member[], dice: Dice): string {
  const space = () => dice.pick(WHITE_SPACE);
  const left = [...members];
  const written: string[] = [];
  while (left.length > 0) {
    const [[name, value] = ['', '']] = left.splice(dice.below(left.length), 1);
    written.push(`${space()}${name}${space()}:${space()}${value}${space()}`);
  }
  return `${space()}{${written.join(',') || space()}}${space()}`;
}

function validText(dice: Dice): string {
  return object(validMembers(dice), dice);
}

/** Breaks one rule. */
function nearMiss(dice: Dice): string {
  const members = validMembers(dice);
  const [name, categoryId] = members.map(([each]) => each);
  dice.pick<() => void>([
    () => members.splice(dice.below(members.length), 1),
    () => members.splice(0, 1, [name ?? '', nearName(dice)]),
    () => members.splice(0, 1, [name ?? '', nearName(dice)]),
    () => members.splice(1, 1, [categoryId ?? '', nearNumber(dice)]),
    () => members.splice(1, 1, [categoryId ?? '', nearNumber(dice)]),
    () => members.push(['"status"', dice.pick(WRONG_STATUSES)]),
    () => members.push(dice.pick(members)),
    () => members.push(['"nested"', `{"a":1,"\\u0061":2}`]),
  ])();
  return object(members, dice);
}

function mutated(dice: Dice): string {
  let written = validText(dice);
  do {
    const at = dice.below(written.length);
    const cut = dice.pick([0, 0, 1, 1, 2, 5]);
    const added = dice.pick([dice.pick(TOKENS), '', written.slice(at, at + dice.below(20))]);
    written = written.slice(0, at) + added + written.slice(at + cut);
  } while (written.length > 0 && dice.chance(0.3));
  return written;
}

/** Hides depth in a member that the service ignores. */
function nested(dice: Dice): string {
  const depth = dice.pick([1, 10, 61, 62, 63, 64, 65, 66, 100, 1_000, 10_000]);
  const [open, close] = dice.pick([
    ['[', ']'],
    ['{"a":', '}'],
  ] as const);
  const core = open === '[' ? dice.pick(['', '1', '[]']) : '1';
  const value = open.repeat(depth) + core + close.repeat(dice.chance(0.9) ? depth : depth - 1);
  return object([...validMembers(dice), ['"nested"', value]], dice);
}

/** Ends near the largest size that the service accepts. */
function large(dice: Dice): Uint8Array<ArrayBuffer> {
  const body = Buffer.from(validText(dice));
  const size = dice.pick([65_535, 65_536, 65_537, 70_000, 200_000]);
  return Buffer.concat([body, Buffer.alloc(Math.max(0, size - body.length), ' ')]);
}

const MARKS = ['efbbbf', 'efbbbfefbbbf', 'fffe', 'feff', '0000feff', 'efbb'];
const INVALID_UTF8 = [
  '80',
  'bf',
  'c0af',
  'c1bf',
  'e08080',
  'eda080',
  'edbfbf',
  'eda0bdedb8ba',
  'f08080af',
  'f4908080',
  'f5808080',
  'fe',
  'ff',
  'c3',
  'e282',
  'f09f98',
];

function invalidUtf8(dice: Dice): Uint8Array<ArrayBuffer> {
  const body = Buffer.from(validText(dice));
  const at = dice.below(body.length);
  const added = Buffer.from(dice.pick(INVALID_UTF8), 'hex');
  return Buffer.concat([body.subarray(0, at), added, body.subarray(at)]);
}

function otherEncoding(dice: Dice): Uint8Array<ArrayBuffer> {
  const body = Buffer.from(validText(dice), dice.pick(['utf16le', 'latin1']));
  return dice.chance(0.3) && body.length % 2 === 0 ? body.swap16() : body;
}

function flipped(dice: Dice): Uint8Array<ArrayBuffer> {
  const body = Buffer.from(validText(dice));
  const at = dice.below(body.length);
  body[at] = (body[at] ?? 0) ^ (1 << dice.below(8));
  return body;
}

const encoded =
  (make: (dice: Dice) => string): Make =>
  (dice) =>
    Buffer.from(make(dice));

const KINDS: readonly (readonly [weight: number, Make])[] = [
  [35, encoded(validText)],
  [30, encoded(nearMiss)],
  [15, encoded(mutated)],
  [6, flipped],
  [4, encoded(nested)],
  [3, invalidUtf8],
  [2, otherEncoding],
  [
    2,
    (dice) => Buffer.concat([Buffer.from(dice.pick(MARKS), 'hex'), Buffer.from(validText(dice))]),
  ],
  [1, encoded((dice) => validText(dice) + dice.pick([...TOKENS, ...TOP_LEVEL]))],
  [1, encoded((dice) => dice.pick(TOP_LEVEL))],
  [1, large],
];
const WEIGHTS = KINDS.reduce((sum, [weight]) => sum + weight, 0);

/** A body for createPet: valid, nearly valid, or far from it. */
export function newBody(dice: Dice): Uint8Array<ArrayBuffer> {
  let left = dice.below(WEIGHTS);
  for (const [weight, make] of KINDS) {
    left -= weight;
    if (left < 0) return make(dice);
  }
  throw new Error('The weights do not add up.');
}
