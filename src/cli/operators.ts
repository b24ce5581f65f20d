import { mintSecret } from '#domain/key-secret.ts';
import { parseOperatorName } from '#domain/operator/operators.ts';
import { formatTime } from '#domain/time-text.ts';
import { platform } from '#platform.ts';
import type { CliCommand } from './cli.ts';
import { secretLines } from './keys.ts';

export function define(group: CliCommand): void {
  group.description('create and revoke the tokens with which operators sign in to the console');
  group
    .changes(
      'create <name>',
      'create an operator; the token is shown only once',
      async ({ store }, name: string, { viewer }: { viewer?: true }) => {
        const operator = {
          name: parseOperatorName(name),
          role: viewer ? 'viewer' : 'editor',
        } as const;
        const token = mintSecret(platform.randomBytes, 'operator');
        await store.operators.createOperator(operator, token);
        return [
          { ...operator, token },
          `Created ${operator.role} "${name}", who signs in to the console with this token:`,
          ...secretLines(token),
        ];
      },
    )
    .option('--viewer', 'sees everything, and changes nothing');
  group.reads('list', 'list all operators', async ({ cli, store }) => {
    const operators = await store.operators.listOperators();
    const rows = operators.map(({ createdAtMs, ...operator }) => ({
      ...operator,
      createdAt: formatTime(createdAtMs),
    }));
    await cli.printTable(rows, { NAME: 'name', ROLE: 'role', CREATED: 'createdAt' });
  });
  group.changes(
    'revoke <name>',
    'end the token and the sessions of an operator',
    async ({ store }, name: string) => {
      await store.operators.revokeOperator(name);
      return [{ name }, `Revoked the token of operator "${name}".`];
    },
  );
}
