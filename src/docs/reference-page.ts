import { API_PREFIX, MAX_BODY_BYTES } from '../contract/api.ts';
import { ERRORS } from '../contract/errors.ts';
import {
  COMMON_HEADERS,
  DEPRECATION_HEADERS,
  errorHeaderNames,
  HEADERS,
  type HeaderDefinition,
  type HeaderName,
  wireName,
} from '../contract/headers.ts';
import { type JsonSchema, nameOfRef } from '../contract/json-schema.ts';
import {
  OPERATIONS,
  type Operation,
  type PlacedParameter,
  parametersOf,
} from '../contract/operations.ts';
import { ERRORS_PAGE, LIMITS_PAGE, REFERENCE_PAGE, SCRIPT } from '../contract/page-paths.ts';
import { namedSchemas, schemaOf } from '../contract/schemas.ts';
import { type Html, html, prose } from './html.ts';
import { layout, relative, type Section } from './layout.ts';

const NAMED = namedSchemas();
const ERRORS_LINK = relative(REFERENCE_PAGE, ERRORS_PAGE);
const LIMITS_LINK = relative(REFERENCE_PAGE, LIMITS_PAGE);

export function referencePage(publicUrl: string): string {
  return layout({
    title: 'Reference',
    path: REFERENCE_PAGE,
    script: SCRIPT,
    sections: [
      {
        id: 'basics',
        title: 'Basics',
        body: html`<p>The API is at <code>${publicUrl}${API_PREFIX}</code>. Every request needs an API key:</p>
<pre><code>Authorization: Bearer &lt;API key&gt;</code></pre>
<p>Bodies are JSON in UTF-8, sent as <code>application/json</code>, at most
${MAX_BODY_BYTES / 1024} KiB. Ids are 64-bit integers. A JSON parser that stores numbers as doubles
rounds ids beyond 2<sup>53</sup>. This page keeps every digit.</p>
<p>Every request counts against the <a href="${LIMITS_LINK}">limits</a> of its plan, and every failure
is one of these <a href="${ERRORS_LINK}">errors</a>. <code>HEAD</code> works wherever
<code>GET</code> does, and <code>OPTIONS</code> lists the methods of a path. Changes under
<code>${API_PREFIX}</code> only add: ignore members and headers that you do not know.</p>`,
      },
      {
        id: 'key',
        title: 'Your API key',
        body: html`<p>Enter it to try the operations below on this service. The page does not store it.</p>
<form aria-label="Your API key"><label for="api-key">API key</label>
<input id="api-key" type="password" autocomplete="off" spellcheck="false" placeholder="ask_…"></form>
<noscript><p class="notice">To try operations, allow this page to run JavaScript.</p></noscript>`,
      },
      ...Object.entries<Operation>(OPERATIONS).map(operationSection),
      headersSection(),
      ...Object.entries(NAMED).map(schemaSection),
    ],
  });
}

function operationSection([name, operation]: [string, Operation]): Section {
  const { method, path, summary, description, stability } = operation;
  return {
    id: name,
    title: name,
    heading: html`<h2 id="${name}-title"><code>${name}</code> ${summary}</h2>`,
    body: html`<p><span class="method">${method}</span> <code>${API_PREFIX}${path}</code>
<span class="status">${stability}</span></p>
${deprecationNotice(operation)}
<p>${prose(description)}</p>
${tryIt(name, operation)}
${responses(operation)}`,
  };
}

function deprecationNotice({ deprecation }: Operation): Html | undefined {
  if (deprecation === undefined) return undefined;
  const day = deprecation.removedAt.toLocaleDateString('en-GB', {
    dateStyle: 'long',
    timeZone: 'UTC',
  });
  return html`<p class="notice"><strong>Deprecated.</strong> It will be removed on ${day}. ${deprecation.advice}</p>`;
}

/** One table serves to read about the parameters and to fill them in. */
function tryIt(name: string, operation: Operation): Html {
  const { method, path, body } = operation;
  const parameters = parametersOf(operation);
  return html`<form data-method="${method}" data-path="${API_PREFIX}${path}" aria-labelledby="${name}-title">
${parameters.length > 0 ? parameterTable(name, parameters) : undefined}
${
  body &&
  html`<p><label for="${name}-body">Body</label>, a ${typeOf(schemaOf(body.schema))}</p>
<textarea id="${name}-body" name="body" rows="5" spellcheck="false">${JSON.stringify(body.example, null, 2)}</textarea>`
}
<p><button type="submit" aria-label="Send ${name}">Send</button> <span role="status"></span></p>
<div class="exchange" hidden></div>
</form>`;
}

function parameterTable(operation: string, parameters: readonly PlacedParameter[]): Html {
  return html`<table class="stacked">
<thead><tr><th>Parameter</th><th>Type</th><th>Value</th></tr></thead>
<tbody>
${parameters.map((parameter) => parameterRow(`${operation}-${parameter.name}`, parameter))}</tbody>
</table>`;
}

function parameterRow(id: string, { place, name, description, schema, required }: PlacedParameter) {
  const shape = schemaOf(schema);
  return html`<tr>
<td><label for="${id}"><code>${name}</code></label> <span class="aside">${place}${required ? ', required' : ''}</span></td>
<td>${typeOf(shape)} <span class="aside">${boundsOf(shape)}</span></td>
<td>${field(html`id="${id}" aria-describedby="${id}-meaning" name="${name}" data-place="${place}"`, shape, required)}
<span id="${id}-meaning">${prose(description)}</span></td>
</tr>
`;
}

function field(attributes: Html, shape: JsonSchema, required: boolean): Html {
  const { enum: choices } = resolve(shape);
  if (choices !== undefined) {
    return html`<select ${attributes}><option value="">any</option>${choices.map((choice) => html`<option>${choice}</option>`)}</select>`;
  }
  const absent = shape.default === undefined ? '' : String(shape.default);
  return html`<input ${attributes} ${required ? html`required` : ''} placeholder="${absent}" autocomplete="off" spellcheck="false">`;
}

function responses({ success, errors, deprecation }: Operation): Html {
  const deprecationHeaders: readonly HeaderName[] = deprecation ? DEPRECATION_HEADERS : [];
  const byStatus = [...errors].sort((a, b) => ERRORS[a].status - ERRORS[b].status);
  return html`<table class="stacked">
<thead><tr><th>Status</th><th>Response</th><th>Headers</th></tr></thead>
<tbody>
<tr><td><span class="status">${success.status}</span></td><td>${typeOf(schemaOf(success.schema))} ${prose(success.description)}
<pre><code>${JSON.stringify(success.example)}</code></pre></td>
<td>${headerNames([...success.headers, ...deprecationHeaders])}</td></tr>
${byStatus.map(
  (code) => html`<tr><td><span class="status">${ERRORS[code].status}</span></td>
<td><a href="${ERRORS_LINK}#${code}"><code>${code}</code></a> ${prose(ERRORS[code].meaning)}</td>
<td>${headerNames([...errorHeaderNames(ERRORS[code].status), ...deprecationHeaders])}</td></tr>
`,
)}</tbody>
</table>`;
}

/** Without the common headers. */
function headerNames(headers: readonly HeaderName[]): Html[] {
  const names = new Set(headers.map(wireName));
  return [...names].map((name) => html`<a class="header" href="#headers">${name}</a> `);
}

function headersSection(): Section {
  const common: readonly string[] = COMMON_HEADERS;
  return {
    id: 'headers',
    title: 'Response headers',
    body: html`<dl>
${Object.entries<HeaderDefinition>(HEADERS).map(
  ([header, { description, example }]) =>
    html`<dt><code>${wireName(header as HeaderName)}: ${example}</code></dt>
<dd>${prose(description)}${common.includes(header) ? html` <span class="aside">On every response.</span>` : ''}</dd>\n`,
)}</dl>`,
  };
}

function schemaSection([name, schema]: [string, JsonSchema]): Section {
  const { properties, required = [], description } = schema;
  const body =
    properties === undefined
      ? html`<p>${typeOf(schema)} ${boundsOf(schema)}. ${description}</p>`
      : html`<table class="stacked">
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
</table>`;
  return { id: `schema-${name}`, title: name, body };
}

/** Another page lists the codes. */
function meaningOf(schema: string, member: string, shape: JsonSchema): Html {
  return schema === 'Error' && member === 'code'
    ? html`The error code: <a href="${ERRORS_LINK}">all codes</a>.`
    : prose(resolve(shape).description ?? '');
}

function typeOf({ $ref, type, format, items }: JsonSchema): Html {
  if ($ref !== undefined) {
    const name = nameOfRef($ref);
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  if (items !== undefined) return html`array of ${typeOf(items)}`;
  return html`${type}${format && html` <code>${format}</code>`}`;
}

/** The allowed values in a few words, without the bounds of int64. */
function boundsOf(shape: JsonSchema): string {
  const { minimum, maximum, minLength, maxLength, maxItems, default: absent } = shape;
  const bounds = [
    shape.enum?.join(', '),
    typeof minimum === 'number' ? `${minimum} to ${maximum}` : undefined,
    minLength === undefined ? undefined : `${minLength} to ${maxLength} characters`,
    maxItems === undefined ? undefined : `up to ${maxItems}`,
    absent === undefined ? undefined : `default ${absent}`,
  ];
  return bounds.filter((bound) => bound !== undefined).join('; ');
}

function resolve(shape: JsonSchema): JsonSchema {
  if (shape.$ref === undefined) return shape;
  const named = NAMED[nameOfRef(shape.$ref)];
  if (named === undefined) throw new Error(`Unknown schema ${shape.$ref}`);
  return named;
}
