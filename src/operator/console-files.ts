import { SNIFFING_HEADERS } from '../contract/headers.ts';
import { readStaticFile, type StaticFile, staticFile } from '../contract/static-file.ts';

/** The texts of the page of the console. */
export interface ConsoleAssets {
  readonly page: string;
  readonly script: string;
  readonly style: string;
  readonly icon: string;
}

const HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  ...SNIFFING_HEADERS,
};

const FILES = {
  '/': { type: 'text/html', asset: 'page' },
  '/console.js': { type: 'text/javascript', asset: 'script' },
  '/console.css': { type: 'text/css', asset: 'style' },
  '/icon.svg': { type: 'image/svg+xml', asset: 'icon' },
} as const;

type FilePath = keyof typeof FILES;

/** Every path of the page, with a function that reads its file. Files are prepared at first use. */
export function consoleFiles(assets: ConsoleAssets): Map<FilePath, (request: Request) => Response> {
  const prepared = new Map<FilePath, StaticFile>();
  const prepare = (path: FilePath): StaticFile => {
    const { type, asset } = FILES[path];
    const file = staticFile(type, assets[asset], HEADERS);
    prepared.set(path, file);
    return file;
  };
  return new Map(
    (Object.keys(FILES) as FilePath[]).map((path) => [
      path,
      (request) => {
        const file = prepared.get(path) ?? prepare(path);
        const { status, body, headers } = readStaticFile(file, request.headers);
        return new Response(body, { status, headers });
      },
    ]),
  );
}
