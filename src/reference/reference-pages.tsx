import { readFileSync } from 'node:fs';
import { render } from 'preact-render-to-string';
import {
  CLIENT,
  DOCUMENT,
  FULL_TEXT,
  ICON,
  OVERVIEW,
  REFERENCE_PAGE,
  SCRIPT,
  SEARCH_INDEX,
  STYLE_SHEET,
  YAML_DOCUMENT,
} from '#contract/api.ts';
import { problem } from '#contract/errors.ts';
import type { ResponseParts } from '#contract/exchange.ts';
import { CORS_HEADERS, EXAMPLE_URL } from '#contract/headers.ts';
import { documentToJson, documentToYaml, openApiDocument } from '#contract/openapi.ts';
import type { Environment } from '#domain/environment.ts';
import { preferredType } from '#formats/accept.ts';
import base from './base.css' with { type: 'text' };
import { changesPage } from './changes-page.tsx';
import { errorsPage } from './errors-page.tsx';
import clientPackage from './generated/client.tgz' with { type: 'file' };
import script from './generated/reference.js' with { type: 'text' };
import { RELEASED_CLIENTS } from './generated/released-clients.ts';
import icon from './icon.svg' with { type: 'text' };
import { Layout, NOT_FOUND_PAGE } from './layout.tsx';
import { limitsPage, usagePage } from './limits-page.tsx';
import { pageToMarkdown } from './page-markdown.tsx';
import style from './pages.css' with { type: 'text' };
import { overviewPage, referencePage } from './reference-page.tsx';
import { searchIndex } from './search-index.ts';
import type { Page } from './section.tsx';
import { PAGE_HEADERS, readStaticFile, type StaticFile, staticFile } from './static-file.ts';

/** For a path whose content never changes. */
const IMMUTABLE = { 'Cache-Control': 'max-age=31536000, immutable' };

/** A browser asks for HTML by name. Only a program that prefers Markdown to everything else gets Markdown. */
const TYPES = ['text/markdown', 'application/json', 'text/html', '*/*'];

function clientFile(path: string, headers?: Readonly<Record<string, string>>): StaticFile {
  // The file is next to this module. In a bundle, it has another path than in the sources.
  return staticFile('application/gzip', readFileSync(new URL(path, import.meta.url)), headers);
}

interface Service {
  readonly publicUrl: string;
  /** The URL of the staging deployment, if there is one. */
  readonly stagingUrl?: string | undefined;
  /** Default: production. */
  readonly environment?: Environment;
  readonly programVersion: string;
}

/** The pages that the public listener serves in addition to the API. */
export class ReferencePages {
  #rendered: ReturnType<typeof renderAll> | undefined;

  constructor(private readonly service: Service) {}

  has(path: string): boolean {
    return this.#pages.files.has(path);
  }

  /**
   * Returns undefined if the path has no page for this method, and 304 if the reader already has it. At the root, a
   * browser is sent to the reference, and a program gets the overview, because it follows no redirect to a page for
   * people. For a path that does not exist, a browser gets a page that says so.
   */
  read({ method, headers }: Request, path: string): ResponseParts | undefined {
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    const { files, notFound, pinned } = this.#pages;
    const type = preferredType(headers.get('accept'), TYPES);
    const isProgramAtRoot = path === '/' && type !== 'text/html';
    const found =
      (type === 'text/markdown' && files.get(`${path}.md`)) ||
      files.get(isProgramAtRoot ? OVERVIEW : path);
    if (found === undefined && /^\/client-.*\.tgz$/.test(path)) {
      const client = this.service.publicUrl + pinned;
      return problem('route_not_found', `This deployment serves the client as ${client}.`);
    }
    const file = found ?? (type === 'text/html' ? notFound : undefined);
    return file && readStaticFile(file, headers);
  }

  /** The pages are rendered for the first reader, so that the start of the service does not wait for them. */
  get #pages() {
    this.#rendered ??= renderAll(this.service);
    return this.#rendered;
  }
}

function renderAll(service: Service) {
  const { publicUrl: url, stagingUrl, environment = 'production', programVersion } = service;
  /** The path of the client with its version, which is that of the program. */
  const pinned = `/client-${programVersion}.tgz`;
  const document = openApiDocument(environment, url, stagingUrl);
  const pages = [
    referencePage(environment, pinned),
    errorsPage(),
    limitsPage(),
    usagePage(),
    changesPage(),
  ];
  const frame = { pages, programVersion, environment };
  /** The pages contain the address of an example in the place of that of the deployment. */
  const located = (text: string) => text.replaceAll(EXAMPLE_URL, () => url);
  const write = (page: Page, root: string) => {
    const html = `<!doctype html>${render(<Layout page={page} root={root} {...frame} />)}`;
    return located(html.replaceAll(LINK, `$1${root}`));
  };
  const markdownOf = (page: Page) => located(pageToMarkdown(page));
  const overview = overviewPage(pages);
  const files = new Map<string, StaticFile>([
    ['/', redirect(relative('/', REFERENCE_PAGE))],
    [STYLE_SHEET, staticFile('text/css', base + style)],
    [SCRIPT, staticFile('text/javascript', script)],
    [SEARCH_INDEX, staticFile('application/json', located(JSON.stringify(searchIndex(pages))))],
    [ICON, staticFile('image/svg+xml', icon)],
    [DOCUMENT, staticFile('application/json', documentToJson(document), CORS_HEADERS)],
    [YAML_DOCUMENT, staticFile('application/yaml', documentToYaml(document), CORS_HEADERS)],
    [OVERVIEW, staticFile('text/plain', markdownOf(overview), PAGE_HEADERS)],
    [FULL_TEXT, staticFile('text/plain', [overview, ...pages].map(markdownOf).join('\n\n'))],
    [CLIENT, clientFile(clientPackage)],
    [pinned, clientFile(clientPackage, IMMUTABLE)],
    // The clients that earlier versions served stay at their paths: the lock files of callers have the path and a
    // checksum, so that `npm ci` would fail after an upgrade of the service. They are last, because a checkout has the
    // version of the last release until the next release is prepared.
    ...RELEASED_CLIENTS.map(([name, file]) => [`/${name}`, clientFile(file, IMMUTABLE)] as const),
  ]);
  for (const page of pages) {
    const { path } = page;
    files.set(path, staticFile('text/html', write(page, relative(path, '/')), PAGE_HEADERS));
    files.set(`${path}.md`, staticFile('text/markdown', markdownOf(page), PAGE_HEADERS));
    files.set(`${path}/`, redirect(relative(`${path}/`, path)));
  }

  // This page is the same for every path that does not exist, so its links cannot be relative.
  const root = new URL(`${url}/`).pathname;
  const notFound = staticFile('text/html', write(NOT_FOUND_PAGE, root), {
    ...PAGE_HEADERS,
    'Cache-Control': 'no-store',
  });
  return { files, notFound: { ...notFound, status: 404 }, pinned };
}

function redirect(location: string): StaticFile {
  return { status: 302, body: null, headers: { Location: location } };
}

/** Finds a link to a path of the service. It is made relative, to work behind a proxy that adds a prefix. */
const LINK = /( (?:href|src)=")\//g;

/** The relative link from one path to another. */
function relative(from: string, to: string): string {
  return '../'.repeat(from.split('/').length - 2) + to.slice(1);
}
