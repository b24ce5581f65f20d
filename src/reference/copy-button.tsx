interface CopyButtonProps {
  /** Completes "Copy the …". */
  readonly of: string;
  readonly isCopied: boolean;
  readonly onCopy?: (() => void) | undefined;
}

/** As wide when it says "Copied", so that nothing next to it moves. */
export function CopyButton({ of, isCopied, onCopy }: CopyButtonProps) {
  const verb = isCopied ? 'Copied' : 'Copy';
  return (
    <>
      <button
        type="button"
        class="copy needs-script"
        aria-label={`${verb} the ${of}`}
        onClick={() => onCopy?.()}
      >
        {verb}
      </button>
      <span role="status" class="hidden">
        {isCopied && 'Copied'}
      </span>
    </>
  );
}
