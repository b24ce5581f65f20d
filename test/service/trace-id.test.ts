import { expect, test } from 'bun:test';
import { traceIdOf } from '../../src/service/reporter.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

test.each([`00-${TRACE}-${SPAN}-01`, `cc-${TRACE}-${SPAN}-00`, `cc-${TRACE}-${SPAN}-00-later`])(
  '%s has a trace id',
  (header) => expect(traceIdOf(header)).toBe(TRACE),
);

test.each([
  ['', 'empty'],
  [TRACE, 'only an id'],
  [`ff-${TRACE}-${SPAN}-01`, 'a version that is not allowed'],
  [`00-${TRACE}-${SPAN}-01-more`, 'too long for its version'],
  [`00-${TRACE.toUpperCase()}-${SPAN}-01`, 'in upper case'],
  [`00-${'0'.repeat(32)}-${SPAN}-01`, 'a trace id of zeros'],
  [`00-${TRACE}-${'0'.repeat(16)}-01`, 'a span id of zeros'],
  [`00-${TRACE}-${SPAN}-01\n`, 'followed by a line end'],
  [`00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`, 'given twice'],
])('%j has none: it is %s', (header) => expect(traceIdOf(header)).toBeUndefined());
