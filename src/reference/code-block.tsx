import { Code } from './code.tsx';
import type { CodeLanguage } from './code-tokens.ts';
import { CopyButton } from './copy-button.tsx';

export interface CodeBlockProps {
  readonly language: CodeLanguage;
  readonly code: string;
}

interface LiveProps {
  readonly isCopied?: boolean;
  readonly onCopy?: () => void;
}

/** Code to copy. */
export function CodeBlock({
  language,
  code,
  isCopied = false,
  onCopy,
}: CodeBlockProps & LiveProps) {
  return (
    <div class="code-block">
      <CopyButton of="code" isCopied={isCopied} onCopy={onCopy} />
      <Code language={language} code={code} />
    </div>
  );
}
