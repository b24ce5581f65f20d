import { Command } from 'commander';
import { type Config, readConfig } from '../config.ts';
import { ReferencePages } from '../docs/reference-pages.ts';
import { OperatorError } from '../domain/error.ts';
import { startPublicServer } from '../http/server.ts';
import { Metrics } from '../operator/metrics.ts';
import { startOperatorServer } from '../operator/server.ts';
import { platform } from '../platform.ts';
import { createDemoAccount } from './demo-account.ts';
import { createLog, type Log, logFault, logRequest } from './log.ts';
import { type JsonOption, print } from './output.ts';
import { openServiceParts } from './service-parts.ts';
import { type StartReport, startLines, startReport } from './start-report.ts';
import { nextStopSignal } from './stop-signal.ts';
import { readTls } from './tls.ts';

/** Limits on requests in flight and on the whole stop. Service managers allow ten seconds. */
const STOP_GRACE_SECONDS = 8;
const STOP_DEADLINE_SECONDS = 9.5;

export function serveCommand(): Command {
  return new Command('serve')
    .description('run the service; settings come from the environment')
    .option('--json', 'print the addresses as JSON')
    .action(async ({ json }: JsonOption) => {
      const config = readConfig();
      const stopSignal = nextStopSignal();
      await using service = await start(config, createLog(config.logLevel));
      await print(json, service.report, startLines(service.report));
      await stopSignal;
      exitAfter(config.drainSeconds + STOP_DEADLINE_SECONDS);
    });
}

/** A disk that hangs must not keep the process from exiting. */
function exitAfter(seconds: number): void {
  const giveUp = () => {
    console.error('Stopped before everything in flight was finished and saved.');
    process.exit(1);
  };
  setTimeout(giveUp, seconds * 1000).unref();
}

/** Starts everything. It stops in this order: new requests, those in flight, counts, store. */
async function start(
  config: Config,
  log: Log,
): Promise<AsyncDisposable & { readonly report: StartReport }> {
  const { database, instances, stagingUrl, publicUrl, trustedProxies } = config;
  const tls = readTls(config);
  await using starting = new AsyncDisposableStack();
  const metrics = new Metrics();
  const parts = await openServiceParts(config, {
    now: platform.now,
    onSaveFailed(error) {
      metrics.recordSaveFailure();
      log.error({ err: error }, 'the counts of the limiter could not be saved');
    },
    onRedisAway(error) {
      metrics.setRedisAway(true);
      log.warn({ err: error, instances }, 'Redis is away: limits are counted in process');
    },
    onRedisBack() {
      metrics.setRedisAway(false);
      log.warn('Redis is back: limits are counted there again');
    },
  });
  const { store, pets, keys, limiter } = starting.use(parts);

  let stopping = false;
  const operatorListen = { hostname: config.operatorHostname, port: config.operatorPort };
  const operator = listening('OPERATOR_HOST', 'OPERATOR_PORT', operatorListen, () =>
    startOperatorServer(operatorListen, metrics, {
      isAlive: () => store.isAlive(),
      isReady: async () => !stopping && (await store.isReady()),
    }),
  );
  starting.defer(() => operator.stop());

  const publicListen = { hostname: config.hostname, port: config.port };
  const api = listening('HOST', 'PORT', publicListen, () =>
    startPublicServer(
      {
        ...{ pets, keys, limiter, now: platform.now, newRequestId: platform.newRequestId },
        observe: log.isLevelEnabled('info')
          ? (call, response, seconds) => {
              metrics.observe(call, response, seconds);
              logRequest(log, call, response, seconds);
            }
          : metrics.observe,
        onFault: (call, { status }) => logFault(log, call, status),
      },
      (url) => new ReferencePages(url, stagingUrl),
      { ...publicListen, publicUrl, trustedProxies, tls },
    ),
  );
  starting.defer(async () => {
    // Readiness fails first, so that load balancers send their requests elsewhere.
    stopping = true;
    api.drain();
    await Bun.sleep(config.drainSeconds * 1000);
    await api.stop(STOP_GRACE_SECONDS);
  });

  const isNew = !(await store.accounts.hasAccounts());
  const demoKey =
    isNew && database.isEmbedded ? await createDemoAccount(store.accounts) : undefined;
  const needsAccount = isNew && !database.isEmbedded;
  const report = startReport(config, api, operator.url, { demoKey, needsAccount });
  const running = starting.move();
  return { report, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** Starts a listener. If its address is not available, names the setting to change. */
function listening<T>(
  hostSetting: string,
  portSetting: string,
  { hostname, port }: { readonly hostname: string; readonly port: number },
  start: () => T,
): T {
  try {
    return start();
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    throw new OperatorError(
      code === 'EADDRINUSE'
        ? `Port ${port} on ${hostname} is in use. Stop the program that uses it, or set ${portSetting}.`
        : `Cannot listen on ${hostname}, port ${port}: ${message}. ` +
            `Check ${hostSetting} and ${portSetting}.`,
    );
  }
}
