import { CORS_HEADERS } from '../contract/headers.ts';
import { type Deployments, documentToJson, openApiDocument } from '../contract/openapi.ts';
import {
  DOCUMENT,
  ERRORS_PAGE,
  LIMITS_PAGE,
  REFERENCE_PAGE,
  SCRIPT,
  STYLE_SHEET,
} from '../contract/page-paths.ts';
import { prefersGzip } from './accept-encoding.ts';
import { errorsPage } from './errors-page.ts';
import { isKnown } from './if-none-match.ts';
import { relative } from './layout.ts';
import { limitsPage } from './limits-page.ts';
import { referencePage } from './reference-page.ts';
import style from './style.css' with { type: 'text' };
import tokens from './tokens.css' with { type: 'text' };
import tryIt from './try-it.browser.js' with { type: 'text' };

/** The pages load only their own style and script, and connect only to this service. */
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

interface Page {
  readonly status: number;
  readonly body: string | Uint8Array | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** The forms of a page that a reader can get, prepared once. */
interface Variants {
  readonly plain: Page;
  readonly compressed: Page;
  readonly unchanged?: Page;
}

/** The pages that the public listener serves in addition to the API. */
export class ReferencePages {
  readonly #publicUrl: () => string;
  readonly #stagingUrl: string | undefined;
  #rendered: ReadonlyMap<string, Variants> | undefined;

  constructor(publicUrl: () => string, stagingUrl: string | undefined) {
    this.#publicUrl = publicUrl;
    this.#stagingUrl = stagingUrl;
  }

  has(path: string): boolean {
    return this.#pages.has(path);
  }

  /** Undefined when the path has no page for this method. 304 when the reader already has it. */
  read({ method, headers }: Request, path: string): Page | undefined {
    const page = method === 'GET' || method === 'HEAD' ? this.#pages.get(path) : undefined;
    if (page === undefined) return undefined;
    const { plain, compressed, unchanged } = page;
    const tag = unchanged?.headers['ETag'] ?? '';
    if (unchanged && isKnown(headers.get('if-none-match'), tag)) return unchanged;
    return prefersGzip(headers.get('accept-encoding')) ? compressed : plain;
  }

  /** Rendered for the first reader, so that the start does not wait for it. */
  get #pages(): ReadonlyMap<string, Variants> {
    if (this.#rendered === undefined) {
      const url = this.#publicUrl();
      this.#rendered = render(url, deployments(url, this.#stagingUrl));
    }
    return this.#rendered;
  }
}

/** This deployment is staging if its URL says so, else production. */
function deployments(publicUrl: string, stagingUrl: string | undefined): Deployments {
  return publicUrl === stagingUrl
    ? { staging: stagingUrl }
    : { production: publicUrl, staging: stagingUrl };
}

function render(publicUrl: string, servedAt: Deployments): ReadonlyMap<string, Variants> {
  const document = documentToJson(openApiDocument(servedAt));
  return new Map([
    ['/', redirect(relative('/', REFERENCE_PAGE))],
    [`${REFERENCE_PAGE}/`, redirect(relative(`${REFERENCE_PAGE}/`, REFERENCE_PAGE))],
    [REFERENCE_PAGE, file('text/html', referencePage(publicUrl), PAGE_HEADERS)],
    [ERRORS_PAGE, file('text/html', errorsPage(), PAGE_HEADERS)],
    [LIMITS_PAGE, file('text/html', limitsPage(), PAGE_HEADERS)],
    [STYLE_SHEET, file('text/css', tokens + style)],
    [SCRIPT, file('text/javascript', tryIt)],
    [DOCUMENT, file('application/json', document, CORS_HEADERS)],
  ]);
}

function redirect(location: string): Variants {
  const plain = { status: 302, body: null, headers: { Location: location } };
  return { plain, compressed: plain };
}

function file(
  type: string,
  body: string,
  further: Readonly<Record<string, string>> = {},
): Variants {
  const kept = {
    'Cache-Control': 'no-cache',
    // Weak, because all variants share it.
    ETag: `W/"${Bun.hash(body).toString(36)}"`,
    Vary: 'Accept-Encoding',
    ...further,
  };
  const contentType = type.startsWith('text/') ? `${type}; charset=utf-8` : type;
  const headers = { ...kept, 'Content-Type': contentType };
  return {
    plain: { status: 200, body, headers },
    // Brotli saves a fifth more, but takes 0.4 seconds for the OpenAPI document instead of 2 ms.
    compressed: {
      status: 200,
      body: Bun.gzipSync(body, { level: 9 }),
      headers: { ...headers, 'Content-Encoding': 'gzip' },
    },
    unchanged: { status: 304, body: null, headers: kept },
  };
}
