import { clockSuite } from './clock-suite.ts';

clockSuite('a test clock on one instance', 'embedded');
