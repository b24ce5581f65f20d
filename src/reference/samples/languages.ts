import { CURL } from './curl.ts';
import { FETCH } from './fetch.ts';
import { GO } from './go.ts';
import { PYTHON } from './python.ts';
import { TYPESCRIPT } from './typescript.ts';

export const LANGUAGES = [CURL, TYPESCRIPT, FETCH, PYTHON, GO] as const;

export type LanguageId = (typeof LANGUAGES)[number]['id'];
