/* Sends the request of a form and shows the response. No number passes through JSON.parse, which
   would round ids beyond 2^53. */

const HEADERS_SHOWN =
  /^(allow|content-type|deprecation|idempotent-|link|location|retry-after|sunset|www-|x-)/;

for (const form of document.querySelectorAll('form')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (form.dataset.path !== undefined && form.ariaBusy !== 'true') send(form);
  });
}

async function send(form) {
  const request = requestOf(form);
  const status = form.querySelector('[role=status]');
  form.ariaBusy = 'true';
  status.textContent = 'Sending…';
  try {
    const { title, text } = await responseTo(request);
    status.textContent = title;
    show(form, request, text);
  } finally {
    form.ariaBusy = 'false';
  }
}

function requestOf(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  const headers = {};
  const key = document.querySelector('#api-key').value.trim();
  if (key !== '') headers.Authorization = `Bearer ${key}`;
  for (const field of form.querySelectorAll('[data-place]')) {
    const value = field.value.trim();
    const { place } = field.dataset;
    if (place === 'path') path = path.replace(`{${field.name}}`, encodeURIComponent(value));
    else if (value === '') continue;
    else if (place === 'query') query.set(field.name, value);
    else headers[field.name] = value;
  }
  const body = form.elements.body?.value;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const search = query.size > 0 ? `?${query}` : '';
  // The page is at …/docs, and the API is at …/v1.
  const url = new URL(`.${path}${search}`, document.baseURI);
  return { method: form.dataset.method, url, headers, body };
}

/** Sends a request. Returns a title and the whole response as text. */
async function responseTo(request) {
  if (!Object.values(request.headers).every((value) => /^[\x20-\x7e]*$/.test(value))) {
    const text = 'A header may contain only ASCII characters. Check your API key.';
    return { title: 'Not sent', text };
  }
  let response;
  let body;
  try {
    response = await fetch(request.url, request);
    body = await response.text();
  } catch {
    const text = 'The service cannot be reached from this page.';
    return { title: 'No response', text };
  }
  const title = `${response.status} ${response.statusText}`;
  const headers = [...response.headers].filter(([name]) => HEADERS_SHOWN.test(name));
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  return { title, text: [title, ...lines, '', isJson ? indent(body) : body].join('\n') };
}

function show(form, request, response) {
  const exchange = form.querySelector('.exchange');
  exchange.replaceChildren(
    ...block('Request', commandFor(request)),
    ...block('Response', response),
  );
  exchange.hidden = false;
}

function block(title, text) {
  const heading = document.createElement('h3');
  heading.textContent = title;
  const code = document.createElement('code');
  code.textContent = text;
  const pre = document.createElement('pre');
  pre.tabIndex = 0;
  pre.append(code);
  return [heading, pre];
}

/** The request as a shell command, without the key. */
function commandFor({ method, url, headers, body }) {
  const words = ['curl -i', method === 'GET' ? '' : `-X ${method}`, quote(url.href)];
  for (const [name, value] of Object.entries(headers)) {
    words.push(
      name === 'Authorization'
        ? '-H "Authorization: Bearer $KEY"'
        : `-H ${quote(`${name}: ${value}`)}`,
    );
  }
  if (body !== undefined) words.push(`--data-raw ${quote(body)}`);
  return words.filter((word) => word !== '').join(' ');
}

function quote(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Indents JSON without parsing it, so that numbers keep every digit. */
function indent(json) {
  let depth = 0;
  const line = () => `\n${'  '.repeat(Math.max(0, depth))}`;
  return json.replace(/"(?:[^"\\]|\\.)*"|\[\]|\{\}|[[\]{},:]/g, (token) => {
    if (token === ':') return ': ';
    if (token === ',') return `,${line()}`;
    if (token === '[' || token === '{') {
      depth++;
      return `${token}${line()}`;
    }
    if (token === ']' || token === '}') {
      depth--;
      return `${line()}${token}`;
    }
    return token;
  });
}
