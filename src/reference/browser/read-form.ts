import type { SampleRequest } from '../samples/sample-request.ts';

type Field = HTMLInputElement | HTMLSelectElement;

/** The request that the form of an operation describes. */
export function readForm(form: HTMLFormElement, rendered: SampleRequest): SampleRequest {
  const values: Record<string, Record<string, string>> = { path: {}, query: {}, header: {} };
  for (const { name, value, dataset } of form.querySelectorAll<Field>('[data-place]')) {
    const place = values[dataset['place'] ?? ''];
    if (place !== undefined && value.trim() !== '') place[name] = value.trim();
  }
  const body = form.querySelector<HTMLTextAreaElement>('[name=body]')?.value;
  return { ...rendered, baseUrl: baseUrl(), values: values as SampleRequest['values'], body };
}

/** The page is at …/docs and the API at …/v1, with any prefix. `document.baseURI` may have a password. */
function baseUrl(): string {
  return new URL('./v1', location.href).href;
}
