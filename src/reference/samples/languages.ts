// One file for each language that the pages show samples in. Pages and the browser call them with a
// request; they know its schema, and no page. A language that lacks an operation does not compile.

import { CURL } from './curl.ts';
import { FETCH } from './fetch.ts';
import { GO } from './go.ts';
import { PYTHON } from './python.ts';
import { TYPESCRIPT } from './typescript.ts';

export const LANGUAGES = [CURL, TYPESCRIPT, FETCH, PYTHON, GO] as const;

export type LanguageId = (typeof LANGUAGES)[number]['id'];
