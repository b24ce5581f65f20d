import type { OperationName } from '../../contract/operations.ts';
import { PET_COLUMNS } from '../../domain/pet-columns.ts';
import { doubleQuoted } from './literal.ts';
import { headersOf, type SampleRequest, urlOf } from './sample-request.ts';

/** The variable for the response, and its type. */
const RESULTS: Readonly<Record<OperationName, readonly [name: string, type: string]>> = {
  listPets: ['pets', '[]Pet'],
  createPet: ['pet', 'Pet'],
  getPet: ['pet', 'Pet'],
};

const TYPES = { text: 'string', int64: 'int64', integer: 'int' };

/** The fields of a pet, aligned as gofmt does. */
const FIELDS = Object.entries(PET_COLUMNS).map(([name, column]) => {
  const goName = name.charAt(0).toUpperCase() + name.slice(1);
  const type = TYPES[column.replace('?', '') as keyof typeof TYPES];
  return `\t${goName.replace(/Id$/, 'ID').padEnd(10)} ${type.padEnd(6)} \`json:"${name}"\`\n`;
});

export function goSample(request: SampleRequest): string {
  const { method, operation, body } = request;
  const packages = ['encoding/json', 'fmt', 'log', 'net/http', 'os'];
  if (body !== undefined) packages.push('strings');
  const headers = headersOf(request).map(
    ([name, value]) => `\trequest.Header.Set(${doubleQuoted(name)}, ${doubleQuoted(value)})\n`,
  );
  const [name, type] = RESULTS[operation];
  return `package main

import (
${packages.map((name) => `\t"${name}"\n`).join('')})

type Pet struct {
${FIELDS.join('')}}

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
