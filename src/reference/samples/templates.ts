import { quoted } from '#formats/shell-text.ts';
import { fillIn } from '#formats/template.ts';
import curl from './curl.md' with { type: 'text' };
import fetch from './fetch.md' with { type: 'text' };
import go from './go.md' with { type: 'text' };
import python from './python.md' with { type: 'text' };
import {
  bodyOf,
  doubleQuoted,
  headersOf,
  RETRIED_STATUSES,
  type SampleRequest,
  singleQuoted,
  urlOf,
} from './sample-request.ts';

type Sample = (request: SampleRequest) => string;

/** A language of the samples. No sample contains a key: they read it from ANIMAL_STORE_API_KEY. */
export type Language = ReturnType<typeof languageOf>;

/** The values of the placeholders in a sample. */
type SampleValues = Readonly<Record<string, string | readonly string[]>>;

export const CURL = languageOf('curl', 'curl', curl, (request) => {
  const body = bodyOf(request);
  const options = [
    '-H "Authorization: Bearer $ANIMAL_STORE_API_KEY"',
    ...headersOf(request).map((header) => `-H ${quoted(header.join(': '))}`),
  ];
  if (body !== undefined) options.push(`--data-raw ${quoted(body)}`);
  return { url: quoted(urlOf(request)), retried: RETRIED_STATUSES.join(' | '), options };
});

export const FETCH = languageOf('fetch', 'JavaScript', fetch, (request) =>
  literals(request, singleQuoted),
);

export const PYTHON = languageOf('python', 'Python', python, (request) =>
  literals(request, doubleQuoted),
);

export const GO = languageOf('go', 'Go', go, (request) => {
  const body = bodyOf(request);
  return {
    ...literals(request, doubleQuoted, ', '),
    bodyPackage: body === undefined ? [] : '"strings"',
    bodyReader: body === undefined ? 'nil' : `strings.NewReader(${goLiteral(body)})`,
  };
});

/** The parts of a request as literals. The list of bodies is empty if the request has no body. */
function literals(
  request: SampleRequest,
  quote: (text: string) => string,
  afterName = ': ',
): SampleValues {
  const body = bodyOf(request);
  return {
    url: quote(urlOf(request)),
    headers: headersOf(request).map((header) => header.map(quote).join(afterName)),
    body: body === undefined ? [] : singleQuoted(body),
  };
}

/** A literal without escapes if that is possible. */
function goLiteral(body: string): string {
  const text = doubleQuoted(body);
  const needsEscapes = /[`\r]/.test(body) || /\\u/.test(text);
  return needsEscapes ? text : `\`${body}\``;
}

/** A language whose samples are the three code blocks of a file: a request, every page, and retries. */
export function languageOf<Id extends string>(
  id: Id,
  title: string,
  markdown: string,
  valuesOf: (request: SampleRequest) => SampleValues,
) {
  const blocks = Array.from(markdown.matchAll(/^```\w+\n(.*?)\n```$/gms), ([, code = '']) => code);
  const [request, pageLoop, retryLoop] = blocks.map(
    (block): Sample =>
      (request) =>
        fillIn(block, {
          method: request.method,
          retried: RETRIED_STATUSES.join(', '),
          ...valuesOf(request),
        }),
  ) as [Sample, Sample, Sample];
  return {
    id,
    title,
    /** Code that sends the request, prints the status and the body, and fails for an error. */
    request,
    /** Code that reads every pet, page by page, and prints them. The request is for the first page. */
    pageLoop,
    /**
     * Code that does the same as `request`, and sends it again after a retried status or an incomplete
     * response. It makes up to 6 attempts, unless Retry-After asks for more than 2 minutes. The request must
     * be safe to repeat.
     */
    retryLoop,
  };
}
