import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { PLAN_ORDER } from '../../src/stores/sql/account-store.ts';

test.each(['sqlite/0006', 'postgres/0005'])('%s has an index for accounts by plan', (migration) => {
  const sql = readFileSync(`migrations/${migration}_audit_everything.sql`, 'utf8');
  expect(sql).toContain(`CREATE INDEX accounts_by_plan ON accounts ((${PLAN_ORDER}), `);
});
