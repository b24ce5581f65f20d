import { documentToJson, openApiDocument, type ServedAt } from '../../contract/openapi.ts';
import { CORS_HEADERS } from '../cors.ts';
import type { Reply } from '../reply.ts';
import { errorsPage } from './errors-page.ts';
import { relative } from './layout.ts';
import { limitsPage } from './limits-page.ts';
import {
  DOCUMENT,
  ERRORS_PAGE,
  LIMITS_PAGE,
  REFERENCE_PAGE,
  SCRIPT,
  STYLE_SHEET,
} from './paths.ts';
import { referencePage } from './reference-page.ts';
import style from './style.css' with { type: 'text' };
import tryIt from './try-it.browser.js' with { type: 'text' };

/** The pages load nothing but their own style and script, and talk to nobody but this service. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const PAGE_HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Referrer-Policy': 'no-referrer',
};

/** What the public listener serves beside the interface. */
export class Documents {
  readonly #publicUrl: string;
  readonly #servedAt: ServedAt;
  #written: ReadonlyMap<string, Reply> | undefined;

  constructor(publicUrl: string, servedAt: ServedAt) {
    this.#publicUrl = publicUrl;
    this.#servedAt = servedAt;
  }

  has(path: string): boolean {
    return this.#replies.has(path);
  }

  /** Undefined where there is nothing to read. A reader who has it already is told just that. */
  read({ method, headers }: Request, path: string): Reply | undefined {
    const reply = method === 'GET' || method === 'HEAD' ? this.#replies.get(path) : undefined;
    const tag = reply?.headers?.['ETag'];
    if (reply === undefined || tag === undefined || headers.get('if-none-match') !== tag) {
      return reply;
    }
    return { ...reply, status: 304, body: null };
  }

  /** Written for the first reader: a start should not wait for pages that nobody may ask for. */
  get #replies(): ReadonlyMap<string, Reply> {
    this.#written ??= write(this.#publicUrl, this.#servedAt);
    return this.#written;
  }
}

function write(publicUrl: string, servedAt: ServedAt): ReadonlyMap<string, Reply> {
  const document = documentToJson(openApiDocument(servedAt));
  return new Map([
    ['/', redirect(relative('/', REFERENCE_PAGE))],
    [`${REFERENCE_PAGE}/`, redirect(relative(`${REFERENCE_PAGE}/`, REFERENCE_PAGE))],
    [REFERENCE_PAGE, file('text/html', referencePage(publicUrl), PAGE_HEADERS)],
    [ERRORS_PAGE, file('text/html', errorsPage(), PAGE_HEADERS)],
    [LIMITS_PAGE, file('text/html', limitsPage(), PAGE_HEADERS)],
    [STYLE_SHEET, file('text/css', style)],
    [SCRIPT, file('text/javascript', tryIt)],
    [DOCUMENT, file('application/json', document, CORS_HEADERS)],
  ]);
}

function redirect(location: string): Reply {
  return { status: 302, body: null, headers: { Location: location } };
}

function file(type: string, body: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return {
    status: 200,
    body,
    headers: {
      'Content-Type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
      'Cache-Control': 'no-cache',
      ETag: `"${Bun.hash(body).toString(36)}"`,
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    },
  };
}
