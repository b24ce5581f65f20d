import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { Command } from 'commander';
import { version } from '../../package.json' with { type: 'json' };
import { type Config, readConfig } from '../config.ts';
import { API_PREFIX } from '../contract/operations.ts';
import { mintSecret } from '../domain/api-key.ts';
import { OperatorError } from '../domain/error.ts';
import { PLANS } from '../domain/plan.ts';
import type { Store } from '../domain/store.ts';
import { REFERENCE_PAGE } from '../http/docs/paths.ts';
import { isWildcard, startPublicServer } from '../http/server.ts';
import { Metrics } from '../operator/metrics.ts';
import { startOperatorServer } from '../operator/server.ts';
import { platform } from '../platform.ts';
import { openBackend } from './backend.ts';
import { createLog, type Log, logAnswer } from './log.ts';
import { formatCount, print } from './output.ts';
import { nextStopSignal } from './stop-signal.ts';

/** How long requests in flight may take, and all of the stop: supervisors give ten seconds. */
const STOP_GRACE_SECONDS = 8;
const STOP_DEADLINE_SECONDS = 9.5;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;
const DEMO_ACCOUNT = 'demo';
const FIRST_ACCOUNT_HINT =
  'No account yet. Create one: animal-store accounts create NAME --plan free';

export function serveCommand(): Command {
  return new Command('serve')
    .description('run the service; settings come from the environment')
    .option('--json', 'print what was started as JSON')
    .action(async ({ json = false }: { json?: boolean }) => {
      const config = readConfig();
      const log = createLog(config.logLevel);
      const stopSignal = nextStopSignal();
      await using service = await start(config, log);
      await print(json, service.started, startLines(service.started));
      await stopSignal;
      exitAfter(config.drainSeconds + STOP_DEADLINE_SECONDS);
    });
}

/** A disk that hangs must not keep the process from ending. */
function exitAfter(seconds: number): void {
  const giveUp = () => {
    console.error('Stopped before everything in flight was finished and saved.');
    process.exit(1);
  };
  setTimeout(giveUp, seconds * 1000).unref();
}

interface Started {
  readonly version: string;
  /** Where callers reach the service, and where it listens itself. */
  readonly api: string;
  readonly reference: string;
  readonly listening: string;
  readonly operator: string;
  readonly data: string;
  /** The first start makes an account to try things with. */
  readonly demoKey: string | undefined;
  /** What to do first on a shared store, where nobody wants a demo account. */
  readonly hint: string | undefined;
  readonly warnings: readonly string[];
}

/** Everything that runs. It stops in the order: new requests, those in flight, counts, store. */
async function start(
  config: Config,
  log: Log,
): Promise<AsyncDisposable & { readonly started: Started }> {
  const tls = readTls(config);
  await using starting = new AsyncDisposableStack();
  const metrics = new Metrics();
  const { store, pets, keys, limiter } = starting.use(await openBackend(config, log, metrics));

  let stopping = false;
  const operatorListen = { hostname: config.operatorHostname, port: config.operatorPort };
  const operator = listening('OPERATOR_HOST', 'OPERATOR_PORT', operatorListen, () =>
    startOperatorServer(operatorListen, metrics, {
      isAlive: store.isAlive,
      isReady: async () => !stopping && (await store.isReady()),
    }),
  );
  starting.defer(() => operator.stop());

  const { hostname, port, publicUrl, stagingUrl, trustedProxies } = config;
  const listen = { hostname, port, publicUrl, stagingUrl, trustedProxies, tls };
  const { newRequestId, now, sha256 } = platform;
  const api = listening('HOST', 'PORT', listen, () =>
    startPublicServer(
      {
        pets,
        keys,
        limiter,
        now,
        sha256,
        newRequestId,
        observe(exchange, reply, durationSeconds) {
          const { route, decision } = exchange;
          metrics.record(route.operation, reply.status, decision, durationSeconds);
          logAnswer(log, exchange, reply, durationSeconds);
        },
      },
      listen,
    ),
  );
  starting.defer(async () => {
    // Readiness goes first, and load balancers are given time to send their requests elsewhere.
    stopping = true;
    api.drain();
    await Bun.sleep(config.drainSeconds * 1000);
    await api.stop(STOP_GRACE_SECONDS);
  });

  const isNew = !(await store.accounts.hasAccounts());
  const isEmbedded = config.database.kind === 'sqlite';
  const started: Started = {
    version,
    api: `${api.publicUrl}${API_PREFIX}`,
    reference: `${api.publicUrl}${REFERENCE_PAGE}`,
    listening: api.localUrl,
    operator: operator.url,
    data: describeDatabase(config),
    demoKey: isNew && isEmbedded ? await makeDemoAccount(store) : undefined,
    hint: isNew && !isEmbedded ? FIRST_ACCOUNT_HINT : undefined,
    warnings: warningsOf(config, api.publicUrl),
  };
  const running = starting.move();
  return { started, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** Returns the secret of its key. */
async function makeDemoAccount({ accounts }: Store): Promise<string> {
  const secret = mintSecret(platform.randomBytes);
  await accounts.createAccount({
    name: DEMO_ACCOUNT,
    plan: 'free',
    limits: PLANS.free.limits,
    nowMs: platform.now(),
    firstKey: { label: 'first start', hash: platform.sha256(secret), expiresAtMs: null },
  });
  return secret;
}

function startLines(started: Started): string[] {
  const { version, api, reference, operator, data, demoKey, hint, warnings } = started;
  const lines = [
    `Animal Store ${version}`,
    `  API        ${api}`,
    `  reference  ${reference}`,
    `  operator   ${operator}`,
    `  data       ${data}`,
  ];
  lines.push(...warnings.map((warning) => `Warning: ${warning}`));
  if (hint !== undefined) lines.push(hint);
  if (demoKey === undefined) return lines;
  const { perMinute, perDay } = PLANS.free.limits;
  return [
    ...lines,
    '',
    `First start: created the account "${DEMO_ACCOUNT}" on the ${PLANS.free.title} plan ` +
      `(${formatCount(perMinute)} requests a minute, ${formatCount(perDay)} a day).`,
    'Its API key, shown this once:',
    '',
    `  ${demoKey}`,
    '',
    'Add an animal with it:',
    '',
    `  curl -H 'Authorization: Bearer ${demoKey}' -H 'Content-Type: application/json' ` +
      `-d '{"name":"Rex","categoryId":1}' ${api}/pets`,
  ];
}

/** Without the password that an address may carry. */
function describeDatabase({ database }: Config): string {
  if (database.kind === 'sqlite') return database.path;
  const { protocol, host, pathname } = new URL(database.url);
  return `${protocol}//${host}${pathname}`;
}

/** Runs `open`; when the address cannot be had, says which setting to change. */
function listening<T>(
  hostSetting: string,
  portSetting: string,
  { hostname, port }: { readonly hostname: string; readonly port: number },
  open: () => T,
): T {
  try {
    return open();
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === 'EADDRINUSE') {
      throw new OperatorError(
        `Port ${port} on ${hostname} is taken. Stop what listens there, or set ${portSetting}.`,
      );
    }
    throw new OperatorError(
      `Cannot listen on ${hostname}, port ${port}: ${message}. ` +
        `Check ${hostSetting} and ${portSetting}.`,
    );
  }
}

function readTls({ tlsFiles }: Config): { cert: string; key: string } | undefined {
  if (tlsFiles === undefined) return undefined;
  const read = (setting: string, path: string) => {
    try {
      return readFileSync(path, 'utf8');
    } catch (error) {
      throw new OperatorError(`${setting} cannot be read: ${(error as Error).message}.`);
    }
  };
  const cert = read('TLS_CERT_FILE', tlsFiles.cert);
  const key = read('TLS_KEY_FILE', tlsFiles.key);
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new OperatorError(
      'TLS_CERT_FILE and TLS_KEY_FILE do not hold a certificate and its key: ' +
        `${(error as Error).message}.`,
    );
  }
  return { cert, key };
}

function warningsOf(config: Config, publicUrl: string): string[] {
  const { hostname, tlsFiles, trustedProxies } = config;
  const warnings: string[] = [];
  if (!LOOPBACK.test(hostname) && tlsFiles === undefined && trustedProxies === 0) {
    warnings.push(
      `API keys travel unencrypted: ${hostname} is open to other machines, without TLS. ` +
        'Set TLS_CERT_FILE and TLS_KEY_FILE, or TRUSTED_PROXIES where a proxy in front has TLS.',
    );
  }
  if (!LOOPBACK.test(config.operatorHostname)) {
    warnings.push(
      `The operator's listener on ${config.operatorHostname} asks for no key: ` +
        'keep OPERATOR_HOST off networks that others reach.',
    );
  }
  if (isWildcard(hostname) && config.publicUrl === undefined) {
    warnings.push(
      `Link and Location headers will say ${publicUrl}. Set PUBLIC_URL to the address callers use.`,
    );
  }
  return warnings;
}
