import { unknownAccount } from '../../domain/operator/account-store.ts';
import { query, type Steps } from './steps.ts';

/** The names that exist may contain the one that was meant. */
export function* failUnknownAccount(name: string): Steps<never> {
  const names = yield* query<{ name: string }>('SELECT name FROM accounts');
  throw unknownAccount(
    name,
    names.map((row) => row.name),
  );
}
