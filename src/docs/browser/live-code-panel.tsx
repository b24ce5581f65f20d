import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { CodePanel, type CodePanelProps } from '../code-panel.tsx';
import { durationOf, titleOf } from '../outcome.ts';
import type { InIsland } from './island.ts';
import { apiKey } from './key-store.ts';
import { focusKeyField } from './live-key-field.tsx';
import { readForm } from './read-form.ts';
import { useShared } from './shared.ts';
import { useSender } from './use-sender.ts';
import { useTabs } from './use-tabs.ts';

/** The request follows the form around the panel, and the form sends it. */
export function LiveCodePanel({ island, ...props }: InIsland<CodePanelProps>) {
  const form = island.closest('form');
  const { request: rendered } = props;
  const [request, setRequest] = useState(rendered);
  const { outcome, sendingMs, send, cancel } = useSender();
  const hasKey = useShared(apiKey, 'rendered') !== '';
  const tabs = useTabs(request);

  useLayoutEffect(() => {
    const update = () => form && setRequest(readForm(form, rendered));
    update();
    form?.addEventListener('input', update);
    return () => form?.removeEventListener('input', update);
  }, [form, rendered]);

  useEffect(() => {
    const submit = (event: SubmitEvent) => {
      event.preventDefault();
      if (form) send(readForm(form, rendered));
    };
    form?.addEventListener('submit', submit);
    return () => form?.removeEventListener('submit', submit);
  });

  useEffect(() => {
    const submitByKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
      // Otherwise a focused button is pressed as well.
      event.preventDefault();
      form?.requestSubmit();
    };
    form?.addEventListener('keydown', submitByKey);
    return () => form?.removeEventListener('keydown', submitByKey);
  }, [form]);

  return (
    <CodePanel
      {...props}
      request={request}
      tabs={tabs}
      hasKey={hasKey}
      outcome={outcome}
      sendingMs={sendingMs}
      announcement={announcementOf()}
      onEnterKey={focusKeyField}
      onCancel={cancel}
    />
  );

  function announcementOf(): string {
    if (tabs.isCopied) return 'Copied';
    if (sendingMs !== undefined) return 'Sending…';
    if (outcome === undefined) return '';
    const took = outcome.kind === 'response' ? `, ${durationOf(outcome.tookMs)}` : '';
    return titleOf(outcome) + took;
  }
}
