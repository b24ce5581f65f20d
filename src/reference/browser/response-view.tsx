import { ERRORS_PAGE } from '#contract/api.ts';
import { exactJson, parseJson } from '#formats/json.ts';
import { StatusBadge } from '#reference/badge.tsx';
import { Code, CopyButton } from '#reference/code.tsx';

/** The response to a request of the page, or the reason why there is none. */
export interface Outcome {
  /** In a few words, such as `201 Created`. */
  readonly title: string;
  /** Undefined if there was no response. */
  readonly status?: number;
  /** A remark, such as the time that the request took. */
  readonly note: string;
  readonly body?: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** The id after which the next page begins, if there is one. */
  readonly nextAfter?: string | undefined;
  /** The code, if the response is an error of this API. */
  readonly errorCode?: string | undefined;
}

export function ResponseView({ outcome, isSending }: { outcome: Outcome; isSending: boolean }) {
  const { title, status = 0, note, body, headers, errorCode } = outcome;
  return (
    <div class="response" aria-busy={isSending}>
      <div class="line">
        <span role="status">
          {isSending ? (
            'Sending…'
          ) : (
            <>
              <StatusBadge status={status} title={title} /> <span class="note">{note}</span>
            </>
          )}
        </span>
        {body && <CopyButton what="response" />}
      </div>
      {errorCode !== undefined && (
        <p class="error-code">
          Error{' '}
          <a href={`.${ERRORS_PAGE}#${errorCode}`}>
            <code>{errorCode}</code>
          </a>
          : what it means and what to do
        </p>
      )}
      {body && <Code language="json" code={indentJson(body)} />}
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

/** `JSON.parse` would round ids beyond 2^53. A text that is not JSON stays as it is. */
export function indentJson(json: string): string {
  try {
    return exactJson(parseJson(json), 2);
  } catch {
    return json;
  }
}
