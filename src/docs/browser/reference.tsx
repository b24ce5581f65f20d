import { type ComponentType, hydrate } from 'preact';

/** The parts of the pages that come to life, by the name of their island. */
const PARTS: Readonly<Record<string, ComponentType<never>>> = {};

for (const island of document.querySelectorAll<HTMLElement>('[data-island]')) {
  const { island: name = '', props = '{}' } = island.dataset;
  const Part = PARTS[name] as ComponentType<object> | undefined;
  if (Part !== undefined) hydrate(<Part {...(JSON.parse(props) as object)} />, island);
}
