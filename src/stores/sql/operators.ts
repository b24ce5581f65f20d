import { OperatorError } from '#domain/error.ts';
import { changeOf } from '#domain/operator/audit.ts';
import type { Operator, OperatorRegistry, SignedIn } from '#domain/operator/operators.ts';
import type { Change } from './audit.ts';
import { hashSecret, type SqlDatabase, selectList } from './sql.ts';

/** Gives a new token to a revoked operator. Returns no row, and changes nothing, if the operator has a valid one. */
const CREATE = `INSERT INTO operators (name, role, hash, created_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (name) DO UPDATE SET
    role = excluded.role, hash = excluded.hash, created_at = excluded.created_at, revoked_at = NULL
    WHERE operators.revoked_at IS NOT NULL
  RETURNING name`;
const REVOKE =
  'UPDATE operators SET revoked_at = $1 WHERE name = $2 AND revoked_at IS NULL RETURNING role';
const LIST = `SELECT ${selectList(['name', 'role', 'createdAtMs', 'revokedAtMs'])} FROM operators ORDER BY name`;
const FIND = 'SELECT name, role FROM operators WHERE hash = $1 AND revoked_at IS NULL';

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
      change(async (sql, nowMs) => {
        const [revoked] = await sql.all(REVOKE, nowMs, name);
        if (revoked === undefined) throw new OperatorError(`There is no operator "${name}".`);
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
