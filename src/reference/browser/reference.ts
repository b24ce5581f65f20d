import { hydrateIslands } from './islands.tsx';
import { closeAfterChoice, markWhileScrolling } from './navigation.ts';

const SHOWN_MS = 2_000;

hydrateIslands();
copyOnClick();

const navigation = document.getElementById('navigation');
if (navigation !== null) {
  markWhileScrolling(navigation);
  closeAfterChoice(navigation);
}

/** Every button next to code copies that code. */
function copyOnClick(): void {
  document.addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest('.copy') : null;
    if (button === null) return;
    const code = button.closest('.panel, .code-block')?.querySelector('code')?.textContent ?? '';
    await copyText(code);
    show(button, 'Copied', 'Copied');
    setTimeout(() => show(button, 'Copy', ''), SHOWN_MS);
  });
}

/** Changes the text in place: Preact may own the node. */
function show(button: Element, verb: string, status: string): void {
  if (button.firstChild !== null) button.firstChild.nodeValue = verb;
  button.ariaLabel = `${verb} the code`;
  if (button.nextElementSibling !== null) button.nextElementSibling.textContent = status;
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
