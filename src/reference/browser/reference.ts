// The script of the reference pages, which work without it. It hydrates the parts that react: the key, the
// samples that can be sent, the search. It imports nothing that needs the server.

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
    const code = button?.closest(':has(pre)')?.querySelector('pre');
    // Changed in place: Preact may own the node.
    const label = button?.firstChild;
    if (!code || !label) return;
    await copy(code);
    label.nodeValue = 'Copied';
    setTimeout(() => {
      label.nodeValue = 'Copy';
    }, SHOWN_MS);
  });
}

/** Without HTTPS, a browser gives no clipboard to other machines. */
async function copy(code: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(code.innerText);
  } catch {
    getSelection()?.selectAllChildren(code);
    document.execCommand('copy');
  }
}
