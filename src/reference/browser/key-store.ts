import { Shared } from './shared.ts';
import { readText, writeText } from './stored-text.ts';

const NAME = 'animal-store.key';
/** The browser forgets it with the tab. */
const storage = () => sessionStorage;

/** The reader's API key, which every part of the page sends. */
export const apiKey = new Shared(readText(storage, NAME) ?? '');

apiKey.subscribe((key) => writeText(storage, NAME, key));
