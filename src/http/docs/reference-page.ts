import { ERRORS } from '../../contract/errors.ts';
import { HEADERS } from '../../contract/headers.ts';
import { type JsonSchema, namedSchemas, nameOfRef, schemaOf } from '../../contract/json-schema.ts';
import { EXAMPLE_NEW_PET, errorSchema } from '../../contract/openapi.ts';
import {
  API_PREFIX,
  OPERATIONS,
  type Operation,
  type Parameter,
} from '../../contract/operations.ts';
import { type Html, html, prose } from './html.ts';
import { layout } from './layout.ts';

const NAMED = { ...namedSchemas(), Error: errorSchema() };

export function referencePage(script: string): string {
  const operations = Object.entries<Operation>(OPERATIONS);
  return layout({
    title: 'Reference',
    root: '',
    script,
    contents: [
      { id: 'key', title: 'Your API key' },
      ...operations.map(([name]) => ({ id: name, title: name })),
      { id: 'headers', title: 'Headers of answers' },
      ...Object.keys(NAMED).map((name) => ({ id: `schema-${name}`, title: name })),
    ],
    main: html`
<p>A shop's animals over HTTP, as JSON. Paths begin with <code>${API_PREFIX}</code>. Every request
needs an API key and counts towards the <a href="docs/limits">limits</a> of its plan; every failure
is one of these <a href="docs/errors">errors</a>. Identifiers are 64-bit integers: this page shows
and sends each digit as it is.</p>
<section id="key">
<h2>Your API key</h2>
<p>Put it in to try the operations below on this very service. It stays in this page, and is
forgotten with it.</p>
<form><label for="api-key">API key</label>
<input id="api-key" type="password" autocomplete="off" spellcheck="false" placeholder="ask_…"></form>
<noscript><p class="notice">To try operations, allow this page to run its script.</p></noscript>
</section>
${operations.map(([name, operation]) => operationSection(name, operation))}
${headersSection()}
${Object.entries(NAMED).map(([name, schema]) => schemaSection(name, schema))}`,
  });
}

function operationSection(name: string, operation: Operation): Html {
  const { method, path, summary, description, stability } = operation;
  return html`
<section id="${name}" class="operation">
<h2><code>${name}</code> ${summary}</h2>
<p class="route"><span class="method">${method}</span> <code>${API_PREFIX}${path}</code>
<span class="status">${stability}</span></p>
${farewell(operation)}
<p>${prose(description)}</p>
${tryIt(name, operation)}
${answers(operation)}
</section>
`;
}

function farewell({ deprecation }: Operation): Html | undefined {
  if (deprecation === undefined) return undefined;
  const day = deprecation.removedAt.toLocaleDateString('en-GB', {
    dateStyle: 'long',
    timeZone: 'UTC',
  });
  return html`<p class="notice"><strong>Deprecated.</strong> It ends on ${day}. ${deprecation.advice}</p>`;
}

/** The parameters, and the form to send them: one table serves readers and those who try. */
function tryIt(
  name: string,
  { method, path, pathParameters, query, requestHeaders, body }: Operation,
): Html {
  const rows = [
    ...Object.entries(pathParameters).map(([key, value]) =>
      parameterRow(name, 'path', key, value, true),
    ),
    ...Object.entries(query).map(([key, value]) => parameterRow(name, 'query', key, value, false)),
    ...Object.entries(requestHeaders).map(([key, value]) =>
      parameterRow(name, 'header', key, value, false),
    ),
  ];
  return html`<form data-method="${method}" data-path="${API_PREFIX}${path}">
${
  rows.length > 0
    ? html`<table>
<thead><tr><th>Parameter</th><th>Type</th><th>Value</th></tr></thead>
<tbody>
${rows}</tbody>
</table>`
    : undefined
}
${
  body &&
  html`<p><label for="${name}-body">Body, a ${typeOf(schemaOf(body))}</label></p>
<textarea id="${name}-body" name="body" rows="5" spellcheck="false">${JSON.stringify(EXAMPLE_NEW_PET, null, 2)}</textarea>`
}
<p><button type="submit">Send</button></p>
<div class="exchange" aria-live="polite" hidden></div>
</form>`;
}

function parameterRow(
  operation: string,
  place: string,
  name: string,
  { description, schema }: Parameter,
  required: boolean,
): Html {
  const id = `${operation}-${name}`;
  const shape = schemaOf(schema);
  return html`<tr>
<td><label for="${id}"><code>${name}</code></label> <span class="aside">${place}${required ? ', required' : ''}</span></td>
<td>${typeOf(shape)} <span class="aside">${boundsOf(shape)}</span></td>
<td>${field(id, place, name, shape, required)} ${prose(description)}</td>
</tr>
`;
}

function field(
  id: string,
  place: string,
  name: string,
  shape: JsonSchema,
  required: boolean,
): Html {
  const { enum: choices } = resolve(shape);
  const attributes = html`id="${id}" name="${name}" data-place="${place}"`;
  if (choices !== undefined) {
    return html`<select ${attributes}><option></option>${choices.map((choice) => html`<option>${choice}</option>`)}</select>`;
  }
  const example = shape.default === undefined ? '' : String(shape.default);
  return html`<input ${attributes} ${required ? html`required` : ''} placeholder="${example}" autocomplete="off" spellcheck="false">`;
}

function answers({ success, errors }: Operation): Html {
  return html`<table>
<thead><tr><th>Status</th><th>Answer</th></tr></thead>
<tbody>
<tr><td><span class="status">${success.status}</span></td><td>${typeOf(schemaOf(success.schema))} ${prose(success.description)}</td></tr>
${[...errors]
  .sort((a, b) => ERRORS[a].status - ERRORS[b].status)
  .map(
    (code) =>
      html`<tr><td><span class="status">${ERRORS[code].status}</span></td><td><a href="docs/errors#${code}"><code>${code}</code></a> ${prose(ERRORS[code].meaning)}</td></tr>\n`,
  )}</tbody>
</table>`;
}

function headersSection(): Html {
  return html`
<section id="headers">
<h2>Headers of answers</h2>
<dl>
${Object.entries(HEADERS).map(
  ([name, { description, example }]) =>
    html`<dt><code>${name}: ${example}</code></dt><dd>${prose(description)}</dd>\n`,
)}</dl>
</section>
`;
}

function schemaSection(name: string, schema: JsonSchema): Html {
  const { properties, required = [], description } = schema;
  return html`
<section id="schema-${name}">
<h2>${name}</h2>
${
  properties === undefined
    ? html`<p>${typeOf(schema)} ${boundsOf(schema)}. ${description}</p>`
    : html`<table>
<thead><tr><th>Member</th><th>Type</th><th>Meaning</th></tr></thead>
<tbody>
${Object.entries(properties).map(
  ([member, shape]) => html`<tr>
<td><code>${member}</code> <span class="aside">${required.includes(member) ? 'required' : 'optional'}</span></td>
<td>${typeOf(shape)} <span class="aside">${boundsOf(shape)}</span></td>
<td>${meaningOf(name, member, shape)}</td>
</tr>
`,
)}</tbody>
</table>`
}
</section>
`;
}

/** The table of codes has a page of its own. */
function meaningOf(schema: string, member: string, shape: JsonSchema): Html {
  if (schema === 'Error' && member === 'code')
    return html`Names the error: <a href="docs/errors">all codes</a>.`;
  return prose(resolve(shape).description ?? '');
}

function typeOf({ $ref, type, format, items }: JsonSchema): Html {
  if ($ref !== undefined) {
    const name = nameOfRef($ref);
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  if (items !== undefined) return html`array of ${typeOf(items)}`;
  return html`${type}${format && html` <code>${format}</code>`}`;
}

/** What is allowed, in few words. The bounds of int64 itself go without saying. */
function boundsOf(shape: JsonSchema): string {
  const {
    minimum,
    maximum,
    minLength,
    maxLength,
    maxItems,
    enum: choices,
    default: absent,
  } = shape;
  const bounds = [
    choices?.join(', '),
    typeof minimum === 'number' ? `${minimum} to ${maximum}` : undefined,
    minLength === undefined ? undefined : `${minLength} to ${maxLength} characters`,
    maxItems === undefined ? undefined : `up to ${maxItems}`,
    absent === undefined ? undefined : `default ${absent}`,
  ];
  return bounds.filter((bound) => bound !== undefined).join('; ');
}

function resolve(shape: JsonSchema): JsonSchema {
  return shape.$ref === undefined
    ? shape
    : ((NAMED as Record<string, JsonSchema>)[nameOfRef(shape.$ref)] ?? shape);
}
