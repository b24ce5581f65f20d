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
import {
  readStaticFile,
  type StaticFile,
  type StaticResponse,
  staticFile,
} from '../contract/static-file.ts';
import { errorsPage } from './errors-page.ts';
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

/** The pages that the public listener serves in addition to the API. */
export class ReferencePages {
  readonly #publicUrl: () => string;
  readonly #stagingUrl: string | undefined;
  #rendered: ReadonlyMap<string, StaticFile> | undefined;

  constructor(publicUrl: () => string, stagingUrl: string | undefined) {
    this.#publicUrl = publicUrl;
    this.#stagingUrl = stagingUrl;
  }

  has(path: string): boolean {
    return this.#pages.has(path);
  }

  /** Undefined when the path has no page for this method. 304 when the reader already has it. */
  read({ method, headers }: Request, path: string): StaticResponse | undefined {
    const page = method === 'GET' || method === 'HEAD' ? this.#pages.get(path) : undefined;
    return page && readStaticFile(page, headers);
  }

  /** Rendered for the first reader, so that the start does not wait for it. */
  get #pages(): ReadonlyMap<string, StaticFile> {
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

function render(publicUrl: string, servedAt: Deployments): ReadonlyMap<string, StaticFile> {
  const document = documentToJson(openApiDocument(servedAt));
  return new Map([
    ['/', redirect(relative('/', REFERENCE_PAGE))],
    [`${REFERENCE_PAGE}/`, redirect(relative(`${REFERENCE_PAGE}/`, REFERENCE_PAGE))],
    [REFERENCE_PAGE, staticFile('text/html', referencePage(publicUrl), PAGE_HEADERS)],
    [ERRORS_PAGE, staticFile('text/html', errorsPage(), PAGE_HEADERS)],
    [LIMITS_PAGE, staticFile('text/html', limitsPage(), PAGE_HEADERS)],
    [STYLE_SHEET, staticFile('text/css', tokens + style)],
    [SCRIPT, staticFile('text/javascript', tryIt)],
    [DOCUMENT, staticFile('application/json', document, CORS_HEADERS)],
  ]);
}

function redirect(location: string): StaticFile {
  const plain = { status: 302, body: null, headers: { Location: location } };
  return { plain, compressed: plain };
}
