import { firstPage, type Language } from './language.ts';
import { doubleQuoted, singleQuoted } from './quoting.ts';
import { bodyOf, headersOf, urlOf } from './sample-request.ts';

export const PYTHON = {
  id: 'python',
  title: 'Python',

  request(request) {
    const body = bodyOf(request);
    const headers = headersOf(request).map(
      ([name, value]) => `        ${doubleQuoted(name)}: ${doubleQuoted(value)},\n`,
    );
    return `import json
import os
import urllib.error
import urllib.request

request = urllib.request.Request(
    ${doubleQuoted(urlOf(request))},
    method="${request.method}",
    headers={
        "Authorization": f"Bearer {os.environ['ANIMAL_STORE_API_KEY']}",
${headers.join('')}    },
${body === undefined ? '' : `    data=${singleQuoted(body)}.encode(),\n`})

try:
    with urllib.request.urlopen(request) as response:
        print(response.status, json.load(response))
except urllib.error.HTTPError as error:
    problem = json.load(error)
    raise SystemExit(f"{error.code} {problem['code']}: {problem['message']}")`;
  },

  pageLoop: (baseUrl) => `import json
import os
import re
import urllib.request

url = ${doubleQuoted(firstPage(baseUrl))}
headers = {"Authorization": f"Bearer {os.environ['ANIMAL_STORE_API_KEY']}"}
while url:
    request = urllib.request.Request(url, headers=headers)
    with urllib.request.urlopen(request) as response:
        for pet in json.load(response):
            print(pet)
        link = response.headers.get("Link", "")
    following = re.search('<([^>]*)>; rel="next"', link)
    url = following and following[1]`,
} as const satisfies Language;
