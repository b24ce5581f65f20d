import type { JSX } from 'preact';
import { Code } from './code.tsx';
import { CopyButton } from './copy-button.tsx';
import { LANGUAGES, type LanguageId, sampleOf } from './samples/sample.ts';
import type { SampleRequest } from './samples/sample-request.ts';

interface CodeTabsProps {
  /** Unique on the page. */
  readonly id: string;
  readonly request: SampleRequest;
}

interface LiveProps {
  readonly language?: LanguageId;
  readonly isCopied?: boolean;
  readonly onLanguage?: (language: LanguageId) => void;
  readonly onCopy?: () => void;
  readonly onKeyDown?: JSX.IntrinsicElements['div']['onKeyDown'];
}

/** A request in every language, with one tab for each. */
export function CodeTabs({ id, request, language = 'curl', ...live }: CodeTabsProps & LiveProps) {
  const { isCopied = false, onLanguage, onCopy, onKeyDown } = live;
  return (
    <>
      <div class="tabs">
        <div role="tablist" aria-label="Language" tabIndex={-1} onKeyDown={onKeyDown}>
          {LANGUAGES.map((tab) => (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={`${id}-${tab.id}`}
              aria-selected={tab.id === language}
              aria-controls={`${id}-sample`}
              tabIndex={tab.id === language ? 0 : -1}
              onClick={() => onLanguage?.(tab.id)}
            >
              {tab.title}
            </button>
          ))}
        </div>
        <CopyButton of="sample" isCopied={isCopied} onCopy={onCopy} />
      </div>
      <div role="tabpanel" id={`${id}-sample`} aria-labelledby={`${id}-${language}`}>
        <Code language={language} code={sampleOf(language, request)} />
      </div>
    </>
  );
}
