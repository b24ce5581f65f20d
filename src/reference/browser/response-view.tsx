import { exactJson, parseJson } from '../../domain/json.ts';
import { Code } from '../code.tsx';
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
  /** Where the next page begins, if there is one. */
  readonly nextAfter?: string | undefined;
  /** Of an error of this API. */
  readonly errorCode?: string | undefined;
}

interface ResponseViewProps {
  readonly outcome: Outcome;
  readonly isSending: boolean;
  readonly onCancel: () => void;
}

export function ResponseView({ outcome, isSending, onCancel }: ResponseViewProps) {
  const { title, status, note, headers, errorCode } = outcome;
  return (
    <div class="response" aria-busy={isSending}>
      <div class="line">
        {isSending ? (
          <>
            <span>Sending…</span>
            <button type="button" class="secondary small" onClick={onCancel}>
              Cancel <kbd>Esc</kbd>
            </button>
          </>
        ) : (
          <>
            <StatusBadge status={status ?? 0} title={title} />
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

function Body({ outcome: { status, body, isJson } }: Pick<ResponseViewProps, 'outcome'>) {
  if (status === undefined) return <p>{body}</p>;
  if (body === '') return <p class="note">No body</p>;
  if (isJson) return <Code language="json" code={indentJson(body)} />;
  return <Code language="text" code={body} />;
}

/** `JSON.parse` would round ids beyond 2^53. A text that is not JSON stays as it is. */
export function indentJson(json: string): string {
  try {
    return exactJson(parseJson(json), 2);
  } catch {
    return json;
  }
}
