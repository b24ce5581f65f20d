/* Sends what a form of the reference says, and shows the answer as it came: no number passes
   through JSON.parse, so that every digit of an identifier is kept. */

const HEADERS_SHOWN =
  /^(allow|content-type|deprecation|idempotent-|link|location|retry-after|sunset|www-|x-)/;

for (const form of document.querySelectorAll('form')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (form.dataset.path !== undefined) send(form);
  });
}

async function send(form) {
  const request = requestOf(form);
  const button = form.querySelector('button');
  button.disabled = true;
  try {
    const response = await fetch(request.url, request);
    show(form, request, await describe(response));
  } catch {
    show(form, request, 'No answer came: the service cannot be reached from this page.');
  } finally {
    button.disabled = false;
  }
}

function requestOf(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  const headers = {};
  const key = document.querySelector('#api-key').value.trim();
  if (key !== '') headers.Authorization = `Bearer ${key}`;
  for (const { name, value, dataset } of form.querySelectorAll('[data-place]')) {
    if (dataset.place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (value === '') continue;
    else if (dataset.place === 'query') query.set(name, value);
    else headers[name] = value;
  }
  const body = form.elements.body?.value;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const search = query.size > 0 ? `?${query}` : '';
  // The page is at …/docs, and the interface begins beside it.
  const url = new URL(`.${path}${search}`, document.baseURI);
  return { method: form.dataset.method, url, headers, body };
}

async function describe(response) {
  const headers = [...response.headers].filter(([name]) => HEADERS_SHOWN.test(name));
  return [
    `${response.status} ${response.statusText}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    '',
    indent(await response.text()),
  ].join('\n');
}

function show(form, request, answer) {
  const exchange = form.querySelector('.exchange');
  exchange.replaceChildren(block('As a command', commandFor(request)), block('The answer', answer));
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
  const figure = document.createElement('div');
  figure.append(heading, pre);
  return figure;
}

/** The request for a shell; the key stays out of it. */
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

/** Breaks JSON into lines without reading it, so that numbers stay as they were written. */
function indent(json) {
  let depth = 0;
  return json.replace(/"(?:[^"\\]|\\.)*"|\[\]|\{\}|[[\]{},:]/g, (token) => {
    if (token === ':') return ': ';
    if (token === ',') return `,\n${'  '.repeat(depth)}`;
    if (token === '[' || token === '{') return `${token}\n${'  '.repeat(++depth)}`;
    if (token === ']' || token === '}') return `\n${'  '.repeat(--depth)}${token}`;
    return token;
  });
}
