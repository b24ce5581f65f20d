import { expect, test } from 'bun:test';
import { mintSecret } from '#domain/key-secret.ts';
import { platform } from '#platform.ts';
import { hashSecret } from '#stores/sql/sql.ts';
import { backend } from '../support/store.ts';
import { messageOf, NOW_MS, testDatabases } from './databases.ts';

const newToken = () => mintSecret(platform.randomBytes, 'operator');

test.each(testDatabases())(
  'on %s, an operator has one valid token, which only the last creation knows',
  async (_, database) => {
    const url = await database.create();
    await using store = await backend(url, 4, () => NOW_MS).openStore();
    const { operators, audit } = store.forOperator({ command: 'test', operator: 'jo' });
    const [lost, found] = [newToken(), newToken()];
    const findAll = () =>
      Promise.all([lost, found].map((token) => operators.findOperator(hashSecret(token))));
    await operators.createOperator({ name: 'alice', role: 'editor' }, lost);
    expect(await findAll()).toEqual([{ name: 'alice', role: 'editor' }, undefined]);
    const createAgain = () => operators.createOperator({ name: 'alice', role: 'viewer' }, found);
    expect(await messageOf(createAgain())).toBe('Operator "alice" already exists.');
    await operators.revokeOperator('alice');
    expect(await findAll()).toEqual([undefined, undefined]);
    const revoked = { name: 'alice', createdAtMs: NOW_MS, revokedAtMs: NOW_MS };
    expect(await operators.listOperators()).toEqual([{ ...revoked, role: 'editor' }]);
    for (const name of ['alice', 'bob']) {
      const message = `There is no operator "${name}".`;
      expect(await messageOf(operators.revokeOperator(name))).toBe(message);
    }
    await createAgain();
    expect(await findAll()).toEqual([undefined, { name: 'alice', role: 'viewer' }]);
    await operators.recordSignIn('alice', '192.0.2.1');
    const entries = await audit.listChanges({});
    expect(entries.map(({ action, subject }) => `${action} ${subject}`)).toEqual([
      'operator.sign-in operator alice',
      'operator.create operator alice',
      'operator.revoke operator alice',
      'operator.create operator alice',
    ]);
    expect(entries[0]?.newValue).toBe('{"address":"192.0.2.1"}');
  },
);
