import { StatusChip } from './chips.tsx';
import { Code } from './code.tsx';
import { CodeLink } from './code-link.tsx';
import { indentJson } from './indent-json.ts';
import { durationOf, type Outcome, titleOf } from './outcome.ts';

export interface Example {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
}

interface ResponseViewProps {
  readonly errorsHref: string;
  /** Shown until the first outcome. */
  readonly example?: Example | undefined;
  readonly outcome?: Outcome | undefined;
  /** How long the request in flight has taken. */
  readonly sendingMs?: number | undefined;
  readonly onCancel?: (() => void) | undefined;
}

export function ResponseView({ example, outcome, sendingMs, ...others }: ResponseViewProps) {
  const { errorsHref, onCancel } = others;
  if (example === undefined && outcome === undefined && sendingMs === undefined) return null;
  const isSending = sendingMs !== undefined;
  return (
    <div class="response" aria-busy={isSending}>
      <div class="response-head">
        {isSending ? (
          <>
            <span>Sending…</span>
            <span class="took">{durationOf(sendingMs)}</span>
            <button type="button" class="cancel" onClick={() => onCancel?.()}>
              Cancel <kbd>Esc</kbd>
            </button>
          </>
        ) : (
          <Head example={example} outcome={outcome} />
        )}
      </div>
      {outcome === undefined ? (
        example && <Body text={example.body} isJson />
      ) : (
        <Content outcome={outcome} errorsHref={errorsHref} />
      )}
    </div>
  );
}

function Head({ example, outcome }: Pick<ResponseViewProps, 'example' | 'outcome'>) {
  if (outcome?.kind === 'failure') return <span class="failure">{outcome.title}</span>;
  if (outcome === undefined) {
    return (
      <>
        <StatusChip status={example?.status ?? 0} />
        <span class="took">Example response</span>
      </>
    );
  }
  return (
    <>
      <StatusChip status={outcome.status} title={titleOf(outcome)} />
      <span class="took">{durationOf(outcome.tookMs)}</span>
    </>
  );
}

function Content({ outcome, errorsHref }: { outcome: Outcome; errorsHref: string }) {
  if (outcome.kind === 'failure') return <p class="failure-text">{outcome.text}</p>;
  const { body, isJson, headers, errorCode } = outcome;
  return (
    <>
      {errorCode && (
        <p class="error-code">
          Error <CodeLink href={`${errorsHref}#${errorCode}`} name={errorCode} />: what it means and
          what to do
        </p>
      )}
      {body === '' ? <p class="no-body">No body</p> : <Body text={body} isJson={isJson} />}
      <details class="response-headers">
        <summary>
          Headers <span class="count">{headers.length}</span>
        </summary>
        <Code
          language="http"
          code={headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
        />
      </details>
    </>
  );
}

/** A text that is not JSON, such as the page of a proxy, stays as it is. */
function Body({ text, isJson }: { text: string; isJson: boolean }) {
  if (isJson) return <Code language="json" code={indentJson(text)} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls a long text.
    <pre class="code" tabIndex={0}>
      <code>{text}</code>
    </pre>
  );
}
