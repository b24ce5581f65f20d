import { type ComponentType, hydrate } from 'preact';
import type { InIsland } from '../island.tsx';
import { LiveCodeBlock } from './live-code-block.tsx';
import { LiveCodePanel } from './live-code-panel.tsx';
import { LiveKeyField } from './live-key-field.tsx';
import { LiveSearchBox } from './live-search-box.tsx';
import { closeAfterChoice } from './phone-menu.ts';
import { markWhileScrolling } from './scroll-mark.ts';

/** The parts of the pages that come to life, by the name of their island. */
const PARTS: Readonly<Record<string, ComponentType<never>>> = {
  'code-block': LiveCodeBlock,
  'code-panel': LiveCodePanel,
  'key-field': LiveKeyField,
  'search-box': LiveSearchBox,
};

for (const island of document.querySelectorAll<HTMLElement>('[data-island]')) {
  const { island: name = '', props = '{}' } = island.dataset;
  const Part = PARTS[name] as ComponentType<InIsland<object>> | undefined;
  if (Part !== undefined)
    hydrate(<Part {...(JSON.parse(props) as object)} island={island} />, island);
}

const navigation = document.getElementById('navigation');
if (navigation !== null) {
  markWhileScrolling(navigation);
  closeAfterChoice(navigation);
}
