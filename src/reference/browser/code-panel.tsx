import { Fragment } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { API_PREFIX } from '#contract/api.ts';
import { Code, CopyButton } from '#reference/code.tsx';
import { LANGUAGES } from '#reference/samples/languages.ts';
import { INTEGER, type SampleRequest } from '#reference/samples/sample-request.ts';
import type { Language } from '#reference/samples/templates.ts';
import { type Outcome, ResponseView } from './response-view.tsx';
import { useSender } from './send-request.ts';
import { apiKey, languageChoice, useStoredText } from './stored-text.ts';

interface CodePanelProps {
  readonly request: SampleRequest;
  /** Shown until the first response. */
  readonly example: Outcome;
}

/** A request before it is sent, and the response to it. The form around the panel sends it. */
export function CodePanel({ request: rendered, example }: CodePanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  const formOf = () => panel.current?.closest('form');
  const [request, setRequest] = useState(rendered);
  const { outcome, isSending, sendOrCancel } = useSender(example);
  const { nextAfter } = outcome;
  // Only the form of the operation has this field.
  const afterField = formOf()?.querySelector<HTMLInputElement>('[name=after]');

  // This must happen before the first paint, because a form without a handler would leave the page.
  useLayoutEffect(() => {
    const form = formOf();
    if (!form) return;
    const update = () => setRequest(readForm(form, rendered));
    form.addEventListener('input', update);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      update();
      sendOrCancel(() => readForm(form, rendered));
    });
    update();
  }, []);

  return (
    <div class="panel" ref={panel}>
      <Sample codeOf={(language) => language.request(request)} />
      <div class="line send needs-script">
        <button
          type="submit"
          // The second click of a double click would add a second pet.
          onClick={(event) => event.detail > 1 && event.preventDefault()}
        >
          {isSending ? 'Cancel' : 'Send'}
          <span class="hidden"> {request.operation}</span>
        </button>
        <KeyField />
      </div>
      <ResponseView outcome={outcome} isSending={isSending} />
      {nextAfter && afterField && (
        <p>
          <button
            type="button"
            class="secondary"
            onClick={() => {
              afterField.value = nextAfter;
              formOf()?.requestSubmit();
            }}
          >
            Next page
          </button>
        </p>
      )}
    </div>
  );
}

interface LoopPanelProps {
  readonly loop: 'pageLoop' | 'retryLoop';
  readonly request: SampleRequest;
}

/** The samples of a loop around a request. */
export function LoopPanel({ loop, request }: LoopPanelProps) {
  const [baseUrl, setBaseUrl] = useState(request.baseUrl);
  useLayoutEffect(() => setBaseUrl(apiUrl()), []);
  return (
    <div class="panel">
      <Sample codeOf={(language) => language[loop]({ ...request, baseUrl })} />
    </div>
  );
}

/** Every panel has this field, and all of them show the same key. */
function KeyField() {
  const key = useStoredText(apiKey) ?? '';
  return (
    <input
      type="password"
      autocomplete="off"
      aria-label="API key"
      title="Kept until the tab closes"
      placeholder="API key: ask_…"
      value={key}
      onInput={({ currentTarget }) => apiKey.set(readKey(currentTarget.value))}
    />
  );
}

/** A key has no white space, but a pasted text may have some: a line break becomes a space. */
function readKey(text: string): string {
  return text.replace(/^\s*Bearer\s|\s/gi, '');
}

/** A sample in the language that the reader chose. Without a script, it is shown in all languages. */
function Sample({ codeOf }: { codeOf: (language: Language) => string }) {
  const choice = useStoredText(languageChoice);
  const language = LANGUAGES.find(({ id }) => id === choice) ?? LANGUAGES[0];
  const shown = choice === undefined ? LANGUAGES : [language];
  return (
    <>
      <div class="line needs-script">
        <select
          aria-label="Language"
          value={language.id}
          onChange={({ currentTarget }) => languageChoice.set(currentTarget.value)}
        >
          {LANGUAGES.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
        <CopyButton />
      </div>
      {shown.map((language) => (
        <Fragment key={language.id}>
          <p class="language">{language.title}</p>
          <Code language={language.id} code={codeOf(language)} />
        </Fragment>
      ))}
    </>
  );
}

type Field = HTMLInputElement | HTMLSelectElement;

/** The rendered request, with the values of the form where it has fields for them. */
function readForm(form: HTMLFormElement, rendered: SampleRequest): SampleRequest {
  const values = structuredClone(rendered.values);
  for (const { name, value, dataset } of form.querySelectorAll<Field>('[data-place]')) {
    const place = values[dataset['place'] as keyof typeof values] ?? {};
    const text = value.trim();
    const type = place === values.body ? dataset['type'] : 'string';
    const isInteger = type === 'integer' && INTEGER.test(text);
    place[name] = isInteger ? BigInt(text) : type === 'boolean' ? text === 'true' : text;
    if (text === '') delete place[name];
  }
  const otherBody =
    form.querySelector<HTMLTextAreaElement>('details[open] textarea')?.value.toWellFormed() ||
    undefined;
  return { ...rendered, baseUrl: apiUrl(), values, otherBody };
}

/**
 * The base address, derived from that of this script, which is at …/docs/reference.js behind any prefix. It
 * begins with the origin, because the address of the page may contain a password.
 */
function apiUrl(): string {
  return location.origin + new URL(`..${API_PREFIX}`, import.meta.url).pathname;
}
