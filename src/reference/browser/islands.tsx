import { type ComponentProps, type ComponentType, hydrate } from 'preact';
import { CodePanel, LoopPanel } from './code-panel.tsx';
import { SearchBox } from './search-box.tsx';
import { UsageView } from './usage-view.tsx';

/** The parts of the pages that come to life in the browser. */
const ISLANDS = {
  'code-panel': CodePanel,
  'loop-panel': LoopPanel,
  'search-box': SearchBox,
  'usage-view': UsageView,
};

type IslandName = keyof typeof ISLANDS;

interface IslandProps<Name extends IslandName> {
  readonly name: Name;
  /** Only JSON values: the browser reads them from the page. */
  readonly props: ComponentProps<(typeof ISLANDS)[Name]>;
}

/** An island as the server renders it. */
export function Island<Name extends IslandName>({ name, props }: IslandProps<Name>) {
  const Part = ISLANDS[name] as ComponentType<object>;
  return (
    <div data-island={name} data-props={JSON.stringify(props)}>
      <Part {...props} />
    </div>
  );
}

/** Brings the islands of the page to life. */
export function hydrateIslands(): void {
  for (const island of document.querySelectorAll<HTMLElement>('[data-island]')) {
    const { island: name, props = '{}' } = island.dataset;
    const Part = ISLANDS[name as IslandName] as ComponentType<object>;
    hydrate(<Part {...JSON.parse(props)} />, island);
  }
}
