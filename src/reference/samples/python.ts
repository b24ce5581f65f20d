import { doubleQuoted, exactValue, type LiteralStyle, literal } from './literal.ts';
import { headersOf, type SampleRequest, urlOf } from './sample-request.ts';

const STYLE: LiteralStyle = {
  indent: '    ',
  string: doubleQuoted,
  integer: String,
  field: doubleQuoted,
  word: (value) => ({ true: 'True', false: 'False', null: 'None' })[String(value)] ?? String(value),
};

export function pythonSample(request: SampleRequest): string {
  const { method, body } = request;
  const headers = headersOf(request).map(
    ([name, value]) => `        ${doubleQuoted(name)}: ${doubleQuoted(value)},\n`,
  );
  return `import json
import os
import urllib.error
import urllib.request

request = urllib.request.Request(
    ${doubleQuoted(urlOf(request))},
${method === 'GET' ? '' : `    method="${method}",\n`}    headers={
        "Authorization": f"Bearer {os.environ['ANIMAL_STORE_API_KEY']}",
${headers.join('')}    },
${body === undefined ? '' : `    data=${data(body)}.encode(),\n`})

try:
    with urllib.request.urlopen(request) as response:
        print(response.status, json.load(response))
except urllib.error.HTTPError as error:
    problem = json.load(error)
    raise SystemExit(f"{error.code} {problem['code']}: {problem['message']}")
`;
}

function data(body: string): string {
  const value = exactValue(body);
  return value === undefined
    ? doubleQuoted(body)
    : `json.dumps(${literal(value, STYLE, STYLE.indent)})`;
}
