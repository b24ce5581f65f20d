import { OperatorError } from '../domain/error.ts';
import { redactSecrets } from '../domain/key-secret.ts';
import { unknownKey } from '../domain/operator/account-store.ts';
import { parseId } from '../domain/small-id.ts';

export function parseKeyId(text: string): number {
  if (!/^\d+$/.test(text)) {
    // A secret must not end up in the history of a terminal.
    const given = redactSecrets(text);
    throw new OperatorError(
      `A key is given by its number, not by "${given}". "keys list" shows all keys.`,
    );
  }
  const id = parseId(text);
  if (id === undefined) throw unknownKey(text);
  return id;
}
