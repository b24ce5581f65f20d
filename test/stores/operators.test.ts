import { expect, test } from 'bun:test';
import { hashSecret } from '#stores/sql/sql.ts';
import { openStore, TEST_ORIGIN } from '../support/store.ts';
import { messageOf, testDatabases } from './databases.ts';

test.each(testDatabases())(
  'on %s, an operator has one valid token, and each change is audited',
  async (_, { create }) => {
    await using store = await openStore(await create());
    const { operators, audit } = store.forOperator(TEST_ORIGIN);
    const alice = { name: 'alice', role: 'viewer' } as const;
    const find = (token: string) => operators.findOperator(hashSecret(token));
    await operators.createOperator(alice, 'lost');
    expect(await messageOf(operators.createOperator(alice, 'new'))).toContain('already exists');
    expect(await find('lost')).toEqual(alice);
    await operators.revokeOperator('alice');
    expect(await messageOf(operators.revokeOperator('alice'))).toContain('no operator "alice"');
    expect(await find('lost')).toBeUndefined();
    await operators.createOperator(alice, 'new');
    expect(await find('lost')).toBeUndefined();
    expect(await find('new')).toEqual(alice);
    const changes = (await audit.listChanges({})).map(({ action }) => action);
    expect(changes).toEqual(['operator.create', 'operator.revoke', 'operator.create']);
  },
);
