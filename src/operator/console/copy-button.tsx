import { useState } from 'preact/hooks';
import { announce } from './notices.tsx';

/** Copies a text. Without HTTPS, a browser gives no clipboard to other machines. */
export function CopyButton({ text, of }: { text: string; of: string }) {
  const [isCopied, setCopied] = useState(false);
  const verb = isCopied ? 'Copied' : 'Copy';
  const copy = async (event: MouseEvent) => {
    const button = event.currentTarget as HTMLElement;
    const isDone = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    if (!isDone) copyBySelection(button, text);
    setCopied(true);
    announce(`${of} copied.`);
  };
  return (
    <button
      type="button"
      class="secondary small"
      onClick={copy}
      aria-label={`${verb} the ${of.toLowerCase()}`}
    >
      {verb}
    </button>
  );
}

function copyBySelection(button: HTMLElement, text: string): void {
  const field = document.createElement('textarea');
  field.value = text;
  // In the dialog: nothing outside of it can be selected.
  button.after(field);
  field.select();
  document.execCommand('copy');
  field.remove();
  button.focus();
}
