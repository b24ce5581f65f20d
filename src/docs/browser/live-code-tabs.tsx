import { useLayoutEffect, useState } from 'preact/hooks';
import { CodeTabs, type CodeTabsProps } from '../code-tabs.tsx';
import { baseUrl } from './read-form.ts';
import { useTabs } from './use-tabs.ts';

export function LiveCodeTabs({ id, request: rendered }: CodeTabsProps) {
  const [request, setRequest] = useState(rendered);
  useLayoutEffect(() => setRequest({ ...rendered, baseUrl: baseUrl() }), [rendered]);
  return <CodeTabs id={id} request={request} {...useTabs(request)} />;
}
