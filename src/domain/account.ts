import { OperatorError } from './error.ts';
import { redactSecrets } from './key-secret.ts';
import type { Limits, Plan } from './plan.ts';

/** A customer. All keys of an account share its limits. */
export interface Account {
  readonly id: number;
  readonly name: string;
  readonly plan: Plan;
  readonly limits: Limits;
  readonly createdAtMs: number;
  /** Null unless an operator has suspended it. */
  readonly suspendedAtMs: number | null;
  /** Only operators see it. */
  readonly suspensionReason: string;
  /** The time that its test clock was last set to, and the offset of that clock from real time. 0 in production. */
  readonly clockSetToMs: number;
  readonly clockOffsetMs: number;
  /** The number of times that its test clock was reset. Each reset begins new counts. 0 in production. */
  readonly resets: number;
}

/**
 * A name is part of a path in the API of the console. It must not contain `/.`, because a proxy that
 * resolves `/..` would send a change to another account.
 */
const NAME = /^(?!.*\/\.)[\p{L}\p{N}][\p{L}\p{N} ._@&'(),/+-]{0,63}$/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
/** These alphabets have letters that look alike, so a name may use only one of them. */
const ALPHABETS = [/\p{Script=Latin}/u, /\p{Script=Greek}/u, /\p{Script=Cyrillic}/u];

export function isAccountName(text: string): boolean {
  const isMixed = ALPHABETS.filter((alphabet) => alphabet.test(text)).length > 1;
  return NAME.test(text) && !INVISIBLE.test(text) && !isMixed && text === simplified(text);
}

/** Returns the name to store, in which two names that look the same are the same. Throws `OperatorError`. */
export function parseAccountName(text: string): string {
  const name = simplified(text);
  if (isAccountName(name) && redactSecrets(name) === name) return name;
  throw new OperatorError(
    "An account name must be 1 to 64 letters, digits, spaces or any of . _ @ & ' ( ) , / + -, start with a " +
      'letter or a digit, and not contain "/.", mix letters of two alphabets, such as Latin and Cyrillic, or ' +
      'look like a key.',
  );
}

/** Removes surplus spaces, and replaces wide, bold and joined letters by plain ones. */
function simplified(name: string): string {
  return name.normalize('NFKC').trim().replace(/ +/g, ' ');
}

const MAX_NOTE_CHARACTERS = 200;

/** Checks the reason for a suspension, or the label of a key. Throws `OperatorError`. */
export function parseNote(text: string): string {
  // A store would replace an unpaired surrogate (Cs) by U+FFFD.
  if (text.length <= MAX_NOTE_CHARACTERS && !/[\p{Cc}\p{Cs}]/u.test(text)) return text;
  throw new OperatorError(
    `A label or a reason must be at most ${MAX_NOTE_CHARACTERS} characters, ` +
      'without control characters or unpaired surrogates.',
  );
}

const SUBJECT_PREFIX = 'account:';

/** The name that an account's requests are counted under. */
export function accountSubject({ id, resets }: Pick<Account, 'id' | 'resets'>): string {
  return resets === 0 ? `${SUBJECT_PREFIX}${id}` : `${SUBJECT_PREFIX}${id}.${resets}`;
}

export function isAccountSubject(subject: string): boolean {
  return subject.startsWith(SUBJECT_PREFIX);
}
