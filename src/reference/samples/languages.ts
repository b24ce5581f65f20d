import { CURL, FETCH, GO, PYTHON } from './templates.ts';
import { TYPESCRIPT } from './typescript.ts';

export const LANGUAGES = [CURL, TYPESCRIPT, FETCH, PYTHON, GO] as const;
