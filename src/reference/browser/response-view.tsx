import { Code, indentJson } from '../code.tsx';
import { ERRORS_HREF, StatusBadge } from '../section.tsx';

/** The response to a request of the page, or the reason why there is none. */
export interface Outcome {
  /** In a few words, such as `201 Created`. */
  readonly title: string;
  /** Undefined without a response. */
  readonly status?: number;
  /** Such as the time that it took. */
  readonly note?: string;
  readonly body: string;
  readonly isJson?: boolean;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** Of an error of this API. */
  readonly errorCode?: string | undefined;
}

interface ResponseViewProps {
  readonly outcome: Outcome;
  /** How long the request in flight has taken. */
  readonly sendingMs: number | undefined;
  readonly onCancel: () => void;
}

export function ResponseView({ outcome, sendingMs, onCancel }: ResponseViewProps) {
  const { title, status, note, headers, errorCode } = outcome;
  const isSending = sendingMs !== undefined;
  return (
    <div class="response" aria-busy={isSending}>
      <div class="response-head">
        {isSending ? (
          <>
            <span>Sending…</span>
            <span class="note">{durationOf(sendingMs)}</span>
            <button type="button" class="secondary small" onClick={onCancel}>
              Cancel <kbd>Esc</kbd>
            </button>
          </>
        ) : (
          <>
            {status === undefined ? (
              <span class="failure">{title}</span>
            ) : (
              <StatusBadge status={status} title={title} />
            )}
            {note !== undefined && <span class="note">{note}</span>}
          </>
        )}
      </div>
      {errorCode !== undefined && (
        <p class="error-code">
          Error{' '}
          <a href={`${ERRORS_HREF}#${errorCode}`}>
            <code>{errorCode}</code>
          </a>
          : what it means and what to do
        </p>
      )}
      <Body outcome={outcome} />
      {headers !== undefined && (
        <details>
          <summary>
            Headers <span class="note">{headers.length}</span>
          </summary>
          <Code
            language="http"
            code={headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
          />
        </details>
      )}
    </div>
  );
}

/** A text that is not JSON, such as the page of a proxy, stays as it is. */
function Body({ outcome: { status, body, isJson } }: Pick<ResponseViewProps, 'outcome'>) {
  if (status === undefined) return <p>{body}</p>;
  if (body === '') return <p class="note">No body</p>;
  return isJson ? (
    <Code language="json" code={indentJson(body)} />
  ) : (
    <Code language="text" code={body} />
  );
}

/** Such as `12 ms` or `1.5 s`. */
export function durationOf(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
