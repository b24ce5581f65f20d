import {
  bodyOf,
  doubleQuoted,
  headersOf,
  type Language,
  RETRIED_STATUSES,
  type SampleRequest,
  singleQuoted,
  urlOf,
} from './sample-request.ts';

export const PYTHON = {
  id: 'python',
  title: 'Python',

  request: (request) => `import json
import os
import urllib.error
import urllib.request

${newRequest(request)}

try:
    with urllib.request.urlopen(request) as response:
        print(response.status, json.load(response))
except urllib.error.HTTPError as error:
    problem = json.load(error)
    raise SystemExit(f"{error.code} {problem['code']}: {problem['message']}")`,

  pageLoop: (request) => `import json
import os
import re
import urllib.error
import urllib.request

url = ${doubleQuoted(urlOf(request))}
headers = {"Authorization": f"Bearer {os.environ['ANIMAL_STORE_API_KEY']}"}
while url:
    request = urllib.request.Request(url, headers=headers)
    try:
        with urllib.request.urlopen(request) as response:
            for pet in json.load(response):
                print(pet)
            link = response.headers.get("Link", "")
    except urllib.error.HTTPError as error:
        raise SystemExit(f"{error.code} {error.read().decode()}")
    following = re.search('<([^>]*)>; rel="next"', link)
    url = following and following[1]`,

  retryLoop: (request) => `import http.client
import json
import os
import random
import time
import urllib.error
import urllib.request

${newRequest(request)}

for attempt in range(6):
    wait = 0
    try:
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                print(response.status, json.load(response))
                break
        except urllib.error.HTTPError as error:
            after = error.headers.get("Retry-After", "")
            wait = int(after) if after.isdecimal() else 0
            failure = f"{error.code} {error.read().decode(errors='replace')}"
            if error.code not in (${RETRIED_STATUSES.join(', ')}):
                raise SystemExit(failure)
    except (OSError, http.client.HTTPException) as error:
        failure = f"No complete response: {error}"
    if wait > 120 or attempt == 5:
        raise SystemExit(failure)
    # Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
    time.sleep(wait + random.random() * 2**attempt)`,
} as const satisfies Language;

function newRequest(request: SampleRequest): string {
  const body = bodyOf(request);
  const headers = headersOf(request).map(
    ([name, value]) => `        ${doubleQuoted(name)}: ${doubleQuoted(value)},\n`,
  );
  return `request = urllib.request.Request(
    ${doubleQuoted(urlOf(request))},
    method="${request.method}",
    headers={
        "Authorization": f"Bearer {os.environ['ANIMAL_STORE_API_KEY']}",
${headers.join('')}    },
${body === undefined ? '' : `    data=${singleQuoted(body)}.encode(),\n`})`;
}
