import { doubleQuoted } from './literal.ts';
import { headersOf, type SampleRequest, urlOf } from './sample-request.ts';

export function goSample(request: SampleRequest): string {
  const { method, operation, body } = request;
  const packages = ['encoding/json', 'fmt', 'log', 'net/http', 'os'];
  if (body !== undefined) packages.push('strings');
  const headers = headersOf(request).map(
    ([name, value]) => `\trequest.Header.Set(${doubleQuoted(name)}, ${doubleQuoted(value)})\n`,
  );
  const [name, type] = operation === 'listPets' ? ['pets', '[]Pet'] : ['pet', 'Pet'];
  return `package main

import (
${packages.map((name) => `\t"${name}"\n`).join('')})

type Pet struct {
	ID         int64  \`json:"id"\`
	Name       string \`json:"name"\`
	CategoryID int64  \`json:"categoryId"\`
	Status     string \`json:"status"\`
}

func main() {
${body === undefined ? '' : `\tbody := strings.NewReader(${text(body)})\n`}\trequest, err := http.NewRequest(
		"${method}",
		${doubleQuoted(urlOf(request))},
		${body === undefined ? 'nil' : 'body'},
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

	if response.StatusCode >= 300 {
		var problem struct{ Code, Message string }
		json.NewDecoder(response.Body).Decode(&problem)
		log.Fatalf("%d %s: %s", response.StatusCode, problem.Code, problem.Message)
	}
	var ${name} ${type}
	if err := json.NewDecoder(response.Body).Decode(&${name}); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d %+v\\n", response.StatusCode, ${name})
}
`;
}

/** Without escapes where that is possible. */
function text(body: string): string {
  const quoted = doubleQuoted(body);
  const needsEscapes = /[`\r]/.test(body) || /\\u/.test(quoted);
  return needsEscapes ? quoted : `\`${body}\``;
}
