import { connect as connectSocket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { withoutBrackets } from '../../domain/server-url.ts';
import { DEFAULT_PORT } from './redis-address.ts';

const TIMEOUT_MS = 2_000;
const CLOSED = 'Connection closed';

/** Bun reports every failed connection as "Connection closed". This connects again, to learn why. */
export async function connectError(url: string): Promise<Error> {
  const { protocol, hostname, port } = new URL(url);
  const address = { host: withoutBrackets(hostname), port: Number(port || DEFAULT_PORT) };
  const isTls = protocol === 'rediss:';
  const { promise, resolve } = Promise.withResolvers<Error>();
  const socket = isTls ? connectTls(address) : connectSocket(address);
  let isReady = false;
  socket.on(isTls ? 'secureConnect' : 'connect', () => {
    isReady = true;
  });
  socket.on('error', (error) => {
    const isReset = (error as { code?: string }).code === 'ECONNRESET';
    resolve(isReset && !isTls ? new Error(closedWithoutTls()) : error);
  });
  socket.on('close', () => resolve(new Error(isTls ? CLOSED : closedWithoutTls())));
  socket.once('data', (chunk) => {
    const [line = ''] = chunk.toString().split('\r\n');
    resolve(new Error(line.startsWith('-') ? line.slice(1) : CLOSED));
  });
  // The time-out of the socket does not end a handshake that never begins.
  const timer = setTimeout(() => {
    const noHandshake =
      'no response to the start of TLS. If the server does not use TLS, write redis://';
    resolve(new Error(isTls && !isReady ? noHandshake : CLOSED));
  }, TIMEOUT_MS);
  socket.write(hello(url));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

function closedWithoutTls(): string {
  return 'the server closed the connection. If it uses TLS, write rediss://';
}

function hello(url: string): string {
  const { username, password } = new URL(url);
  const words = ['HELLO', '3'];
  if (password !== '') {
    words.push('AUTH', decodeURIComponent(username) || 'default', decodeURIComponent(password));
  }
  const lengths = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
  return `*${words.length}\r\n${lengths.join('')}`;
}
