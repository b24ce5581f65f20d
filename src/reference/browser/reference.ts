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
    // The text is changed in place, because the node may belong to Preact.
    const label = button?.firstChild;
    if (!code || !label) return;
    await copy(code);
    label.nodeValue = 'Copied';
    setTimeout(() => {
      label.nodeValue = 'Copy';
    }, SHOWN_MS);
  });
}

/** Without HTTPS, a browser lets only pages of its own machine use the clipboard. Others select the code. */
async function copy(code: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(code.innerText);
  } catch {
    getSelection()?.selectAllChildren(code);
    document.execCommand('copy');
  }
}
