import { expect, test } from 'bun:test';
import { startLines, startReport } from '#cli/start-report.ts';
import { readConfig } from '#config.ts';

const HOST = '0.0.0.0';
const PUBLIC_URL = 'https://animals.example';
const REDIS_URL = 'redis://localhost';
const firstAccount = 'shop';

test.each([
  [{}, {}, 'There'],
  [{}, { demoKey: 'ask_1' }, 'First,Its,ask_1,Add,curl'],
  [{ HOST }, { firstAccount: 'demo' }, 'API,Link,Need'],
  [{ HOST, PUBLIC_URL, TRUSTED_PROXIES: '1' }, { firstAccount }, ''],
  [{ HOST, PUBLIC_URL, TLS_CERT_FILE: 'a', TLS_KEY_FILE: 'b' }, { firstAccount }, ''],
  [{ OPERATOR_HOST: HOST }, { firstAccount }, 'The'],
  [{ INSTANCES: '2' }, { firstAccount }, 'Without'],
  [{ INSTANCES: '2', REDIS_URL }, { firstAccount }, ''],
  [{ REDIS_URL }, { firstAccount, redisError: new Error('away') }, 'Cannot'],
])('after a start with %j and %j, lines begin with "%s"', (settings, changes, words) => {
  const store = { name: 'sqlite', description: 'a.db' } as never;
  const service = {
    api: { publicUrl: PUBLIC_URL },
    operator: { url: 'http://localhost' },
    ...changes,
  } as never;
  const lines = startLines(startReport(readConfig({}, settings), store, service));
  expect(lines[3]?.endsWith(', on every address of this machine')).toBe('HOST' in settings);
  expect(lines[7]).toContain('REDIS_URL' in settings ? 'Redis at' : 'in process');
  const first = (line: string) => line.replace('Warning: ', '').trim().split(' ')[0];
  expect(lines.slice(8).map(first).filter(Boolean).join()).toBe(words);
});
