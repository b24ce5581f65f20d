import { copyOnClick } from './copy.ts';
import { hydrateIslands } from './islands.tsx';
import { closeAfterChoice, markWhileScrolling } from './navigation.ts';

hydrateIslands();
copyOnClick();

const navigation = document.getElementById('navigation');
if (navigation !== null) {
  markWhileScrolling(navigation);
  closeAfterChoice(navigation);
}
