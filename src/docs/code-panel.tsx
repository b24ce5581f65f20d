import { Code } from './code.tsx';
import { type SampleRequest, urlOf } from './samples/sample-request.ts';

interface CodePanelProps {
  readonly request: SampleRequest;
  readonly errorsHref: string;
  readonly example?: { readonly status: number; readonly body: string } | undefined;
}

export function CodePanel({ request, example }: CodePanelProps) {
  return (
    <div class="code-panel">
      <Code language="curl" code={`curl -i ${urlOf(request)}`} />
      <button type="submit">Send</button>
      {example && <Code language="json" code={example.body} />}
    </div>
  );
}
