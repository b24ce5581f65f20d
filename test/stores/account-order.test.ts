import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { PLAN_ORDER } from '../../src/stores/sql/accounts.ts';

test.each(['sqlite', 'postgres'])('%s has an index for accounts by plan', (database) => {
  const sql = readFileSync(`migrations/${database}/0001_create_store.sql`, 'utf8');
  expect(sql).toContain(`CREATE INDEX accounts_by_plan ON accounts ((${PLAN_ORDER}), `);
});
