import { type SampleRequest, urlOf } from './sample-request.ts';

export function curlSample(request: SampleRequest): string {
  const { values, body } = request;
  const options = [
    '-i --fail-with-body',
    '-H "Authorization: Bearer $ANIMAL_STORE_API_KEY"',
    ...Object.entries(values.header).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `--data-raw ${quoted(body)}`]),
  ];
  // With data, curl sends a POST. The URL comes first, so that a long one fits the panel.
  return [`curl ${quoted(urlOf(request))}`, ...options].join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
