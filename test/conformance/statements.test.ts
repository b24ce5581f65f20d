import { describe, expect, test } from 'bun:test';
import { CONTRACT } from '../../packages/conformance/src/run.ts';
import { LIMIT_FAULTS } from './broken/limits.ts';
import { PET_FAULTS } from './broken/pets.ts';
import { RESPONSE_FAULTS } from './broken/responses.ts';
import { checkDeployment } from './deployment.ts';

const BROKEN_SERVERS = [...RESPONSE_FAULTS, ...PET_FAULTS, ...LIMIT_FAULTS];

describe('a server that', () => {
  for (const { name, deployment, options, caughtBy } of BROKEN_SERVERS) {
    test(`${name} fails ${caughtBy.length} of the checks`, async () => {
      const { failedIds, requests } = await checkDeployment(deployment, options);
      expect([...failedIds].sort()).toEqual([...caughtBy].sort());
      expect(requests).toBeLessThanOrEqual(deployment.isStaging ? 2_500 : 400);
    });
  }
});

test('every check fails on at least one of these servers', () => {
  const caught = new Set(BROKEN_SERVERS.flatMap(({ caughtBy }) => caughtBy));
  const ids = CONTRACT.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  // These fail in staging.test.ts and run.test.ts.
  const others = ['service.addresses', 'service.prefix'];
  expect(ids.filter((id) => !caught.has(id))).toEqual(others);
});
