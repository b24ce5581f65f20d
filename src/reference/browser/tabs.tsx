import type { TargetedKeyboardEvent } from 'preact';

interface TabsProps {
  /** Unique on the page. Its panel has the id with `-panel`. */
  readonly id: string;
  readonly label: string;
  readonly tabs: readonly { readonly id: string; readonly title: string }[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

export function Tabs({ id, label, tabs, chosen, onChoose }: TabsProps) {
  return (
    <div role="tablist" aria-label={label} tabIndex={-1} onKeyDown={chooseByKey}>
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          id={`${id}-${tab.id}`}
          aria-selected={tab.id === chosen}
          aria-controls={`${id}-panel`}
          tabIndex={tab.id === chosen ? 0 : -1}
          onClick={() => onChoose(tab.id)}
        >
          {tab.title}
        </button>
      ))}
    </div>
  );
}

function chooseByKey(event: TargetedKeyboardEvent<HTMLElement>): void {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')];
  const index = tabs.findIndex((tab) => tab.ariaSelected === 'true');
  const next = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: -1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  const chosen = tabs.at(next % tabs.length);
  chosen?.focus();
  chosen?.click();
}
