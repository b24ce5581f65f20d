import { OperatorError } from '../domain/error.ts';
import { redactSecrets } from '../domain/key-secret.ts';
import { type AccountStore, unknownKey } from '../domain/operator/account-store.ts';
import { parseId } from '../domain/small-id.ts';

/** The number of a key. An operator who gives an account instead sees the numbers of its keys. */
export async function parseKeyId(text: string, accounts: AccountStore): Promise<number> {
  if (/^\d+$/.test(text)) {
    const id = parseId(text);
    if (id === undefined) throw unknownKey(text);
    return id;
  }
  const all = await accounts.listKeys();
  const ids = all.filter(({ accountName }) => accountName === text).map(({ id }) => id);
  // A secret must not end up in the history of a terminal.
  const advice =
    ids.length === 0
      ? `not by "${redactSecrets(text)}". "keys list" shows all keys.`
      : `and account "${text}" has ${ids.length === 1 ? 'key' : 'keys'} ${ids.join(', ')}.`;
  throw new OperatorError(`A key is given by its number, ${advice}`);
}
