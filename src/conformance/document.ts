import { attempt, NotCheckable } from './check-error.ts';
import { isObject, type Json } from './exact-json.ts';
import type { Session } from './session.ts';

type JsonObject = Readonly<Record<string, Json>>;

/** The OpenAPI document of the deployment. The contract does not require one. */
export function requireDocument(session: Session): Promise<JsonObject> {
  return session.cached('the OpenAPI document', async () => {
    const url = `${session.options.baseUrl.replace(/\/v1$/, '')}/openapi.json`;
    const json = (await attempt(() => session.getWithoutKey(url)))?.json;
    if (isObject(json) && 'openapi' in json) return json;
    throw new NotCheckable('The deployment has no OpenAPI document, and need not have one.');
  });
}

/** The values of a field of all operations that have it, such as `x-stability`. */
export function valuesInOperations(document: JsonObject, field: string): readonly Json[] {
  return membersOf(document['paths'])
    .flatMap(membersOf)
    .flatMap((operation) => (isObject(operation) ? (operation[field] ?? []) : []));
}

function membersOf(value: Json | undefined): readonly Json[] {
  return isObject(value) ? Object.values(value) : [];
}
