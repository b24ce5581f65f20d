import type { ComponentProps } from 'preact';
import type { CodeTabs } from '../code-tabs.tsx';
import { LANGUAGES, sampleOf } from '../samples/sample.ts';
import type { SampleRequest } from '../samples/sample-request.ts';
import { languageChoice } from './language-choice.ts';
import { useShared } from './shared.ts';
import { useCopy } from './use-copy.ts';

type TabsProps = Omit<ComponentProps<typeof CodeTabs>, 'id' | 'request'>;

/** The tabs of a request. A choice holds for all panels at once. */
export function useTabs(request: SampleRequest): TabsProps {
  const language = useShared(languageChoice, LANGUAGES[0].id);
  const [isCopied, copy] = useCopy();
  return {
    language,
    isCopied,
    onLanguage: (chosen) => languageChoice.set(chosen),
    onCopy: () => copy(sampleOf(language, request)),
    onKeyDown: (event) => {
      const index = LANGUAGES.findIndex(({ id }) => id === language);
      const next = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: -1 }[event.key];
      if (next === undefined) return;
      event.preventDefault();
      const tabs = event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]');
      const chosen = [...tabs].at(next % tabs.length);
      chosen?.focus();
      chosen?.click();
    },
  };
}
