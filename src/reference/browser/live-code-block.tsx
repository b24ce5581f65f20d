import { CodeBlock, type CodeBlockProps } from '../code-block.tsx';
import { useCopy } from './use-copy.ts';

export function LiveCodeBlock(props: CodeBlockProps) {
  const [isCopied, copy] = useCopy();
  return <CodeBlock {...props} isCopied={isCopied} onCopy={() => copy(props.code)} />;
}
