import { describe, expect, test } from 'bun:test';
import { BROKEN_SERVERS } from './broken/broken-servers.ts';
import { checkDeployment } from './deployment.ts';

describe('a server that', () => {
  for (const { name, deployment, options, caughtBy } of BROKEN_SERVERS) {
    test(`${name} fails ${caughtBy.length} of the checks`, async () => {
      const { failedIds, requests } = await checkDeployment(deployment, options);
      expect([...failedIds].sort()).toEqual([...caughtBy].sort());
      expect(requests).toBeLessThanOrEqual(deployment.isStaging ? 2_500 : 400);
    });
  }
});
