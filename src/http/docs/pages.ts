import { documentToJson, openApiDocument, type ServedAt } from '../../contract/openapi.ts';
import { CORS_HEADERS } from '../cors.ts';
import type { Reply } from '../reply.ts';
import { errorsPage } from './errors-page.ts';
import { limitsPage } from './limits-page.ts';
import { referencePage } from './reference-page.ts';
import style from './style.css' with { type: 'text' };
import tryIt from './try-it.browser.js' with { type: 'text' };

export const REFERENCE_PAGE = '/docs';
export const ERRORS_PAGE = `${REFERENCE_PAGE}/errors`;

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
].join('; ');

/** What the public listener serves beside the interface, by path. */
export function documentReplies(servedAt: ServedAt): ReadonlyMap<string, Reply> {
  return new Map([
    ['/', { status: 302, body: null, headers: { Location: REFERENCE_PAGE.slice(1) } }],
    [REFERENCE_PAGE, page(referencePage('docs/try-it.js'))],
    [ERRORS_PAGE, page(errorsPage())],
    [`${REFERENCE_PAGE}/limits`, page(limitsPage())],
    [`${REFERENCE_PAGE}/style.css`, file('text/css; charset=utf-8', style)],
    [`${REFERENCE_PAGE}/try-it.js`, file('text/javascript; charset=utf-8', tryIt)],
    [
      '/openapi.json',
      file('application/json', documentToJson(openApiDocument(servedAt)), CORS_HEADERS),
    ],
  ]);
}

function page(text: string): Reply {
  return file('text/html; charset=utf-8', text, {
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'Referrer-Policy': 'no-referrer',
  });
}

function file(type: string, body: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return {
    status: 200,
    body,
    headers: {
      'Content-Type': type,
      'Cache-Control': 'no-cache',
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    },
  };
}
