import { type Browser, chromium } from 'playwright-core';
import { requireProgram } from './programs.ts';

/** Keeps Chromium to itself: no first run, no updates, no calls home. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function requireChromium(): string {
  return requireProgram('chromium');
}

/** A real browser with a profile of its own, which goes with it. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: requireChromium(), args: ARGUMENTS });
}
