import { parseArgs } from 'node:util';
import { animalStore, OURS } from './contenders/contenders.ts';
import { BACKGROUND, fillStore, longestWaits, type Target } from './measure/background.ts';
import { CHEAP_REQUEST, COSTLY_REQUESTS, costOf } from './measure/costly-requests.ts';
import { type Lab, OPERATOR_TOKEN, runInLab } from './measure/lab.ts';
import { median, short } from './measure/statistics.ts';

/** Measures the most costly requests, and how long requests wait for work in the background. */

await runInLab(async (lab) => {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      'write-docs': { type: 'boolean', default: false },
    },
  });
  const scale = values.quick ? 10 : 1;
  if (!values.only || values.only === 'requests') await requests(lab);
  for (const isShared of [false, true]) {
    if (values.only && values.only !== (isShared ? 'postgres' : 'sqlite')) continue;
    await background(lab, isShared, scale);
  }
});

async function requests(lab: Lab): Promise<void> {
  await using server = await lab.start(OURS);
  await costOf(server, CHEAP_REQUEST, 20_000, 64);
  for (const { title, most, request } of COSTLY_REQUESTS) {
    const ratios: number[] = [];
    const { status } = await server.send(request);
    for (let round = 0; round < 5; round++) {
      const cheap = await costOf(server, CHEAP_REQUEST, 4_000, 64);
      ratios.push((await costOf(server, request, 200, 64)) / cheap);
    }
    console.log(title.padEnd(45), status, short(median(ratios)), most);
  }
}

async function background(lab: Lab, isShared: boolean, scale: number): Promise<void> {
  const amounts = {
    pets: 10_000_000 / scale,
    accounts: 100_000 / scale,
    periods: 1_000_000 / scale,
  };
  const fixture = { pets: 1, busyAccounts: amounts.accounts, spentAccounts: 0 };
  const contender = animalStore('large', 'Animal Store', { fixture, isShared });
  const environment = await lab.newStore(contender);
  console.error(`Filling ${environment['DATABASE_URL']}`);
  await fillStore(environment['DATABASE_URL'] ?? '', amounts);
  const folder = lab.newFolder('work');
  await using server = await lab.start(
    { ...contender, fixture: { ...fixture, pets: amounts.pets } },
    '',
    environment,
  );
  const target: Target = {
    server,
    operatorUrl: `http://127.0.0.1:${server.settings['OPERATOR_PORT']}`,
    token: OPERATOR_TOKEN,
    environment,
    file: environment['DATABASE_FILE'],
    folder,
  };
  await longestWaits(server, Bun.sleep(5_000));
  for (const { title, isFor, run } of BACKGROUND) {
    if (!isFor(target)) continue;
    const startedAtMs = performance.now();
    const beside = await longestWaits(server, run(target));
    const tookMs = performance.now() - startedAtMs;
    const without = await longestWaits(
      server,
      Bun.sleep(Math.min(20_000, Math.max(2_000, tookMs))),
    );
    const row = [beside.getPet, without.getPet, beside.createPet, without.createPet].map((ms) =>
      ms.toFixed(0).padStart(7),
    );
    console.log(title.padEnd(40), ...row, `  in ${(tookMs / 1000).toFixed(1)} s`);
  }
}
