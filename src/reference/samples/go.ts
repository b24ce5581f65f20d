import {
  bodyOf,
  doubleQuoted,
  headersOf,
  type Language,
  RETRIED_STATUSES,
  type SampleRequest,
  urlOf,
} from './sample-request.ts';

export const GO = {
  id: 'go',
  title: 'Go',

  request: (request) => `package main

import (
${imports(request, 'fmt io log net/http os')})

func main() {
${exchange(request, 'http.DefaultClient', 'log.Fatal(err)')}	if response.StatusCode >= 300 {
		log.Fatalln(response.Status, string(body))
	}
	fmt.Println(response.Status, string(body))
}`,

  pageLoop: (request) => `package main

import (
${imports(request, 'fmt io log net/http os regexp')})

var next = regexp.MustCompile(\`<([^>]*)>; rel="next"\`)

func main() {
	url := ${doubleQuoted(urlOf(request))}
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
		if err != nil {
			log.Fatal(err)
		}
		if response.StatusCode >= 300 {
			log.Fatalln(response.Status, string(body))
		}
		fmt.Println(string(body))

		url = ""
		if link := next.FindStringSubmatch(response.Header.Get("Link")); link != nil {
			url = link[1]
		}
	}
}`,

  retryLoop: (request) => `package main

import (
${imports(request, 'errors fmt io log math math/rand net/http os strconv time')})

var client = http.Client{Timeout: 30 * time.Second}

func main() {
	for attempt := 0; ; attempt++ {
		wait, err := send()
		if err == nil {
			return
		}
		if wait > 120 || attempt == 5 {
			log.Fatal(err)
		}
		// Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
		wait += rand.Float64() * math.Pow(2, float64(attempt))
		time.Sleep(time.Duration(wait * float64(time.Second)))
	}
}

// Returns an error with the seconds to wait before the next attempt.
func send() (wait float64, err error) {
${exchange(request, 'client', 'return wait, err', RETRY_AFTER)}	fmt.Println(response.Status, string(body))
	if response.StatusCode < 300 {
		return 0, nil
	}
	switch response.StatusCode {
	case ${RETRIED_STATUSES.join(', ')}:
		return wait, errors.New(response.Status)
	}
	return math.Inf(1), errors.New(response.Status)
}`,
} as const satisfies Language;

/** The lines that import packages, in alphabetical order. A body also needs the package of its reader. */
function imports(request: SampleRequest, packages: string): string {
  const all = bodyOf(request) === undefined ? packages : `${packages} strings`;
  return all
    .split(' ')
    .sort()
    .map((name) => `\t"${name}"\n`)
    .join('');
}

const RETRY_AFTER = '\twait, _ = strconv.ParseFloat(response.Header.Get("Retry-After"), 64)\n';

/**
 * Code that sends the request and reads the body of the response. `onError` is the statement that runs if
 * one of these fails. `readHeaders` are complete lines.
 */
function exchange(
  request: SampleRequest,
  client: string,
  onError: string,
  readHeaders = '',
): string {
  const body = bodyOf(request);
  const headers = headersOf(request).map(
    ([name, value]) => `\trequest.Header.Set(${doubleQuoted(name)}, ${doubleQuoted(value)})\n`,
  );
  return `	request, err := http.NewRequest(
		"${request.method}",
		${doubleQuoted(urlOf(request))},
		${body === undefined ? 'nil' : `strings.NewReader(${text(body)})`},
	)
	if err != nil {
		${onError}
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("ANIMAL_STORE_API_KEY"))
${headers.join('')}
	response, err := ${client}.Do(request)
	if err != nil {
		${onError}
	}
	defer response.Body.Close()
${readHeaders}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		${onError}
	}
`;
}

/** A literal without escapes if that is possible. */
function text(body: string): string {
  const quoted = doubleQuoted(body);
  const needsEscapes = /[`\r]/.test(body) || /\\u/.test(quoted);
  return needsEscapes ? quoted : `\`${body}\``;
}
