import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { YAML } from 'bun';
import { GET_PET_DEPRECATION } from '#contract/api.ts';
import { OPERATION_NAMES } from '#contract/operations.ts';
import { type Serving, serveWithKey } from '../support/command.ts';
import { freePort, killedWithTests, requireProgram } from '../support/programs.ts';
import { type Settings, sharedSettings } from '../support/store.ts';
import { newFolder } from '../support/temporary-folder.ts';
import { eventually } from '../support/time.ts';

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly runbook: string };
}

interface Panel {
  readonly targets?: readonly { readonly expr: string }[];
}

const read = (path: string) => readFileSync(path, 'utf8');
const rules = YAML.parse(read('deploy/prometheus/alerts.yaml')) as {
  groups: { rules: Alert[] }[];
};
const alerts = rules.groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(read('deploy/grafana/animal-store.json')) as { panels: Panel[] };
const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/** The names of metrics in an expression. Every one of ours begins with one of these words. */
function metricsIn(expression: string) {
  return expression.match(/\b(?:animal_store|process)_\w+/g) ?? [];
}

function promtool(line: string, input = '') {
  const program = requireProgram('promtool');
  const { exitCode, stdout, stderr } = Bun.spawnSync([program, ...line.split(' ')], {
    stdin: new TextEncoder().encode(input),
  });
  if (exitCode !== 0) throw new Error(`promtool ${line} failed: ${stdout}${stderr}`);
  return `${stdout}${stderr}`;
}

test('alerts and panels that list operations list all of them', () => {
  const files = ['deploy/prometheus/alerts.yaml', 'deploy/grafana/animal-store.json'];
  const lists = files.flatMap((file) => [...read(file).matchAll(/operation=~\\?"([\w|]+)/g)]);
  for (const [, list = ''] of lists) {
    expect(list.split('|').toSorted()).toEqual(OPERATION_NAMES.toSorted());
  }
  expect(lists).not.toBeEmpty();
});

describe('the alerts', () => {
  test('are accepted by promtool with the configuration that loads them', () => {
    expect(promtool('check config deploy/prometheus/prometheus.yaml')).toContain('SUCCESS');
  });

  test('fire when they should, and only then', () => {
    expect(promtool('test rules test/operator/alert-rules.yaml')).toContain('SUCCESS');
  });

  test('each have a section in the manual', () => {
    for (const { alert, annotations } of alerts) {
      expect(read('docs/operations.md')).toContain(`\n### ${alert}\n`);
      expect(annotations.runbook).toBe(`docs/operations.md#${alert.toLowerCase()}`);
    }
  });

  test('know when getPet is removed', () => {
    const removal = alerts.find(({ alert }) => alert === 'AnimalStoreGetPetStillCalled');
    expect(removal?.expr).toContain(`> ${GET_PET_DEPRECATION.removedAt.getTime() / 1000} - `);
  });
});

describe('a Prometheus that scrapes a service on SQLite and one on PostgreSQL and Redis', () => {
  const resources = new AsyncDisposableStack();
  let services: Serving[];
  let prometheus = '';

  beforeAll(async () => {
    const folder = newFolder();
    const start = async (settings: Settings) => {
      const service = resources.use(await serveWithKey(settings));
      await service.add();
      await service.get('/pets');
      return service;
    };
    services = await Promise.all([start({}), start(await sharedSettings())]);
    const port = await freePort();
    prometheus = `http://127.0.0.1:${port}`;
    cpSync('deploy/prometheus', folder, { recursive: true });
    const targets = services.map(({ started }) => new URL(started.operator).host);
    const config = join(folder, 'prometheus.yaml');
    writeFileSync(
      config,
      read('deploy/prometheus/prometheus.yaml')
        .replace(
          /^ *- 127\.0\.0\.1:8081$/m,
          targets.map((host) => `          - ${host}`).join('\n'),
        )
        .replaceAll(/(?<=_interval: )15s/g, '1s'),
    );
    const child = Bun.spawn(
      [
        ...killedWithTests('KILL'),
        requireProgram('prometheus'),
        ...[`--config.file=${config}`, `--storage.tsdb.path=${join(folder, 'tsdb')}`],
        ...[`--web.listen-address=127.0.0.1:${port}`, '--log.level=error'],
      ],
      { stdout: 'ignore', stderr: 'inherit' },
    );
    resources.defer(async () => {
      child.kill('SIGKILL');
      await child.exited;
    });
    await eventually(async () => {
      const asked = ask<{ activeTargets: { health: string }[] }>('/targets');
      const { activeTargets } = await asked.catch(() => ({ activeTargets: [] }));
      return activeTargets.length === 2 && activeTargets.every(({ health }) => health === 'up');
    });
  });
  afterAll(() => resources.disposeAsync());

  async function ask<T>(path: string): Promise<T> {
    const { data, error } = (await (await fetch(`${prometheus}/api/v1${path}`)).json()) as {
      data: T;
      error?: string;
    };
    if (error !== undefined) throw new Error(`${path}: ${error}`);
    return data;
  }

  const metricsOf = async ({ started }: Serving) =>
    (await fetch(`${started.operator}/metrics`)).text();

  test('has every metric that the alerts and the dashboard name', async () => {
    const names = await ask<string[]>('/label/__name__/values');
    const used = [...alerts.map(({ expr }) => expr), ...queries].flatMap(metricsIn);
    expect(used.length).toBeGreaterThan(40);
    expect([...new Set(used)].filter((name) => !names.includes(name))).toEqual([]);
  });

  test('understands every query of the dashboard', async () => {
    for (const query of queries) {
      const expression = query.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '1m');
      await ask(`/query?query=${encodeURIComponent(expression)}`);
    }
  });

  test('finds no fault in the metrics', async () => {
    for (const service of services) {
      expect(promtool('check metrics', await metricsOf(service))).toBe('');
    }
  });

  test('every metric is in the manual, and the documents name no other', async () => {
    const names = (await metricsOf(services[0] as Serving)).match(/(?<=^# TYPE )\w+/gm) ?? [];
    const [, section = ''] = read('docs/operations.md').split(/^## Metrics$/m);
    const documented = (section.split(/^## /m)[0] ?? '')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .flatMap((line) => metricsIn(line.split(' | ')[0] ?? ''));
    expect(documented.toSorted()).toEqual(names.toSorted());
    const guide = read('docs/scaling.md');
    const alertNames = alerts.map(({ alert }) => alert);
    const named = [...metricsIn(guide), ...(guide.match(/AnimalStore[A-Z]\w+/g) ?? [])];
    expect(named.filter((name) => ![...names, ...alertNames].includes(name))).toEqual([]);
  });
});
