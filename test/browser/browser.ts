import { type Browser, chromium } from 'playwright-core';
import { requireProgram } from '../support/programs.ts';

/** Stops Chromium from showing its first-run page and from contacting its vendor. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A real browser with a temporary profile. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = requireProgram('chromium');
  return chromium.launch({ executablePath, args: ARGUMENTS });
}
