import { readFileSync } from 'node:fs';

/** Only Linux has this table of connections. */
const CONNECTION_TABLE = '/proc/net/tcp';
const ESTABLISHED = '01';

/** The ports of the clients whose connections the server on this port holds. */
export function heldConnections(serverPort: number): ReadonlySet<number> {
  const held = new Set<number>();
  for (const line of readFileSync(CONNECTION_TABLE, 'utf8').split('\n').slice(1)) {
    const [, local = '', remote = '', state] = line.trim().split(/\s+/);
    if (state === ESTABLISHED && portOf(local) === serverPort) held.add(portOf(remote));
  }
  return held;
}

function portOf(address: string): number {
  return Number.parseInt(address.split(':')[1] ?? '', 16);
}
