import { useLayoutEffect, useState } from 'preact/hooks';
import { CodePanel, type CodePanelProps } from '../code-panel.tsx';
import type { InIsland } from '../island.tsx';
import { durationOf, titleOf } from '../outcome.ts';
import { apiKey } from './key-store.ts';
import { focusKeyField } from './live-key-field.tsx';
import { readForm } from './read-form.ts';
import { useShared } from './shared.ts';
import { type Sender, useSender } from './use-sender.ts';
import { useTabs } from './use-tabs.ts';

/** The request follows the form around the panel, and the form sends it. */
export function LiveCodePanel({ island, ...props }: InIsland<CodePanelProps>) {
  const form = island.closest('form');
  const { request: rendered } = props;
  const [request, setRequest] = useState(rendered);
  const sender = useSender();
  const { outcome, sendingMs, send, cancel } = sender;
  const hasKey = useShared(apiKey, 'rendered') !== '';
  const [shortcut, setShortcut] = useState<string>();

  // Before the first paint, because a form that nobody handles would leave the page.
  useLayoutEffect(() => {
    if (form === null) return;
    const update = () => setRequest(readForm(form, rendered));
    const listeners = new AbortController();
    form.addEventListener('input', update, listeners);
    form.addEventListener('keydown', submitByKey, listeners);
    form.addEventListener(
      'submit',
      (event) => {
        event.preventDefault();
        send(readForm(form, rendered));
      },
      listeners,
    );
    update();
    if (/Mac|iPhone|iPad/.test(navigator.userAgent)) setShortcut('⌘ Enter');
    return () => listeners.abort();
  }, []);

  return (
    <CodePanel
      {...props}
      request={request}
      tabs={useTabs(request)}
      hasKey={hasKey}
      outcome={outcome}
      sendingMs={sendingMs}
      announcement={announcementOf(sender)}
      shortcut={shortcut}
      onEnterKey={focusKeyField}
      onCancel={() => {
        cancel();
        // The button to cancel is about to go, and would take the focus with it.
        form?.querySelector<HTMLElement>('[type=submit]')?.focus();
      }}
    />
  );
}

function announcementOf({ outcome, sendingMs }: Sender): string {
  if (sendingMs !== undefined) return 'Sending…';
  if (outcome === undefined) return '';
  const took = outcome.kind === 'response' ? `, ${durationOf(outcome.tookMs)}` : '';
  return titleOf(outcome) + took;
}

function submitByKey(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
  // Otherwise the key also presses the focused button.
  event.preventDefault();
  (event.currentTarget as HTMLFormElement).requestSubmit();
}
