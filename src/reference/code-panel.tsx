import type { ComponentProps } from 'preact';
import { CodeTabs } from './code-tabs.tsx';
import type { Outcome } from './outcome.ts';
import { type Example, ResponseView } from './response-view.tsx';
import type { SampleRequest } from './samples/sample-request.ts';

export interface CodePanelProps {
  /** Unique on the page. Default: the name of the operation. */
  readonly id?: string;
  readonly request: SampleRequest;
  readonly errorsHref: string;
  readonly example?: Example;
}

interface LiveProps {
  readonly tabs?: Omit<ComponentProps<typeof CodeTabs>, 'id' | 'request'>;
  readonly hasKey?: boolean;
  readonly shortcut?: string | undefined;
  readonly outcome?: Outcome | undefined;
  readonly sendingMs?: number | undefined;
  /** For screen readers. */
  readonly announcement?: string;
  readonly onEnterKey?: () => void;
  readonly onCancel?: () => void;
}

/** A request before it is sent, and the response to it. Its form sends the request. */
export function CodePanel({ request, errorsHref, example, ...live }: CodePanelProps & LiveProps) {
  const { id = request.operation } = live;
  const { tabs, hasKey = true, shortcut = 'Ctrl Enter', announcement = '', onEnterKey } = live;
  return (
    <div class="panel">
      <CodeTabs id={id} request={request} {...tabs} />
      <div class="send needs-script">
        <button
          type="submit"
          aria-keyshortcuts="Control+Enter Meta+Enter"
          // The second click of a double click would add a second pet.
          onClick={(event) => event.detail > 1 && event.preventDefault()}
        >
          Send<span class="hidden"> {request.operation}</span>
        </button>
        <kbd>{shortcut}</kbd>
        {hasKey || (
          <button type="button" class="link" onClick={() => onEnterKey?.()}>
            Enter your API key
          </button>
        )}
      </div>
      <ResponseView
        errorsHref={errorsHref}
        example={example}
        outcome={live.outcome}
        sendingMs={live.sendingMs}
        onCancel={live.onCancel}
      />
      <p role="status" class="hidden">
        {announcement}
      </p>
    </div>
  );
}
