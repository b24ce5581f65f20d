#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const WINDOWS = process.platform === 'win32';
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** No file in the working folder may change the service: no .env, no settings, no packages. */
const BUN_FLAGS = [
  '--no-env-file',
  `--config=${join(ROOT, 'bunfig.toml')}`,
  `--tsconfig-override=${join(ROOT, 'tsconfig.json')}`,
  '--no-install',
];

const runtime = runtimePackage();
const bun = findBun();
if (bun === undefined) {
  console.error(
    `The runtime ${runtime} is not installed. On this machine, install Animal Store again, ` +
      'with optional dependencies. In a checkout: npm ci --omit=dev',
  );
  process.exit(1);
}

const args = [...BUN_FLAGS, join(ROOT, 'src/main.ts'), ...process.argv.slice(2)];
const env = { ...process.env };
// It may be set for another program, and Bun would obey it here too.
delete env.BUN_OPTIONS;
// After a failover, the host name of a server resolves to another address. Bun would keep the old one for 30 seconds.
env.BUN_CONFIG_DNS_TIME_TO_LIVE_SECONDS ??= '1';
// npm runs a command in a shell. Many shells die of a signal without passing it on.
const shell = env.npm_lifecycle_event === undefined ? undefined : process.ppid;

// From Node.js 22.15, Bun can replace this process: no signals to pass on, and no second process.
if (process.execve !== undefined && !WINDOWS && shell === undefined) {
  process.execve(bun, [bun, ...args], env);
} else {
  endTogether(spawn(bun, ['--no-orphans', ...args], { stdio: 'inherit', env }));
}

/** Passes signals to the service, and ends the way it ends. */
function endTogether(child) {
  const watch = setInterval(() => {
    if (shell !== undefined && process.ppid !== shell) stop('SIGTERM');
  }, 100);
  function stop(signal) {
    clearInterval(watch);
    // Windows sends Ctrl-C to all processes of a console. There, `kill` would end the service at once.
    if (!WINDOWS) child.kill(signal);
  }
  for (const signal of SIGNALS) process.on(signal, stop);
  child.on('error', ({ message }) => {
    console.error(`Cannot start Bun: ${message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** The package with Bun for this machine, one of the optional dependencies. */
function runtimePackage() {
  const system = { win32: 'windows', android: 'linux' }[process.platform] ?? process.platform;
  const processor = process.arch === 'arm64' ? 'aarch64' : process.arch;
  return `@oven/bun-${system}-${processor}${libc()}`;
}

function libc() {
  if (process.platform === 'android') return '-android';
  if (process.platform !== 'linux') return '';
  // Without this, the report looks up the names of open connections.
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime === undefined ? '-musl' : '';
}

/** A `bun` in PATH is not used: it may be another version, and may change later. */
function findBun() {
  const { resolve } = createRequire(import.meta.url);
  // The package `bun`, which only development needs, moves the executable into itself. If its
  // install script did not run, it has a placeholder of a few hundred bytes instead.
  for (const path of [`${runtime}/bin/bun${WINDOWS ? '.exe' : ''}`, 'bun/bin/bun.exe']) {
    try {
      const found = resolve(path);
      accessSync(found, constants.X_OK);
      if (statSync(found).size > 1_000_000) return found;
    } catch {
      // Try the next one.
    }
  }
  return undefined;
}
