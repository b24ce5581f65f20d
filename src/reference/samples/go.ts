import { doubleQuoted } from './literal.ts';
import { headersOf, type SampleRequest, urlOf } from './sample-request.ts';

export function goSample(request: SampleRequest): string {
  const { method, body } = request;
  const packages = ['fmt', 'io', 'log', 'net/http', 'os'];
  if (body !== undefined) packages.push('strings');
  const headers = headersOf(request).map(
    ([name, value]) => `\trequest.Header.Set(${doubleQuoted(name)}, ${doubleQuoted(value)})\n`,
  );
  return `package main

import (
${packages.map((name) => `\t"${name}"\n`).join('')})

func main() {
	request, err := http.NewRequest(
		"${method}",
		${doubleQuoted(urlOf(request))},
		${body === undefined ? 'nil' : `strings.NewReader(${text(body)})`},
	)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("ANIMAL_STORE_API_KEY"))
${headers.join('')}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()

	body, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	if response.StatusCode >= 300 {
		log.Fatalln(response.Status, string(body))
	}
	fmt.Println(response.Status, string(body))
}
`;
}

/** Without escapes where that is possible. */
function text(body: string): string {
  const quoted = doubleQuoted(body);
  const needsEscapes = /[`\r]/.test(body) || /\\u/.test(quoted);
  return needsEscapes ? quoted : `\`${body}\``;
}
