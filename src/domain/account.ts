import { OperatorError } from './error.ts';
import { redactSecrets } from './key-secret.ts';
import type { Limits, Plan } from './plan.ts';

/** A customer. Its keys share its limits. */
export interface Account {
  readonly id: number;
  readonly name: string;
  readonly plan: Plan;
  readonly limits: Limits;
  readonly createdAtMs: number;
  /** Null unless an operator has suspended it. */
  readonly suspendedAtMs: number | null;
  /** For operators. Callers do not see it. */
  readonly suspensionReason: string;
  /** The time its test clock was last set to, and its offset from real time. 0 in production. */
  readonly clockSetToMs: number;
  readonly clockOffsetMs: number;
  /** Each reset begins with new counts. 0 in production. */
  readonly resets: number;
}

/** Without `/.`: if a proxy shortened `/..` in a path of the console, a change would reach another account. */
const NAME = /^(?!.*\/\.)[\p{L}\p{N}][\p{L}\p{N} ._@&'(),/+-]{0,63}$/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
/** Alphabets with letters that look alike. */
const ALPHABETS = [/\p{Script=Latin}/u, /\p{Script=Greek}/u, /\p{Script=Cyrillic}/u];

export function isAccountName(text: string): boolean {
  const isMixed = ALPHABETS.filter((alphabet) => alphabet.test(text)).length > 1;
  return NAME.test(text) && !INVISIBLE.test(text) && !isMixed && text === simplified(text);
}

/** Returns the name to store. Two names that look the same should not be two accounts. */
export function parseAccountName(text: string): string {
  const name = simplified(text);
  if (isAccountName(name) && redactSecrets(name) === name) return name;
  throw new OperatorError(
    "An account name must be 1 to 64 letters, digits, spaces or any of . _ @ & ' ( ) , / + -, start with a " +
      'letter or a digit, and not contain "/.", mix letters of two alphabets, such as Latin and Cyrillic, or ' +
      'look like a key.',
  );
}

/** With single spaces, none around it, and plain letters instead of wide, bold or joined ones. */
function simplified(name: string): string {
  return name.normalize('NFKC').trim().replace(/ +/g, ' ');
}

const MAX_NOTE_CHARACTERS = 200;

/** The reason of a suspension, or the label of a key. */
export function parseNote(text: string): string {
  // In place of an unpaired surrogate (Cs), a store would keep U+FFFD.
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
