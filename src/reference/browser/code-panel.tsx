import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Code, CopyButton } from '../code.tsx';
import { pageLoop } from '../samples/page-loop.ts';
import { LANGUAGES, type LanguageId, sampleOf } from '../samples/sample.ts';
import type { SampleRequest } from '../samples/sample-request.ts';
import { apiKey, focusKeyField } from './key-field.tsx';
import { type Outcome, ResponseView } from './response-view.tsx';
import { useSender } from './send-request.ts';
import { stored, useShared } from './shared.ts';
import { Tabs } from './tabs.tsx';

interface CodePanelProps {
  /** Unique on the page. */
  readonly id: string;
  readonly request: SampleRequest;
  /** Shown until the first response. */
  readonly example: Outcome;
}

/** A request before it is sent, and the response to it. The form around the panel sends it. */
export function CodePanel({ id, request: rendered, example }: CodePanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  const [request, setRequest] = useState(rendered);
  const { outcome, isSending, send, cancel } = useSender(example);
  const hasKey = useShared(apiKey, 'rendered') !== '';

  // Before the first paint, because a form that nobody handles would leave the page.
  useLayoutEffect(() => {
    const form = panel.current?.closest('form');
    if (!form) return;
    const update = () => setRequest(readForm(form, rendered));
    const submit = (event: Event) => {
      event.preventDefault();
      send(readForm(form, rendered));
    };
    form.addEventListener('input', update);
    form.addEventListener('keydown', submitByKey);
    form.addEventListener('submit', submit);
    update();
  }, []);

  const sendNext = (after = '') => {
    const form = panel.current?.closest('form');
    const field = form?.querySelector<HTMLInputElement>('[name=after]');
    if (!form || !field) return;
    field.value = after;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    form.requestSubmit();
  };

  return (
    <div class="panel" ref={panel}>
      <Sample id={id} codeOf={(language) => sampleOf(language, request)} />
      <div class="line send needs-script">
        <button
          type="submit"
          title="Ctrl+Enter"
          aria-keyshortcuts="Control+Enter Meta+Enter"
          // The second click of a double click would add a second pet.
          onClick={(event) => event.detail > 1 && event.preventDefault()}
        >
          Send<span class="hidden"> {request.operation}</span>
        </button>
        {hasKey || (
          <button type="button" class="plain" onClick={focusKeyField}>
            Enter your API key
          </button>
        )}
      </div>
      <ResponseView
        outcome={outcome}
        isSending={isSending}
        onCancel={() => {
          cancel();
          // The button to cancel is about to go, and would take the focus with it.
          panel.current?.querySelector<HTMLElement>('[type=submit]')?.focus();
        }}
      />
      {
        // Only the form of the operation has the field for it.
        id === request.operation && outcome.nextAfter !== undefined && (
          <p>
            <button type="button" class="secondary" onClick={() => sendNext(outcome.nextAfter)}>
              Next page
            </button>
          </p>
        )
      }
      <p role="status" class="hidden">
        {isSending && 'Sending…'}
        {!isSending && outcome !== example && `${outcome.title}, ${outcome.note ?? outcome.body}`}
      </p>
    </div>
  );
}

interface LoopPanelProps {
  /** Unique on the page. */
  readonly id: string;
  readonly baseUrl: string;
}

/** The loop over all pages. */
export function LoopPanel({ id, baseUrl: rendered }: LoopPanelProps) {
  const [baseUrl, setBaseUrl] = useState(rendered);
  useLayoutEffect(() => setBaseUrl(apiUrl()), []);
  return (
    <div class="panel">
      <Sample id={id} codeOf={(language) => pageLoop(language, baseUrl)} />
    </div>
  );
}

/** The language of the samples, for all pages and visits. */
const languageChoice = stored(() => localStorage, 'animal-store.language');

interface SampleProps {
  readonly id: string;
  readonly codeOf: (language: LanguageId) => string;
}

/** The same in every language, with one tab for each. */
function Sample({ id, codeOf }: SampleProps) {
  const choice = useShared(languageChoice, '');
  const { id: language } = LANGUAGES.find(({ id }) => id === choice) ?? LANGUAGES[0];
  return (
    <>
      <div class="tabs">
        <Tabs
          id={id}
          label="Language"
          tabs={LANGUAGES}
          chosen={language}
          onChoose={(chosen) => languageChoice.set(chosen)}
        />
        <CopyButton />
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${language}`}>
        <Code language={language} code={codeOf(language)} />
      </div>
    </>
  );
}

function submitByKey(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
  // Otherwise the key also presses the focused button.
  event.preventDefault();
  (event.currentTarget as HTMLFormElement).requestSubmit();
}

type Field = HTMLInputElement | HTMLSelectElement;

/** The rendered request, with the values of the form where it has fields for them. */
function readForm(form: HTMLFormElement, rendered: SampleRequest): SampleRequest {
  const values = structuredClone(rendered.values);
  for (const { name, value, dataset } of form.querySelectorAll<Field>('[data-place]')) {
    const place = values[dataset['place'] as keyof typeof values];
    place[name] = value.trim();
    if (place[name] === '') delete place[name];
  }
  const bodyField = form.querySelector<HTMLTextAreaElement>('[name=body]');
  const body = bodyField?.value ?? rendered.body;
  return { ...rendered, baseUrl: apiUrl(), values, body };
}

/** The page is at …/docs and the API at …/v1, with any prefix. `document.baseURI` may have a password. */
function apiUrl(): string {
  return new URL('./v1', location.href).href;
}
