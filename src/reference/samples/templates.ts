import { quoted } from '../../formats/shell-text.ts';
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

/** A language of the samples. No sample contains a key: they read it from ANIMAL_STORE_API_KEY. */
export interface Language {
  readonly id: string;
  readonly title: string;
  /** Code that sends the request, prints the status and the body, and fails for an error. */
  readonly request: (request: SampleRequest) => string;
  /** Code that reads every pet, page by page, and prints them. The request is for the first page. */
  readonly pageLoop: (request: SampleRequest) => string;
  /**
   * Code that does the same as `request`, and sends it again after a retried status or an incomplete
   * response. It makes up to 6 attempts, unless Retry-After asks for more than 2 minutes. The request must
   * be safe to repeat.
   */
  readonly retryLoop: (request: SampleRequest) => string;
}

/** The values of the placeholders in a sample. A line with a list is repeated for each of its values. */
type SampleValues = Readonly<Record<string, string | readonly string[]>>;

export const CURL = languageOf('curl', 'curl', curl, (request) => {
  const options = [
    '-H "Authorization: Bearer $ANIMAL_STORE_API_KEY"',
    ...headersOf(request).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...bodyLiterals(request, (body) => `--data-raw ${quoted(body)}`),
  ];
  const url = quoted(urlOf(request));
  return {
    url,
    // The URL comes first, because the line has the most room for a long URL there.
    methodAndUrl: `${request.method} ${url}`,
    options: options.slice(0, -1),
    lastOption: options.slice(-1),
  };
});

export const FETCH = languageOf('fetch', 'JavaScript', fetch, (request) => ({
  url: singleQuoted(urlOf(request)),
  headers: headersOf(request).map((header) => header.map(singleQuoted).join(': ')),
  body: bodyLiterals(request, singleQuoted),
}));

export const PYTHON = languageOf('python', 'Python', python, (request) => ({
  url: doubleQuoted(urlOf(request)),
  headers: headersOf(request).map((header) => header.map(doubleQuoted).join(': ')),
  body: bodyLiterals(request, singleQuoted),
}));

export const GO = languageOf('go', 'Go', go, (request) => {
  const body = bodyOf(request);
  return {
    url: doubleQuoted(urlOf(request)),
    headers: headersOf(request).map((header) => header.map(doubleQuoted).join(', ')),
    bodyPackage: body === undefined ? [] : '"strings"',
    bodyReader: body === undefined ? 'nil' : `strings.NewReader(${goLiteral(body)})`,
  };
});

/** A literal without escapes if that is possible. */
function goLiteral(body: string): string {
  const text = doubleQuoted(body);
  const needsEscapes = /[`\r]/.test(body) || /\\u/.test(text);
  return needsEscapes ? text : `\`${body}\``;
}

/** A language whose samples are the three code blocks of a file: a request, every page, and retries. */
function languageOf<Id extends string>(
  id: Id,
  title: string,
  markdown: string,
  valuesOf: (request: SampleRequest) => SampleValues,
) {
  const blocks = Array.from(markdown.matchAll(/^```\w+\n(.*?)\n```$/gms), ([, code = '']) => code);
  const sample = (at: number) => (request: SampleRequest) => {
    const { method } = request;
    const retried = RETRIED_STATUSES.join(id === 'curl' ? ' | ' : ', ');
    return fill(blocks[at] ?? '', { method, retried, ...valuesOf(request) });
  };
  return { id, title, request: sample(0), pageLoop: sample(1), retryLoop: sample(2) };
}

/** Fills in a sample, of which each line has at most one placeholder. */
function fill(sample: string, values: SampleValues): string {
  const lines = sample.split('\n').flatMap((line) => {
    const [placeholder, name] = /\{\{(\w+)\}\}/.exec(line) ?? [];
    if (placeholder === undefined || name === undefined) return line;
    const value = values[name];
    if (value === undefined) throw new Error(`The sample has no value for ${placeholder}.`);
    return [value].flat().map((text) => line.replace(placeholder, () => text));
  });
  return lines.join('\n');
}

/** The body as a literal, in a list that is empty if there is no body. */
function bodyLiterals(request: SampleRequest, quote: (text: string) => string): string[] {
  const body = bodyOf(request);
  return body === undefined ? [] : [quote(body)];
}
