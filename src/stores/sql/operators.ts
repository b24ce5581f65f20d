import { OperatorError } from '#domain/error.ts';
import { changeOf } from '#domain/operator/audit.ts';
import type { Operator, OperatorRegistry, SignedIn } from '#domain/operator/operators.ts';
import type { Change } from './audit.ts';
import { hashSecret, type SqlDatabase, selectList } from './sql.ts';

/** Returns no row, and changes nothing, if the operator exists. */
const CREATE = `INSERT INTO operators (name, role, hash, created_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (name) DO NOTHING RETURNING name`;
const REVOKE = 'DELETE FROM operators WHERE name = $1 RETURNING name';
const LIST = `SELECT ${selectList(['name', 'role', 'createdAtMs'])} FROM operators ORDER BY name`;
const FIND = 'SELECT name, role FROM operators WHERE hash = $1';

export function sqlOperators(database: SqlDatabase, change: Change): OperatorRegistry {
  const entryOf = (action: string, name: string, value: object = {}) =>
    changeOf(`operator.${action}`, `operator ${name}`, undefined, value);
  return {
    createOperator: ({ name, role }, token) =>
      change(async (sql, nowMs) => {
        const [created] = await sql.all(CREATE, name, role, hashSecret(token), nowMs);
        if (created === undefined) {
          throw new OperatorError(
            `Operator "${name}" already exists. To get another token, revoke it first.`,
          );
        }
        return [undefined, entryOf('create', name, { role })];
      }),

    listOperators: () => database.all<Operator>(LIST),

    revokeOperator: (name) =>
      change(async (sql) => {
        const [revoked] = await sql.all(REVOKE, name);
        if (revoked === undefined) {
          throw new OperatorError(`There is no operator "${name}". "operators list" shows all.`);
        }
        return [undefined, entryOf('revoke', name)];
      }),

    async findOperator(hash) {
      const [operator] = await database.all<SignedIn>(FIND, hash);
      return operator;
    },

    recordSignIn: (name, address) =>
      change(async () => [undefined, entryOf('sign-in', name, { address })]),
  };
}
