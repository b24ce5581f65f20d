import { useEffect, useState } from 'preact/hooks';

const SHOWN_MS = 2_000;

/** A function that copies a text, and whether it did so a moment ago. */
export function useCopy(): [isCopied: boolean, copy: (text: string) => void] {
  const [copies, setCopies] = useState(0);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (copies === 0) return;
    setCopied(true);
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copies]);
  const copy = async (text: string) => {
    await copyText(text);
    setCopies((count) => count + 1);
  };
  return [isCopied, copy];
}

/** Without HTTPS, a browser gives no clipboard to other machines. */
async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyBySelection(text);
  }
}

function copyBySelection(text: string): void {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
}
