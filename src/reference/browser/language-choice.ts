import { LANGUAGES, type LanguageId } from '../samples/sample.ts';
import { Shared } from './shared.ts';
import { readText, writeText } from './stored-text.ts';

const NAME = 'animal-store.language';
const storage = () => localStorage;

/** The language of the samples, for all pages and visits. */
export const languageChoice = new Shared<LanguageId>(
  languageOf(readText(storage, NAME)) ?? LANGUAGES[0].id,
);

languageChoice.subscribe((language) => writeText(storage, NAME, language));

function languageOf(text: string | null): LanguageId | undefined {
  return LANGUAGES.find(({ id }) => id === text)?.id;
}
