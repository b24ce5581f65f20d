import { firstPage, type Language } from './language.ts';
import { doubleQuoted } from './quoting.ts';
import { bodyOf, headersOf, urlOf } from './sample-request.ts';

export const GO = {
  id: 'go',
  title: 'Go',

  request(request) {
    const body = bodyOf(request);
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
		"${request.method}",
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
}`;
  },

  pageLoop: (baseUrl) => `package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"regexp"
)

var next = regexp.MustCompile(\`<([^>]*)>; rel="next"\`)

func main() {
	url := ${doubleQuoted(firstPage(baseUrl))}
	for url != "" {
		request, err := http.NewRequest("GET", url, nil)
		if err != nil {
			log.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+os.Getenv("ANIMAL_STORE_API_KEY"))
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			log.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode >= 300 {
			log.Fatal(response.Status, string(body), err)
		}
		fmt.Println(string(body))

		url = ""
		if link := next.FindStringSubmatch(response.Header.Get("Link")); link != nil {
			url = link[1]
		}
	}
}`,
} as const satisfies Language;

/** Without escapes where that is possible. */
function text(body: string): string {
  const quoted = doubleQuoted(body);
  const needsEscapes = /[`\r]/.test(body) || /\\u/.test(quoted);
  return needsEscapes ? quoted : `\`${body}\``;
}
